package io.koopstream.control.mpc;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import java.util.Arrays;
import java.util.List;

/**
 * Model-predictive control on a learned regression, as a file of it holds it. Immutable.
 *
 * @param space κ_Z on (state, action)
 * @param inputs kept inputs z; not to be changed
 * @param readout rows of coefficients on the kernel row of an input: the increment, and last the constant one; not to be changed
 * @param horizon what is minimised
 * @param goal the reference where none is given
 */
@SuppressWarnings("ArrayRecordComponent") // shared with the predictors of all decisions, never compared
public record Tracking(Rkhs space, Points inputs, double[][] readout, Horizon horizon, List<Double> goal) {

    /** Quadratic programs a decision. */
    private static final int IMPROVEMENTS = 2;

    /** Refuses a goal that is no state. */
    public Tracking {
        goal = List.copyOf(goal);
        if (goal.size() != horizon.states().dimension() || !goal.stream().allMatch(Double::isFinite)) {
            throw new InvalidConfigException(
                    "goal", goal, "must be a state of " + horizon.states().dimension() + " finite numbers");
        }
    }

    /**
     * A controller for one episode.
     *
     * @param reference rows: the states wanted after 1, 2, ... steps of the episode, the last one from then on; null for the goal
     */
    public ModelPredictiveControl control(double[]... reference) {
        double[][] wanted = reference == null
                ? new double[][] {goal.stream().mapToDouble(Double::doubleValue).toArray()}
                : reference;
        for (double[] row : wanted) {
            if (row.length != goal.size() || !Arrays.stream(row).allMatch(Double::isFinite)) {
                throw new InvalidQueryException(
                        "reference " + Arrays.toString(row) + ": a state has " + goal.size() + " finite numbers");
            }
        }
        if (wanted.length == 0) {
            throw new InvalidQueryException("the reference is empty: give at least one state");
        }
        return new ModelPredictiveControl(
                new RegressionPredictor(space, inputs, readout),
                horizon,
                step -> wanted[Math.min(step, wanted.length) - 1],
                IMPROVEMENTS);
    }
}
