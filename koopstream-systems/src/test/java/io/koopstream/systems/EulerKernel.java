package io.koopstream.systems;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * The Koopman operator of many Euler–Maruyama steps on the line: the normal transition density of one step at equidistant
 * nodes (Nyström's method), raised to a power by squaring, and orthogonal iteration for its leading real eigenvalues.
 */
final class EulerKernel {

    private EulerKernel() {}

    /** The leading eigenvalues after so many steps, largest first. */
    static double[] powers(
            DoubleUnaryOperator stepMean, double deviation, double halfWidth, int nodes, int steps, int count) {
        double[][] operator = power(oneStep(stepMean, deviation, halfWidth, nodes), steps);
        // Columns as rows: monomials in the node are as good a start as any.
        double[][] basis = new double[count][nodes];
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < nodes; i++) {
                basis[k][i] = Math.pow(2.0 * i / (nodes - 1) - 1, k);
            }
        }
        double[] values = new double[count];
        for (int round = 0; round < 600; round++) {
            for (int k = 0; k < count; k++) {
                basis[k] = apply(operator, basis[k]);
                for (int j = 0; j < k; j++) {
                    double part = UlamMatrix.dot(basis[j], basis[k]);
                    for (int i = 0; i < nodes; i++) {
                        basis[k][i] -= part * basis[j][i];
                    }
                }
                // Orthogonal iteration: the diagonal of R tends to the moduli of the eigenvalues.
                values[k] = Math.sqrt(UlamMatrix.dot(basis[k], basis[k]));
                for (int i = 0; i < nodes; i++) {
                    basis[k][i] /= values[k];
                }
            }
        }
        return values;
    }

    /** The mean of x after so many steps, from each node. */
    static double[] meanAfter(DoubleUnaryOperator stepMean, double deviation, double halfWidth, int nodes, int steps) {
        double[] mean = new double[nodes];
        Arrays.setAll(mean, i -> node(i, halfWidth, nodes));
        double[][] operator = oneStep(stepMean, deviation, halfWidth, nodes);
        for (int s = 0; s < steps; s++) {
            mean = apply(operator, mean);
        }
        return mean;
    }

    private static double node(int i, double halfWidth, int nodes) {
        return -halfWidth + 2 * halfWidth * i / (nodes - 1);
    }

    private static double[][] oneStep(DoubleUnaryOperator stepMean, double deviation, double halfWidth, int nodes) {
        double weight = 2 * halfWidth / (nodes - 1) / (deviation * Math.sqrt(2 * Math.PI));
        double[][] operator = new double[nodes][nodes];
        for (int i = 0; i < nodes; i++) {
            double mean = stepMean.applyAsDouble(node(i, halfWidth, nodes));
            for (int j = 0; j < nodes; j++) {
                double gap = (node(j, halfWidth, nodes) - mean) / deviation;
                operator[i][j] = weight * Math.exp(-gap * gap / 2);
            }
        }
        return operator;
    }

    private static double[][] power(double[][] base, int exponent) {
        double[][] result = null;
        double[][] square = base;
        for (int rest = exponent; rest > 0; rest /= 2) {
            if (rest % 2 == 1) {
                result = result == null ? square : product(result, square);
            }
            if (rest > 1) {
                square = product(square, square);
            }
        }
        return result;
    }

    private static double[][] product(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                double factor = a[i][k];
                for (int j = 0; j < n; j++) {
                    c[i][j] += factor * b[k][j];
                }
            }
        }
        return c;
    }

    private static double[] apply(double[][] operator, double[] f) {
        double[] result = new double[f.length];
        Arrays.setAll(result, i -> UlamMatrix.dot(operator[i], f));
        return result;
    }
}
