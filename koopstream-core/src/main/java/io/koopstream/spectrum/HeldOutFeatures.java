package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Eigenpairs;
import io.koopstream.internal.linalg.Krylov;
import io.koopstream.internal.linalg.LinearMap;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.operator.KoopmanOperator;
import java.util.List;

/**
 * Held-out pairs seen through an operator's input basis, and the leading principal features of the held-out inputs, scaled to be
 * orthonormal over them: (1/n) Σ_i ψ_a(x_i) ψ_b(x_i) = δ_ab. Immutable. O(n m² + p m²).
 */
final class HeldOutFeatures {

    /** Below this size the dense method is as fast. */
    private static final int DENSE_BELOW = 64;

    /** Principal features with a smaller share of the leading one's variance are mostly rounding. */
    private static final double MIN_SHARE = 1e-9;

    /** Coordinates of the inputs in Q_X, one per column. */
    final Matrix inputs;
    /** Coordinates of the outputs in Q_X, one per column. */
    final Matrix outputs;
    /** ψ(x_i), one per column. */
    final Matrix features;
    /** ψ(x_i⁺), one per column. */
    final Matrix featuresNext;

    /**
     * @param wanted how many features at most; no more than a tenth of the pairs are used, so that a regression on them means something
     */
    HeldOutFeatures(KoopmanOperator operator, double[][] x, double[][] xNext, int wanted) {
        InvalidQueryException.require(
                x.length == xNext.length && x.length >= 20,
                x.length + " inputs and " + xNext.length
                        + " outputs are held out: need as many of both, and at least 20");
        NewtonBasis basis = operator.inputBasis();
        inputs = basis.coordinates(basis.space().requireQueries(x, "x"));
        outputs = basis.coordinates(basis.space().requireQueries(xNext, "xNext"));
        int n = x.length;
        Matrix directions = leading(inputs, Math.min(Math.min(wanted, basis.size()), n / 10));
        Matrix raw = directions.transposedTimes(inputs);
        Matrix gram = raw.times(raw.transposed());
        gram.scale(1.0 / n);
        Matrix factor = Triangular.cholesky(gram);
        if (factor == null) {
            throw new InvalidQueryException("the held-out inputs are numerically dependent: ask for fewer features");
        }
        features = whitened(raw, factor);
        featuresNext = whitened(directions.transposedTimes(outputs), factor);
    }

    /** Leading eigenvectors of (1/n) Σ β_i β_iᵀ, as columns. */
    private static Matrix leading(Matrix coordinates, int count) {
        int m = coordinates.rows();
        int n = coordinates.columns();
        double[] inner = new double[n];
        LinearMap covariance = (v, out) -> {
            coordinates.multiplyTransposed(v, inner);
            coordinates.multiply(inner, out);
            Vectors.scale(1.0 / n, out, m);
        };
        List<Eigenpairs.Pair> pairs;
        if (m <= DENSE_BELOW) {
            Matrix dense = coordinates.times(coordinates.transposed());
            dense.scale(1.0 / n);
            pairs = Eigenpairs.of(dense.toRows());
        } else {
            pairs = Krylov.leading(covariance, m, count);
        }
        int used = 0;
        while (used < Math.min(count, pairs.size())
                && pairs.get(used).re() > MIN_SHARE * pairs.get(0).re()
                && pairs.get(used).im() == 0) {
            used++;
        }
        double[][] columns = new double[used][];
        for (int a = 0; a < used; a++) {
            columns[a] = pairs.get(a).vectorRe();
        }
        return Matrix.ofColumns(columns, m);
    }

    private static Matrix whitened(Matrix raw, Matrix factor) {
        for (int i = 0; i < raw.columns(); i++) {
            Triangular.solve(factor, raw.column(i));
        }
        return raw;
    }

    /** Number of pairs. */
    int size() {
        return inputs.columns();
    }

    /** Number of features. */
    int count() {
        return features.rows();
    }
}
