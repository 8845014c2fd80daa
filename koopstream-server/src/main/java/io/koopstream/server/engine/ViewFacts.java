package io.koopstream.server.engine;

import io.koopstream.change.DriftEvent;
import io.koopstream.change.LearningCurve;
import io.koopstream.forecast.Start;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Preparation;
import io.koopstream.stream.LearningStream;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.List;
import java.util.Optional;

/** What a {@link ModelView} knows without computing; its methods say what is what. */
record ViewFacts(
        long version,
        long received,
        RowCounts rows,
        int dimension,
        int delays,
        int stride,
        Preparation preparation,
        double interval,
        MaxGap maxGap,
        Phase phase,
        ModelView.WarmUp warmUp,
        List<Explained> explained,
        List<String> warnings,
        double oneStepError,
        List<LearningCurve.Reading> curve,
        List<DriftEvent> driftEvents,
        List<ModelView.StreamInfo> streams,
        Optional<Start> newest,
        ScoreBoard.Facts scores) {

    static ViewFacts of(
            LearningStream stream,
            long version,
            long received,
            List<ModelView.StreamInfo> streams,
            ScoreBoard.Facts scores) {
        LearningCurve curve = stream.watch().curve();
        return new ViewFacts(
                version,
                received,
                RowCounts.of(stream),
                stream.dimension(),
                stream.delays(),
                stream.stride(),
                stream.preparation(),
                stream.trajectories() == null
                        ? Double.NaN
                        : stream.trajectories().interval(),
                stream.maxGap(),
                stream.isWarmingUp() ? Phase.WARMING : Phase.LEARNING,
                new ModelView.WarmUp(stream.waiting(), stream.awaited()),
                stream.explained(),
                stream.warnings(),
                curve.error(),
                curve.readings(),
                stream.watch().events(),
                streams,
                newest(stream),
                scores);
    }

    /** Where the trajectory stands that was seen last. */
    private static Optional<Start> newest(LearningStream stream) {
        return stream.isWarmingUp()
                ? Optional.empty()
                : stream.trajectories()
                        .newest()
                        .flatMap(open -> Start.after(open, stream.layout(), stream.dimension()));
    }
}
