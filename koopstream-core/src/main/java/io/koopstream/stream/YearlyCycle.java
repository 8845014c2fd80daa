package io.koopstream.stream;

import io.koopstream.linalg.SmallSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether dated observations follow the time of year: a regression of what comes next on what is there, with and without the phase of the year, on the first two
 * thirds of the pairs, and which errs less on the last third. A day or a week shows in the observations before, a year is too long for that.
 */
final class YearlyCycle {

    /** Times nearer to 1970, in seconds, may be those of a clock that starts at zero. */
    private static final double MIN_TIME = 1e8;

    private static final double MIN_YEARS = 2;
    private static final double MIN_ROWS_A_YEAR = 8;
    private static final double YEAR = Preparation.Cycle.SEASON.period();

    /** The share of the squared error that the phase must take away, of one coordinate at least. */
    private static final double MIN_GAIN = 0.02;

    /** And so many times the squared error of a pair: what two more numbers take away by chance. */
    private static final double MIN_PAIRS = 8;

    private static final Preparation PHASE = Preparation.of(Map.of("calendar", "season"));

    private YearlyCycle() {}

    /**
     * Judges observations as they came.
     *
     * @param interval the usual time between two
     */
    static boolean shows(List<Observation> rows, double interval) {
        double first = Double.POSITIVE_INFINITY;
        double last = Double.NEGATIVE_INFINITY;
        boolean dated = interval > 0 && YEAR / interval >= MIN_ROWS_A_YEAR;
        for (Observation row : rows) {
            dated &= row.isUnreadable() || (!row.isPair() && Double.isFinite(row.time()));
            if (dated && !row.isUnreadable()) {
                first = Math.min(first, row.time());
                last = Math.max(last, row.time());
            }
        }
        if (!dated || !(last - first >= MIN_YEARS * YEAR) || Math.max(Math.abs(first), Math.abs(last)) < MIN_TIME) {
            return false;
        }
        List<Observation[]> pairs = pairs(rows, interval);
        int width = pairs.isEmpty() ? 0 : pairs.get(0)[0].values().length;
        for (int c = 0; c < width; c++) {
            double without = error(pairs, c, 2);
            double gain = without - error(pairs, c, 4);
            double one = without / (pairs.size() - pairs.size() * 2 / 3);
            if (gain > MIN_GAIN * without && gain > MIN_PAIRS * one) {
                return true;
            }
        }
        return false;
    }

    /** Successive observations of one trajectory, in the order of time. */
    private static List<Observation[]> pairs(List<Observation> rows, double interval) {
        Map<String, Observation> before = new HashMap<>();
        List<Observation[]> pairs = new ArrayList<>();
        for (Observation row : rows) {
            if (row.isUnreadable()) {
                before.remove(row.trajectory());
                continue;
            }
            Observation earlier = before.put(row.trajectory(), row);
            if (earlier != null && Math.abs(row.time() - earlier.time() - interval) < 0.5 * interval) {
                pairs.add(new Observation[] {earlier, row});
            }
        }
        pairs.sort((a, b) -> Double.compare(a[0].time(), b[0].time()));
        return pairs;
    }

    /** The squared error of a regression on so many of: one, the coordinate, cosine and sine of the phase. */
    private static double error(List<Observation[]> pairs, int c, int features) {
        int fitted = pairs.size() * 2 / 3;
        double[][] squares = new double[features][features];
        double[][] products = new double[features][1];
        for (Observation[] pair : pairs.subList(0, fitted)) {
            double[] x = features(pair[0], c);
            double y = pair[1].values()[c] - pair[0].values()[c];
            for (int i = 0; i < features; i++) {
                for (int j = 0; j < features; j++) {
                    squares[i][j] += x[i] * x[j];
                }
                products[i][0] += x[i] * y;
            }
        }
        double[][] weights = SmallSystem.solve(squares, products);
        double error = 0;
        for (Observation[] pair : pairs.subList(fitted, pairs.size())) {
            double[] x = features(pair[0], c);
            double off = pair[1].values()[c] - pair[0].values()[c];
            for (int i = 0; weights != null && i < features; i++) {
                off -= weights[i][0] * x[i];
            }
            error += off * off;
        }
        return error;
    }

    private static double[] features(Observation row, int c) {
        double[] features = {1, row.values()[c], 0, 0};
        PHASE.putCalendar(row.time(), features, 2);
        return features;
    }
}
