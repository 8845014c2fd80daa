package io.koopstream.theory;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.RealSchur;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.operator.UnionFrame;

/** The distance ‖(U − V) C_XX^((1−β)/2)‖_HS of Lemma 5 (appendix, eq. for C_XX^((1−γ)/2)), on an empirical covariance. */
public final class InterpolationNorm {

    private InterpolationNorm() {}

    /**
     * The distance of two operators in the intermediate space [H]^β, C_XX being the covariance of the given samples: for β = 1 the HS distance, for
     * β = 0 the L₂ distance (1/n Σ ‖(U−V) φ(x_i)‖²)^½.
     *
     * @param beta between 0 and 1
     * @param inputs the samples, one per row; cost O(n³) for n of them unless β is 0 or 1
     */
    public static double distance(TransitionOperator u, TransitionOperator v, double beta, double[][] inputs) {
        if (!(beta >= 0 && beta <= 1)) {
            throw new InvalidQueryException("beta = " + beta + ": must be between 0 (L2) and 1 (Hilbert-Schmidt)");
        }
        if (inputs.length == 0) {
            throw new InvalidQueryException("the covariance of no samples is not defined");
        }
        Points samples = u.domain().requireQueries(inputs, "inputs");
        UnionFrame frame = UnionFrame.of(u, v);
        Matrix difference = frame.difference();
        if (beta == 1) {
            return difference.frobeniusNorm();
        }
        int n = samples.size();
        // Columns are (U − V) φ(x_i) in the output basis: the part of φ(x_i) outside the input basis maps to zero.
        Matrix images = difference.times(frame.inputBasis().coordinates(samples));
        if (beta == 0) {
            return images.frobeniusNorm() / Math.sqrt(n);
        }
        // With B the coordinates of the samples in an orthonormal basis of their span, C_XX has the matrix B Bᵀ / n
        // there,
        // and C^(1−β) is taken through its eigenvectors e_k: the result is Σ_k σ_k^(1−β) ‖(U − V) e_k‖².
        NewtonBasis span = NewtonBasis.spanning(u.domain(), samples);
        Matrix transposed = span.coordinates(samples).transposed();
        Matrix covariance = transposed.transposedTimes(transposed);
        covariance.scale(1.0 / n);
        RealSchur eigen = RealSchur.of(covariance.toRows());
        Matrix images2 = difference.times(frame.inputBasis().coordinatesOf(span));
        double sum = 0;
        double[] vector = new double[span.size()];
        double[] image = new double[images2.rows()];
        for (int k = 0; k < span.size(); k++) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] = eigen.vector(i, k);
            }
            images2.multiply(vector, image);
            double sigma = Math.max(0.0, eigen.triangle(k, k));
            sum += StrictMath.pow(sigma, 1 - beta) * Vectors.squaredNorm(image, image.length);
        }
        return Math.sqrt(sum);
    }
}
