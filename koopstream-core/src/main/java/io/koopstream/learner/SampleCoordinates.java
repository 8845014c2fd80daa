package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;

/** What the dictionaries see of one sample: β, b² of its input and α, a² of its output. Work arrays of one learner, single thread. */
final class SampleCoordinates {

    private final Scratch scratch = new Scratch();
    private double[] alpha = new double[0];
    private double[] beta = new double[0];
    private double[] work = new double[0];
    /** Where the coordinates are, until they are asked for; null when they are here. */
    private BlockCoordinates inputs;

    private BlockCoordinates outputs;
    private int row;
    private int inputCount;
    private int outputCount;
    private double kxx;
    private double kyy;
    private double aSquared;
    private double bSquared;

    /** Measures a sample. */
    void measure(NewtonBasis in, NewtonBasis out, double[] x, double[] y) {
        reserve(Math.max(in.size(), out.size()) + 1);
        kxx = in.squaredNorm(x);
        kyy = out.squaredNorm(y);
        bSquared = in.coordinates(x, kxx, beta, scratch);
        aSquared = out.coordinates(y, kyy, alpha, scratch);
        inputs = null;
        outputs = null;
    }

    /** Takes sample s of a block that has been measured. */
    void take(BlockCoordinates in, BlockCoordinates out, int s) {
        reserve(Math.max(in.rows().columns(), out.rows().columns()) + 1);
        kxx = in.squaredNorm(s);
        kyy = out.squaredNorm(s);
        bSquared = in.missed(s);
        aSquared = out.missed(s);
        // Most samples are neither kept nor looked at again: rows of a matrix by columns are copied when asked for.
        row = s;
        inputs = in;
        outputs = out;
        inputCount = in.rows().columns();
        outputCount = out.rows().columns();
    }

    private void reserve(int needed) {
        if (work.length < needed) {
            int capacity = needed + (needed >> 1) + 8;
            alpha = new double[capacity];
            beta = new double[capacity];
            work = new double[capacity];
        }
    }

    /** α with one place to spare. */
    double[] alpha() {
        if (outputs != null) {
            outputs.copyRow(row, outputCount, alpha);
            outputs = null;
        }
        return alpha;
    }

    /** β with one place to spare. */
    double[] beta() {
        if (inputs != null) {
            inputs.copyRow(row, inputCount, beta);
            inputs = null;
        }
        return beta;
    }

    /** An array as long as the coordinates, free for use. */
    double[] work() {
        return work;
    }

    /** κ(x, x). */
    double kxx() {
        return kxx;
    }

    /** κ(y, y). */
    double kyy() {
        return kyy;
    }

    /** What the outputs miss of φ(y), squared. */
    double aSquared() {
        return aSquared;
    }

    /** What the inputs miss of φ(x), squared. */
    double bSquared() {
        return bSquared;
    }
}
