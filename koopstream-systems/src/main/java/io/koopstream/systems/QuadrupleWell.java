package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The four wells of {@link FourWell} as the deeptime library simulates them, {@code quadwell-v1}: seen so seldom that only the jumps between
 * wells are left to learn.
 *
 * <ul>
 *   <li><b>Equation:</b> x ← x − h ∇V(x) + √(2h/β) ξ, a thousand times an interval, ξ standard normal in the plane,
 *       V(x) = (x₁² − 1)² + (x₂² − 1)²; all quantities dimensionless.
 *   <li><b>Parameters:</b> β = 4 (inverse temperature), h = 1e-3, τ = 1000 h = 1 (sampling interval).
 *   <li><b>Start:</b> uniform on [−2, 2]².
 *   <li><b>Integrator:</b> none: the system is the Euler–Maruyama map itself, as in its origin, and not the differential equation, from whose
 *       eigenvalues it is off by up to 6.2e-5.
 *   <li><b>Exact facts:</b> Koopman eigenvalues on L² of the stationary law: 1, 0.970629 (twice), 0.942121, 0.036564 (twice), …;
 *       {@code euler_transfer.py} computes them from the transition density of a step, converged to 1e-10. Four metastable sets, the quadrants.
 *   <li><b>Origin:</b> {@code quadruple_well} of the deeptime library with {@code n_steps = 1000}, as in the example of its documentation; its
 *       default, 10000, makes τ = 10.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class QuadrupleWell implements BenchmarkSystem {

    private static final int INNER_STEPS = 1000;
    private static final double INNER_STEP = 1e-3;
    private static final double BETA = 4;
    private static final double NOISE = Math.sqrt(2 * INNER_STEP / BETA);
    /** From 22 on one step of x³ leads farther out on the other side. */
    private static final double MAX_COORDINATE = 10;

    private static final DataSheet SHEET = new DataSheet(
            "quadwell-v1",
            1,
            List.of("x1", "x2"),
            "Four wells in the plane by Euler-Maruyama, seen so seldom that only the jumps between wells are left");

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
        Checks.stateWithin(this, state, MAX_COORDINATE, "farther out the scheme of " + id() + " diverges");
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double x1 = state[0];
        double x2 = state[1];
        for (int i = 0; i < INNER_STEPS; i++) {
            x1 += NOISE * normal.sample() - INNER_STEP * slope(x1);
            x2 += NOISE * normal.sample() - INNER_STEP * slope(x2);
        }
        state[0] = x1;
        state[1] = x2;
    }

    /** The derivative of (x² − 1)². */
    private static double slope(double x) {
        return 4 * x * (x * x - 1);
    }

    /** {@inheritDoc} Here on L² of the stationary law, at most the 9 of the table, all real. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        return Optional.of(ReferenceTable.leading("quadwell_eigenvalues.csv", count, this));
    }
}
