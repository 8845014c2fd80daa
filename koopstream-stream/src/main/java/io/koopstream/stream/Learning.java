package io.koopstream.stream;

import io.koopstream.change.Watch;
import io.koopstream.learner.Discountable;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.StorableLearner;
import io.koopstream.learner.leastsquares.BatchMeans;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Outcome;
import java.util.Optional;

/** How pairs reach the learner of a stream: scored first, watched, and through batches where standard errors are wanted. One writer. */
final class Learning {

    private final StorableLearner<KoopmanOperator> learner;
    private final BatchMeans<KoopmanOperator> batches;
    private final int observed;
    private final double driftDiscount;

    Learning(StorableLearner<KoopmanOperator> learner, int observed, boolean batched, StreamSettings settings) {
        this.learner = learner;
        this.observed = observed;
        this.driftDiscount = settings.driftDiscount();
        this.batches = batched && learner instanceof LeastSquaresLearner<KoopmanOperator> leastSquares
                ? new BatchMeans<>(leastSquares)
                : null;
        if (driftDiscount < 1) {
            // Says now that it cannot, not at the first change.
            Discountable.of(learner);
        }
    }

    Outcome learn(long pairs, Scores scores, Watch watch, double[] x, double[] xNext) {
        if (scores.before(pairs, learner, x, xNext)) {
            return Outcome.HELD_BACK;
        }
        if (watch.before(pairs, learner, observed, x, xNext) && driftDiscount < 1) {
            (batches != null ? batches : Discountable.of(learner)).discount(driftDiscount);
        }
        StepOutcome step = batches != null ? batches.update(x, xNext) : learner.updateChecked(x, xNext);
        return Outcome.of(step);
    }

    Optional<BatchMeans<KoopmanOperator>> batches() {
        return Optional.ofNullable(batches);
    }
}
