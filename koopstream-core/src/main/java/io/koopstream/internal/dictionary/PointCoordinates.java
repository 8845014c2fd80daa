package io.koopstream.internal.dictionary;

import io.koopstream.kernel.Scratch;
import java.util.Arrays;

/**
 * A point z and what a dictionary sees of it: β = L⁻¹ κ(z), κ(z,z) and b² = κ(z,z) − ‖β‖². Measured for itself or taken from a block. Work
 * arrays of one learner, single thread.
 */
public final class PointCoordinates {

    private final Scratch scratch = new Scratch();
    private double[] beta = new double[0];
    private double[] work = new double[0];
    private int known;
    private double squaredNorm;
    private double missed;
    private double[] point = new double[0];
    /** The basis that the point was measured in; null afterwards. */
    private NewtonBasis basis;
    /** The block that holds point and coordinates until they are asked for; null afterwards. */
    private BlockCoordinates block;

    private int row;

    /** Makes room for a number of coordinates, so that nothing here can fail up to there. */
    public void reserve(int needed) {
        if (beta.length < needed) {
            int capacity = needed + (needed >> 1) + 8;
            beta = Arrays.copyOf(beta, capacity);
            work = new double[capacity];
        }
    }

    /** Measures a point, which is copied. */
    public void measure(Dictionary dictionary, double[] z) {
        basis = dictionary.basis();
        known = basis.size();
        reserve(known + 1);
        squaredNorm = basis.squaredNorm(z);
        missed = basis.coordinates(z, squaredNorm, beta, scratch);
        point = point.length == z.length ? point : new double[z.length];
        System.arraycopy(z, 0, point, 0, z.length);
        block = null;
    }

    /** Measures the point again, against a dictionary that has changed. */
    public void measureAgain(Dictionary dictionary) {
        measure(dictionary, point);
    }

    /** Takes point s of a block that has been measured. */
    public void take(BlockCoordinates measured, int s) {
        known = measured.rows().columns();
        reserve(known + 1);
        squaredNorm = measured.squaredNorm(s);
        missed = measured.missed(s);
        basis = null;
        // Most points are neither kept nor looked at again: rows of a matrix by columns are copied when asked for.
        block = measured;
        row = s;
    }

    private void fetch() {
        if (block != null) {
            block.copyRow(row, known, beta);
            point = block.point(row);
            block = null;
        }
    }

    /** True if these are the coordinates of a point in the dictionary as it is now: measuring it again would give the same bits. */
    public boolean holds(double[] z, Dictionary dictionary) {
        return basis == dictionary.basis() && known == basis.size() && Arrays.equals(point, z);
    }

    double[] point() {
        fetch();
        return point;
    }

    /** β, at the start of an array with one place to spare. */
    public double[] beta() {
        fetch();
        return beta;
    }

    /** β, with zeros for points that were added after this one was measured. */
    public double[] padded(int count) {
        fetch();
        Arrays.fill(beta, Math.min(known, count), count, 0.0);
        return beta;
    }

    /** An array as long as the coordinates, free for use. */
    double[] work() {
        return work;
    }

    /** κ(z, z). */
    public double squaredNorm() {
        return squaredNorm;
    }

    /** b²: what the dictionary misses of φ(z), squared. */
    public double missed() {
        return missed;
    }

    /** True if the dictionary misses more than ε of the point. */
    public boolean isNovel(double epsilon) {
        return isNovel(missed, squaredNorm, epsilon);
    }

    static boolean isNovel(double missed, double squaredNorm, double epsilon) {
        return missed > epsilon * epsilon * squaredNorm;
    }

    /** The point was kept: it has one coordinate more then, b. */
    void border() {
        beta[known] = Math.sqrt(missed);
        known++;
        basis = null;
    }
}
