package io.koopstream.control;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Vectors;
import java.util.Arrays;

/**
 * S = Σ_i β_i β_iᵀ over all transitions, β_i the coordinates of z_i in a basis that grows: when it has grown, earlier transitions get their
 * coordinates in the new directions and S its new rows, and nothing is computed twice.
 *
 * <p>Every entry of S is a sum in the order of the transitions, so it is the same bit for bit whether the basis was asked for once or
 * often. One writer.
 */
final class InputStatistics {

    private final Matrix sum = new Matrix(0, 0);
    private final Scratch scratch = new Scratch();
    private double[][] coordinates = new double[16][];
    private int samples;

    /** Brings S up to date with the transitions and the basis. */
    void update(Transitions transitions, NewtonBasis basis) {
        int m = basis.size();
        int before = sum.columns();
        sum.resize(m, m);
        if (coordinates.length < transitions.size()) {
            coordinates = Arrays.copyOf(coordinates, Math.max(transitions.size(), 2 * coordinates.length));
        }
        if (m > before) {
            for (int i = 0; i < samples; i++) {
                coordinates[i] = extended(transitions.input(i), coordinates[i], basis);
            }
            accumulate(0, samples, before);
        }
        for (int i = samples; i < transitions.size(); i++) {
            coordinates[i] = extended(transitions.input(i), new double[0], basis);
        }
        accumulate(samples, transitions.size(), 0);
        samples = transitions.size();
    }

    /** The lower triangle of S; shared, for reading. */
    Matrix sum() {
        return sum;
    }

    /** β_i; shared, for reading. */
    double[] coordinates(int i) {
        return coordinates[i];
    }

    /** L β = κ(z) by forward substitution, going on after the entries that are known. */
    private double[] extended(double[] input, double[] known, NewtonBasis basis) {
        int m = basis.size();
        double[] beta = new double[m];
        basis.gramRow(input, beta, scratch);
        System.arraycopy(known, 0, beta, 0, known.length);
        for (int l = 0; l < m; l++) {
            double[] column = basis.factor().column(l);
            if (l >= known.length) {
                beta[l] /= column[l];
            }
            Vectors.axpy(-beta[l], column, beta, Math.max(l + 1, known.length), m);
        }
        return beta;
    }

    /** Adds β βᵀ of some transitions to the rows of S from a given one on; four at a time, because S does not fit into the cache. */
    private void accumulate(int first, int last, int fromRow) {
        int m = sum.columns();
        int i = first;
        for (; i + 4 <= last; i += 4) {
            for (int j = 0; j < m; j++) {
                addFour(
                        coordinates[i],
                        coordinates[i + 1],
                        coordinates[i + 2],
                        coordinates[i + 3],
                        j,
                        sum.column(j),
                        Math.max(j, fromRow),
                        m);
            }
        }
        for (; i < last; i++) {
            for (int j = 0; j < m; j++) {
                Vectors.axpy(coordinates[i][j], coordinates[i], sum.column(j), Math.max(j, fromRow), m);
            }
        }
    }

    private static void addFour(
            double[] b0, double[] b1, double[] b2, double[] b3, int j, double[] column, int from, int to) {
        double a0 = b0[j];
        double a1 = b1[j];
        double a2 = b2[j];
        double a3 = b3[j];
        for (int k = from; k < to; k++) {
            column[k] = Math.fma(a3, b3[k], Math.fma(a2, b2[k], Math.fma(a1, b1[k], Math.fma(a0, b0[k], column[k]))));
        }
    }
}
