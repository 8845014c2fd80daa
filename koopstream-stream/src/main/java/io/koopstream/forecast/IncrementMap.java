package io.koopstream.forecast;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import java.util.Arrays;

/**
 * The regression of the increment, f(z) = o + R β(z) with R = (V/n)(S/n + λ)⁻¹, for states z whose newest observation is o: Nyström kernel ridge
 * regression on all samples. With a kernel that fades the increment goes to zero away from the data; with one that does not, values are kept
 * within {@value #MAX_EXCURSION} times the range of the data beyond it. With an affine kernel R β is affine too and costs d times the state's dimension a
 * step, not the square of the dictionary. Immutable.
 */
final class IncrementMap {

    private static final double MAX_EXCURSION = 10;

    /** The range of the data is taken for at least this many usual steps. */
    private static final double MIN_STEPS = 20;

    /** Kernel coordinates serve where their rounding is below this share of what a step misses: it does not show then. */
    private static final double MAX_ROUNDING = 0.01;

    /** Kept points at which rounding is looked at: enough to meet the worst of them nearly. */
    private static final int LOOKED_AT = 32;

    private final DelayLayout layout;
    private final NewtonBasis basis;
    /** Rᵀ, m × d. */
    private final Matrix newton;
    /** L⁻ᵀ Rᵀ: the same on kernel values, without a solve for each point but with fewer digits. */
    private final Matrix weights;

    /** Of an affine kernel the increments at 0 and their slopes, (1 + k) × d for states of k coordinates; null for other kernels. */
    private final Matrix affine;

    private final double[] low;
    private final double[] high;
    /** Null without inputs. */
    private final InputGain gain;

