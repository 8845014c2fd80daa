package io.koopstream.lab.accuracy;

import java.util.List;

/**
 * The scoring rule of the Numenta Anomaly Benchmark (Lavin and Ahmad, <i>Evaluating real-time anomaly detection algorithms</i>, ICMLA 2015): the first alarm
 * inside a labelled window counts for the more the earlier it is, an alarm outside costs the more the farther it is behind the last window, a window
 * without an alarm costs as much as its profile says. The first {@value #PROBATION} of the rows of a stream count for nothing.
 */
final class NumentaRule {

    /** Share of the rows of a stream that a detector may learn from before it is judged. */
    static final double PROBATION = 0.15;

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
        return (int) (PROBATION * rows);
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
        int from = probation(rows);
        List<Integer> counted = alarms.stream().filter(row -> row >= from).toList();
        int judged = 0;
        int found = 0;
        double rewards = 0;
        for (Window window : windows) {
            if (window.last() < from) {
                continue;
            }
            judged++;
            int first = counted.stream().filter(window::holds).findFirst().orElse(-1);
            if (first >= 0) {
                found++;
                rewards += weight(-(window.last() - first + 1.0) / window.width()) / weight(-1);
            }
        }
        int falseAlarms = 0;
        double penalties = 0;
        for (int row : counted) {
            if (windows.stream().noneMatch(window -> window.holds(row))) {
                falseAlarms++;
                Window before = windows.stream()
                        .filter(window -> window.last() < row)
                        .reduce((a, b) -> b)
                        .orElse(null);
                penalties -= before == null || before.width() == 1
                        ? -1
                        : weight((row - before.last()) / (before.width() - 1.0));
            }
        }
        return new Verdict(judged, found, falseAlarms, rewards, penalties);
    }
}
