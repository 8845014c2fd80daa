package io.koopstream.server.engine;

import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.score.Score;
import java.util.LinkedHashMap;
import java.util.Map;

/** A row with its score, in the units of the data and in the columns of {@code koop score}. Immutable. */
public final class ScoredRow {

    private final long row;
    private final double time;
    private final double[] values;
    private final double score;
    private final double p;
    private final double known;
    private final boolean alarm;
    /** What was expected, low and high; null when nothing was. */
    private final double[][] band;

    private ScoredRow(long row, double time, double[] values, Score score, double[][] band) {
        this.row = row;
        this.time = time;
        this.values = values;
        this.score = score.score();
        this.p = score.p();
        // Now: later it would need the state and what predicted then.
        this.known = score.known();
        this.alarm = score.alarm();
        this.band = band;
    }

    static ScoredRow of(Observation observation, Score score, Preparation preparation) {
        double[] values = (observation.isPair() ? observation.next() : observation.values()).clone();
        return new ScoredRow(
                observation.row(),
                observation.time(),
                values,
                score,
                score.isJudged() ? preparation.band(values, score.residual(), score.spread()) : null);
    }

    /** The number of the item among all that the model accepted, from 1. */
    public long row() {
        return row;
    }

    /** Its score; NaN while nothing can be told. */
    public double score() {
        return score;
    }

    /** Whether an alarm begins with it. */
    public boolean isAlarm() {
        return alarm;
    }

    /** Everything, in the order of the columns. */
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("row", row);
        document.put("time", time);
        document.put("score", score);
        document.put("p", p);
        document.put("known", known);
        document.put("alarm", alarm ? 1 : 0);
        document.put("value", values);
        document.put("predicted", band == null ? null : band[0]);
        document.put("low", band == null ? null : band[1]);
        document.put("high", band == null ? null : band[2]);
        return document;
    }
}