    IncrementMap(LeastSquaresState state, DelayLayout layout, double lambda) {
        this.layout = layout;
        this.basis = state.inputBasis();
        this.newton = state.family().increments(lambda).firstColumns(layout.observed());
        this.weights = weights();
        this.affine = basis.space().kernel().isAffine() ? affine() : null;
        int d = layout.observed();
        double[][] heldOut = state.holdOut().inputs();
        low = new double[d];
        high = new double[d];
        for (int c = 0; c < d; c++) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < basis.size(); i++) {
                least = Math.min(least, basis.points().get(i, c));
                most = Math.max(most, basis.points().get(i, c));
            }
            for (double[] held : heldOut) {
                least = Math.min(least, held[c]);
                most = Math.max(most, held[c]);
            }
            // A linear kernel keeps too few points to show how far the data reach.
            double step = Math.sqrt(state.squaredIncrements()[c] / Math.max(1, state.weight()));
            double width = Math.max(most - least, MIN_STEPS * step);
            low[c] = least - MAX_EXCURSION * width;
            high[c] = most + MAX_EXCURSION * width;
        }
        gain = InputGain.of(this, state.holdOut());
    }

    /** A map as it was stored. */
    IncrementMap(DelayLayout layout, NewtonBasis basis, Matrix newton, double[] low, double[] high, InputGain gain) {
        this.layout = layout;
        this.basis = basis;
        this.newton = newton;
        this.weights = weights();
        this.affine = basis.space().kernel().isAffine() ? affine() : null;
        this.low = low;
        this.high = high;
        this.gain = gain;
    }

    private Matrix weights() {
        Matrix solved = newton.copy();
        for (int c = 0; c < solved.columns(); c++) {
            Triangular.solveTransposed(basis.factor(), solved.column(c));
        }
        return solved;
    }

    /** Errors of the increments of some pairs less their mean, a row per pair. */
    double[][] residuals(HoldOut pairs) {
        double[][] x = pairs.inputs();
        double[][] xNext = pairs.outputs();
        int d = layout.observed();
        Points points = Points.of(layout.dimension(), x);
        Matrix kernel = new Matrix(x.length, basis.size());
        basis.space().gramRows(points, 0, x.length, basis.points(), kernel, new Scratch());
        Products products = new Products();
        products.solveTransposed(kernel, basis.factor());
        Matrix increments = new Matrix(x.length, d);
        products.multiply(0, increments, kernel, newton);
        double[][] residuals = new double[x.length][d];
        for (int c = 0; c < d; c++) {
            double mean = 0;
            for (int i = 0; i < x.length; i++) {
                residuals[i][c] = xNext[i][c] - x[i][c] - increments.get(i, c);
                mean += residuals[i][c] / x.length;
            }
            for (double[] one : residuals) {
                one[c] -= mean;
            }
        }
        return residuals;
    }

    /** Puts what is known of a row into it, with what inputs do to the rest of it. */
    void know(KnownAhead known, int step, double[] row) {
        if (gain == null) {
            known.fill(step, row);
        } else {
            gain.know(known, step, row);
        }
    }

    /** Null without inputs. */
    InputGain gain() {
        return gain;
    }

    double[] low() {
        return low;
    }

    double[] high() {
        return high;
    }

    /**
     * True if increments need Newton coordinates, because the rounding of kernel coordinates would show beside what a step misses.
     *
     * @param missed standard deviation of that, by coordinate
     */
    boolean needsExact(double[] missed) {
        double[] kernel = new double[basis.size()];
        double[] coordinates = new double[basis.size()];
        Scratch scratch = new Scratch();
        boolean shows = false;
        for (int i = 0; i < basis.size() && !shows; i += Math.max(1, basis.size() / LOOKED_AT)) {
            basis.gramRow(basis.points().get(i), kernel, scratch);
            basis.coordinates(basis.points().get(i), coordinates, scratch);
            for (int c = 0; c < missed.length; c++) {
                double off = Vectors.dot(weights.column(c), kernel, kernel.length)
                        - Vectors.dot(newton.column(c), coordinates, coordinates.length);
                shows |= Math.abs(off) > MAX_ROUNDING * missed[c];
            }
        }
        return shows;
    }

    /** Looks at 0 and at one place on each axis, as far out as kept points are: nearer ones would leave the slope to rounding. */
    private Matrix affine() {
        int k = layout.dimension();
        double[][] places = new double[1 + k][k];
        double[] reach = new double[k];
        for (int c = 0; c < k; c++) {
            double most = Vectors.largestModulus(basis.points().coordinate(c), basis.size());
            reach[c] = most > 0 ? most : 1;
            places[1 + c][c] = reach[c];
        }
        Matrix values = basis.coordinates(Points.of(k, places)).transposed();
        Matrix result = new Matrix(1 + k, newton.columns());
        new Products().multiply(0, result, values, newton);
        for (int i = 0; i < newton.columns(); i++) {
            double[] column = result.column(i);
            for (int c = 0; c < k; c++) {
                column[1 + c] = (column[1 + c] - column[0]) / reach[c];
            }
        }
        return result;
    }

    /** True if increments are an affine function of the state. */
    boolean isAffine() {
        return affine != null;
    }

    /**
     * The increments of many states under an affine kernel.
     *
     * @param coordinates of the states, an array per coordinate
     * @param increments as many rows as states, d columns, overwritten
     */
    void affineIncrements(double[][] coordinates, Matrix increments) {
        for (int i = 0; i < increments.columns(); i++) {
            double[] slopes = affine.column(i);
            double[] column = increments.column(i);
            Arrays.fill(column, 0, increments.rows(), slopes[0]);
            for (int c = 0; c < coordinates.length; c++) {
                Vectors.axpy(slopes[1 + c], coordinates[c], column, 0, increments.rows());
            }
        }
    }

    DelayLayout layout() {
        return layout;
    }

    NewtonBasis basis() {
        return basis;
    }

    /** Matrix that takes kernel values, or Newton coordinates, to increments. */
    Matrix readout(boolean exact) {
        return exact ? newton : weights;
    }

    /** A step that does not leave the neighbourhood of the data, and may always come nearer. */
    double bounded(int c, double from, double increment) {
        return Math.max(Math.min(low[c], from), Math.min(Math.max(high[c], from), from + increment));
    }
}
