package io.koopstream.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel as a text of moderate length. A kernel of many coordinates has as many scales; where its text would become too long, they are arrays
 * beside the text, which refers to them by name: {@code scaled(gaussian(sigma=1), @scales_1)}.
 *
 * @param text the kernel in the grammar of {@link Kernels#parse}, with references in the place of scales if there are arrays
 * @param arrays the scales by name, in the order in which the text refers to them; empty for a text that says all
 */
public record KernelOutline(String text, Map<String, List<Double>> arrays) {

    /** Begins a reference. */
    static final char MARK = '@';

    private static final Pattern REFERENCE = Pattern.compile(MARK + "([A-Za-z0-9_]*)");

    /** The fewest characters that a scale takes in a text: comma, blank, digit. */
    private static final int LEAST = 3;

    /** Takes a copy. */
    public KernelOutline {
        arrays = Collections.unmodifiableMap(new LinkedHashMap<>(arrays));
    }

    /**
     * The outline of a kernel: its text, or, if that is longer than the limit and has scales, a text with a reference for each list of scales.
     *
     * @param prefix what the names of arrays begin with; a number follows, counted from 1
     * @param limit the most characters of a text without references
     */
    public static KernelOutline of(Kernel kernel, String prefix, int limit) {
        Map<String, List<Double>> arrays = new LinkedHashMap<>();
        String text = write(kernel, prefix, arrays);
        long scales = arrays.values().stream().mapToLong(List::size).sum();
        if (scales * LEAST <= limit) {
            String whole = kernel.text();
            if (arrays.isEmpty() || whole.length() <= limit) {
                return new KernelOutline(whole, Map.of());
            }
        }
        return new KernelOutline(text, arrays);
    }

    private static String write(Kernel kernel, String prefix, Map<String, List<Double>> arrays) {
        if (kernel instanceof Scaled scaled) {
            String inner = write(scaled.kernel(), prefix, arrays);
            String name = prefix + (arrays.size() + 1);
            arrays.put(name, scaled.scales());
            return "scaled(" + inner + ", " + MARK + name + ")";
        }
        return kernel instanceof Composite composite
                ? composite.text(part -> write(part, prefix, arrays))
                : kernel.text();
    }

    /** The names of the arrays that a text refers to, in its order. */
    public static List<String> references(String text) {
        List<String> names = new ArrayList<>();
        Matcher matcher = REFERENCE.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /**
     * The kernel again.
     *
     * @param own the caller's own kernels by their names; null for a name it does not know
     * @throws io.koopstream.InvalidConfigException if the text is not in the grammar, or refers to an array that is not there
     */
    public Kernel kernel(Function<String, Kernel> own) {
        return new KernelParser(text, arrays, own).parse();
    }
}
