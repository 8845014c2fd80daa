package io.koopstream.tuning;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.RidgeFamily;
import java.util.Arrays;

/**
 * Least squares on a window with one kernel, for all novelty thresholds at once. Points are taken one after the other, always the state that is
 * missed most (pivoted Cholesky factorisation of the Gram matrix), so that the first m of them are the dictionary of a coarser
 * threshold, and the statistics of that dictionary are the leading parts of those of the largest. A stream, which must decide in order, keeps more
 * points for the same threshold. O(n m²) for n states and m points in all, and O(m³) for each threshold asked for.
 */
final class KernelFit {

    private final WindowPairs pairs;
    private final Products products = new Products();
    /** Newton coordinates of all states, one per row. */
    private final Matrix beta = new Matrix(0, 0);
    /** What is missed of the state that is missed most, over its norm and squared, before each point is taken, and after the last. */
    private final double[] missed;

    private final Matrix from;
    private final Matrix to;
    private final Matrix judged;
    private final Matrix squares;
    private final Matrix cross;
    private final Matrix increments;
    private final Matrix truth;

    /**
     * @param maxPoints points at most
     * @param finest threshold below which no point is taken
     */
    KernelFit(Kernel kernel, WindowPairs pairs, int maxPoints, double finest) {
        this.pairs = pairs;
        Points states = pairs.states();
        int n = states.size();
        CoordinateView view = CoordinateView.all(states.dimension());
        Scratch scratch = new Scratch();
        double[] norms = new double[n];
        kernel.squaredNorms(view, states, norms, scratch);
        double[] left = norms.clone();
        double[] largest = new double[maxPoints + 1];
        double[] row = new double[maxPoints];
        int m = 0;
        while (true) {
            int next = -1;
            double most = 0;
            for (int i = 0; i < n; i++) {
                if (pairs.isLearned(i) && left[i] > most * norms[i]) {
                    most = left[i] / norms[i];
                    next = i;
                }
            }
            largest[m] = most;
            if (m == maxPoints || next < 0 || most <= finest * finest) {
                break;
            }
            double[] column = new double[n];
            kernel.row(view, states, states.get(next), column, scratch);
            for (int j = 0; j < m; j++) {
                row[j] = beta.get(next, j);
            }
            beta.addMultiple(-1, row, column);
            double pivot = Math.sqrt(left[next]);
            beta.resize(n, m + 1);
            double[] own = beta.column(m);
            for (int i = 0; i < n; i++) {
                own[i] = column[i] / pivot;
                left[i] = Math.max(0, Math.fma(-own[i], own[i], left[i]));
            }
            left[next] = 0;
            m++;
        }
        missed = Arrays.copyOf(largest, m + 1);
        from = WindowPairs.rows(beta, pairs.learned(), 0);
        to = WindowPairs.rows(beta, pairs.learned(), 1);
        judged = WindowPairs.rows(beta, pairs.heldOut(), 0);
        truth = pairs.increments(pairs.heldOut());
        squares = new Matrix(m, m);
        products.gram(0, squares, from, from);
        cross = new Matrix(m, m);
        products.gram(0, cross, to, from);
        increments = gram(pairs.increments(pairs.learned()));
    }

    /** Aᵀ B of the coordinates A of learned inputs. */
    private Matrix gram(Matrix b) {
        Matrix result = new Matrix(from.columns(), b.columns());
        products.gram(0, result, from, b);
        return result;
    }

    /** Number of points that miss nothing by more than a threshold; −1 where that takes too many. */
    int size(double epsilon) {
        for (int m = 1; m < missed.length; m++) {
            if (missed[m] <= epsilon * epsilon) {
                return m;
            }
        }
        return -1;
    }

    /** All points that were taken. */
    int points() {
        return missed.length - 1;
    }

    private static Matrix leading(Matrix matrix, int rows, int columns) {
        Matrix part = matrix.copy();
        part.truncate(rows, columns);
        return part;
    }

    /** What is learned on the first m points. */
    Fit on(int m) {
        return new Fit(m);
    }

    /** Least squares on the first points. */
    final class Fit {

        private final int size;
        private final RidgeFamily family;
        private double lambda;
        private double error = Double.POSITIVE_INFINITY;

        private Fit(int size) {
            this.size = size;
            this.family = new RidgeFamily(
                    pairs.learned().length,
                    leading(squares, size, size),
                    leading(cross, size, size),
                    leading(increments, size, increments.columns()));
            Matrix inputs = leading(judged, judged.rows(), size);
            double before = Double.NaN;
            for (double ridge : family.grid()) {
                double found = error(inputs.times(family.increments(ridge)));
                if (Math.abs(found - before) <= 1e-6 * before) {
                    // Below the smallest eigenvalue of S/n nothing changes any more.
                    break;
                }
                before = found;
                // Of ridges that are as good the largest.
                if (found < (1 - 1e-3) * error) {
                    error = found;
                    lambda = ridge;
                }
            }
        }

        /** Root mean square over persistence's, averaged (as squares) over the coordinates that move. */
        private double error(Matrix predicted) {
            double sum = 0;
            int counted = 0;
            for (int c = 0; c < pairs.targets(); c++) {
                double squared = 0;
                double still = 0;
                for (int i = 0; i < truth.rows(); i++) {
                    double off = truth.get(i, c) - predicted.get(i, c);
                    squared = Math.fma(off, off, squared);
                    still = Math.fma(truth.get(i, c), truth.get(i, c), still);
                }
                if (still > 0) {
                    sum += squared / still;
                    counted++;
                }
            }
            return counted == 0 ? 0 : Math.sqrt(sum / counted);
        }

        int size() {
            return size;
        }

        RidgeFamily family() {
            return family;
        }

        /** The ridge that serves forecasts best. */
        double lambda() {
            return lambda;
        }

        /** The error of the increment one step ahead on held-out pairs, over persistence's. */
        double error() {
            return error;
        }

        /** Coordinates of the held-out inputs, one per row. */
        Matrix judged() {
            return leading(judged, judged.rows(), size);
        }

        /** The functions on the dictionary nearest to observables of the states, one per column, from learned inputs. */
        Matrix nearest(Matrix observables, double ridge) {
            Matrix right = gram(WindowPairs.rows(observables, pairs.learned(), 0));
            right.truncate(size, right.columns());
            right.scale(1.0 / from.rows());
            return family.solve(right, ridge);
        }
    }
}
