package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;

/**
 * The statistics of online least squares, all of which add up: n, S = Σ β(x) β(x)ᵀ, T = Σ β(x⁺) β(x)ᵀ, V = Σ (x⁺ − x, 1) β(x)ᵀ and
 * Σ (x⁺ − x)² of every coordinate that is to be predicted, each sample with the weight that forgetting has left it. Where the input has coordinates that the output has not
 * (an action) x stands for those they share. Mutable, one writer.
 */
final class LeastSquaresSums {

    /** Below that the sums would lose digits to underflow; they count for nothing against one sample anyway. */
    private static final double MIN_WEIGHT = 1e-100;

    /** True if inputs and outputs are coordinates in one basis. */
    private final boolean oneBasis;
    /** S; between snapshots only its lower triangle is kept up. */
    private final Matrix input;

    private final Matrix cross;
    /** Vᵀ: a column for the increment of each coordinate, and the last for the constant one. */
    private final Matrix increments;

    /** One column. */
    private final Matrix squares;
    /** x⁺ − x and 1 of the sample being added. */
    private final double[] increment;

    private double weight;
    private double loss;

    /** Sums over nothing. */
    LeastSquaresSums(boolean oneBasis, int inputs, int outputs, int targets) {
        this(
                oneBasis,
                new Matrix(inputs, inputs),
                new Matrix(outputs, inputs),
                new Matrix(inputs, targets + 1),
                new Matrix(targets, 1),
                0,
                0);
    }

    /** Sums over nothing, in the size of the dictionaries. */
    static LeastSquaresSums over(LeastSquaresConfig config, PairDictionary dictionary) {
        return new LeastSquaresSums(
                config.isOneSpace(),
                dictionary.inputs().size(),
                dictionary.outputs().size(),
                config.targets());
    }

    /** Takes over its arguments. */
    LeastSquaresSums(
            boolean oneBasis,
            Matrix input,
            Matrix cross,
            Matrix increments,
            Matrix squares,
            double weight,
            double loss) {
        this.oneBasis = oneBasis;
        this.input = input;
        this.cross = cross;
        this.increments = increments;
        this.squares = squares;
        this.increment = new double[squares.rows() + 1];
        this.weight = weight;
        this.loss = loss;
    }

    /** Writes everything but the loss. */
    void save(StateSink sink) {
        sink.number("weight", weight);
        sink.symmetric("S", input);
        sink.matrix("T", cross);
        sink.matrix("V", increments);
        sink.matrix("squares", squares);
    }

    /** Reads what {@link #save} wrote; refuses numbers that are not finite. */
    static LeastSquaresSums read(
            StateSource source, boolean oneBasis, int inputs, int outputs, int targets, double loss) {
        double weight = source.number("weight");
        InvalidStateException.require(Double.isFinite(weight), "weight", weight + " is no number");
        Matrix input = KeptSamples.requireFinite(source.symmetric("S", inputs), "S");
        Matrix cross = KeptSamples.requireFinite(source.matrix("T", outputs, inputs), "T");
        Matrix increments = KeptSamples.requireFinite(source.matrix("V", inputs, targets + 1), "V");
        Matrix squares = KeptSamples.requireFinite(source.matrix("squares", targets, 1), "squares");
        return new LeastSquaresSums(oneBasis, input, cross, increments, squares, weight, loss);
    }

    /** An independent copy, trimmed to size, S whole. */
    LeastSquaresSums copy() {
        Matrix whole = input.copy();
        whole.mirrorLower();
        return new LeastSquaresSums(oneBasis, whole, cross.copy(), increments.copy(), squares.copy(), weight, loss);
    }

    Matrix input() {
        return input;
    }

    Matrix cross() {
        return cross;
    }

    Matrix increments() {
        return increments;
    }

    Matrix squares() {
        return squares;
    }

    /** A copy along the first points of one basis alone. */
    LeastSquaresSums first(int count) {
        LeastSquaresSums some = copy();
        some.input.truncate(count, count);
        some.cross.truncate(count, count);
        some.increments.truncate(count, increments.columns());
        return some;
    }

    /** Σ of the weights of all samples; their number when nothing is forgotten. */
    double weight() {
        return weight;
    }

    /** Bounds the norm of what removals and refusals have left out of S and of T. */
    double loss() {
        return loss;
    }

    /** Makes room for more points, so that {@link #grow} cannot fail. */
    void reserve(int inputs, int outputs) {
        input.reserve(inputs, inputs);
        cross.reserve(outputs, inputs);
        increments.reserve(inputs, increments.columns());
    }

    /** Grows the sums. The part of earlier samples along a new direction was never recorded: at most ε each, it counts as zero. */
    void grow(int inputs, int outputs) {
        input.resize(inputs, inputs);
        cross.resize(outputs, inputs);
        increments.resize(inputs, increments.columns());
    }

