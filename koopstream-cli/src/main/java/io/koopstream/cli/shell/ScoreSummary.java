package io.koopstream.cli.shell;

import io.koopstream.score.Score;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the scores of many rows come to: alarms in words, and a course that fits in a picture however many rows there are. */
public final class ScoreSummary {

    private static final int MAX_BINS = 4096;
    private static final int MAX_ALARMS = 1000;
    private static final int MAX_COORDINATES = 3;

    /**
     * An alarm.
     *
     * @param row number of the row, from 1
     * @param time as the data writes it; empty when there is none
     * @param score of the row
     * @param known how well its state is known
     * @param sentence what is unusual
     */
    public record Alarm(long row, String time, double score, double known, String sentence) {

        /** In words. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%s: score %.2f, %s%s",
                    time.isEmpty() ? "row " + row : time + " (row " + row + ")",
                    score,
                    sentence,
                    known < 0.9 ? String.format(Locale.ROOT, ", only %.2f of the state known", known) : "");
        }
    }

    /** Rows next to each other: the range of some coordinates, and the highest score. */
    public static final class Bin {
        private final double[] low;
        private final double[] high;
        private final String time;
        private double score = Double.NaN;
        private boolean alarm;

        private Bin(int coordinates, String time) {
            this.time = time;
            low = new double[coordinates];
            high = new double[coordinates];
            Arrays.fill(low, Double.POSITIVE_INFINITY);
            Arrays.fill(high, Double.NEGATIVE_INFINITY);
        }

        private void add(double[] values) {
            for (int c = 0; c < low.length && c < values.length; c++) {
                if (!Double.isNaN(values[c])) {
                    low[c] = Math.min(low[c], values[c]);
                    high[c] = Math.max(high[c], values[c]);
                }
            }
        }

        private void join(Bin other) {
            for (int c = 0; c < low.length; c++) {
                low[c] = Math.min(low[c], other.low[c]);
                high[c] = Math.max(high[c], other.high[c]);
            }
            score = Double.isNaN(score) ? other.score : Math.max(score, Double.isNaN(other.score) ? 0 : other.score);
            alarm |= other.alarm;
        }

        /** The time of its first row, as the data writes it; empty when there is none. */
        public String time() {
            return time;
        }

        /** The least value of a coordinate; infinite when there is none. */
        public double low(int c) {
            return low[c];
        }

        /** The largest value of a coordinate. */
        public double high(int c) {
            return high[c];
        }

        /** The highest score; NaN when there is none. */
        public double score() {
            return score;
        }

        /** Whether an alarm began here. */
        public boolean alarm() {
            return alarm;
        }
    }

    private final List<String> names;
    private final int coordinates;
    private final List<Bin> bins = new ArrayList<>();
    private final List<Alarm> alarms = new ArrayList<>();
    private int width = 1;
    private int inLast;
    private long rows;
    private long judged;
    private long alarmed;

    /** No row yet, of these coordinates. */
    public ScoreSummary(List<String> names) {
        this.names = List.copyOf(names);
        coordinates = Math.min(names.size(), MAX_COORDINATES);
    }

    /** A row with its score. */
    public void add(long row, String time, Score score, double[] values) {
        Bin bin = bin(time, values);
        if (score.isJudged()) {
            judged++;
        }
        if (!Double.isNaN(score.score())) {
            bin.score = Double.isNaN(bin.score) ? score.score() : Math.max(bin.score, score.score());
        }
        if (score.alarm()) {
            bin.alarm = true;
            alarmed++;
            if (alarms.size() < MAX_ALARMS) {
                alarms.add(new Alarm(
                        row, time, score.score(), score.known(), score.cause().sentence(score.coordinate(), names)));
            }
        }
    }

    /** A row without a score. */
    public void skip(String time, double[] values) {
        bin(time, values);
    }

    private Bin bin(String time, double[] values) {
        rows++;
        if (inLast == width || bins.isEmpty()) {
            if (bins.size() == MAX_BINS) {
                halve();
            }
            bins.add(new Bin(coordinates, time));
            inLast = 0;
        }
        inLast++;
        Bin bin = bins.get(bins.size() - 1);
        bin.add(values);
        return bin;
    }

    private void halve() {
        for (int i = 0; i < bins.size() / 2; i++) {
            Bin first = bins.get(2 * i);
            first.join(bins.get(2 * i + 1));
            bins.set(i, first);
        }
        bins.subList(bins.size() / 2, bins.size()).clear();
        width *= 2;
    }

    /** The course of the rows, in order. */
    public List<Bin> bins() {
        return bins;
    }

    /** Rows per bin; the last one may have fewer. */
    public int width() {
        return width;
    }

    /** How many coordinates a bin shows. */
    public int coordinates() {
        return coordinates;
    }

    /** Alarms so far. */
    public long alarmed() {
        return alarmed;
    }

    /** The last alarm. */
    public Alarm newest() {
        return alarms.get(alarms.size() - 1);
    }

    /** Prints counts and alarms. */
    public void say(Console console) {
        console.say(
                "%,d rows, %,d scored, %s.",
                rows, judged, alarmed == 0 ? "no alarm" : Numbers.counted(alarmed, "alarm"));
        int shown = 20;
        alarms.stream().limit(shown).forEach(alarm -> console.say("  %s", alarm.text()));
        if (alarmed > shown) {
            console.say("  and %,d more", alarmed - shown);
        }
    }

    /** The same for programs. */
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rows", rows);
        document.put("judged", judged);
        document.put("alarmed", alarmed);
        List<Object> list = new ArrayList<>();
        for (Alarm alarm : alarms) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("row", alarm.row);
            entry.put("time", alarm.time);
            entry.put("score", alarm.score);
            entry.put("known", alarm.known);
            entry.put("sentence", alarm.sentence);
            list.add(entry);
        }
        document.put("alarms", list);
        return document;
    }
}
