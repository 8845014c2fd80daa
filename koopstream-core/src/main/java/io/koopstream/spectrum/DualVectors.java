package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Eigenpairs;
import io.koopstream.internal.linalg.Vectors;
import java.util.List;

/**
 * Combines left eigenvectors so that they are dual to given right ones. This pairs them whatever the order in which they were found,
 * also inside clusters where an order means nothing.
 */
final class DualVectors {

    private DualVectors() {}

    /**
     * @param left left eigenvectors for the same eigenvalues
     * @param right right eigenvectors as {re, im}
     * @return vectors w_k as {re, im} with w_k · right_j = δ_kj
     */
    static double[][][] of(List<Eigenpairs.Pair> left, double[][][] right) {
        int size = right.length;
        InvalidQueryException.require(
                left.size() >= size,
                "the left eigenvectors of a cluster could not be told apart; ask for another number of pairs");
        // Solve Σ_j X_kj (left_j · right_i) = δ_ki; w_k = Σ_j X_kj left_j.
        Complex[][] system = new Complex[size][2 * size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                system[i][j] = product(left.get(j), right[i]);
                system[i][size + j] = new Complex(i == j ? 1 : 0, 0);
            }
        }
        eliminate(system);
        int n = right[0][0].length;
        double[][][] dual = new double[size][2][n];
        for (int k = 0; k < size; k++) {
            for (int j = 0; j < size; j++) {
                Complex x = system[j][size + k];
                Eigenpairs.Pair pair = left.get(j);
                Vectors.axpy(x.re(), pair.vectorRe(), dual[k][0], 0, n);
                Vectors.axpy(-x.im(), pair.vectorIm(), dual[k][0], 0, n);
                Vectors.axpy(x.re(), pair.vectorIm(), dual[k][1], 0, n);
                Vectors.axpy(x.im(), pair.vectorRe(), dual[k][1], 0, n);
            }
        }
        return dual;
    }

    private static Complex product(Eigenpairs.Pair left, double[][] right) {
        int n = right[0].length;
        return new Complex(
                Vectors.dot(left.vectorRe(), right[0], n) - Vectors.dot(left.vectorIm(), right[1], n),
                Vectors.dot(left.vectorRe(), right[1], n) + Vectors.dot(left.vectorIm(), right[0], n));
    }

    /** Gauss–Jordan elimination with row pivoting on [A | B], leaving [I | A⁻¹ B]. */
    private static void eliminate(Complex[][] system) {
        int size = system.length;
        for (int c = 0; c < size; c++) {
            int pivot = c;
            for (int i = c + 1; i < size; i++) {
                if (system[i][c].modulus() > system[pivot][c].modulus()) {
                    pivot = i;
                }
            }
            InvalidQueryException.require(
                    system[pivot][c].modulus() > 1e-14,
                    "the eigenvectors are numerically dependent (a defective eigenvalue): modes are not defined");
            Complex[] swapped = system[pivot];
            system[pivot] = system[c];
            system[c] = swapped;
            Complex inverse = swapped[c].inverse();
            for (int j = 0; j < 2 * size; j++) {
                swapped[j] = swapped[j].times(inverse);
            }
            for (int i = 0; i < size; i++) {
                if (i != c) {
                    Complex factor = system[i][c].times(-1.0);
                    for (int j = 0; j < 2 * size; j++) {
                        system[i][j] = system[i][j].plus(factor.times(swapped[j]));
                    }
                }
            }
        }
    }
}
