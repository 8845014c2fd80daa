package io.koopstream.control.env;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Swing a pole up from hanging by pushing its cart, and keep it there near the middle of the track, {@code CartPoleSwingUp-v1}.
 *
 * <ul>
 *   <li><b>State:</b> cart position x (m), velocity ẋ (m/s), pole angle θ (rad, 0 is upright), θ̇ (rad/s).
 *   <li><b>Observation:</b> (x, ẋ, cos θ, sin θ, θ̇).
 *   <li><b>Action:</b> force F in [−10, 10] N on the cart.
 *   <li><b>Equations:</b> Barto, Sutton, Anderson, <i>Neuronlike adaptive elements that can solve difficult learning control
 *       problems</i>, IEEE SMC 13 (1983), without friction: with M = 1 kg (cart), m = 0.1 kg (pole), l = 0.5 m (half the pole),
 *       g = 9.8 m/s² and T = (F + m l θ̇² sin θ)/(M + m): θ̈ = (g sin θ − T cos θ) / (l (4/3 − m cos² θ/(M + m))),
 *       ẍ = T − m l θ̈ cos θ/(M + m).
 *   <li><b>Integrator:</b> semi-implicit Euler, dt = 0.02 s: velocities first, then positions with the new velocities.
 *       Velocities are clipped to ±20 m/s and ±30 rad/s, which no sensible controller reaches.
 *   <li><b>Reward:</b> cos θ − 0.01 x² − 0.0001 F², of the state before the step.
 *   <li><b>Start:</b> hanging, θ = π and everything else 0, each plus a uniform deviation within ±0.05.
 *   <li><b>End:</b> terminated at |x| > 2.4 (the end of the track) with a reward of −100 in that step, truncated after 500
 *       steps.
 *   <li><b>Versions:</b> v1, first; an environment of this project, not one of Gymnasium's.
 * </ul>
 */
public final class CartPoleSwingUp implements Environment {

    private static final double GRAVITY = 9.8;
    private static final double CART = 1;
    private static final double POLE = 0.1;
    private static final double HALF_LENGTH = 0.5;
    private static final double DT = 0.02;
    private static final double TRACK = 2.4;
    private static final double MAX_VELOCITY = 20;
    private static final double MAX_SPIN = 30;
    private static final double CRASH_COST = 100;

    private final EpisodeClock clock = new EpisodeClock(this);
    private double x;
    private double velocity;
    private double theta;
    private double thetaDot;

    @Override
    public String id() {
        return "CartPoleSwingUp-v1";
    }

    @Override
    public String description() {
        return "Swing a hanging pole up by pushing its cart, and balance it near the middle";
    }

    @Override
    public Box observationSpace() {
        // One step beyond the end of the track is where the last observation of a crash can lie.
        return Box.symmetric(TRACK + MAX_VELOCITY * DT, MAX_VELOCITY, 1.0, 1.0, MAX_SPIN);
    }

    @Override
    public List<String> observationNames() {
        return List.of("x", "x_dot", "cos_theta", "sin_theta", "theta_dot");
    }

    @Override
    public List<String> actionNames() {
        return List.of("force");
    }

    @Override
    public Box actionSpace() {
        return Box.symmetric(10.0);
    }

    @Override
    public int maxSteps() {
        return 500;
    }

    @Override
    public CartPoleSwingUp fresh() {
        return new CartPoleSwingUp();
    }

    @Override
    public double[] reset(long seed) {
        double[] deviation = Box.symmetric(0.05, 0.05, 0.05, 0.05).sample(new SplittableRandom(seed));
        return resetTo(deviation[0], deviation[1], Math.PI + deviation[2], deviation[3]);
    }

    /** Starts an episode in a given state. */
    double[] resetTo(double startX, double startVelocity, double startTheta, double startThetaDot) {
        x = startX;
        velocity = startVelocity;
        theta = startTheta;
        thetaDot = startThetaDot;
        clock.start();
        return observe();
    }

    @Override
    public StepResult step(double... action) {
        double force = clock.admit(action)[0];
        double reward = -cost(observe(), new double[] {force});
        double cos = StrictMath.cos(theta);
        double sin = StrictMath.sin(theta);
        double total = CART + POLE;
        double push = (force + POLE * HALF_LENGTH * thetaDot * thetaDot * sin) / total;
        double spin = (GRAVITY * sin - push * cos) / (HALF_LENGTH * (4.0 / 3.0 - POLE * cos * cos / total));
        double acceleration = push - POLE * HALF_LENGTH * spin * cos / total;
        velocity = Math.min(Math.max(velocity + DT * acceleration, -MAX_VELOCITY), MAX_VELOCITY);
        thetaDot = Math.min(Math.max(thetaDot + DT * spin, -MAX_SPIN), MAX_SPIN);
        x = x + DT * velocity;
        theta = theta + DT * thetaDot;
        double[] observation = observe();
        boolean terminated = isCrash(observation);
        return clock.finish(observation, terminated ? reward - crashCost(observation) : reward, terminated);
    }

    private double[] observe() {
        return new double[] {x, velocity, StrictMath.cos(theta), StrictMath.sin(theta), thetaDot};
    }

    /** The cost −reward of an observation and an action, for a planner. */
    public static double cost(double[] observation, double[] action) {
        return -observation[2] + 0.01 * observation[0] * observation[0] + 1e-4 * action[0] * action[0];
    }

    /** Whether an observation lies beyond the end of the track. */
    public static boolean isCrash(double[] observation) {
        return Math.abs(observation[0]) > TRACK;
    }

    /** The cost of a crash, paid once. */
    public static double crashCost(double[] observation) {
        return CRASH_COST;
    }
}
