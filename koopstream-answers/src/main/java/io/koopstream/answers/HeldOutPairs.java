package io.koopstream.answers;

import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.spectrum.TrustReport;
import java.util.Optional;

/**
 * Pairs that were not learned, on which answers are judged.
 *
 * @param x inputs, one per row
 * @param xNext outputs
 */
@SuppressWarnings("ArrayRecordComponent") // made here and read once
public record HeldOutPairs(double[][] x, double[][] xNext) {

    /** The pairs that learning held out; empty when they are too few to judge on. */
    public static Optional<HeldOutPairs> of(LearnerState state) {
        return state instanceof LeastSquaresState statistics
                        && statistics.holdOut().size() >= TrustReport.MIN_HELD_OUT
                ? Optional.of(new HeldOutPairs(
                        statistics.holdOut().inputs(), statistics.holdOut().outputs()))
                : Optional.empty();
    }
}
