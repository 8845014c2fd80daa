package io.koopstream.control.dynamics;

import io.koopstream.control.env.Transitions;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;

/**
 * The points on which a value function is found: the next states that were kept, and where the learned regression leads from them as long as it
 * is asked about inputs that it knows. Few transitions teach a smooth regression well before they have visited every place at the resolution of
 * the value function; without these points a planner would know how to get somewhere and have nowhere to put its value.
 *
 * <p>From every point, in turn, each of a few actions is held for a few steps; where that ends is added when it is new at twice the resolution ε. A path
 * is given up where (state, action) is missed by more than {@link #UNKNOWN} of κ_Z, so nothing rests on inputs unlike all data.
 */
final class SupportPoints {

    /** Share of κ_Z(z, z) that the kept inputs may miss: 1 − ‖β(z)‖²/κ_Z(z, z) at most this counts as known. */
    private static final double UNKNOWN = 0.1;
    /** Novelty of an added point in units of ε: coarser than what was seen, so that the places are covered before the room is used up. */
    private static final double COARSER = 2;
    /** A place is another one when κ_X to the start has fallen below this share of κ_X(x, x): about one width of a Gaussian. */
    private static final double SAME_PLACE = 0.6;
    /** Steps for which an action is held at most. */
    private static final int MAX_STEPS = 10;

    private final NewtonBasis inputs;
    private final double[][] readout;
    private final double epsilon;
    private final Scratch scratch = new Scratch();
    private final double[] inputRow;

    /**
     * @param readout rows of coefficients on the kernel row of an input: coordinate c of the increment x⁺ − x
     * @param epsilon novelty at which next states are kept
     */
    SupportPoints(NewtonBasis inputs, double[][] readout, double epsilon) {
        this.inputs = inputs;
        this.readout = readout;
        this.epsilon = COARSER * epsilon;
        this.inputRow = new double[inputs.size()];
    }

    /**
     * The kept next states and what follows from them.
     *
     * @param actions the actions to hold
     * @param max most points
     */
    Points from(NewtonBasis kept, double[][] actions, int max) {
        NewtonBasis support = kept.copy();
        double[] beta = new double[Math.max(max, kept.size())];
        double[] work = new double[beta.length];
        for (int i = 0; i < support.size() && support.size() < max; i++) {
            for (double[] action : actions) {
                double[] place = away(support, support.points().get(i), action);
                if (place == null || support.size() == max) {
                    continue;
                }
                double norm = support.squaredNorm(place);
                double missed = support.coordinates(place, norm, beta, scratch);
                if (missed > epsilon * epsilon * norm && support.isIndependent(missed, norm, beta, work)) {
                    support.append(0, place, beta, Math.sqrt(missed));
                }
            }
        }
        return support.points();
    }

    /** Where an action leads when it is held until the place is another one at the resolution of κ_X; null when that is not known. */
    private double[] away(NewtonBasis support, double[] start, double[] action) {
        Rkhs space = support.space();
        double near = SAME_PLACE * support.squaredNorm(start);
        double[] place = start;
        for (int step = 0; step < MAX_STEPS && place != null; step++) {
            place = next(place, action);
            if (place != null && space.kernel().value(space.view(), start, place) < near) {
                break;
            }
        }
        return place;
    }

    /** The predicted next state, or null where the regression knows nothing. */
    private double[] next(double[] state, double[] action) {
        double[] z = Transitions.concatenate(state, action);
        double norm = inputs.squaredNorm(z);
        if (inputs.coordinates(z, norm, inputRow, scratch) > UNKNOWN * norm) {
            return null;
        }
        inputs.gramRow(z, inputRow, scratch);
        double[] next = Arrays.copyOf(state, state.length);
        for (int c = 0; c < next.length; c++) {
            for (int j = 0; j < inputs.size(); j++) {
                next[c] += readout[c][j] * inputRow[j];
            }
        }
        return next;
    }
}
