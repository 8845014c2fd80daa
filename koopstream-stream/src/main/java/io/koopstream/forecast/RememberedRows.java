package io.koopstream.forecast;

import io.koopstream.internal.linalg.Autocorrelation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Successive observations of a stream as far as they are remembered: runs held out and what followed them, put together where nothing is missing between
 * them. In parts of equally many observations, so that what is fitted to some can be judged on others. Immutable; rows are for reading.
 */
final class RememberedRows {

    /** Parts in which what is remembered is divided. */
    static final int PARTS = 4;

    /** A stream with more of its observations beyond the range of those before wanders. */
    private static final double MAX_BEYOND = 0.15;

    /** A stream that does not wander stays within its range and this share of it beyond. */
    private static final double MARGIN = 0.25;

    /** A peak of the autocorrelation below this is no period. */
    private static final double MIN_CORRELATION = 0.2;

    private final DelayLayout layout;
    private final List<double[][]> series;
    /** Number of observations the series before each one have, but for those behind their first states. */
    private final int[] before;

    private final int count;
    private final double[] deviations;
    /** What was observed of each coordinate that is to be forecast, and a little more. */
    private final double[] low;

    private final double[] high;

    /**
     * Observations of one series that belong to one part.
     *
     * @param series its number
     * @param from the first of them
     * @param to after the last one
     * @param part in which they are
     */
    record Segment(int series, int from, int to, int part) {}

    /** @param series in the order in which they came, each beginning with the observations that make up its first state */
    RememberedRows(DelayLayout layout, List<double[][]> series) {
        this.layout = layout;
        this.series = series;
        before = new int[series.size()];
        int sum = 0;
        for (int s = 0; s < before.length; s++) {
            before[s] = sum;
            sum += series.get(s).length - first();
        }
        count = sum;
        double[][] rows = series.stream().flatMap(Arrays::stream).toArray(double[][]::new);
        deviations =
                rows.length == 0 ? new double[0] : Arrays.copyOf(BacktestReport.deviations(rows), layout.forecast());
        low = new double[deviations.length];
        high = new double[deviations.length];
        for (int c = 0; c < deviations.length; c++) {
            int column = c;
            double least =
                    Arrays.stream(rows).mapToDouble(row -> row[column]).min().orElseThrow();
            double most =
                    Arrays.stream(rows).mapToDouble(row -> row[column]).max().orElseThrow();
            low[c] = least - MARGIN * (most - least);
            high[c] = most + MARGIN * (most - least);
        }
    }

    private int first() {
        return layout.history() - 1;
    }

    List<double[][]> series() {
        return series;
    }

    /** Standard deviation of each coordinate that is to be forecast, 1 of one that stands still. */
    double[] deviations() {
        return deviations;
    }

    /** The part in which an observation is, from 0. */
    int part(int number, int row) {
        long place = before[number];
        place += Math.max(0, row - first());
        return (int) Math.min(PARTS - 1, place * PARTS / Math.max(1, count));
    }

    /** Everything but what is behind the first states, cut at the ends of the parts. */
    List<Segment> segments() {
        List<Segment> segments = new ArrayList<>();
        for (int s = 0; s < before.length; s++) {
            double[][] rows = series.get(s);
            int from = first();
            for (int t = from; t < rows.length; t++) {
                if (t + 1 == rows.length || part(s, t + 1) != part(s, from)) {
                    segments.add(new Segment(s, from, t + 1, part(s, from)));
                    from = t + 1;
                }
            }
        }
        return segments;
    }

    /** The observations of a segment. */
    double[][] rows(Segment segment) {
        return Arrays.copyOfRange(series.get(segment.series()), segment.from(), segment.to());
    }

    /**
     * True if the stream wanders, in most of its coordinates: a large part of what was observed lies beyond the range of the parts before, as with a trend, or
     * it cannot be told from a random walk. What was learned later then tells little about how a path goes on from the end of the stream.
     */
    boolean wanders() {
        boolean[] unitRoots = unitRoots();
        int wandering = 0;
        for (int c = 0; c < deviations.length; c++) {
            wandering += unitRoots[c] || beyond(c) > MAX_BEYOND ? 1 : 0;
        }
        return 2 * wandering > deviations.length;
    }

    /** Puts a forecast of a stream that does not wander back to what was observed and a little beyond: no path leaves that for good. */
    void bound(double[] forecast) {
        for (int c = 0; c < deviations.length; c++) {
            forecast[c] = Math.max(low[c], Math.min(high[c], forecast[c]));
        }
    }

    /** Which coordinates cannot be told from random walks; what is known ahead can. */
    boolean[] unitRoots() {
        boolean[] result = new boolean[layout.observed()];
        for (int c = 0; c < deviations.length; c++) {
            result[c] = UnitRoot.isPossible(series, c);
        }
        return result;
    }

    /** The share of the observations of a coordinate beyond the range of the parts before. */
    private double beyond(int c) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double low = least;
        double high = most;
        int beyond = 0;
        int compared = 0;
        int part = 0;
        for (Segment segment : segments()) {
            if (segment.part() > part) {
                low = least;
                high = most;
                part = segment.part();
            }
            for (int t = segment.from(); t < segment.to(); t++) {
                double value = series.get(segment.series())[t][c];
                least = Math.min(least, value);
                most = Math.max(most, value);
                if (low <= high) {
                    beyond += value < low || value > high ? 1 : 0;
                    compared++;
                }
            }
        }
        return (double) beyond / Math.max(1, compared);
    }

    /**
     * The steps after which observations repeat: the highest peak of the autocorrelation of increments, 0 when none is clear.
     *
     * @param longest that is looked at
     */
    int period(int longest) {
        List<double[][]> increments = new ArrayList<>(series.size());
        for (double[][] rows : series) {
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
