package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;

/**
 * Everything a learner needs to go on, as an immutable value. Nothing in it has to be recomputed, so going on from it is going on, bit
 * for bit.
 */
public abstract sealed class LearnerState permits SogdState, LeastSquaresState {

    private final KeptSamples kept;

    LearnerState(KeptSamples kept) {
        this.kept = kept;
    }

    final KeptSamples kept() {
        return kept;
    }

    /** The space of the inputs. */
    public final Rkhs input() {
        return kept.inputBasis().space();
    }

    /** The space of the outputs. */
    public final Rkhs output() {
        return kept.outputBasis().space();
    }

    /** How many samples were learned. */
    public final long samples() {
        return kept.samples();
    }

    /** How many samples were novel enough but numerically dependent on both sides. */
    public final long dependents() {
        return kept.dependents();
    }

    /** The kept inputs with their factor, for reading. */
    public final NewtonBasis inputBasis() {
        return kept.inputBasis();
    }

    /** The kept outputs with their factor, for reading. */
    public final NewtonBasis outputBasis() {
        return kept.outputBasis();
    }

    /** SHA-256 over every bit of the state, as 64 hexadecimal digits: equal exactly when two states are. */
    public abstract String digest();

    /** A learner of a Koopman operator that goes on from here; input and output must be one space. */
    public abstract Learner<KoopmanOperator> resumeKoopman();

    /** A learner of a transition operator that goes on from here. */
    public abstract Learner<TransitionOperator> resumeTransition();
}