    /** Adds one sample given by the coordinates of both its sides. */
    void add(double forgetting, double[] beta, double[] alpha, double[] x, double[] y) {
        input.rankOne(forgetting, 1.0, beta, beta);
        cross.rankOne(forgetting, 1.0, alpha, beta);
        increment(x, y, increment);
        increments.rankOne(forgetting, 1.0, beta, increment);
        count(forgetting);
    }

    /** x⁺ − x on the leading coordinates of the output, and one. */
    static void increment(double[] x, double[] y, double[] out) {
        int targets = out.length - 1;
        for (int c = 0; c < targets; c++) {
            out[c] = y[c] - (c < x.length ? x[c] : 0);
        }
        out[targets] = 1;
    }

    /** Weight and squares of one sample. */
    private void count(double forgetting) {
        weight = Math.fma(forgetting, weight, 1.0);
        loss *= forgetting;
        for (int c = 0; c < squares.rows(); c++) {
            squares.set(c, 0, Math.fma(forgetting, squares.get(c, 0), increment[c] * increment[c]));
        }
    }

    /**
     * Adds a block of samples with the arithmetic of whole matrices. S, T, V and the arguments must not be touched before what is returned has finished.
     *
     * @param inputs β, one row a sample; weighed in place when something is forgotten
     * @param outputs coordinates of the outputs, one row a sample
     * @param differences x⁺ − x and 1, one row a sample
     */
    Products.Submitted add(double forgetting, Matrix inputs, Matrix outputs, Matrix differences, Products products) {
        int n = differences.rows();
        for (int s = 0; s < n; s++) {
            for (int c = 0; c < increment.length; c++) {
                increment[c] = differences.get(s, c);
            }
            count(forgetting);
        }
        Matrix weighed = inputs;
        double faded = 1;
        if (forgetting < 1) {
            double[] weights = new double[n];
            for (int s = n - 1; s >= 0; s--) {
                weights[s] = faded;
                faded *= forgetting;
            }
            weighed = inputs.copy();
            for (int j = 0; j < weighed.columns(); j++) {
                double[] column = weighed.column(j);
                for (int s = 0; s < n; s++) {
                    column[s] *= weights[s];
                }
            }
        }
        Matrix right = weighed;
        double gamma = faded;
        return products.submitAsync(() -> {
            products.gramLower(gamma, input, inputs, right);
            products.gram(gamma, cross, outputs, right);
            products.gram(gamma, increments, right, differences);
        });
    }

    /** Accounts for a sample of which a side stayed outside. */
    void lose(double norm) {
        loss += norm;
    }

    /** S, T and V after a point was taken out: what they would be had it never been kept. */
    void follow(boolean removesInput, Rotations rotations) {
        double lost = 0;
        if (removesInput) {
            input.mirrorLower();
            lost = rotations.dropColumn(cross);
            double across = rotations.dropColumn(input);
            double down = rotations.dropRow(input);
            rotations.dropRow(increments);
            // Rotated from both sides, it is symmetric only up to rounding.
            input.mirrorLower();
            lost = Math.max(lost, Math.hypot(across, down));
        }
        if (!removesInput || oneBasis) {
            lost += rotations.dropRow(cross);
        }
        loss += lost;
    }

    /** A copy in another basis, in which these are the coordinates of the vectors of this one; one basis for both sides. */
    LeastSquaresSums turned(Matrix turn) {
        Matrix whole = input.copy();
        whole.mirrorLower();
        Matrix back = turn.transposed();
        Matrix square = turn.times(whole).times(back);
        // Turned from both sides, it is symmetric only up to rounding.
        square.mirrorLower();
        return new LeastSquaresSums(
                oneBasis, square, turn.times(cross).times(back), turn.times(increments), squares.copy(), weight, loss);
    }

    /** All sums shrink, so their ratios and with them all answers stay as they are until the next sample. */
    void scale(double factor) {
        if (weight * factor > MIN_WEIGHT) {
            input.scale(factor);
            cross.scale(factor);
            increments.scale(factor);
            squares.scale(factor);
            weight *= factor;
            loss *= factor;
        }
    }

    /** Adds s times the sums over other samples in the same bases, or in their first points. */
    void plus(double s, LeastSquaresSums other) {
        // A fused multiply by one is a plain addition: one rounding an entry, as in the sum written out.
        input.add(s, other.input);
        cross.add(s, other.cross);
        increments.add(s, other.increments);
        squares.add(s, other.squares);
        weight = Math.fma(s, other.weight, weight);
        loss = Math.fma(s, other.loss, loss);
    }

    /** Sums of squares that differences of larger ones have left below zero are zero, up to rounding. */
    void dropRounding() {
        for (int j = 0; j < input.columns(); j++) {
            input.set(j, j, Math.max(0.0, input.get(j, j)));
        }
        for (int c = 0; c < squares.rows(); c++) {
            squares.set(c, 0, Math.max(0.0, squares.get(c, 0)));
        }
        weight = Math.max(0.0, weight);
        loss = Math.max(0.0, loss);
    }
}
