package io.koopstream.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the last observation, the season and the linear regression are mixed at each horizon where there is little evidence for more. None of them was fitted
 * to what it is judged on, so all that is remembered of a stream judges, not only what was held out. Immutable.
 */
final class PlainMixture {

    private static final int MAX_STARTS = 400;

    /** A horizon needs so many starts that do not see the same observations. */
    private static final int MIN_BLOCKS = 2;

    /** Of the kinds of a {@link Mixture}. */
    private static final int[] KINDS = {Mixture.LAST, Mixture.SEASON, Mixture.LINEAR};

    /** A share of the squared error that tells two linear kinds apart, on average over horizons. */
    private static final double CLEARLY_LESS = 0.7;

    /** A mean squared error, in variances, below which all are equal. */
    private static final double MIN_ERROR = 1e-12;

    /** For horizon h at h − 1, by the kinds of a {@link Mixture}. */
    private final double[][] weights;

    private final double meanSquare;
    private final LinearMember linear;
    /** Sums of squared errors of the linear kind, for horizon h at h − 1. */
    private final double[] ofLinear;

    private PlainMixture(IncrementMap map, RememberedRows remembered, int period, LinearMember linear) {
        this.linear = linear;
        List<int[]> places = places(remembered, period, linear);
        int horizon = horizon(remembered, places);
        double[][] squares = new double[horizon][KINDS.length];
        int n = Math.min(MAX_STARTS, places.size());
        for (int i = 0; i < n; i++) {
            int[] place = places.get((int) ((long) i * places.size() / n));
            judge(map, remembered, period, linear, place, squares);
        }
        ofLinear = Arrays.stream(squares)
                .mapToDouble(sums -> sums[KINDS.length - 1])
                .toArray();
        meanSquare = horizon == 0 ? Double.NaN : leastOf(squares[0], linear != null) / n;
        weights = new double[horizon][];
        for (int h = 1; h <= horizon; h++) {
            double[] sums = new double[KINDS.length];
            for (int step = Mixture.nearestFrom(h); step <= Mixture.nearestTo(h, horizon); step++) {
                for (int k = 0; k < KINDS.length; k++) {
                    sums[k] += squares[step - 1][k];
                }
            }
            weights[h - 1] = weights(sums, period > 0, linear != null);
        }
    }

    /**
     * The mixture with that linear kind which errs less: coordinates that may be random walks are forecast by increments alone, unless their values tell
     * clearly more, as where growth grows.
     *
     * @param period 0 when there is none
     * @param depth observations that starts remember
     */
    static PlainMixture of(IncrementMap map, RememberedRows remembered, int period, int depth) {
        boolean[] unitRoots = remembered.unitRoots();
        PlainMixture careful = new PlainMixture(
                map, remembered, period, LinearMember.of(map.layout(), remembered, period, depth, unitRoots));
        if (careful.linear == null || Arrays.equals(unitRoots, new boolean[unitRoots.length])) {
            return careful;
        }
        boolean[] none = new boolean[unitRoots.length];
        PlainMixture other = new PlainMixture(
                map, remembered, period, LinearMember.of(map.layout(), remembered, period, depth, none));
        double logarithms = 0;
        for (int h = 0; h < careful.ofLinear.length; h++) {
            logarithms += StrictMath.log(other.ofLinear[h] / careful.ofLinear[h]) / careful.ofLinear.length;
        }
        return logarithms < StrictMath.log(CLEARLY_LESS) ? other : careful;
    }

    /** The linear kind; null when there is none. */
    LinearMember linear() {
        return linear;
    }

    /** Series and row of every start that has all kinds. */
    private static List<int[]> places(RememberedRows remembered, int period, LinearMember linear) {
        int needed = Math.max(Math.max(1, period), linear == null ? 1 : linear.history());
        List<int[]> places = new ArrayList<>();
        for (int s = 0; s < remembered.series().size(); s++) {
            for (int t = needed - 1; t + 1 < remembered.series().get(s).length; t++) {
                places.add(new int[] {s, t});
            }
        }
        return places;
    }

    /** The longest horizon that starts far enough apart can judge. */
    private static int horizon(RememberedRows remembered, List<int[]> places) {
        int horizon = 0;
        long enough = Long.MAX_VALUE;
        while (horizon < HeldOutStarts.MAX_HORIZON && enough > MIN_BLOCKS * (horizon + 1L)) {
            horizon++;
            int h = horizon;
            enough = places.stream()
                    .filter(place -> place[1] + h < remembered.series().get(place[0]).length)
                    .count();
        }
        return Math.max(0, horizon - 1);
    }

    private static void judge(
            IncrementMap map,
            RememberedRows remembered,
            int period,
            LinearMember linear,
            int[] place,
            double[][] squares) {
        double[][] rows = remembered.series().get(place[0]);
        int t = place[1];
        LinearMember.Path line =
                linear == null ? null : linear.path(map, remembered.part(place[0], t + 1), Arrays.copyOf(rows, t + 1));
        int observed = map.layout().forecast();
        for (int h = 1; h <= squares.length && t + h < rows.length; h++) {
            double[] truth = rows[t + h];
            double[] next = line == null ? null : line.step();
            if (next != null) {
                System.arraycopy(truth, observed, next, observed, truth.length - observed);
            }
            double[] season = period == 0 ? rows[t] : rows[t + h - (h + period - 1) / period * period];
            double[][] forecasts = {rows[t], season, next};
            for (int k = 0; k < KINDS.length; k++) {
                squares[h - 1][k] +=
                        forecasts[k] == null ? 0 : Mixture.squaredError(forecasts[k], truth, remembered.deviations());
            }
        }
    }

    /** Inverse squares of mean squared errors (Bates and Granger, <i>The combination of forecasts</i>, Operational Research Quarterly 20, 1969). */
    private static double[] weights(double[] squares, boolean seasonal, boolean linear) {
        boolean[] exists = {true, seasonal, linear};
        double[] weights = new double[Mixture.KINDS];
        double sum = 0;
        for (int k = 0; k < KINDS.length; k++) {
            double error = Math.max(squares[k], MIN_ERROR);
            weights[KINDS[k]] = exists[k] ? 1 / (error * error) : 0;
            sum += weights[KINDS[k]];
        }
        for (int k : KINDS) {
            weights[k] /= sum;
        }
        return weights;
    }

    /** The weights of all kinds at a horizon, for reading. */
    double[] weights(int h) {
        return weights.length == 0 ? Mixture.ONLY_LAST : weights[Math.min(h, weights.length) - 1];
    }

    private static double leastOf(double[] squares, boolean linear) {
        return Math.max(
                MIN_ERROR, Arrays.stream(squares, 0, linear ? 3 : 2).min().orElseThrow());
    }

    /** The mean square, in variances, of what the best of the kinds missed one step ahead. */
    double meanSquare() {
        return meanSquare;
    }

    /** The longest horizon that was judged. */
    int horizon() {
        return weights.length;
    }
}
