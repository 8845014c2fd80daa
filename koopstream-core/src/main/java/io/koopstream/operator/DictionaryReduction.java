package io.koopstream.operator;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;

/**
 * Takes points out of an operator's dictionaries by exact projection. Removing point i from U = Q_Y M Q_Xᵀ on the output side leaves
 * out one direction d_i = L⁻¹ e_i / ‖L⁻¹ e_i‖ of the basis, at the cost ‖d_iᵀ M‖² = ‖(L⁻ᵀ M)_i‖² / (G⁻¹)_ii; the input side
 * likewise. Nested projections are orthogonal, so costs add.
 *
 * <p>Each removal rotates the left-out direction to the end of the basis ({@link NewtonBasis#remove}), O(m²).
 * Mutable, for one thread, used once.
 */
final class DictionaryReduction {

    private final Side rows;
    private final Side columns;
    private final long samples;

    private DictionaryReduction(TransitionOperator operator) {
        samples = operator.samples();
        rows = new Side(operator.outputBasis().copy(), operator.matrix().copy());
        columns = new Side(operator.inputBasis().copy(), operator.matrix().transposed());
    }

    /** The operator on the fewest points that greedy removal finds within the budget; the same object when none can go. */
    static TransitionOperator within(TransitionOperator operator, double budget) {
        DictionaryReduction reduction = new DictionaryReduction(operator);
        // A little below, so that rounding in the accounts cannot break the promise.
        double allowed = budget * budget * (1 - 1e-6) - 1e-24 * operator.norm() * operator.norm();
        double spent = 0;
        boolean removed = false;
        while (true) {
            int row = reduction.rows.cheapest();
            int column = reduction.columns.cheapest();
            double rowCost = reduction.rows.cost(row);
            double columnCost = reduction.columns.cost(column);
            boolean output = rowCost <= columnCost;
            double cost = output ? rowCost : columnCost;
            if (!(spent + cost <= allowed)) {
                return removed ? reduction.result() : operator;
            }
            if (output) {
                spent += reduction.rows.remove(row, reduction.columns);
            } else {
                spent += reduction.columns.remove(column, reduction.rows);
            }
            removed = true;
        }
    }

    private TransitionOperator result() {
        return new TransitionOperator(columns.basis.copy(), rows.basis.copy(), rows.m.copy(), samples);
    }

    /** One dictionary, with the operator's matrix seen from it: its own coordinates are the rows. */
    private static final class Side {

        private final NewtonBasis basis;
        /** L⁻ᵀ: points are rows, coordinates columns. */
        private final Matrix inverse;
        /** M, or its transpose on the input side. */
        private final Matrix m;
        /** B = L⁻ᵀ M: coefficients on the features, one point a row, instead of coordinates. */
        private final Matrix coefficients;

        Side(NewtonBasis basis, Matrix m) {
            this.basis = basis;
            this.m = m;
            inverse = Matrix.identity(basis.size());
            coefficients = m.copy();
            for (int j = 0; j < basis.size(); j++) {
                Triangular.solveTransposed(basis.factor(), inverse.column(j));
            }
            for (int j = 0; j < m.columns(); j++) {
                Triangular.solveTransposed(basis.factor(), coefficients.column(j));
            }
        }

        private static double squaredRow(Matrix matrix, int i) {
            double sum = 0;
            for (int j = 0; j < matrix.columns(); j++) {
                sum = Math.fma(matrix.get(i, j), matrix.get(i, j), sum);
            }
            return sum;
        }

        /** ‖B_i‖² / (G⁻¹)_ii, the squared error of leaving out point i; infinite for the last point, which stays. */
        double cost(int i) {
            return i < 0 ? Double.POSITIVE_INFINITY : squaredRow(coefficients, i) / squaredRow(inverse, i);
        }

        /** The point whose removal costs least; −1 when only one is left. */
        int cheapest() {
            int best = -1;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; basis.size() > 1 && i < basis.size(); i++) {
                double cost = cost(i);
                if (cost < least) {
                    least = cost;
                    best = i;
                }
            }
            return best;
        }

        /** Removes point i, here and from what the other side sees of this one; returns the squared error of doing so. */
        double remove(int i, Side other) {
            int last = basis.size() - 1;
            Rotations rotations = basis.remove(i);
            rotations.applyToRows(m);
            rotations.applyToColumns(inverse);
            rotations.applyToColumns(other.m);
            rotations.applyToColumns(other.coefficients);
            double squaredError = squaredRow(m, last);
            inverse.removeRow(i);
            coefficients.removeRow(i);
            // L⁻ᵀ M loses the product of what was dropped from either factor.
            double[] direction = inverse.column(last);
            for (int j = 0; j < m.columns(); j++) {
                Vectors.axpy(-m.get(last, j), direction, coefficients.column(j), 0, last);
            }
            m.truncate(last, m.columns());
            inverse.truncate(last, last);
            other.m.truncate(other.m.rows(), last);
            other.coefficients.truncate(other.coefficients.rows(), last);
            return squaredError;
        }
    }
}
