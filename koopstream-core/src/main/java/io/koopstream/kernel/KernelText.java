package io.koopstream.kernel;

import io.koopstream.internal.text.Decimals;
import java.util.function.Function;

/** Text of kernels. */
final class KernelText {

    private KernelText() {}

    /** {@code name(key=value, ...)}. */
    static String call(String name, Object... keysAndValues) {
        StringBuilder text = new StringBuilder(name).append('(');
        for (int i = 0; i < keysAndValues.length; i += 2) {
            text.append(i == 0 ? "" : ", ")
                    .append(keysAndValues[i])
                    .append('=')
                    .append(Decimals.text(((Number) keysAndValues[i + 1]).doubleValue()));
        }
        return text.append(')').toString();
    }

    /** The kernel's text, in brackets when it is itself a sum or a product. */
    static String asFactor(Kernel kernel, Function<Kernel, String> writer) {
        String text = writer.apply(kernel);
        return kernel instanceof Sum || kernel instanceof Product ? "(" + text + ")" : text;
    }
}
