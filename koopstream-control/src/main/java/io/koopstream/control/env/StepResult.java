package io.koopstream.control.env;

/** What one step of an {@link Environment} brings. Immutable. */
public final class StepResult {

    private final double[] observation;
    private final double reward;
    private final boolean terminated;
    private final boolean truncated;

    StepResult(double[] observation, double reward, boolean terminated, boolean truncated) {
        this.observation = observation;
        this.reward = reward;
        this.terminated = terminated;
        this.truncated = truncated;
    }

    /** The observation after the step; a copy. */
    public double[] observation() {
        return observation.clone();
    }

    /** The reward of the step. */
    public double reward() {
        return reward;
    }

    /** Whether a terminal state was reached: nothing is earned or paid from here on. */
    public boolean terminated() {
        return terminated;
    }

    /** Whether the clock ran out; the process itself would go on, so a value may be bootstrapped from here. */
    public boolean truncated() {
        return truncated;
    }

    /** Whether the episode is over, for either reason. */
    public boolean over() {
        return terminated || truncated;
    }
}
