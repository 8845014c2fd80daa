package io.koopstream.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.koopstream.internal.parts.StateParts;
import io.koopstream.learner.LearnerState;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailDistributionTest {

    /** A sink and a source in one: a queue of parts. */
    private static Object queue() {
        Deque<Object> parts = new ArrayDeque<>();
        return Proxy.newProxyInstance(
                LearnerState.class.getClassLoader(),
                new Class<?>[] {LearnerState.Sink.class, LearnerState.Source.class},
                (queue, method, arguments) -> {
                    if (arguments.length == 1) {
                        return parts.remove();
                    }
                    parts.add(arguments[1]);
                    return null;
                });
    }

    /** Numbers of noise-free data are often all equal, or equal but for a few. */
    @Test
    void equalNumbersHaveATailThatCanBeSaved() {
        for (int every : new int[] {Integer.MAX_VALUE, 40, 15, 12}) {
            TailDistribution tail = new TailDistribution();
            for (int i = 0; i < 3000; i++) {
                tail.add(i % every == every - 1 ? 1 : 0);
            }
            Object queue = queue();
            tail.parts(StateParts.to((LearnerState.Sink) queue));
            for (StateParts parts : List.of(
                    StateParts.from((LearnerState.Source) queue),
                    StateParts.copied(original -> tail.parts(original)))) {
                assertEquals(tail.tail(2), new TailDistribution().parts(parts).tail(2));
            }
            assertTrue(tail.tail(2) > 0 && tail.tail(2) < 0.2, () -> "every " + every + ": " + tail.tail(2));
        }
    }
}
