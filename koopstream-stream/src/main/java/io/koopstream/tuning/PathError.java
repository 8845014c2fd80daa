package io.koopstream.tuning;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import java.util.Arrays;

/**
 * How far a learned map stays near the truth when it is iterated: over each held-out run from its first state on. A step ahead tells nothing about a map
 * that drifts away from the data.
 */
final class PathError {

    /** States that have nothing to do with each other are that far apart, squared, in units of the variance. */
    private static final double UNRELATED = 2;

    private static final double LOST = 1e6;
    private static final int STEPS_AHEAD = 24;

    private PathError() {}

    /** Iterates a learned map from one state to the next. */
    private static final class Walk {
        private final NewtonBasis basis;
        private final Matrix readout;
        private final double[] deviations;
        private final double[] beta;
        private final double[] increment;
        private final Scratch scratch = new Scratch();
        private double[] at = new double[0];

        Walk(LeastSquaresState state, double lambda, double[] deviations) {
            basis = state.inputBasis();
            readout = state.family().increments(lambda);
            this.deviations = deviations;
            beta = new double[basis.size()];
            increment = new double[readout.columns()];
        }

        void start(double[] state) {
            at = state.clone();
        }

        /** Takes a step; returns the mean over the coordinates of the squared error in units of the variance. */
        double step(double[] truth) {
            int d = deviations.length;
            basis.coordinates(at, beta, scratch);
            readout.multiplyTransposed(beta, increment);
            double[] next = new double[at.length];
            System.arraycopy(at, 0, next, d, at.length - d);
            double error = 0;
            for (int c = 0; c < d; c++) {
                next[c] = at[c] + increment[c];
                double off = (next[c] - truth[c]) / deviations[c];
                error += off * off / d;
            }
            // A path that has left for good is worth nothing; the comparison is false for NaN.
            boolean isNear = error < LOST;
            at = isNear ? next : at;
            return isNear ? error : LOST;
        }
    }

    /** Errors of a map on pairs that come after all it was learned from, over some steps from a state on. */
    static final class Ahead {
        private final Walk walk;
        private final double[] deviations;
        private double[] start = new double[0];
        private double[] last = new double[0];
        private int steps;
        private double sum;
        private double still;

        Ahead(LeastSquaresState state, double lambda, double[] deviations) {
            walk = new Walk(state, lambda, deviations);
            this.deviations = deviations;
        }

        void add(double[] x, double[] xNext) {
            if (steps % STEPS_AHEAD == 0 || !Arrays.equals(x, last)) {
                walk.start(x);
                start = x;
                steps = 0;
            }
            steps++;
            last = xNext;
            sum += walk.step(xNext);
            for (int c = 0; c < deviations.length; c++) {
                double off = (start[c] - xNext[c]) / deviations[c];
                still += off * off / deviations.length;
            }
        }

        /** The mean square over that of the state at the start. */
        double overPersistence() {
            return sum / still;
        }
    }

    /**
     * The mean over a run of the squared error in units of the variance, no step counting more than two states that have nothing to do with each
     * other; of all runs the median, because some lead where a window has not been and a longer stream will.
     *
     * @param state delay vectors, newest observation first
     * @param deviations of the coordinates of an observation
     */
    static double of(LeastSquaresState state, double lambda, double[] deviations) {
        HoldOut aside = state.holdOut();
        double[][] x = aside.inputs();
        double[][] xNext = aside.outputs();
        long[] runs = aside.runNumbers();
        Walk walk = new Walk(state, lambda, deviations);
        double[] means = new double[x.length];
        int count = -1;
        int length = 0;
        for (int i = 0; i < x.length; i++) {
            boolean goesOn = i > 0 && runs[i] == runs[i - 1] && Arrays.equals(x[i], xNext[i - 1]);
            if (!goesOn) {
                walk.start(x[i]);
                count++;
                length = 0;
            }
            length++;
            means[count] += (Math.min(walk.step(xNext[i]), UNRELATED) - means[count]) / length;
        }
        double[] ofRuns = Arrays.copyOf(means, count + 1);
        Arrays.sort(ofRuns);
        return ofRuns.length == 0 ? 0 : ofRuns[ofRuns.length / 2];
    }
}
