package io.koopstream.testkit;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Counts the memory of all arrays that an object of this project holds, directly or through other objects of this project. Exact and repeatable,
 * which the heap's own figures are not.
 */
final class RetainedArrays {

    private static final long HEADER = 16;
    /** A reference, at its largest. */
    private static final long REFERENCE = 8;

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private long bytes;

    private RetainedArrays() {}

    static long bytes(Object root) {
        RetainedArrays walk = new RetainedArrays();
        walk.meet(root);
        while (!walk.open.isEmpty()) {
            walk.visit(walk.open.pop());
        }
        return walk.bytes;
    }

    private void meet(Object object) {
        if (object != null && (object.getClass().isArray() || isOurs(object.getClass())) && seen.add(object)) {
            open.push(object);
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.koopstream.") && !type.isHidden() && !type.isEnum();
    }

    private void visit(Object object) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            count(object, type.getComponentType());
            return;
        }
        for (Class<?> owner = type; owner != null && isOurs(owner); owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    try {
                        meet(field.get(object));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(field + " cannot be read", e);
                    }
                }
            }
        }
    }

    private void count(Object array, Class<?> component) {
        int length = Array.getLength(array);
        if (component == double.class || component == long.class) {
            bytes += HEADER + 8L * length;
        } else if (component == int.class) {
            bytes += HEADER + 4L * length;
        } else if (component.isPrimitive()) {
            throw new AssertionError("an array of " + component + " that this count does not know");
        } else {
            bytes += HEADER + REFERENCE * length;
            for (Object element : (Object[]) array) {
                meet(element);
            }
        }
    }
}
