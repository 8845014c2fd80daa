package io.koopstream.theory;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;

/** The empirical covariances of section 3 on n pairs, as matrices in orthonormal bases that span all of them. */
final class PairStatistics {

    private final NewtonBasis inputBasis;
    private final NewtonBasis outputBasis;
    /** Coordinates of φ(x_i), one per column. */
    private final Matrix inputs;
    /** Coordinates of φ(y_i), one per column. */
    private final Matrix outputs;

    private PairStatistics(NewtonBasis inputBasis, NewtonBasis outputBasis, Matrix inputs, Matrix outputs) {
        this.inputBasis = inputBasis;
        this.outputBasis = outputBasis;
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /** Statistics in bases that span the samples, and the given bases too. */
    static PairStatistics of(NewtonBasis in, NewtonBasis out, double[][] x, double[][] xNext) {
        if (x.length != xNext.length || x.length == 0) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    x.length + " inputs and " + xNext.length + " outputs: need as many, and at least one");
        }
        Points inputPoints = checked(in.space(), x, "x");
        Points outputPoints = checked(out.space(), xNext, "xNext");
        NewtonBasis inputBasis = NewtonBasis.union(in, NewtonBasis.spanning(in.space(), inputPoints));
        NewtonBasis outputBasis = NewtonBasis.union(out, NewtonBasis.spanning(out.space(), outputPoints));
        return new PairStatistics(
                inputBasis, outputBasis, inputBasis.coordinates(inputPoints), outputBasis.coordinates(outputPoints));
    }

    private static Points checked(Rkhs space, double[][] rows, String name) {
        for (int i = 0; i < rows.length; i++) {
            space.requireSample(rows[i], name + "[" + i + "]");
        }
        return Points.of(space.dimension(), rows);
    }

    NewtonBasis inputBasis() {
        return inputBasis;
    }

    NewtonBasis outputBasis() {
        return outputBasis;
    }

    Matrix inputs() {
        return inputs;
    }

    Matrix outputs() {
        return outputs;
    }

    /** C_XX = (1/n) Σ φ(x_i) ⊗ φ(x_i). */
    Matrix inputCovariance() {
        return product(inputs);
    }

    /** C_{X⁺X} = (1/n) Σ φ(y_i) ⊗ φ(x_i). */
    Matrix crossCovariance() {
        return product(outputs);
    }

    private Matrix product(Matrix left) {
        Matrix covariance = left.times(inputs.transposed());
        covariance.scale(1.0 / inputs.columns());
        return covariance;
    }
}
