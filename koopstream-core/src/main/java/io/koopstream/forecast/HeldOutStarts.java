package io.koopstream.forecast;

import io.koopstream.learner.HoldOut;
import io.koopstream.linalg.Autocorrelation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts within held-out runs, and what followed: forecasts of many steps are evaluated on these. Immutable. */
final class HeldOutStarts {

    private static final int MAX_STARTS = 300;
    private static final int MAX_STARTS_A_RUN = 25;

    /** Fewer starts, from fewer runs, judge no horizon. */
    private static final int MIN_STARTS = 8;

    private static final int MIN_RUNS = 3;
    private static final int MIN_BLOCK = 10;

    /** A peak of the autocorrelation below this is no period. */
    private static final double MIN_CORRELATION = 0.2;

    private final DelayLayout layout;
    private final double[][] x;
    private final double[][] xNext;
    /** First pair and number of pairs of each stretch of consecutive pairs. */
    private final List<int[]> stretches = new ArrayList<>();
    /** First pair, number of steps that are known after it, and first pair of the stretch, for each start; longest first. */
    private final int[][] starts;

    private final int horizon;
    private final double[] deviations;

    HeldOutStarts(DelayLayout layout, HoldOut held) {
        this.layout = layout;
        this.x = held.inputs();
        this.xNext = held.outputs();
        long[] runs = held.runNumbers();
        for (int i = 0; i < x.length; i++) {
            boolean goesOn = i > 0 && runs[i] == runs[i - 1] && Arrays.equals(x[i], xNext[i - 1]);
            if (goesOn) {
                stretches.get(stretches.size() - 1)[1]++;
            } else {
                stretches.add(new int[] {i, 1});
            }
        }
        List<int[]> all = new ArrayList<>();
        int each = Math.max(1, Math.min(MAX_STARTS_A_RUN, MAX_STARTS / Math.max(1, stretches.size())));
        for (int[] stretch : stretches) {
            int step = Math.max(1, stretch[1] / each);
            for (int a = 0; a < stretch[1] && a < each * step; a += step) {
                all.add(new int[] {stretch[0] + a, stretch[1] - a, stretch[0]});
            }
        }
        all.sort((a, b) -> b[1] - a[1]);
        starts = all.subList(0, Math.min(MAX_STARTS, all.size())).toArray(int[][]::new);
        int runsNeeded = stretches.stream()
                .mapToInt(stretch -> -stretch[1])
                .sorted()
                .skip(MIN_RUNS - 1)
                .findFirst()
                .orElse(0);
        horizon = starts.length < MIN_STARTS ? 0 : Math.min(-runsNeeded, starts[MIN_STARTS - 1][1]);
        int d = layout.forecast();
        double[] means = new double[d];
        deviations = new double[d];
        for (int c = 0; c < d; c++) {
            for (double[] row : x) {
                means[c] += row[c] / x.length;
            }
            double squares = 0;
            for (double[] row : x) {
                squares += (row[c] - means[c]) * (row[c] - means[c]);
            }
            deviations[c] = Math.sqrt(squares / Math.max(1, x.length));
        }
    }

    /** The longest horizon that enough starts can judge; 0 when there are too few at all. */
    int horizon() {
        return horizon;
    }

    int size() {
        return starts.length;
    }

    /** How many starts judge a horizon: these come first. */
    int judging(int h) {
        int count = 0;
        while (count < starts.length && starts[count][1] >= h) {
            count++;
        }
        return count;
    }

    /** Starts with the same value see the same observations h steps ahead, more or less, so they are no independent witnesses. */
    int block(int start, int h) {
        int length = Math.max(MIN_BLOCK, 2 * h);
        return starts[start][2] + (starts[start][0] - starts[start][2]) / length * length;
    }

    double[] state(int start) {
        return x[starts[start][0]];
    }

    /** What was observed h steps after a start that judges h; longer than an observation, for reading. */
    double[] truth(int start, int h) {
        return xNext[starts[start][0] + h - 1];
    }

    /** The observations behind a start, oldest first; those that a stride leaves out come from earlier states of the run where there are any. */
    double[][] history(int start) {
        int at = starts[start][0];
        double[][] rows = layout.history(x[at]);
        int first = at;
        while (first > 0 && at - first < layout.stride() - 1 && Arrays.equals(x[first], xNext[first - 1])) {
            first--;
        }
        for (int back = 1; back <= at - first; back++) {
            for (int k = 0; back + k * layout.stride() < rows.length; k++) {
                double[] row = rows[rows.length - 1 - back - k * layout.stride()];
                System.arraycopy(x[at - back], k * layout.observed(), row, 0, layout.observed());
            }
        }
        return rows;
    }

    /** Puts what was known ahead h steps after a start that judges h into a forecast. */
    void putKnown(int start, int h, double[] forecast) {
        System.arraycopy(truth(start, h), layout.forecast(), forecast, layout.forecast(), layout.ahead());
    }

    /** Standard deviation of each coordinate that is to be forecast. */
    double[] deviations() {
        return deviations;
    }

    /**
     * The steps after which observations repeat, as far as a state remembers: the highest peak of the autocorrelation of increments, 0 when none
     * is clear.
     */
    int period() {
        int longest = layout.history();
        List<double[][]> increments = new ArrayList<>(stretches.size());
        for (int[] stretch : stretches) {
            double[][] path = new double[stretch[1]][deviations.length];
            for (int t = 0; t < path.length; t++) {
                for (int c = 0; c < deviations.length; c++) {
                    path[t][c] = xNext[stretch[0] + t][c] - x[stretch[0] + t][c];
                }
            }
            increments.add(path);
        }
        double[] correlation = Autocorrelation.ofIncrements(increments, deviations, longest + 1);
        int best = 0;
        double highest = MIN_CORRELATION * correlation[0];
        for (int lag = 2; lag <= longest; lag++) {
            if (Autocorrelation.isPeak(correlation, lag) && correlation[lag] > highest) {
                best = lag;
                highest = correlation[lag];
            }
        }
        return best;
    }
}
