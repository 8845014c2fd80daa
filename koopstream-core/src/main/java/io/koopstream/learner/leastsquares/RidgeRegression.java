package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;

/** The regularised normal equations M (S/n + λ) = T/n behind U_λ = C_{X⁺X} (C_XX + λ)⁻¹ (Lemma 3), in orthonormal coordinates. */
public final class RidgeRegression {

    private RidgeRegression() {}

    /**
     * M from sums over samples; O(m³).
     *
     * @param s Σ β βᵀ, symmetric positive semidefinite
     * @param t Σ α βᵀ
     * @param n number (or total weight) of the samples; 0 gives M = 0
     * @param lambda ridge, > 0
     */
    public static Matrix solve(Matrix s, Matrix t, double n, double lambda) {
        if (n == 0) {
            return new Matrix(t.rows(), t.columns());
        }
        Matrix covariance = s.copy();
        covariance.scale(1.0 / n);
        // Positive definite by at least λ, which exceeds the rounding of S/n by far for every admissible setting.
        Matrix factor = Triangular.cholesky(covariance, lambda);
        if (factor == null) {
            throw new InvalidConfigException(
                    "lambda", lambda, "must be larger: C_XX + lambda is numerically singular on these samples");
        }
        // Row by row of M, i.e. by columns of the transposes.
        Matrix transposed = t.transposed();
        transposed.scale(1.0 / n);
        for (int j = 0; j < transposed.columns(); j++) {
            Triangular.solve(factor, transposed.column(j));
            Triangular.solveTransposed(factor, transposed.column(j));
        }
        return transposed.transposed();
    }
}
