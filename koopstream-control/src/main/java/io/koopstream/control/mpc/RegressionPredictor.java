package io.koopstream.control.mpc;

import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Transitions;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;

/**
 * Predicts by the regression of the increment, x⁺ = x + f(x, u) with f in the RKHS of κ_Z: exact in what was learned, so a program has to be
 * set up anew along every path. One thread.
 */
public final class RegressionPredictor implements Predictor {

    /** Step of the differences: the square root of the unit roundoff, about. */
    private static final double DIFFERENCE = 1e-6;

    private final Rkhs space;
    private final Points inputs;
    private final double[][] readout;
    private final int d;
    private final double[] row;
    private final Scratch scratch = new Scratch();

    /** The regression as it is now. */
    public RegressionPredictor(DynamicsLearner learner) {
        this(learner.config().input(), learner.inputs(), learner.increments());
    }

    /**
     * A regression from its parts; they are kept, not copied.
     *
     * @param space κ_Z
     * @param inputs kept inputs z
     * @param readout rows of coefficients on the kernel row of an input: each coordinate of the increment, and last the constant one
     */
    public RegressionPredictor(Rkhs space, Points inputs, double[][] readout) {
        this.space = space;
        this.inputs = inputs;
        this.readout = readout;
        this.d = readout.length - 1;
        this.row = new double[inputs.size()];
    }

    @Override
    public int stateDimension() {
        return d;
    }

    @Override
    public int actionDimension() {
        return space.dimension() - d;
    }

    @Override
    public void roll(double[] start, double[][] actions, double[][] states) {
        double[] state = start;
        for (int k = 0; k < actions.length; k++) {
            step(Transitions.concatenate(state, actions[k]), states[k]);
            state = states[k];
        }
    }

    private void step(double[] z, double[] next) {
        space.kernel().row(space.view(), inputs, z, row, scratch);
        for (int c = 0; c < d; c++) {
            next[c] = z[c] + Vectors.dot(readout[c], row, row.length);
        }
    }

    @Override
    public Matrix response(double[] start, double[][] actions, double[][] states, int hold) {
        int p = actionDimension();
        int unknowns = (actions.length + hold - 1) / hold * p;
        Matrix response = new Matrix(actions.length * d, unknowns);
        double[] moved = new double[d];
        double[][] jacobian = new double[d + p][d];
        for (int k = 0; k < actions.length; k++) {
            double[] z = Transitions.concatenate(k == 0 ? start : states[k - 1], actions[k]);
            for (int i = 0; i < d + p; i++) {
                double h = DIFFERENCE * Math.max(1, Math.abs(z[i]));
                double at = z[i];
                z[i] = at + h;
                step(z, moved);
                z[i] = at;
                for (int c = 0; c < d; c++) {
                    jacobian[i][c] = (moved[c] - states[k][c]) / h;
                }
            }
            int own = k / hold * p;
            for (int j = 0; j < own + p; j++) {
                double[] column = response.column(j);
                for (int i = 0; i < d && k > 0; i++) {
                    double before = column[(k - 1) * d + i];
                    for (int c = 0; c < d; c++) {
                        column[k * d + c] += before * jacobian[i][c];
                    }
                }
                if (j >= own) {
                    for (int c = 0; c < d; c++) {
                        column[k * d + c] += jacobian[d + j - own][c];
                    }
                }
            }
        }
        return response;
    }
}
