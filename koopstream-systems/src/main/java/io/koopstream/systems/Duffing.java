package io.koopstream.systems;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Unforced damped Duffing oscillator with two attractors, {@code duffing-v1}; deterministic.
 *
 * <ul>
 *   <li><b>Equation:</b> z″ = −δz′ − z(β + αz²); the state is (z, z′), called (z, v).
 *   <li><b>Parameters:</b> δ = 0.5 (damping, 1/s), β = −1 (linear stiffness, 1/s²), α = 1 (cubic stiffness, 1/s² per
 *       squared unit of z), τ = 0.25 s (sampling interval).
 *   <li><b>Start:</b> uniform on [−2, 2]².
 *   <li><b>Integrator:</b> classical fourth-order Runge–Kutta, inner step 0.0025 s. From starts in the square the
 *       error is below 1e-10 after one interval and below 1e-8 after ten seconds (paths that linger at the saddle
 *       amplify it); {@link #step} does not touch the generator.
 *   <li><b>Exact facts:</b> stable equilibria (±1, 0), saddle (0, 0), whose stable manifold is the border of the two
 *       basins. The energy E = v²/2 − z²/2 + z⁴/4 falls along every path, dE/dt = −δv². Observables analytic near the
 *       attractors have as Koopman eigenvalues the products of e^(τμ), e^(τμ̄) with μ = −1/4 + i√31/4 per second, once
 *       for each basin; 1 is double, its eigenfunctions are the basins' indicators (Mauroy, Mezić, <i>Global stability
 *       analysis using the eigenfunctions of the Koopman operator</i>, IEEE TAC 61, 2016). {@link #exactEigenvalues}
 *       stays empty, because for observables continuous on the whole plane, which a kernel gives, the answer is
 *       another one.
 *   <li><b>Origin:</b> the second experiment of Hou, Sanjari, Dahlin, Koppel, Bose, <i>Nonparametric sparse online
 *       learning of the Koopman operator</i>.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class Duffing implements BenchmarkSystem {

    private static final double DAMPING = 0.5;
    private static final double LINEAR_STIFFNESS = -1;
    private static final double CUBIC_STIFFNESS = 1;
    private static final double DT = 0.25;
    private static final DataSheet SHEET = new DataSheet(
            "duffing-v1",
            DT,
            List.of("z", "v"),
            "Damped Duffing oscillator, deterministic, with two attractors and their interleaved basins");
    private static final int INNER_STEPS = 100;

    /** Beyond this the inner step no longer resolves the oscillation well enough to trust a basin. */
    private static final double MAX_COORDINATE_FOR_BASIN = 10;
    /** Leaving the saddle from a rounding error away takes about 50 s; a state still undecided sits on the border. */
    private static final int MAX_INTERVALS_TO_SETTLE = 800;
    /** Below zero energy a path is trapped in its well; the margin covers the integrator's error. */
    private static final double TRAPPED_ENERGY = -1e-3;

    private final int innerSteps;

    /** The system called {@code duffing-v1}. */
    public Duffing() {
        this(INNER_STEPS);
    }

    /** With another inner step, to measure the integrator's error. */
    Duffing(int innerSteps) {
        this.innerSteps = innerSteps;
    }

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        return new double[] {rng.nextDouble(-2, 2), rng.nextDouble(-2, 2)};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        advance(state);
    }

    private void advance(double[] state) {
        double h = DT / innerSteps;
        double z = state[0];
        double v = state[1];
        for (int i = 0; i < innerSteps; i++) {
            double v1 = v;
            double a1 = acceleration(z, v1);
            double v2 = v + h / 2 * a1;
            double a2 = acceleration(z + h / 2 * v1, v2);
            double v3 = v + h / 2 * a2;
            double a3 = acceleration(z + h / 2 * v2, v3);
            double v4 = v + h * a3;
            double a4 = acceleration(z + h * v3, v4);
            z += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        state[0] = z;
        state[1] = v;
    }

    private static double acceleration(double z, double v) {
        return -DAMPING * v - z * (LINEAR_STIFFNESS + CUBIC_STIFFNESS * z * z);
    }

    /** E = v²/2 + βz²/2 + αz⁴/4, which never grows along a path. */
    public double energy(double[] state) {
        Checks.state(this, state);
        double square = state[0] * state[0];
        return state[1] * state[1] / 2 + square * (LINEAR_STIFFNESS / 2 + CUBIC_STIFFNESS / 4 * square);
    }

    /**
     * The attractor a path from {@code state} settles at: 1 for (1, 0), −1 for (−1, 0), and 0 if it did not decide within
     * 200 s, which means the state lies on the border of the basins to rounding. The path is followed until its energy is
     * below that of the saddle: from there it cannot cross z = 0 again.
     *
     * @throws IllegalArgumentException if a coordinate is not finite or exceeds 10 in modulus
     */
    public int basinOf(double[] state) {
        Checks.state(this, state);
        for (int i = 0; i < state.length; i++) {
            if (Math.abs(state[i]) > MAX_COORDINATE_FOR_BASIN) {
                throw new IllegalArgumentException("state[" + i + "] = " + state[i] + ": must be within ±"
                        + MAX_COORDINATE_FOR_BASIN + " (farther out the inner step is too coarse for a basin)");
            }
        }
        double[] moving = state.clone();
        for (int t = 0; t < MAX_INTERVALS_TO_SETTLE; t++) {
            if (energy(moving) < TRAPPED_ENERGY) {
                return moving[0] > 0 ? 1 : -1;
            }
            advance(moving);
        }
        return 0;
    }
}
