package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;

/**
 * Two operators between the same spaces, written as matrices in one pair of orthonormal bases that span both. Differences taken
 * there do not cancel, as ‖U‖² + ‖V‖² − 2⟨U, V⟩ would. Exact when one dictionary begins with the other, e.g. between snapshots of
 * one learner; otherwise up to what {@link NewtonBasis#spanning} leaves out, which is at rounding level.
 *
 * @param inputBasis spans the inputs of both
 * @param first the matrix of U
 * @param second the matrix of V
 */
public record UnionFrame(NewtonBasis inputBasis, Matrix first, Matrix second) {

    /**
     * The frame of two operators.
     *
     * @throws InvalidQueryException if their spaces differ
     */
    public static UnionFrame of(TransitionOperator u, TransitionOperator v) {
        requireOneSpace(u, v);
        NewtonBasis inputs = NewtonBasis.union(u.inputBasis(), v.inputBasis());
        NewtonBasis outputs = NewtonBasis.union(u.outputBasis(), v.outputBasis());
        return new UnionFrame(inputs, u.matrixIn(inputs, outputs), v.matrixIn(inputs, outputs));
    }

    /** Refuses operators between different spaces. */
    static void requireOneSpace(TransitionOperator u, TransitionOperator v) {
        InvalidQueryException.require(
                u.domain().equals(v.domain()) && u.codomain().equals(v.codomain()),
                "operators between different spaces: " + u.domain() + " -> " + u.codomain() + " and " + v.domain()
                        + " -> " + v.codomain() + "; learn them with one kernel and one dimension");
    }

    /** The matrix of U − V. */
    public Matrix difference() {
        return first.minus(second);
    }
}
