package io.koopstream.tuning;

import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Test of whether dated observations follow the time of year ({@link PhaseEvidence}). A day or a week shows in the observations before, a year is too long for that.
 */
public final class YearlyCycle {

    /** Times nearer to 1970, in seconds, may be those of a clock that starts at zero. */
    private static final double MIN_TIME = 1e8;

    private static final double MIN_YEARS = 2;
    private static final double MIN_ROWS_A_YEAR = 8;
    private static final double YEAR = Preparation.Cycle.SEASON.period();

    private static final Preparation PHASE = Preparation.of(Map.of("calendar", "season"));

    private YearlyCycle() {}

    /**
     * Judges observations as they came.
     *
     * @param interval the usual time between two
     */
    public static boolean shows(List<Observation> rows, double interval) {
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
        double[][] phases = new double[pairs.size()][2];
        for (int i = 0; i < phases.length; i++) {
            PHASE.putCalendar(pairs.get(i)[0].time(), phases[i], 0);
        }
        return PhaseEvidence.pays(values(pairs, 0), values(pairs, 1), phases);
    }

    private static double[][] values(List<Observation[]> pairs, int which) {
        return pairs.stream().map(pair -> pair[which].values()).toArray(double[][]::new);
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
}
