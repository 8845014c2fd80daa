package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.TransitionOperator;
import java.util.Arrays;

/**
 * Learns an operator from pairs (x, x⁺), one after another.
 *
 * <p>Contract, checked for every implementation by the suite in the testkit:
 *
 * <ol>
 *   <li>one writer: all methods are called from one thread, or with the caller's own synchronisation; what
 *       {@link #snapshot()} returns is immutable and may be used by any number of threads while learning continues;
 *   <li>the state after n samples is a function of the settings and the samples alone, not of how they were chunked or what was
 *       asked in between;
 *   <li>a refused sample changes nothing; input arrays are neither modified nor kept.
 * </ol>
 *
 * @param <O> the type of the learned operator
 */
public interface Learner<O extends TransitionOperator> {

    /** The settings. */
    MethodConfig config();

    /** The space of the inputs. */
    default Rkhs input() {
        return config().input();
    }

    /** The space of the outputs. */
    default Rkhs output() {
        return config().output();
    }

    /**
     * Learns from one pair.
     *
     * @param x the input: the state, or (state, action)
     * @param xNext the state one step later
     * @return the outcome
     * @throws InvalidSampleException if it cannot be learned from; nothing has changed then
     */
    default StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        return updateChecked(x, xNext);
    }

    /** {@link #update} of a pair that the caller has checked: both sides are points of their spaces. */
    StepOutcome updateChecked(double[] x, double[] xNext);

    /** Learns from pairs in order; rows are samples. All rows are checked first: either all are learned or none. */
    default void partialFit(double[][] x, double[][] xNext) {
        if (x == null || xNext == null) {
            throw new InvalidSampleException(Reason.NULL, -1, (x == null ? "x" : "xNext") + " is null");
        }
        if (x.length != xNext.length) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION, -1, x.length + " inputs but " + xNext.length + " outputs");
        }
        for (int i = 0; i < x.length; i++) {
            input().requireSample(x[i], "x[" + i + "]");
            output().requireSample(xNext[i], "xNext[" + i + "]");
        }
        for (int i = 0; i < x.length; i++) {
            update(x[i], xNext[i]);
        }
    }

    /**
     * Learns from a stored trajectory at a lag: all pairs of states {@code lag} steps apart, (x_0, x_lag), (x_1, x_{lag+1}), …. All states are
     * checked first: either all pairs are learned or none. A trajectory of {@code lag} states or fewer has no pair.
     *
     * @param trajectory successive states, one per row
     * @param lag in steps, >= 1
     */
    default void fitTrajectory(double[][] trajectory, int lag) {
        InvalidConfigException.require(lag >= 1, "lag", lag, "must be a number of steps >= 1");
        int pairs = Math.max(0, trajectory.length - lag);
        partialFit(
                Arrays.copyOfRange(trajectory, 0, pairs),
                Arrays.copyOfRange(trajectory, trajectory.length - pairs, trajectory.length));
    }

    /** The operator as learned so far, as an immutable value; O(m²). */
    O snapshot();

    /** An operator to predict the next samples with: {@link #snapshot()}, where that is cheap, else one for which nothing is chosen again. */
    default O predictor() {
        return snapshot();
    }

    /** Number of samples learned. */
    long samples();

    /** Number of kept points: the larger of the numbers of inputs and of outputs, which differ only where one side repeats. */
    int dictionarySize();

    /** Forgets everything: the learner is as new. */
    void reset();

    /**
     * Everything the learner is, as an immutable value that can be stored and resumed; samples that wait for the end of their block included. Learning on from the
     * state equals learning on from the learner, bit for bit.
     */
    LearnerState state();

    /** An independent learner in the same state. */
    Learner<O> copy();
}
