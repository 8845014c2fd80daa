package io.koopstream.forecast;

import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.HoldOutConfig;
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
    static final int MAX_HORIZON = 100;

    /** Up to this horizon starts judge on what was held out, if enough can. */
    static final int WITHIN = 25;

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
    /** What is remembered, and for each stretch the series in which it is and its first state there. */
    private final RememberedRows remembered;

    private final int[][] inSeries;

    /** @param config by which the pairs were held out */
    HeldOutStarts(DelayLayout layout, HoldOut held, HoldOutConfig config) {
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
        inSeries = new int[stretches.size()][];
        remembered = new RememberedRows(layout, joined(inOrder, runs, config));
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

    /** True if a start judges a horizon: up to {@value #WITHIN} on what was held out like itself where enough starts can, else on what was learned later too. */
    boolean judges(int start, int h) {
        return starts[start][1] >= h && (!isWithin(h) || within(start) >= h);
    }

    /** True if a horizon is judged on nothing that was learned. */
    boolean isWithin(int h) {
        return h <= longestWithin;
    }

    private int within(int start) {
        int[] stretch = stretches.get(starts[start][2]);
        return stretch[0] + stretch[1] - starts[start][0];
    }

    /** Number of starts that reach a horizon: these come first. */
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
        return (int) ((long) places[starts[start][2]] * parts / places.length);
    }

    /** Puts stretches together to series: where all that was learned between two runs is remembered, the second goes on where the first ended. */
    private List<double[][]> joined(int[] inOrder, long[] runs, HoldOutConfig config) {
        List<List<double[]>> series = new ArrayList<>();
        List<double[]> rows = List.of();
        long next = -1;
        for (int s : inOrder) {
            int[] stretch = stretches.get(s);
            double[] first = x[stretch[0]];
            long run = runs[stretch[0]];
            boolean goesOn = run == next
                    && after.get(inOrder[places[s] - 1]).length == config.learned(run)
                    && Arrays.equals(rows.get(rows.size() - 1), 0, layout.observed(), first, 0, layout.observed());
            if (!goesOn) {
                rows = new ArrayList<>(Arrays.asList(layout.history(first)));
                series.add(rows);
            }
            inSeries[s] = new int[] {series.size() - 1, rows.size() - 1};
            for (int i = 0; i < stretch[1]; i++) {
                rows.add(Arrays.copyOf(xNext[stretch[0] + i], layout.observed()));
            }
            for (double[] row : after.get(s)) {
                rows.add(Arrays.copyOf(row, layout.observed()));
            }
            next = run + 1;
        }
        return series.stream().map(one -> one.toArray(double[][]::new)).toList();
    }

    /** What is remembered of the stream. */
    RememberedRows remembered() {
        return remembered;
    }

    private int row(int start) {
        int[] stretch = stretches.get(starts[start][2]);
        return inSeries[starts[start][2]][1] + starts[start][0] - stretch[0];
    }

    /** The observations up to a start as far as they are remembered without a gap, oldest first; at least as many as a state is made of. */
    double[][] memory(int start) {
        return Arrays.copyOf(remembered.series().get(inSeries[starts[start][2]][0]), row(start) + 1);
    }

    /** In which part of what is remembered a start is. */
    int rememberedPart(int start) {
        return remembered.part(inSeries[starts[start][2]][0], row(start));
    }

    /** So many observations up to a start are remembered, at most {@code longest}, for half of the starts at least; {@code longest} where none judges. */
    int depth(int longest) {
        int[] lengths = IntStream.range(0, starts.length)
                .map(start -> row(start) + 1)
                .sorted()
                .toArray();
        int most = horizon == 0 ? longest : Math.min(longest, lengths[lengths.length / 2]);
        return Math.max(layout.history(), most);
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
}
