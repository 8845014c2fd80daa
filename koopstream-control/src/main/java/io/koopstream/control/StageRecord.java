package io.koopstream.control;

import io.koopstream.control.env.ScoreSummary;
import java.util.Locale;

/**
 * One stage of a {@link StagedLoop}, ready to be written as a row or a JSON object.
 *
 * @param environment id of the environment
 * @param settings name of the settings
 * @param behaviour how the stage's transitions were made
 * @param seed seed of the run
 * @param stage number of the stage, from 0
 * @param transitions transitions learned so far: the full data set
 * @param dictionary transitions kept: the sparsified data set
 * @param sweeps sweeps of the planner
 * @param residual residual of the planner
 * @param seconds wall-clock seconds of learning and planning in this stage
 * @param score distribution of the evaluation scores
 */
public record StageRecord(
        String environment,
        String settings,
        String behaviour,
        long seed,
        int stage,
        int transitions,
        int dictionary,
        int sweeps,
        double residual,
        double seconds,
        ScoreSummary score) {

    /** The columns of {@link #csv()}. */
    public static final String HEADER =
            "environment,settings,behaviour,seed,stage,transitions,dictionary,sweeps,residual,seconds,episodes,median,mean,low,high,min,max";

    /** One line of comma-separated values, without the line break. */
    public String csv() {
        return String.format(
                Locale.ROOT,
                "%s,%s,%s,%d,%d,%d,%d,%d,%.3e,%.2f,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f",
                environment,
                settings,
                behaviour,
                seed,
                stage,
                transitions,
                dictionary,
                sweeps,
                residual,
                seconds,
                score.episodes(),
                score.median(),
                score.mean(),
                score.low(),
                score.high(),
                score.min(),
                score.max());
    }
}
