package io.koopstream.learner;

import io.koopstream.dictionary.Dictionary;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;

/** What a dictionary sees of one state z: β(z) = L⁻¹ κ(z), κ(z,z) and b² = κ(z,z) − ‖β‖². Work arrays of one learner, single thread. */
final class StateCoordinates {

    private final Scratch scratch = new Scratch();
    private double[] beta = new double[0];
    private double[] work = new double[0];
    private int known;
    private double squaredNorm;
    private double missed;
    /** The state that was measured last, and the dictionary as it was then; null when that is over. */
    private double[] state = new double[0];

    private NewtonBasis basis;
    private int size;

    void reserve(int needed) {
        if (beta.length < needed) {
            int capacity = needed + (needed >> 1) + 8;
            beta = Arrays.copyOf(beta, capacity);
            work = new double[capacity];
        }
    }

    void measure(Dictionary dictionary, double[] z) {
        basis = dictionary.basis();
        known = basis.size();
        squaredNorm = basis.squaredNorm(z);
        missed = basis.coordinates(z, squaredNorm, beta, scratch);
        if (state.length != z.length) {
            state = new double[z.length];
        }
        System.arraycopy(z, 0, state, 0, z.length);
        size = known;
    }

    /** Takes state i of a block that has been measured. */
    void take(BlockCoordinates block, int i) {
        known = block.rows().columns();
        squaredNorm = block.squaredNorm(i);
        missed = block.missed(i);
        block.copyRow(i, known, beta);
        basis = null;
    }

    /** Whether these are the coordinates of a state in the dictionary as it is now: measuring it again would give the same bits. */
    boolean holds(double[] z, Dictionary dictionary) {
        return basis == dictionary.basis() && size == basis.size() && Arrays.equals(state, z);
    }

    /** What was measured is not asked for again. */
    void forget() {
        basis = null;
    }

    /** κ(z, z). */
    double squaredNorm() {
        return squaredNorm;
    }

    /** What the dictionary misses of φ(z), squared. */
    double missed() {
        return missed;
    }

    boolean isNovel(double epsilon) {
        return isNovel(missed, squaredNorm, epsilon);
    }

    static boolean isNovel(double missed, double squaredNorm, double epsilon) {
        return missed > epsilon * epsilon * squaredNorm;
    }

    Dictionary.Verdict judge(Dictionary dictionary) {
        return dictionary.judge(missed, squaredNorm, beta, work);
    }

    /** Adds the state to the dictionary: it has one coordinate more then, b. */
    void keep(Dictionary dictionary, long number, double[] point) {
        dictionary.append(number, point, beta, missed);
        beta[known] = Math.sqrt(missed);
        known++;
        basis = null;
    }

    /** The coordinates, with zeros for points that were added after the state was measured. */
    double[] padded(int count) {
        Arrays.fill(beta, Math.min(known, count), count, 0.0);
        return beta;
    }
}
