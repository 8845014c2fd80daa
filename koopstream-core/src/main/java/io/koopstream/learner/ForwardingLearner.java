package io.koopstream.learner;

import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.TransitionOperator;

/**
 * A learner around another that answers what it does not change itself from the one inside.
 *
 * @param <O> the type of the learned operator
 * @param <L> the type of the learner inside
 */
abstract class ForwardingLearner<O extends TransitionOperator, L extends Learner<O>> implements Learner<O> {

    final L learner;

    ForwardingLearner(L learner) {
        this.learner = learner;
    }

    /** The learner inside, for reading. */
    public L learner() {
        return learner;
    }

    @Override
    public Rkhs input() {
        return learner.input();
    }

    @Override
    public Rkhs output() {
        return learner.output();
    }

    @Override
    public O snapshot() {
        return learner.snapshot();
    }

    @Override
    public O predictor() {
        return learner.predictor();
    }

    /** How many samples were learned by the learner inside. */
    @Override
    public long samples() {
        return learner.samples();
    }

    @Override
    public int dictionarySize() {
        return learner.dictionarySize();
    }
}
