package io.koopstream.experiments;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.dynamics.SuccessorWeights;
import io.koopstream.control.env.ActionGrid;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.plan.ControlProblem;
import io.koopstream.control.plan.ValueIteration;

/**
 * The reference: dynamic programming for {@link Pendulum} with the true model, on a regular grid of angles and speeds with bilinear
 * interpolation. Interpolation weights are non-negative and sum to one, so {@link ValueIteration} applies as it is.
 */
public final class PendulumDynamicProgramming implements SuccessorModel {

    /** Torques that stand for the noise, in the middle of as many parts of its range. */
    private static final int PUSHES = 9;

    private final int angles;
    private final int speeds;
    private final double noise;

    /**
     * A grid.
     *
     * @param angles grid points around the circle, at least 8
     * @param speeds grid points from −8 to 8 rad/s, at least 8
     * @param noise largest torque of the noise, {@link Pendulum#noise()}
     */
    public PendulumDynamicProgramming(int angles, int speeds, double noise) {
        if (angles < 8 || speeds < 8) {
            throw new InvalidConfigException(
                    "grid", angles + " x " + speeds, "needs at least 8 points along each coordinate; try 201 x 201");
        }
        this.angles = angles;
        this.speeds = speeds;
        this.noise = noise;
    }

    /** The problem the reference solves: the environment's cost, the given discount, equally spaced torques. */
    public static ControlProblem problem(double discount, int torques) {
        return ControlProblem.continuing(
                Pendulum::cost, discount, ActionGrid.of(new Pendulum().actionSpace(), torques));
    }

    @Override
    public int stateDimension() {
        return 3;
    }

    @Override
    public int actionDimension() {
        return 1;
    }

    @Override
    public int size() {
        return angles * speeds;
    }

    @Override
    public double[] point(int i) {
        return Pendulum.observation(angle(i / speeds), speed(i % speeds));
    }

    private double angle(int i) {
        return -Math.PI + 2 * Math.PI * i / angles;
    }

    private double speed(int j) {
        return -Pendulum.MAX_SPEED + 2 * Pendulum.MAX_SPEED * j / (speeds - 1);
    }

    @Override
    public Query query(ActionGrid actions) {
        return new GridQuery(actions);
    }

    private final class GridQuery implements Query {

        private final ActionGrid actions;
        private double[][] states = new double[0][];

        GridQuery(ActionGrid actions) {
            this.actions = actions;
        }

        @Override
        public void at(double[]... block) {
            states = block;
        }

        @Override
        public void successors(int state, int a, SuccessorWeights out) {
            double theta = StrictMath.atan2(states[state][1], states[state][0]);
            double thetaDot = states[state][2];
            out.clear();
            int pushes = noise > 0 ? PUSHES : 1;
            for (int push = 0; push < pushes; push++) {
                double torque = actions.shared(a)[0] + noise * ((2 * push + 1.0) / pushes - 1);
                double nextDot = Pendulum.nextThetaDot(theta, thetaDot, torque);
                interpolate(Pendulum.wrap(Pendulum.nextTheta(theta, nextDot)), nextDot, 1.0 / pushes, out);
            }
        }

        private void interpolate(double next, double nextDot, double share, SuccessorWeights out) {
            double p = (next + Math.PI) / (2 * Math.PI) * angles;
            double q = (nextDot + Pendulum.MAX_SPEED) / (2 * Pendulum.MAX_SPEED) * (speeds - 1);
            int i = Math.min((int) p, angles - 1);
            int j = Math.min((int) q, speeds - 2);
            double f = p - i;
            double g = q - j;
            int around = (i + 1) % angles;
            out.add(i * speeds + j, share * (1 - f) * (1 - g));
            out.add(around * speeds + j, share * f * (1 - g));
            out.add(i * speeds + j + 1, share * (1 - f) * g);
            out.add(around * speeds + j + 1, share * f * g);
        }
    }
}
