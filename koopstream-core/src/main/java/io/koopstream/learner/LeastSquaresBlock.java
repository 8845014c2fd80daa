package io.koopstream.learner;

import io.koopstream.kernel.Points;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;

/**
 * The statistics of a block of samples, with the arithmetic of whole matrices: S ← f^n S + Σ_s f^(n−1−s) β_s β_sᵀ and T ← f^n T +
 * Σ_s f^(n−1−s) α_s β_sᵀ. Single thread.
 */
final class LeastSquaresBlock {

    private final Products products;
    private final BlockCoordinates inputs = new BlockCoordinates();
    private final BlockCoordinates outputs = new BlockCoordinates();
    private final Matrix columns = new Matrix(0, 0);
    private int n;

    LeastSquaresBlock(Products products) {
        this.products = products;
    }

    void measure(CappedDictionary dictionary, Points x, Points y) {
        n = x.size();
        inputs.measure(dictionary.inputs(), x, products);
        outputs.measure(dictionary.outputs(), y, products);
    }

    BlockCoordinates inputs() {
        return inputs;
    }

    BlockCoordinates outputs() {
        return outputs;
    }

    /** Sample t was kept: the samples after it get its coordinate. */
    void extend(StepOutcome outcome, LeastSquaresConfig config, Points x, Points y, int t) {
        if (outcome.keepsInput()) {
            inputs.append(config.input(), x, t);
        }
        if (outcome.keepsOutput()) {
            outputs.append(config.output(), y, t);
        }
    }

    /** Adds the first {@code count} samples to the statistics, which have grown to the size of the dictionaries. */
    void apply(Matrix inputStatistics, Matrix crossStatistics, double forgetting, int count) {
        double[] weights = new double[n];
        double faded = 1;
        for (int s = count - 1; s >= 0; s--) {
            // The root on both sides of each product, so that S stays symmetric to the last bit.
            weights[s] = Math.sqrt(faded);
            faded *= forgetting;
        }
        weigh(inputs.rows(), weights);
        weigh(outputs.rows(), weights);
        transpose(inputs.rows());
        products.multiply(faded, inputStatistics, columns, inputs.rows());
        transpose(outputs.rows());
        products.multiply(faded, crossStatistics, columns, inputs.rows());
    }

    private void weigh(Matrix rows, double[] weights) {
        for (int i = 0; i < rows.columns(); i++) {
            double[] column = rows.column(i);
            for (int s = 0; s < n; s++) {
                column[s] *= weights[s];
            }
        }
    }

    private void transpose(Matrix rows) {
        columns.resizeToOverwrite(rows.columns(), n);
        double[][] targets = new double[n][];
        for (int s = 0; s < n; s++) {
            targets[s] = columns.column(s);
        }
        for (int i = 0; i < rows.columns(); i++) {
            double[] column = rows.column(i);
            for (int s = 0; s < n; s++) {
                targets[s][i] = column[s];
            }
        }
    }
}
