package io.koopstream.control;

import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Policy;
import io.koopstream.control.plan.Plan;

/**
 * Makes transitions worth learning: acts to see what the learner does not know ({@link ControlSettings#exploration}), and plans anew when the learner has
 * learned some more. Give the learner every transition as it is made: what was unknown a few steps ago is known once it has been seen, and a plan that does not
 * know this goes there again (docs/decisions/0043-optimistic-exploration.md). An action costs what one of {@link Plan#policy()} does; one that plans first, a fit and a value
 * iteration more, and of n transitions only O(log n) do. One thread, the learner's.
 */
public final class Explorer implements Policy {

    /** Transitions before the first plan; until then actions are drawn uniformly. */
    private static final int MIN_TRANSITIONS = 10;
    /** New transitions before another plan: this many, or a twentieth of all once that is more. */
    private static final int MIN_NEWS = 5;

    private static final double NEWS = 0.05;

    private final ControlSettings settings;
    private final DynamicsLearner learner;
    private Policy policy;
    private int planned;

    /**
     * @param learner learns the transitions that are made, with the dynamics of these settings
     * @param actions the actions there are
     */
    public Explorer(ControlSettings settings, DynamicsLearner learner, Box actions, long seed) {
        this.settings = settings;
        this.learner = learner;
        this.policy = Policy.uniform(actions, seed);
    }

    @Override
    public double[] action(double[] observation) {
        int samples = learner.samples();
        if (samples >= MIN_TRANSITIONS && samples - planned >= Math.max(MIN_NEWS, NEWS * samples)) {
            policy = settings.exploration(learner).policy();
            planned = samples;
        }
        return policy.action(observation);
    }
}
