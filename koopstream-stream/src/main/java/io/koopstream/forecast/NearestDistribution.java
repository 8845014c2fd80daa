package io.koopstream.forecast;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Scratch;
import io.koopstream.operator.KoopmanOperator;

/**
 * The probabilities on the kept outputs whose embedding is nearest to a given one: min over p >= 0 of ‖Σ_i p_i φ(y_i) − μ‖², then divided by
 * their sum. The weights α of μ itself alternate in sign with moduli far above 1 when kept points lie close together, and sums over half
 * of them, which is what a distribution function is, mean nothing; smooth expectations are not affected.
 *
 * <p>Solved by coordinate descent on ½ pᵀ G p − cᵀ p, c = G α, from p = 0 in a fixed order: each sweep is O(m²), the risk never rises.
 * Immutable once built.
 */
final class NearestDistribution {

    private static final int MAX_SWEEPS = 200;
    private static final double MIN_CHANGE = 1e-9;

    private final NewtonBasis basis;
    /** Rows of the Gram matrix G. */
    private final double[][] gram;

    NearestDistribution(KoopmanOperator operator) {
        basis = operator.outputBasis();
        int m = basis.size();
        gram = new double[m][m];
        Scratch scratch = new Scratch();
        for (int i = 0; i < m; i++) {
            basis.gramRow(basis.points().get(i), gram[i], scratch);
        }
    }

    /** Probabilities for the embedding with these weights, whose sum is positive. */
    double[] of(double[] weights) {
        int m = gram.length;
        double mass = 0;
        for (double weight : weights) {
            mass += weight;
        }
        // The gradient G p − c, at first −c, with c = L Lᵀ α: in orthonormal coordinates the weights are of moderate
        // size.
        double[] coordinates = new double[m];
        double[] gradient = new double[m];
        Triangular.multiplyTransposed(basis.factor(), weights, coordinates);
        Triangular.multiply(basis.factor(), coordinates, gradient);
        Vectors.scale(-1 / mass, gradient, m);
        double[] p = new double[m];
        double change = Double.POSITIVE_INFINITY;
        for (int sweep = 0; sweep < MAX_SWEEPS && change > MIN_CHANGE; sweep++) {
            change = 0;
            for (int i = 0; i < m; i++) {
                double next = Math.max(0.0, p[i] - gradient[i] / gram[i][i]);
                double step = next - p[i];
                if (step != 0) {
                    p[i] = next;
                    Vectors.axpy(step, gram[i], gradient, 0, m);
                    change = Math.max(change, Math.abs(step));
                }
            }
        }
        double sum = 0;
        for (double probability : p) {
            sum += probability;
        }
        Vectors.scale(1 / sum, p, m);
        return p;
    }
}
