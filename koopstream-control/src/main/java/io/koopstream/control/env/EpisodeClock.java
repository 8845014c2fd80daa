package io.koopstream.control.env;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;

/** What all environments share: the order of calls, the check of an action, the count of steps. */
final class EpisodeClock {

    private final Environment owner;
    private int steps;
    private boolean running;
    private boolean started;

    EpisodeClock(Environment owner) {
        this.owner = owner;
    }

    void start() {
        steps = 0;
        running = true;
        started = true;
    }

    /** Refuses a step out of order or with a bad action; changes nothing. Returns the clipped action. */
    double[] admit(double[] action) {
        if (!running) {
            throw new InvalidConfigException(
                    "step",
                    owner.id(),
                    started
                            ? "the episode is over: call reset(seed) to start another"
                            : "there is no episode yet: call reset(seed) first");
        }
        Box space = owner.actionSpace();
        if (action == null || action.length != space.dimension()) {
            throw new InvalidQueryException("an action of " + owner.id() + " has " + space.dimension()
                    + " coordinates, got " + (action == null ? "null" : action.length));
        }
        double[] clipped = new double[action.length];
        for (int c = 0; c < action.length; c++) {
            if (Double.isNaN(action[c])) {
                throw new InvalidQueryException("action[" + c + "] of " + owner.id() + " is NaN");
            }
            clipped[c] = space.clip(c, action[c]);
        }
        return clipped;
    }

    /** Ends a step. */
    StepResult finish(double[] observation, double reward, boolean terminated) {
        steps++;
        boolean truncated = steps >= owner.maxSteps();
        running = !(terminated || truncated);
        return new StepResult(observation, reward, terminated, truncated);
    }
}
