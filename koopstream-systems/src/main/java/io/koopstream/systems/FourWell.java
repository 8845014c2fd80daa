package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Overdamped Langevin dynamics in a potential with four wells, {@code fourwell-v1}.
 *
 * <ul>
 *   <li><b>Equation:</b> dX = −∇V(X) dt + √(2/β) dB, V(x) = (x₁² − 1)² + (x₂² − 1)²; all quantities dimensionless,
 *       time in the unit of the equation.
 *   <li><b>Parameters:</b> β = 4 (inverse temperature), τ = 0.1 (sampling interval). The wells are at (±1, ±1); a
 *       barrier between neighbours is 1, that is 4 in units of 1/β.
 *   <li><b>Start:</b> uniform on [−2, 2]².
 *   <li><b>Integrator:</b> Strang splitting with inner step 0.005, twenty to an interval: half a step of the drift
 *       alone, whose flow is known in closed form, x ↦ x / √(e^(−8t) + (1 − e^(−8t)) x²); a step of the noise alone;
 *       half a step of the drift. Weak order 2, and stable from any start. Its leading eigenvalues at lag τ are off by
 *       8e-7 (second and third), 1.6e-6 (fourth) and at most 1.3e-5 (the next thirteen), computed without sampling by
 *       {@code fourwell_integrator_bias.py}; Euler–Maruyama with the same step is off by 6e-4 at the fifth.
 *   <li><b>Exact facts:</b> stationary density ∝ exp(−βV). Koopman eigenvalues on L² of the stationary law: 1,
 *       0.997026 (twice), 0.994062, 0.718177 (twice), …; {@code fourwell_generator.py} computes them from the
 *       generator, converged to 1e-10. Four metastable sets, the quadrants.
 *   <li><b>Origin:</b> the illustrative example of Hou, Sanjari, Dahlin, Koppel, Bose, <i>Nonparametric sparse online
 *       learning of the Koopman operator</i>.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class FourWell implements BenchmarkSystem {

    private static final double BETA = 4;
    private static final double DT = 0.1;
    private static final DataSheet SHEET = new DataSheet(
            "fourwell-v1",
            DT,
            List.of("x1", "x2"),
            "Langevin dynamics in a two-dimensional potential with four wells; rare jumps between the quadrants");
    private static final int INNER_STEPS = 20;
    private static final double INNER_STEP = DT / INNER_STEPS;
    private static final double NOISE = Math.sqrt(2 * INNER_STEP / BETA);
    // StrictMath, because these constants enter every sample and ids promise equal bits on every platform.
    private static final double FULL_DECAY = StrictMath.exp(-8 * INNER_STEP);
    private static final double HALF_DECAY = StrictMath.exp(-4 * INNER_STEP);

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
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double x1 = driftFlow(state[0], HALF_DECAY);
        double x2 = driftFlow(state[1], HALF_DECAY);
        // The half drift that ends one inner step and the one that begins the next are one full drift.
        for (int i = 1; i < INNER_STEPS; i++) {
            x1 = driftFlow(x1 + NOISE * normal.sample(), FULL_DECAY);
            x2 = driftFlow(x2 + NOISE * normal.sample(), FULL_DECAY);
        }
        state[0] = driftFlow(x1 + NOISE * normal.sample(), HALF_DECAY);
        state[1] = driftFlow(x2 + NOISE * normal.sample(), HALF_DECAY);
    }

    /** Solution of x' = −4x(x² − 1) after the time t with {@code decay} = e^(−8t). */
    private static double driftFlow(double x, double decay) {
        return x / Math.sqrt(decay + (1 - decay) * (x * x));
    }

    /** V(x) = (x₁² − 1)² + (x₂² − 1)². */
    public double potential(double[] state) {
        Checks.state(this, state);
        double first = state[0] * state[0] - 1;
        double second = state[1] * state[1] - 1;
        return first * first + second * second;
    }

    /** The well whose quadrant holds the state: 0 at (−1, −1), 1 at (1, −1), 2 at (−1, 1), 3 at (1, 1). */
    public int wellOf(double[] state) {
        Checks.state(this, state);
        return (state[0] > 0 ? 1 : 0) + (state[1] > 0 ? 2 : 0);
    }

    /** {@inheritDoc} Here on L² of the stationary law, at most the 41 of the table, all real. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        return Optional.of(ReferenceTable.leading("fourwell_eigenvalues.csv", count, this));
    }
}
