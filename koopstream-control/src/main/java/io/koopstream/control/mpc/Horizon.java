package io.koopstream.control.mpc;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.Box;
import java.util.Collections;
import java.util.List;

/**
 * What model-predictive control minimises: Σ_k Σ_c w_c (x_c − r_c)² over the steps of a horizon, times {@code finalWeight} in the last one, plus
 * Σ_k Σ_j v_j u_j², within the bounds.
 *
 * @param steps length, >= 1
 * @param hold for how many steps an action is planned to stay, >= 1
 * @param stateWeights w, one a coordinate, >= 0
 * @param finalWeight factor of the last step, >= 0
 * @param actionWeights v, one a coordinate, >= 0
 * @param states bounds of the states; infinite where there is none
 * @param actions bounds of the actions, finite
 */
public record Horizon(
        int steps,
        int hold,
        List<Double> stateWeights,
        double finalWeight,
        List<Double> actionWeights,
        Box states,
        Box actions) {

    /** A program grows with the square of the steps. */
    private static final int MAX_STEPS = 1000;

    /** Refuses settings out of range. */
    public Horizon {
        stateWeights = List.copyOf(stateWeights);
        actionWeights = List.copyOf(actionWeights);
        if (steps < 1 || hold < 1) {
            throw new InvalidConfigException("steps", steps + ", held " + hold, "both must be at least 1");
        }
        if (steps > MAX_STEPS) {
            throw new InvalidConfigException("steps", steps, "at most " + MAX_STEPS + "; hold actions for longer");
        }
        requireWeights("stateWeights", stateWeights, states);
        requireWeights("actionWeights", actionWeights, actions);
        InvalidConfigException.requireNonNegative("finalWeight", finalWeight, "factor of the last step");
    }

    private static void requireWeights(String field, List<Double> weights, Box box) {
        if (weights.size() != box.dimension() || !(Collections.min(weights) >= 0)) {
            throw new InvalidConfigException(
                    field, weights, "must be numbers >= 0, one for each of the " + box.dimension() + " bounds");
        }
    }

    /** How many actions are planned. */
    int blocks() {
        return (steps + hold - 1) / hold;
    }
}
