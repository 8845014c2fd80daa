package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.TransitionOperator;

/**
 * The minimiser U_λ = C_{X⁺X} (C_XX + λ)⁻¹ of the regularised risk (Lemma 3) on a whole data set at once, for comparison and as
 * the truth that learners converge to. O(n³) time and O(n²) memory.
 */
public final class BatchEstimator {

    private BatchEstimator() {}

    /**
     * U_λ of the empirical distribution of n pairs; rows are samples.
     *
     * @param lambda ridge, > 0, on the mean risk (not multiplied by n)
     */
    public static TransitionOperator fit(Rkhs input, Rkhs output, double[][] x, double[][] xNext, double lambda) {
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ");
        PairStatistics pairs = PairStatistics.of(new NewtonBasis(input), new NewtonBasis(output), x, xNext);
        Matrix matrix = RidgeRegression.solve(pairs.inputCovariance(), pairs.crossCovariance(), 1.0, lambda);
        return new TransitionOperator(pairs.inputBasis(), pairs.outputBasis(), matrix, x.length);
    }
}
