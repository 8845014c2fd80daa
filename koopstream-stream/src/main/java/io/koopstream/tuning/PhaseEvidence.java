package io.koopstream.tuning;

import io.koopstream.internal.linalg.SmallSystem;

/**
 * Test of whether increments depend on the phase of a cycle: for each coordinate a regression of its increment on itself, with and without cosine and sine of
 * the phase, fitted to the first two thirds of the pairs; the last third says which errs less.
 */
final class PhaseEvidence {

    /** The share of the squared error that the phase must take away, of one coordinate at least. */
    private static final double MIN_GAIN = 0.02;

    /** And so many times the squared error of a pair: more than two numbers take away by chance. */
    private static final double MIN_PAIRS = 8;

    private PhaseEvidence() {}

    /**
     * Judges pairs in the order of time.
     *
     * @param phases cosine and sine at the first state of each pair
     */
    static boolean pays(double[][] x, double[][] xNext, double[][] phases) {
        int judged = x.length - x.length * 2 / 3;
        for (int c = 0; judged > 0 && c < x[0].length; c++) {
            double without = error(x, xNext, phases, c, 2);
            double gain = without - error(x, xNext, phases, c, 4);
            if (gain > MIN_GAIN * without && gain > MIN_PAIRS * without / judged) {
                return true;
            }
        }
        return false;
    }

    /** The squared error of a regression on so many of: one, the coordinate, cosine and sine. */
    private static double error(double[][] x, double[][] xNext, double[][] phases, int c, int features) {
        int fitted = x.length * 2 / 3;
        double[][] squares = new double[features][features];
        double[][] products = new double[features][1];
        for (int t = 0; t < fitted; t++) {
            double[] f = {1, x[t][c], phases[t][0], phases[t][1]};
            for (int i = 0; i < features; i++) {
                for (int j = 0; j < features; j++) {
                    squares[i][j] += f[i] * f[j];
                }
                products[i][0] += f[i] * (xNext[t][c] - x[t][c]);
            }
        }
        double[][] weights = SmallSystem.solve(squares, products);
        double error = 0;
        for (int t = fitted; t < x.length; t++) {
            double[] f = {1, x[t][c], phases[t][0], phases[t][1]};
            double off = xNext[t][c] - x[t][c];
            for (int i = 0; weights != null && i < features; i++) {
                off -= weights[i][0] * f[i];
            }
            error += off * off;
        }
        return error;
    }
}
