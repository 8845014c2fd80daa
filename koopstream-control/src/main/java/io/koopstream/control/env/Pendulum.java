package io.koopstream.control.env;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Swing a pendulum up and keep it there, {@code Pendulum-v1}, as Gymnasium computes it, in double precision; and {@code NoisyPendulum-v1}, the same with
 * a torque that nobody sees.
 *
 * <ul>
 *   <li><b>State:</b> θ (rad, 0 is upright, not wrapped) and θ̇ (rad/s).
 *   <li><b>Observation:</b> (cos θ, sin θ, θ̇) in [−1, 1]² × [−8, 8].
 *   <li><b>Action:</b> torque u in [−2, 2] N m.
 *   <li><b>Step:</b> θ̇ ← clip(θ̇ + (3g/(2l) sin θ + 3/(m l²) u) dt, ±8), then θ ← θ + θ̇ dt, with g = 10 m/s², m = 1 kg,
 *       l = 1 m, dt = 0.05 s.
 *   <li><b>Noise:</b> none in {@code Pendulum-v1}. In {@code NoisyPendulum-v1} a torque w, uniform on [−3.5, 3.5] N m and new in every step, is added to u
 *       in the step (not in the reward): its standard deviation, 2.02 N m, is the motor's limit, and it moves the speed by 0.30 rad/s a step.
 *   <li><b>Reward:</b> −(wrap(θ)² + 0.1 θ̇² + 0.001 u²), of the state before the step; between −16.2736044 and 0.
 *   <li><b>Start:</b> θ uniform on [−π, π], θ̇ uniform on [−1, 1].
 *   <li><b>End:</b> truncated after 200 steps, never terminated.
 *   <li><b>Against Gymnasium:</b> the formulas and their order are the same; Gymnasium rounds observations to single precision and
 *       draws its starts from another generator. A roll-out of an independent script agrees to 1e-12.
 *   <li><b>Versions:</b> v1, the number Gymnasium gives these equations; the noisy one is this project's own, v1 its first.
 * </ul>
 */
public final class Pendulum implements Environment {

    /** The largest speed, rad/s, in either direction. */
    public static final double MAX_SPEED = 8;

    static final double MAX_TORQUE = 2;
    private static final double DT = 0.05;
    private static final double GRAVITY = 10;
    private static final double MASS = 1;
    private static final double LENGTH = 1;

    /** Largest torque of the noise in {@link #noisy}. */
    private static final double NOISE = 3.5;

    private final EpisodeClock clock = new EpisodeClock(this);
    private final double noise;
    private SplittableRandom random;
    private double theta;
    private double thetaDot;

    /** Without noise. */
    public Pendulum() {
        this(0);
    }

    private Pendulum(double noise) {
        this.noise = noise;
    }

    /** With noise as strong as the motor. */
    public static Pendulum noisy() {
        return new Pendulum(NOISE);
    }

    /** The largest torque of the noise, N m. */
    public double noise() {
        return noise;
    }

    @Override
    public String id() {
        return noise > 0 ? "NoisyPendulum-v1" : "Pendulum-v1";
    }

    @Override
    public String description() {
        return "Swing a pendulum up with a weak motor and keep it upright" + (noise > 0 ? ", in strong noise" : "");
    }

    @Override
    public Box observationSpace() {
        return Box.symmetric(1.0, 1.0, MAX_SPEED);
    }

    @Override
    public List<String> observationNames() {
        return List.of("cos_theta", "sin_theta", "theta_dot");
    }

    @Override
    public List<String> actionNames() {
        return List.of("torque");
    }

    @Override
    public Box actionSpace() {
        return Box.symmetric(MAX_TORQUE);
    }

    @Override
    public int maxSteps() {
        return 200;
    }

    @Override
    public Pendulum fresh() {
        return new Pendulum(noise);
    }

    @Override
    public double[] reset(long seed) {
        random = new SplittableRandom(seed);
        return resetTo(Math.PI * (2 * random.nextDouble() - 1), 2 * random.nextDouble() - 1);
    }

    /** Starts an episode in a given state. */
    double[] resetTo(double startTheta, double startThetaDot) {
        theta = startTheta;
        thetaDot = startThetaDot;
        clock.start();
        return observe();
    }

    @Override
    public StepResult step(double... action) {
        double u = clock.admit(action)[0];
        double reward = -cost(theta, thetaDot, u);
        double pushed = noise > 0 ? u + noise * (2 * random.nextDouble() - 1) : u;
        double nextDot = nextThetaDot(theta, thetaDot, pushed);
        theta = theta + nextDot * DT;
        thetaDot = nextDot;
        return clock.finish(observe(), reward, false);
    }

    private double[] observe() {
        return observation(theta, thetaDot);
    }

    /** What is seen of an angle and a speed: (cos θ, sin θ, θ̇). */
    public static double[] observation(double theta, double thetaDot) {
        return new double[] {StrictMath.cos(theta), StrictMath.sin(theta), thetaDot};
    }

    /** The speed after a step. */
    public static double nextThetaDot(double theta, double thetaDot, double u) {
        double acceleration = 3 * GRAVITY / (2 * LENGTH) * StrictMath.sin(theta) + 3.0 / (MASS * LENGTH * LENGTH) * u;
        return Math.min(Math.max(thetaDot + acceleration * DT, -MAX_SPEED), MAX_SPEED);
    }

    /** The angle after a step that ends with the given speed. */
    public static double nextTheta(double theta, double nextThetaDot) {
        return theta + nextThetaDot * DT;
    }

    static double cost(double theta, double thetaDot, double u) {
        double wrapped = wrap(theta);
        return wrapped * wrapped + 0.1 * thetaDot * thetaDot + 0.001 * (u * u);
    }

    /** The angle in [−π, π). */
    public static double wrap(double angle) {
        double turn = 2 * Math.PI;
        double shifted = (angle + Math.PI) % turn;
        // Java's remainder has the sign of the dividend, Gymnasium's that of the divisor.
        return (shifted < 0 ? shifted + turn : shifted) - Math.PI;
    }

    /** The cost −reward of an observation and an action, for a planner: it sees observations, not angles. */
    public static double cost(double[] observation, double[] action) {
        double theta = StrictMath.atan2(observation[1], observation[0]);
        return cost(theta, observation[2], action[0]);
    }
}
