package io.koopstream.forecast;

import io.koopstream.learner.HoldOut;
import io.koopstream.linalg.Autocorrelation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Starts within held-out runs, and what followed: forecasts of many steps are evaluated on these. Immutable. */
final class HeldOutStarts {

    private static final int MAX_STARTS = 200;
    private static final int MAX_STARTS_A_RUN = 25;

    /** Fewer starts, from fewer runs, judge no horizon. */
    private static final int MIN_STARTS = 8;

    private static final int MIN_RUNS = 2;
    private static final int MIN_BLOCK = 2;
    private static final int MAX_HORIZON = 100;

    /** Up to this horizon starts judge on what was held out, if enough can. */
    static final int WITHIN = 25;

    /** A stream with more of its observations beyond the range of those before wanders. */
    private static final double MAX_BEYOND = 0.15;

    /** A peak of the autocorrelation below this is no period. */
    private static final double MIN_CORRELATION = 0.2;

    private final DelayLayout layout;
    private final double[][] x;
    private final double[][] xNext;
    /** First pair and number of pairs of each stretch of consecutive pairs. */
    private final List<int[]> stretches = new ArrayList<>();
    /** What followed each stretch. */
    private final List<double[][]> after = new ArrayList<>();
    /** First pair, number of steps that are known after it, and the number of the stretch, for each start; longest first. */
    private final int[][] starts;

    private final int horizon;
    private final int longestWithin;
    private final double[] deviations;
    /** For each stretch its place in the order in which they came. */
    private final int[] places;

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
        Map<Long, List<double[]>> followed = new HashMap<>();
        int[] inOrder = IntStream.range(0, stretches.size())
                .boxed()
                .sorted(Comparator.comparingLong(s -> runs[stretches.get(s)[0]]))
                .mapToInt(Integer::intValue)
                .toArray();
        places = new int[inOrder.length];
        for (int i = 0; i < inOrder.length; i++) {
            places[inOrder[i]] = i;
        }
        double[][] rows = held.after();
        long[] owners = held.afterRuns();
        for (int i = 0; i < rows.length; i++) {
            // Of a state that is no delay vector, coordinates that nobody predicts are not remembered.
            if (rows[i].length >= layout.observed()) {
                followed.computeIfAbsent(owners[i], key -> new ArrayList<>()).add(rows[i]);
            }
        }
        List<int[]> all = new ArrayList<>();
        int each = Math.max(1, Math.min(MAX_STARTS_A_RUN, MAX_STARTS / Math.max(1, stretches.size())));
        int[] reach = new int[stretches.size()];
        for (int s = 0; s < reach.length; s++) {
            int[] stretch = stretches.get(s);
            int end = stretch[0] + stretch[1];
            boolean last = end == x.length || runs[end] != runs[end - 1];
            after.add(
                    last ? followed.getOrDefault(runs[end - 1], List.of()).toArray(double[][]::new) : new double[0][]);
            reach[s] = stretch[1] + after.get(s).length;
            int step = Math.max(1, stretch[1] / each);
            for (int a = 0; a < stretch[1] && a < each * step; a += step) {
                all.add(new int[] {stretch[0] + a, reach[s] - a, s});
            }
        }
        all.sort((a, b) -> b[1] - a[1]);
        starts = all.subList(0, Math.min(MAX_STARTS, all.size())).toArray(int[][]::new);
        int runsNeeded = reach.length < MIN_RUNS
                ? 0
                : Arrays.stream(reach).map(r -> -r).sorted().map(r -> -r).toArray()[MIN_RUNS - 1];
        longestWithin = starts.length < MIN_STARTS
                ? 0
                : Math.min(
                        WITHIN,
                        IntStream.range(0, starts.length)
                                .map(i -> -within(i))
                                .sorted()
                                .map(reached -> -reached)
                                .toArray()[MIN_STARTS - 1]);
        horizon =
                starts.length < MIN_STARTS ? 0 : Math.min(MAX_HORIZON, Math.min(runsNeeded, starts[MIN_STARTS - 1][1]));
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

