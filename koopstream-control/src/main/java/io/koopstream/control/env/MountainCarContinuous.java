package io.koopstream.control.env;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Drive a car with a weak engine out of a valley, {@code MountainCarContinuous-v0}, as Gymnasium computes it, in double
 * precision.
 *
 * <ul>
 *   <li><b>State and observation:</b> position in [−1.2, 0.6], velocity in [−0.07, 0.07].
 *   <li><b>Action:</b> force u in [−1, 1].
 *   <li><b>Step:</b> v ← clip(v + 0.0015 u − 0.0025 cos(3x), ±0.07), x ← clip(x + v, [−1.2, 0.6]); at the left wall a negative
 *       velocity becomes 0.
 *   <li><b>Reward:</b> −0.1 u² with u as given, and 100 more in the step that reaches the goal.
 *   <li><b>Start:</b> x uniform on [−0.6, −0.4], v = 0.
 *   <li><b>End:</b> terminated at x ≥ 0.45 with v ≥ 0, truncated after 999 steps.
 *   <li><b>Against Gymnasium:</b> it rounds the state to single precision after every step, which this does not; and its reward
 *       takes the action before clipping, here after, so that an action outside the bounds is the action on them.
 *   <li><b>Facts:</b> published as solved from a mean score of 90.
 *   <li><b>Versions:</b> v0, the number Gymnasium gives these equations.
 * </ul>
 */
public final class MountainCarContinuous implements Environment {

    private static final double POWER = 0.0015;
    private static final double GRAVITY = 0.0025;
    private static final double MIN_POSITION = -1.2;
    private static final double MAX_POSITION = 0.6;
    private static final double MAX_SPEED = 0.07;
    private static final double GOAL = 0.45;
    private static final double GOAL_REWARD = 100;

    private final EpisodeClock clock = new EpisodeClock(this);
    private double position;
    private double velocity;

    @Override
    public String id() {
        return "MountainCarContinuous-v0";
    }

    @Override
    public String description() {
        return "Drive a car with a weak engine out of a valley, with little force";
    }

    @Override
    public Box observationSpace() {
        return new Box(List.of(MIN_POSITION, -MAX_SPEED), List.of(MAX_POSITION, MAX_SPEED));
    }

    @Override
    public List<String> observationNames() {
        return List.of("position", "velocity");
    }

    @Override
    public List<String> actionNames() {
        return List.of("force");
    }

    @Override
    public Box actionSpace() {
        return Box.symmetric(1.0);
    }

    @Override
    public int maxSteps() {
        return 999;
    }

    @Override
    public MountainCarContinuous fresh() {
        return new MountainCarContinuous();
    }

    @Override
    public double[] reset(long seed) {
        return resetTo(-0.6 + 0.2 * new SplittableRandom(seed).nextDouble(), 0);
    }

    /** Starts an episode in a given state. */
    double[] resetTo(double startPosition, double startVelocity) {
        position = startPosition;
        velocity = startVelocity;
        clock.start();
        return new double[] {position, velocity};
    }

    @Override
    public StepResult step(double... action) {
        double force = clock.admit(action)[0];
        double v = velocity + (force * POWER - GRAVITY * StrictMath.cos(3 * position));
        v = Math.min(Math.max(v, -MAX_SPEED), MAX_SPEED);
        double x = Math.min(Math.max(position + v, MIN_POSITION), MAX_POSITION);
        velocity = x == MIN_POSITION && v < 0 ? 0 : v;
        position = x;
        double[] observation = {position, velocity};
        boolean terminated = isGoal(observation);
        double reward = (terminated ? GOAL_REWARD : 0) - cost(observation, new double[] {force});
        return clock.finish(observation, reward, terminated);
    }

    /** The cost of an action, 0.1 u², for a planner. */
    public static double cost(double[] observation, double[] action) {
        return 0.1 * action[0] * action[0];
    }

    /** Whether an observation is terminal. */
    public static boolean isGoal(double[] observation) {
        return observation[0] >= GOAL && observation[1] >= 0;
    }

    /** The cost of having reached the goal: −100, earned once. */
    public static double goalCost(double[] observation) {
        return -GOAL_REWARD;
    }
}
