package io.koopstream.theory;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.leastsquares.RidgeRegression;
import io.koopstream.operator.TransitionOperator;

/**
 * The regularised risk R_λ(U) = ½ E‖φ(x⁺) − U φ(x)‖² + (λ/2) ‖U‖²_HS (section 5.1) on the empirical distribution of given pairs, and
 * its gradient ∇R_λ(U) = U C_XX − C_{X⁺X} + λ U (Lemma 3).
 */
public final class RegularisedRisk {

    private final double[][] x;
    private final double[][] xNext;
    private final double lambda;

    /**
     * The risk on these pairs; rows are samples, kept as they are.
     *
     * @param lambda ridge, >= 0
     */
    public RegularisedRisk(double[][] x, double[][] xNext, double lambda) {
        this.x = x.clone();
        this.xNext = xNext.clone();
        this.lambda = InvalidConfigException.requireNonNegative("lambda", lambda, "regularisation of R_λ");
    }

    /**
     * The minimiser U_λ = C_{X⁺X} (C_XX + λ)⁻¹ (Lemma 3), the truth that learners converge to. O(n³) time and O(n²) memory.
     *
     * @throws InvalidConfigException if λ is 0
     */
    public TransitionOperator minimiser(Rkhs input, Rkhs output) {
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ");
        PairStatistics pairs = PairStatistics.of(new NewtonBasis(input), new NewtonBasis(output), x, xNext);
        Matrix matrix = RidgeRegression.solve(pairs.inputCovariance(), pairs.crossCovariance(), 1.0, lambda);
        return new TransitionOperator(pairs.inputBasis(), pairs.outputBasis(), matrix, x.length);
    }

    /** R_λ(U). */
    public double of(TransitionOperator u) {
        PairStatistics pairs = PairStatistics.of(u.inputBasis(), u.outputBasis(), x, xNext);
        Matrix inBasis = u.matrixIn(pairs.inputBasis(), pairs.outputBasis());
        Matrix errors = inBasis.times(pairs.inputs()).minus(pairs.outputs());
        Points outputs = Points.of(u.codomain().dimension(), xNext);
        double sum = 0;
        for (int j = 0; j < errors.columns(); j++) {
            // What the extended basis misses of φ(y) is below the numeric floor, but it is part of the error.
            double missed = pairs.outputBasis().squaredNorm(outputs.get(j))
                    - Vectors.squaredNorm(pairs.outputs().column(j), errors.rows());
            sum += Vectors.squaredNorm(errors.column(j), errors.rows()) + Math.max(0.0, missed);
        }
        double norm = u.norm();
        return 0.5 * sum / errors.columns() + 0.5 * lambda * norm * norm;
    }

    /** ∇R_λ(U), itself an operator; its norm vanishes exactly at the {@link #minimiser}. */
    public TransitionOperator gradient(TransitionOperator u) {
        PairStatistics pairs = PairStatistics.of(u.inputBasis(), u.outputBasis(), x, xNext);
        Matrix inBasis = u.matrixIn(pairs.inputBasis(), pairs.outputBasis());
        Matrix gradient = inBasis.times(pairs.inputCovariance()).minus(pairs.crossCovariance());
        gradient.add(lambda, inBasis);
        return new TransitionOperator(pairs.inputBasis(), pairs.outputBasis(), gradient, u.samples());
    }
}
