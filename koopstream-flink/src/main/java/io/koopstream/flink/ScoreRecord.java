package io.koopstream.flink;

import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.score.Score;
import java.util.Arrays;

/** How unusual a record was, told before it was learned: the columns of {@code koop learn --scores}. A POJO to Flink. */
public final class ScoreRecord {

    /** The model's key. */
    public String key;

    /** Its trajectory; the empty text when it has no name. */
    public String trajectory;

    /** Its step, NaN when unknown. */
    public double step;

    /** Its time, NaN when unknown. */
    public double time;

    /** Which record of its key it was, from 1, those that could not be read counted; -1 when that is unknown: it came before scores were asked for. */
    public long row;

    /** From 0 to 1, a tenth for every factor of ten by which what is new in such a record is rare; NaN while nothing can be told. */
    public double score;

    /** The share of records whose one-step residual is as large; NaN while unknown. */
    public double p;

    /** How well the model knows the state, from 0 to 1. */
    public double known;

    /** 1 where an alarm begins, else 0. */
    public int alarm;

    /** The most unusual sign where an alarm begins, see {@link io.koopstream.score.Sign}; null elsewhere. */
    public String reason;

    /** The coordinate in which that is the largest, from 1; 0 where it is not one alone, and without an alarm. */
    public int coordinate;

    /** The coordinates as they came; of a pair the state one step later. */
    public double[] value;

    /** What was expected of them; null when nothing was. */
    public double[] predicted;

    /** The lower ends of the bands that hold 95 % of all records with all their coordinates; null when nothing was expected. */
    public double[] low;

    /** The upper ends. */
    public double[] high;

    /** For Flink, which fills the fields. */
    public ScoreRecord() {}

    static ScoreRecord of(String key, Observation observation, Score score, Preparation preparation) {
        ScoreRecord record = new ScoreRecord();
        record.key = key;
        record.trajectory = observation.trajectory();
        record.step = observation.step();
        record.time = observation.time();
        record.row = observation.row();
        record.score = score.score();
        record.p = score.p();
        record.known = score.known();
        record.alarm = score.alarm() ? 1 : 0;
        record.reason = score.alarm() ? score.cause().word() : null;
        record.coordinate = score.coordinate();
        record.value = (observation.isPair() ? observation.next() : observation.values()).clone();
        if (score.isJudged()) {
            double[][] band = preparation.band(record.value, score.residual(), score.spread());
            record.predicted = band[0];
            record.low = band[1];
            record.high = band[2];
        }
        return record;
    }

    @Override
    public String toString() {
        return "ScoreRecord(" + key + ", " + trajectory + ", step " + step + ", time " + time + ", row " + row
                + ", score " + score + ", p " + p + ", known " + known + ", alarm " + alarm
                + (reason == null ? "" : " (" + reason + " " + coordinate + ")") + ", "
                + Arrays.toString(value) + ", predicted " + Arrays.toString(predicted) + " from " + Arrays.toString(low)
                + " to " + Arrays.toString(high) + ")";
    }
}
