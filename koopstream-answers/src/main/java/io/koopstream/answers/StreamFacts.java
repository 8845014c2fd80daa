package io.koopstream.answers;

import io.koopstream.change.DriftEvent;
import io.koopstream.change.LearningCurve;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.Start;
import io.koopstream.stream.LearningStream;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.List;
import java.util.Optional;

/**
 * Facts about the stream that learns a model, at one moment; nothing of it is computed.
 *
 * @param rows what became of the rows
 * @param phase how far it has come
 * @param warmUp how far the choice of settings is
 * @param explained what is set, to what, and why; empty while settings are not chosen
 * @param warnings what the settings do not promise, in words
 * @param oneStepError running mean of the error of predicting pairs before they are learned; NaN before there is one
 * @param curve the error and the dictionary along the stream
 * @param driftEvents the newest changes of the dynamics that were noticed, oldest first; sample numbers count pairs
 * @param newest where the trajectory stands that was seen last; empty while there is none, or too little of it for a state
 * @param record errors and shares of the forecasts made on the way; empty where none were made
 */
public record StreamFacts(
        RowCounts rows,
        Phase phase,
        WarmUp warmUp,
        List<Explained> explained,
        List<String> warnings,
        double oneStepError,
        List<LearningCurve.Reading> curve,
        List<DriftEvent> driftEvents,
        Optional<Start> newest,
        Optional<ForecastRecord> record) {

    /**
     * How far the choice of settings is.
     *
     * @param waiting observations that came
     * @param awaited observations from which settings are chosen; 0 once they are
     */
    public record WarmUp(int waiting, int awaited) {}

    /** The facts about a stream, which goes on without changing them. */
    public static StreamFacts of(LearningStream stream) {
        LearningCurve curve = stream.watch().curve();
        return new StreamFacts(
                RowCounts.of(stream),
                stream.isWarmingUp() ? Phase.WARMING : Phase.LEARNING,
                new WarmUp(stream.waiting(), stream.awaited()),
                stream.explained(),
                stream.warnings(),
                curve.error(),
                curve.readings(),
                stream.watch().events(),
                newest(stream),
                stream.record().map(ForecastRecord::copy));
    }

    /** Newest state of the trajectory that was seen last. */
    private static Optional<Start> newest(LearningStream stream) {
        return stream.isWarmingUp()
                ? Optional.empty()
                : stream.trajectories()
                        .newest()
                        .flatMap(open -> Start.after(open, stream.layout(), stream.dimension()));
    }
}
