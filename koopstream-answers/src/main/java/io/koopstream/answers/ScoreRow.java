package io.koopstream.answers;

import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.score.Score;

/**
 * A row with its score, in the units of the data and in the columns of {@code koop score}.
 *
 * @param row number of the row among all that came, from 1
 * @param time of the row; NaN without times
 * @param score how unusual what is new in it is, 0 to 1; NaN while nothing can be told
 * @param p share of rows in normal operation that are as unusual
 * @param known how well the state before it is known
 * @param alarm 1 where an alarm begins with it, else 0
 * @param reason the most unusual sign where an alarm begins, see {@link io.koopstream.score.Sign}; null elsewhere
 * @param coordinate in which that is the largest, from 1; 0 where it is not one alone, and without an alarm
 * @param value the row itself
 * @param predicted what was expected; null, as the next two, when nothing was
 * @param low lower end of the 95 % band
 * @param high upper end of the 95 % band
 */
@SuppressWarnings("ArrayRecordComponent") // made here and read once
public record ScoreRow(
        long row,
        double time,
        double score,
        double p,
        double known,
        int alarm,
        String reason,
        int coordinate,
        double[] value,
        double[] predicted,
        double[] low,
        double[] high) {

    /** A row that was scored, with its score; the state and the predictor are asked now, as later they have changed. */
    public static ScoreRow of(Observation observation, Score score, Preparation preparation) {
        double[] values = (observation.isPair() ? observation.next() : observation.values()).clone();
        double[][] band =
                score.isJudged() ? preparation.band(values, score.residual(), score.spread()) : new double[3][];
        return new ScoreRow(
                observation.row(),
                observation.time(),
                score.score(),
                score.p(),
                score.known(),
                score.alarm() ? 1 : 0,
                score.alarm() ? score.cause().word() : null,
                score.coordinate(),
                values,
                band[0],
                band[1],
                band[2]);
    }
}
