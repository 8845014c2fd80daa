package io.koopstream.control.dynamics;

import io.koopstream.internal.linalg.Matrix;

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
    private int count;
    /** The Gram matrix of the candidates: a copy, because the whole one does not fit into the cache. */
    private final double[][] local;

    private final double[] weights;
    private final double[] gradient;
    private final int[] passive;
    private final boolean[] inPassive;
    private final boolean[] barred;
    private final double[][] factor;
    private final double[] half;
    private final double[] solution;

    ConeProjection(Matrix gram, int capacity) {
        this.gram = gram;
        this.capacity = capacity;
        this.local = new double[capacity][capacity];
        this.weights = new double[capacity];
        this.gradient = new double[capacity];
        this.passive = new int[capacity];
        this.inPassive = new boolean[capacity];
        this.barred = new boolean[capacity];
        this.factor = new double[capacity][capacity];
        this.half = new double[capacity];
        this.solution = new double[capacity];
    }

    /**
     * Turns to candidates.
     *
     * @param candidates their indices into the Gram matrix
     * @param newCount how many there are
     */
    void among(int[] candidates, int newCount) {
        count = newCount;
        for (int i = 0; i < count; i++) {
            double[] column = gram.column(candidates[i]);
            for (int j = 0; j < count; j++) {
                local[i][j] = column[candidates[j]];
            }
        }
    }

    /**
     * Projects.
     *
     * @param inner t, one entry a candidate
     * @return the weights, one per candidate, valid until the next call
     */
    double[] project(double[] inner) {
        for (int i = 0; i < count; i++) {
            weights[i] = 0;
            inPassive[i] = false;
            barred[i] = false;
        }
        int size = 0;
        // Lawson and Hanson's loop is finite; the bound only guards against cycling by rounding.
        for (int round = 0; round < 3 * capacity; round++) {
            int entering = steepest(inner, size);
            if (entering < 0) {
                break;
            }
            passive[size] = entering;
            inPassive[entering] = true;
            eliminate(inner, size);
            size = shrinkToPositive(inner, size + 1, entering);
        }
        return weights;
    }

    private int steepest(double[] inner, int size) {
        System.arraycopy(inner, 0, gradient, 0, count);
        for (int p = 0; p < size; p++) {
            double[] row = local[passive[p]];
            double weight = weights[passive[p]];
            for (int i = 0; i < count; i++) {
                gradient[i] -= weight * row[i];
            }
        }
        int best = -1;
        double largest = 0;
        for (int i = 0; i < count; i++) {
            if (gradient[i] > largest && gradient[i] > TOLERANCE * local[i][i] && !inPassive[i] && !barred[i]) {
                largest = gradient[i];
                best = i;
            }
        }
        return best;
    }

    /** Solves on the passive set, and removes points from it until the solution is positive. Returns its size. */
    private int shrinkToPositive(double[] inner, int initialSize, int entering) {
        int size = initialSize;
        while (size > 0) {
            substituteBack(size);
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
            for (int p = blocking; p < size; p++) {
                eliminate(inner, p);
            }
        }
        return size;
    }

    /** Row p of the Cholesky factor on the passive set, and entry p of the half-solved right-hand side; earlier ones stay. */
    private void eliminate(double[] inner, int p) {
        double[] row = local[passive[p]];
        double[] mine = factor[p];
        double rhs = inner[passive[p]];
        double diagonal = row[passive[p]];
        double pivot = diagonal * (1 + RIDGE);
        for (int q = 0; q < p; q++) {
            double entry = row[passive[q]];
            double[] other = factor[q];
            for (int k = 0; k < q; k++) {
                entry -= mine[k] * other[k];
            }
            mine[q] = entry / other[q];
            rhs -= mine[q] * half[q];
            pivot -= mine[q] * mine[q];
        }
        mine[p] = Math.sqrt(Math.max(pivot, RIDGE * diagonal));
        half[p] = rhs / mine[p];
    }

    private void substituteBack(int size) {
        for (int p = size - 1; p >= 0; p--) {
            double value = half[p];
            for (int q = p + 1; q < size; q++) {
                value -= factor[q][p] * solution[q];
            }
            solution[p] = value / factor[p][p];
        }
    }
}
