package io.koopstream.tuning;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.HoldOut;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.linalg.Matrix;
import java.util.Arrays;

/**
 * How far a learned map stays near the truth when it is iterated: over each held-out run from its first state on. A step ahead tells nothing about a map
 * that drifts away from the data.
 */
final class PathError {

    /** States that have nothing to do with each other are that far apart, squared, in units of the variance. */
    private static final double UNRELATED = 2;

    private PathError() {}

    /**
     * The mean over a run of the squared error in units of the variance, no step counting more than two states that have nothing to do with each
     * other; of all runs the median, because some lead where a window has not been and a longer stream will.
     *
     * @param state delay vectors, newest observation first
     * @param deviations of the coordinates of an observation
     */
    static double of(LeastSquaresState state, double lambda, double[] deviations) {
        int d = deviations.length;
        NewtonBasis basis = state.inputBasis();
        Matrix readout = state.family().increments(lambda);
        HoldOut aside = state.holdOut();
        double[][] x = aside.inputs();
        double[][] xNext = aside.outputs();
        long[] runs = aside.runNumbers();
        double[] beta = new double[basis.size()];
        double[] increment = new double[readout.columns()];
        double[] at = new double[0];
        Scratch scratch = new Scratch();
        double[] means = new double[x.length];
        int count = -1;
        int length = 0;
        for (int i = 0; i < x.length; i++) {
            boolean goesOn = i > 0 && runs[i] == runs[i - 1] && Arrays.equals(x[i], xNext[i - 1]);
            at = goesOn ? at : x[i].clone();
            count += goesOn ? 0 : 1;
            length = goesOn ? length + 1 : 1;
            basis.coordinates(at, beta, scratch);
            readout.multiplyTransposed(beta, increment);
            double[] next = new double[at.length];
            System.arraycopy(at, 0, next, d, at.length - d);
            double error = 0;
            for (int c = 0; c < d; c++) {
                next[c] = at[c] + increment[c];
                double off = (next[c] - xNext[i][c]) / deviations[c];
                error += off * off / d;
            }
            // A path that has left for good is worth nothing; the comparison is false for NaN.
            boolean isNear = error < 1e6;
            means[count] += ((isNear ? Math.min(error, UNRELATED) : UNRELATED) - means[count]) / length;
            at = isNear ? next : at;
        }
        double[] ofRuns = Arrays.copyOf(means, count + 1);
        Arrays.sort(ofRuns);
        return ofRuns.length == 0 ? 0 : ofRuns[ofRuns.length / 2];
    }
}
