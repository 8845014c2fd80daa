package io.koopstream.lab.accuracy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scoring rule of the Numenta Anomaly Benchmark (Lavin and Ahmad, <i>Evaluating real-time anomaly detection algorithms</i>, ICMLA 2015): the first alarm
 * inside a labelled window counts for the more the earlier it is, an alarm outside costs the more the farther it is behind the last window, a window
 * without an alarm costs as much as its profile says. The first {@value #PROBATION} of the rows of a stream count for nothing, {@value #MOST} rows at most.
 */
final class NumentaRule {

    /** Share of the rows of a stream that a detector may learn from before it is judged. */
    static final double PROBATION = 0.15;

    private static final int MOST = 750;

    /** Behind the last window by so many of its widths, an alarm has nothing to do with it any more. */
    private static final double FAR = 3;

    /** What mistakes cost; an alarm at the beginning of a window is worth 1. */
    enum Profile {
        STANDARD("standard", 0.11, 1),
        REWARD_LOW_FALSE_ALARMS("reward low FP", 0.22, 1),
        REWARD_LOW_MISSES("reward low FN", 0.11, 2);

        private final String text;
        private final double falseAlarm;
        private final double miss;

        Profile(String text, double falseAlarm, double miss) {
            this.text = text;
            this.falseAlarm = falseAlarm;
            this.miss = miss;
        }

        String text() {
            return text;
        }
    }

    /** A labelled window: its first and last row, from 0. */
    record Window(int first, int last) {

        Window {
            if (first < 0 || last < first) {
                throw new IllegalArgumentException("a window from row " + first + " to row " + last);
            }
        }

        boolean holds(int row) {
            return row >= first && row <= last;
        }

        int width() {
            return last - first + 1;
        }
    }

    /**
     * What the alarms of a detector are worth in one stream, or in several.
     *
     * @param windows windows that end after the probation
     * @param found those with an alarm
     * @param falseAlarms alarms outside all windows
     * @param rewards sum over found windows of what their first alarm is worth, at most 1 each
     * @param penalties sum over false alarms of their distance's weight, at most 1 each
     */
    record Verdict(int windows, int found, int falseAlarms, double rewards, double penalties) {

        static final Verdict NOTHING = new Verdict(0, 0, 0, 0, 0);

        Verdict plus(Verdict other) {
            return new Verdict(
                    windows + other.windows,
                    found + other.found,
                    falseAlarms + other.falseAlarms,
                    rewards + other.rewards,
                    penalties + other.penalties);
        }

        /** 100 for a detector whose only alarms are at the beginning of every window, 0 for one without alarms; NaN without windows. */
        double score(Profile profile) {
            double raw = rewards - profile.falseAlarm * penalties - profile.miss * (windows - found);
            double silent = -profile.miss * windows;
            return 100 * (raw - silent) / (windows - silent);
        }
    }

    private NumentaRule() {}

    /** Rows of a stream that count for nothing. */
    static int probation(int rows) {
        return Math.min(MOST, (int) (PROBATION * rows));
    }

    /**
     * The weight of an alarm.
     *
     * @param position in widths of a window from its end: −1 at the beginning, above 0 behind it
     */
    static double weight(double position) {
        return position >= FAR ? -1 : 2 / (1 + Math.exp(5 * position)) - 1;
    }

    /**
     * What alarms are worth.
     *
     * @param rows of the stream
     * @param windows in their order, not overlapping
     * @param alarms rows at which alarms begin, from 0, ascending
     */
    static Verdict judge(int rows, List<Window> windows, List<Integer> alarms) {
        double[] scores = new double[rows];
        alarms.forEach(row -> scores[row] = 1);
        Sweep sweep = new Sweep();
        sweep.add(windows, scores);
        return sweep.at(1);
    }

    /** Verdicts on scores at a threshold: every row with as high a score is an alarm, in all streams that were added. */
    static final class Sweep {

        /** A row that counts: its score, its weight, and its window, −1 outside. */
        private record Row(double score, double weight, int window) {}

        private final List<Row> rows = new ArrayList<>();
        private int windows;
        private int judged;

        /**
         * Adds a stream.
         *
         * @param labelled in their order, not overlapping
         * @param scores of its rows
         */
        void add(List<Window> labelled, double[] scores) {
            int from = probation(scores.length);
            judged += (int)
                    labelled.stream().filter(window -> window.last() >= from).count();
            for (int row = from; row < scores.length; row++) {
                int at = row;
                int in = -1;
                Window before = null;
                for (int i = 0; i < labelled.size(); i++) {
                    in = labelled.get(i).holds(at) ? i : in;
                    before = labelled.get(i).last() < at ? labelled.get(i) : before;
                }
                if (scores[row] > 0) {
                    rows.add(new Row(
                            scores[row],
                            in >= 0 ? reward(labelled.get(in), row) : penalty(before, row),
                            in < 0 ? -1 : windows + in));
                }
            }
            windows += labelled.size();
        }

        private static double reward(Window window, int row) {
            return weight(-(window.last() - row + 1.0) / window.width()) / weight(-1);
        }

        private static double penalty(Window before, int row) {
            return before == null || before.width() == 1 ? 1 : -weight((row - before.last()) / (before.width() - 1.0));
        }

        /** The verdict at a threshold above 0. */
        Verdict at(double threshold) {
            return verdicts(threshold).values().stream()
                    .reduce((a, b) -> b)
                    .orElseGet(() -> new Verdict(judged, 0, 0, 0, 0));
        }

        /** The threshold that is best for a profile in hindsight, with its verdict. */
        Map.Entry<Double, Verdict> best(Profile profile) {
            return verdicts(Double.MIN_VALUE).entrySet().stream()
                    .max(Comparator.comparingDouble(entry -> entry.getValue().score(profile)))
                    .orElseGet(() -> Map.entry(1.0, new Verdict(judged, 0, 0, 0, 0)));
        }

        /** Verdicts by threshold, falling down to the least. */
        private Map<Double, Verdict> verdicts(double least) {
            Map<Double, Verdict> verdicts = new LinkedHashMap<>();
            List<Row> falling = rows.stream()
                    .filter(row -> row.score >= least)
                    .sorted(Comparator.comparingDouble(Row::score).reversed())
                    .toList();
            double[] best = new double[windows];
            Verdict sum = new Verdict(judged, 0, 0, 0, 0);
            for (Row row : falling) {
                if (row.window < 0) {
                    sum = sum.plus(new Verdict(0, 0, 1, 0, row.weight));
                } else if (row.weight > best[row.window]) {
                    int found = best[row.window] == 0 ? 1 : 0;
                    sum = sum.plus(new Verdict(0, found, 0, row.weight - best[row.window], 0));
                    best[row.window] = row.weight;
                }
                verdicts.put(row.score, sum);
            }
            return verdicts;
        }
    }
}
