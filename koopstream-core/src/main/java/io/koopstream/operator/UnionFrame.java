package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;

/**
 * Two operators with different dictionaries, written in one pair of orthonormal bases that span both. Differences taken
 * there do not cancel, as ‖U‖² + ‖V‖² − 2⟨U, V⟩ would. Exact when one dictionary begins with the other, e.g. between snapshots of
 * one learner; otherwise up to what {@link NewtonBasis#spanning} leaves out, which is at rounding level.
 */
public final class UnionFrame {

    private final NewtonBasis inputBasis;
    private final NewtonBasis outputBasis;
    private final Matrix first;
    private final Matrix second;

    /**
     * The frame of two operators.
     *
     * @throws InvalidQueryException if their spaces differ
     */
    public UnionFrame(TransitionOperator u, TransitionOperator v) {
        if (!u.domain().equals(v.domain()) || !u.codomain().equals(v.codomain())) {
            throw new InvalidQueryException("operators between different spaces: " + u.domain() + " -> " + u.codomain()
                    + " and " + v.domain() + " -> " + v.codomain());
        }
        inputBasis = NewtonBasis.union(u.inputBasis(), v.inputBasis());
        outputBasis = NewtonBasis.union(u.outputBasis(), v.outputBasis());
        first = u.matrixIn(inputBasis, outputBasis);
        second = v.matrixIn(inputBasis, outputBasis);
    }

    /** The basis that spans the inputs of both. */
    public NewtonBasis inputBasis() {
        return inputBasis;
    }

    Matrix first() {
        return first;
    }

    Matrix second() {
        return second;
    }

    /** The matrix of U − V. */
    public Matrix difference() {
        return first.minus(second);
    }
}
