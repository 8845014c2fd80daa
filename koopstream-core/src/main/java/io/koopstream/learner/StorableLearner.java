package io.koopstream.learner;

import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.TransitionOperator;

/**
 * A learner whose whole state can be taken out, stored and resumed: learning on from the state equals learning on from the learner, bit
 * for bit.
 *
 * @param <O> the type of the learned operator
 */
public interface StorableLearner<O extends TransitionOperator> extends Learner<O> {

    /** The settings. */
    MethodConfig config();

    @Override
    default Rkhs input() {
        return config().input();
    }

    @Override
    default Rkhs output() {
        return config().output();
    }

    /** {@link #update} of a pair that the caller has checked: both sides are points of their spaces. */
    StepOutcome updateChecked(double[] x, double[] xNext);

    @Override
    default StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        return updateChecked(x, xNext);
    }

    /** Everything the learner is, as an immutable value; samples that wait for the end of their block included. */
    LearnerState state();

    @Override
    StorableLearner<O> copy();
}