    /** Whether a start judges a horizon: up to {@value #WITHIN} on what was held out like itself where enough starts can, else on what was learned later too. */
    boolean judges(int start, int h) {
        return starts[start][1] >= h && (!isWithin(h) || within(start) >= h);
    }

    /** Whether a horizon is judged on nothing that was learned. */
    boolean isWithin(int h) {
        return h <= longestWithin;
    }

    private int within(int start) {
        int[] stretch = stretches.get(starts[start][2]);
        return stretch[0] + stretch[1] - starts[start][0];
    }

    /** How many starts reach a horizon: these come first. */
    int reaching(int h) {
        int count = 0;
        while (count < starts.length && starts[count][1] >= h) {
            count++;
        }
        return count;
    }

    /** Starts with the same value see the same observations h steps ahead, more or less, so they are no independent witnesses. */
    int block(int start, int h) {
        int length = Math.max(MIN_BLOCK, 2 * h);
        int first = stretches.get(starts[start][2])[0];
        return first + (starts[start][0] - first) / length * length;
    }

    /** In which part of the stream a start is, of so many with equally many stretches, from 0. */
    int part(int start, int parts) {
        return RidgeAutoregression.part(places[starts[start][2]], places.length, parts);
    }

    /** All observations of every stretch, those behind its first state, within it and after it, in the order of the stream. */
    List<double[][]> series() {
        double[][][] result = new double[stretches.size()][][];
        for (int s = 0; s < stretches.size(); s++) {
            int[] stretch = stretches.get(s);
            List<double[]> rows = new ArrayList<>(Arrays.asList(layout.history(x[stretch[0]])));
            for (int i = 0; i < stretch[1]; i++) {
                rows.add(xNext[stretch[0] + i]);
            }
            rows.addAll(Arrays.asList(after.get(s)));
            result[places[s]] = rows.stream()
                    .map(row -> Arrays.copyOf(row, layout.observed()))
                    .toArray(double[][]::new);
        }
        return List.of(result);
    }

    /**
     * Whether the stream wanders, in most of its coordinates: a large part of what was observed lies beyond the range of the parts before, as with a trend, or
     * it cannot be told from a random walk. What was learned later then tells little about how a path goes on from the end of the stream.
     */
    boolean wanders(int parts) {
        List<double[][]> series = series();
        int wandering = 0;
        for (int c = 0; c < deviations.length; c++) {
            wandering += UnitRoot.isPossible(series, c) || beyond(series, c, parts) > MAX_BEYOND ? 1 : 0;
        }
        return 2 * wandering > deviations.length;
    }

    /** The share of the observations of a coordinate beyond the range of the parts before. */
    private static double beyond(List<double[][]> series, int c, int parts) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        int beyond = 0;
        int count = 0;
        int s = 0;
        for (int p = 0; p < parts; p++) {
            double low = least;
            double high = most;
            for (; s < series.size() && RidgeAutoregression.part(s, series.size(), parts) == p; s++) {
                for (double[] row : series.get(s)) {
                    least = Math.min(least, row[c]);
                    most = Math.max(most, row[c]);
                    if (low <= high) {
                        beyond += row[c] < low || row[c] > high ? 1 : 0;
                        count++;
                    }
                }
            }
        }
        return (double) beyond / Math.max(1, count);
    }

    double[] state(int start) {
        return x[starts[start][0]];
    }

    /** What was observed h steps after a start that judges h; longer than an observation, for reading. */
    double[] truth(int start, int h) {
        int[] stretch = stretches.get(starts[start][2]);
        int at = starts[start][0] + h - 1;
        int end = stretch[0] + stretch[1];
        return at < end ? xNext[at] : after.get(starts[start][2])[at - end];
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
        for (double[][] rows : series()) {
            double[][] path = new double[rows.length - 1][deviations.length];
            for (int t = 0; t < path.length; t++) {
                for (int c = 0; c < deviations.length; c++) {
                    path[t][c] = rows[t + 1][c] - rows[t][c];
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
