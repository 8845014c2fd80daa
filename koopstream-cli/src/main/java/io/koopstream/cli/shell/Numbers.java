package io.koopstream.cli.shell;

import io.koopstream.internal.text.Decimals;
import io.koopstream.spectrum.Complex;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Numbers as people read them. */
public final class Numbers {

    private static final int MAX_NAMES = 8;

    private Numbers() {}

    /** Four decimals; the imaginary part only where it shows. */
    public static String complex(Complex value) {
        return Math.abs(value.im()) < 5e-5
                ? String.format(Locale.ROOT, "%.4f", value.re())
                : String.format(
                        Locale.ROOT, "%.4f %s %.4fi", value.re(), value.im() < 0 ? "-" : "+", Math.abs(value.im()));
    }

    /** As short as it reads back to the same number. */
    public static String plain(double value) {
        return Decimals.text(value);
    }

    /** Two digits, as an exponent where that is shorter. */
    public static String shortest(double value) {
        return String.format(Locale.ROOT, "%.2g", value);
    }

    /**
     * One notation for the numbers of a column, with two digits of what is not known of them.
     *
     * @param error of the numbers; those known to rounding, as of what does not move, have three digits
     * @param largest absolute value among them
     */
    public static DoubleFunction<String> digits(double error, double largest) {
        double known = error > 1e-9 * largest ? error : 1e-3 * largest;
        int last = known > 0 ? 1 - (int) Math.floor(Math.log10(known)) : 0;
        int first = largest > 0 ? (int) Math.floor(Math.log10(largest)) : 0;
        String format =
                first >= 9 || last > 9 ? "%." + Math.max(1, first + last) + "e" : "%." + Math.max(0, last) + "f";
        return value -> String.format(Locale.ROOT, format, value);
    }

    /** So many of them: 1 row, 2,000 rows. */
    public static String counted(long count, String noun) {
        return String.format(Locale.ROOT, count == 1 ? "%,d %s" : "%,d %ss", count, noun);
    }

    /** Names in a line that has room for some of them. */
    public static String some(List<String> names) {
        return names.size() <= MAX_NAMES
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_NAMES - 1))
                        + String.format(Locale.ROOT, " and %,d more", names.size() - MAX_NAMES + 1);
    }
}
