package io.koopstream.lab.accuracy;

import java.util.Arrays;
import java.util.Locale;

/** Statistics over seeds, and how numbers are written in the tables. */
final class Figures {

    private Figures() {}

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
    }

    static double largest(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    /** Standard deviation over the values. */
    static double scatter(double[] values) {
        double mean = mean(values);
        return Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
    }

    /** "5" or "5..7". */
    static String range(int[] values) {
        int low = Arrays.stream(values).min().orElseThrow();
        int high = Arrays.stream(values).max().orElseThrow();
        return low == high ? Integer.toString(low) : low + ".." + high;
    }

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Two significant digits, plain down to 0.0001. */
    static String error(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        int decimals = value >= 1 ? 1 : value >= 0.1 ? 2 : value >= 0.01 ? 3 : value >= 0.001 ? 4 : 5;
        return value > 0 && value < 1e-4 ? format("%.1e", value) : format("%." + decimals + "f", value);
    }

    static String[] errors(double[] values) {
        return Arrays.stream(values).mapToObj(Figures::error).toArray(String[]::new);
    }
}
