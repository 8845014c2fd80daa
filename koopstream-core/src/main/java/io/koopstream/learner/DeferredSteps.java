package io.koopstream.learner;

import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Vectors;

/**
 * Projected steps of Algorithm 1 that have not reached the matrix yet: M_t = s M + Σ_k w_k r_k β_kᵀ, with M as it is in memory. At large sizes
 * rewriting M for every sample costs more than all else; together, {@value #MOST} steps cost one rewriting. Mutable, one writer.
 */
final class DeferredSteps {

    /** Steps that are added to the matrix together. */
    static final int MOST = 32;

    /** Dictionaries from this size on defer their steps: three arrays of 8 m² bytes no longer fit into any cache. */
    static final int FROM_SIZE = 1000;

    /** Made when first needed: most learners never are that large. */
    private Products products;

    /** r_k and β_k, one a column. */
    private final Matrix errors = new Matrix(0, 0);

    private final Matrix inputs = new Matrix(0, 0);
    /** w_k r_k, and β_k as rows, when they are added to the matrix. */
    private final Matrix weighted = new Matrix(0, 0);

    private final Matrix rows = new Matrix(0, 0);

    private final double[] weights = new double[MOST];
    private double scale = 1;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == MOST;
    }

    /** Takes all memory that {@link #add} and {@link #applyTo} need for a matrix of this size. */
    void reserve(int outputs, int inputCount) {
        if (products == null) {
            products = new Products();
        }
        errors.reserve(outputs, MOST);
        inputs.reserve(inputCount, MOST);
        weighted.reserve(outputs, MOST);
        rows.reserve(MOST, inputCount);
    }

    /** error ← error − M_t β. */
    void subtractImage(Matrix m, double[] beta, double[] error) {
        m.addMultiple(-scale, beta, error);
        for (int k = 0; k < count; k++) {
            double share = weights[k] * Vectors.dot(inputs.column(k), beta, m.columns());
            Vectors.axpy(-share, errors.column(k), error, 0, m.rows());
        }
    }

    /** The step M ← c M + η r βᵀ, to be made later. */
    void add(Matrix m, double c, double eta, double[] error, double[] beta) {
        if (count == 0) {
            errors.reshape(m.rows(), MOST);
            inputs.reshape(m.columns(), MOST);
        }
        scale *= c;
        for (int k = 0; k < count; k++) {
            weights[k] *= c;
        }
        System.arraycopy(error, 0, errors.column(count), 0, m.rows());
        System.arraycopy(beta, 0, inputs.column(count), 0, m.columns());
        weights[count] = eta;
        count++;
    }

    /** Makes the steps on a matrix. */
    void applyTo(Matrix m) {
        weighted.reshape(m.rows(), count);
        rows.reshape(count, m.columns());
        for (int k = 0; k < count; k++) {
            System.arraycopy(errors.column(k), 0, weighted.column(k), 0, m.rows());
            Vectors.scale(weights[k], weighted.column(k), m.rows());
            double[] beta = inputs.column(k);
            for (int j = 0; j < m.columns(); j++) {
                rows.set(k, j, beta[j]);
            }
        }
        products.multiply(scale, m, weighted, rows);
    }

    void clear() {
        count = 0;
        scale = 1;
    }
}
