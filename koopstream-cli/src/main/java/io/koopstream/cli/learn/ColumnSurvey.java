package io.koopstream.cli.learn;

import java.util.Arrays;

/** What is in one column: its numbers in short, and its course as the means of equally long stretches. */
final class ColumnSurvey {

    /** Stretches that are kept at most, a power of two; then every two become one. */
    static final int STRETCHES = 1024;

    /** The same of each of very many columns: enough for its course in one line of a terminal. */
    static final int FEW_STRETCHES = 64;

    private static final String BARS = "▁▂▃▄▅▆▇█";

    private final String name;
    private final double[] sums;
    private final long[] counts;
    private long length = 1;
    private long rows;
    private long missing;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double mean;
    private long hash;
    private boolean whole = true;

    ColumnSurvey(String name, int stretches) {
        this.name = name;
        this.sums = new double[stretches];
        this.counts = new long[stretches];
    }

    void add(double value) {
        if (rows / length == sums.length) {
            for (int i = 0; i < sums.length; i++) {
                boolean half = i < sums.length / 2;
                sums[i] = half ? sums[2 * i] + sums[2 * i + 1] : 0;
                counts[i] = half ? counts[2 * i] + counts[2 * i + 1] : 0;
            }
            length *= 2;
        }
        int stretch = (int) (rows / length);
        rows++;
        // Multiplication by an odd number and a shift: splitmix64's way to spread bits.
        hash = (hash ^ Double.doubleToLongBits(value)) * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 29;
        whole &= value == Math.rint(value);
        if (Double.isNaN(value)) {
            missing++;
            return;
        }
        min = Math.min(min, value);
        max = Math.max(max, value);
        mean += (value - mean) / (rows - missing);
        sums[stretch] += value;
        counts[stretch]++;
    }

    String name() {
        return name;
    }

    double missingShare() {
        return rows == 0 ? 0 : (double) missing / rows;
    }

    double min() {
        return rows == missing ? Double.NaN : min;
    }

    double max() {
        return rows == missing ? Double.NaN : max;
    }

    double mean() {
        return rows == missing ? Double.NaN : mean;
    }

    /** True if every row has a whole number, as names of trajectories may be. */
    boolean isWhole() {
        return whole;
    }

    boolean isConstant() {
        return rows > missing && min == max;
    }

    /** The same for columns that hold the same in every row. */
    long hash() {
        return hash;
    }

    /** The means of equally long stretches, at most this many; NaN where nothing is known. */
    double[] course(int most) {
        int used = (int) ((rows + length - 1) / length);
        int each = Math.max(1, (used + most - 1) / most);
        double[] course = new double[(used + each - 1) / each];
        for (int i = 0; i < course.length; i++) {
            double sum = 0;
            long count = 0;
            for (int j = each * i; j < Math.min(used, each * (i + 1)); j++) {
                sum += sums[j];
                count += counts[j];
            }
            course[i] = count == 0 ? Double.NaN : sum / count;
        }
        return course;
    }

    /** How many rows a stretch of such a course has. */
    double rowsPerStretch(int most) {
        return (double) rows / Math.max(1, course(most).length);
    }

    /** Its course in one line of a terminal. */
    String picture(int width) {
        double[] course = course(width);
        double low = Arrays.stream(course).filter(v -> !Double.isNaN(v)).min().orElse(0);
        double high = Arrays.stream(course).filter(v -> !Double.isNaN(v)).max().orElse(0);
        StringBuilder bars = new StringBuilder();
        for (double value : course) {
            int level =
                    high > low ? (int) Math.min(BARS.length() - 1.0, BARS.length() * (value - low) / (high - low)) : 0;
            bars.append(Double.isNaN(value) ? ' ' : BARS.charAt(level));
        }
        return bars.toString();
    }
}
