package io.koopstream.control;

import io.koopstream.linalg.Matrix;

/**
 * The point of the cone {Σ w_i φ(y_i) : w ≥ 0} nearest to a given element in the RKHS norm, on a few candidates y_i:
 * min_w wᵀ G w − 2 wᵀ t with t_i = ⟨φ(y_i), element⟩.
 *
 * <p>Active sets after Lawson and Hanson, <i>Solving least squares problems</i> (1974), chapter 23. The solution rarely has more
 * positive weights than the states have dimensions plus one or two, so the systems solved are tiny. One thread.
 */
final class ConeProjection {

    /** Relative to κ(y, y): keeps the small systems solvable when two points nearly coincide. */
    private static final double RIDGE = 1e-9;
    /** A candidate enters when it would lower the distance by more than rounding. */
    private static final double TOLERANCE = 1e-10;

    private final Matrix gram;
    private final int capacity;
    private final double[] weights;
    private final int[] passive;
    private final boolean[] inPassive;
    private final boolean[] barred;
    private final double[][] factor;
    private final double[] solution;

    ConeProjection(Matrix gram, int capacity) {
        this.gram = gram;
        this.capacity = capacity;
        this.weights = new double[capacity];
        this.passive = new int[capacity];
        this.inPassive = new boolean[capacity];
        this.barred = new boolean[capacity];
        this.factor = new double[capacity][capacity];
        this.solution = new double[capacity];
    }

    /**
     * Projects.
     *
     * @param candidates indices of the candidates into the Gram matrix
     * @param count how many there are
     * @param inner t, one entry a candidate
     * @return the weights, one a candidate, valid until the next call
     */
    double[] project(int[] candidates, int count, double[] inner) {
        for (int i = 0; i < count; i++) {
            weights[i] = 0;
            inPassive[i] = false;
            barred[i] = false;
        }
        int size = 0;
        // Lawson and Hanson's loop is finite; the bound only guards against cycling by rounding.
        for (int round = 0; round < 3 * capacity; round++) {
            int entering = steepest(candidates, count, inner, size);
            if (entering < 0) {
                break;
            }
            passive[size++] = entering;
            inPassive[entering] = true;
            size = shrinkToPositive(candidates, inner, size, entering);
        }
        return weights;
    }

    private int steepest(int[] candidates, int count, double[] inner, int size) {
        int best = -1;
        double largest = 0;
        for (int i = 0; i < count; i++) {
            if (inPassive[i] || barred[i]) {
                continue;
            }
            double[] column = gram.column(candidates[i]);
            double gradient = inner[i];
            for (int p = 0; p < size; p++) {
                gradient -= column[candidates[passive[p]]] * weights[passive[p]];
            }
            if (gradient > largest && gradient > TOLERANCE * column[candidates[i]]) {
                largest = gradient;
                best = i;
            }
        }
        return best;
    }

    /** Solves on the passive set, and removes points from it until the solution is positive. Returns its size. */
    private int shrinkToPositive(int[] candidates, double[] inner, int initialSize, int entering) {
        int size = initialSize;
        while (size > 0) {
            solve(candidates, inner, size);
            double step = 1;
            int blocking = -1;
            for (int p = 0; p < size; p++) {
                if (solution[p] <= 0) {
                    double current = weights[passive[p]];
                    double reach = current / (current - solution[p]);
                    if (blocking < 0 || reach < step) {
                        step = reach;
                        blocking = p;
                    }
                }
            }
            if (blocking < 0) {
                for (int p = 0; p < size; p++) {
                    weights[passive[p]] = solution[p];
                }
                return size;
            }
            if (passive[blocking] == entering) {
                // Its gradient was positive by rounding alone: it must not be tried again.
                barred[entering] = true;
            }
            for (int p = 0; p < size; p++) {
                int i = passive[p];
                weights[i] += step * (solution[p] - weights[i]);
            }
            int removed = passive[blocking];
            weights[removed] = 0;
            inPassive[removed] = false;
            System.arraycopy(passive, blocking + 1, passive, blocking, size - blocking - 1);
            size--;
        }
        return size;
    }

    /** Cholesky on the passive set. */
    private void solve(int[] candidates, double[] inner, int size) {
        for (int p = 0; p < size; p++) {
            double[] column = gram.column(candidates[passive[p]]);
            double rhs = inner[passive[p]];
            for (int q = 0; q < p; q++) {
                double entry = column[candidates[passive[q]]];
                for (int k = 0; k < q; k++) {
                    entry -= factor[p][k] * factor[q][k];
                }
                factor[p][q] = entry / factor[q][q];
                rhs -= factor[p][q] * solution[q];
            }
            double diagonal = column[candidates[passive[p]]];
            double pivot = diagonal * (1 + RIDGE);
            for (int k = 0; k < p; k++) {
                pivot -= factor[p][k] * factor[p][k];
            }
            factor[p][p] = Math.sqrt(Math.max(pivot, RIDGE * diagonal));
            solution[p] = rhs / factor[p][p];
        }
        for (int p = size - 1; p >= 0; p--) {
            for (int q = p + 1; q < size; q++) {
                solution[p] -= factor[q][p] * solution[q];
            }
            solution[p] /= factor[p][p];
        }
    }
}
