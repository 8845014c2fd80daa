package io.koopstream.cli.shell;

import io.koopstream.internal.text.Decimals;
import io.koopstream.spectrum.Complex;
import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {

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

    /** So many of them: 1 row, 2,000 rows. */
    public static String counted(long count, String noun) {
        return String.format(Locale.ROOT, count == 1 ? "%,d %s" : "%,d %ss", count, noun);
    }

    /** A time scale with a sensible number of digits; a mode that does not decay has none. */
    public static String timescale(double value) {
        if (Double.isInfinite(value) || value < 0 || value > 1e5) {
            return "-";
        }
        return String.format(Locale.ROOT, value < 10 ? "%.3f" : "%.1f", value);
    }
}
