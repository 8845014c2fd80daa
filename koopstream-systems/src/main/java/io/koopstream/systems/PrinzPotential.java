package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Langevin dynamics in a potential with four wells on the line, {@code prinz-v1}: the metastable test system of the molecular dynamics literature.
 *
 * <ul>
 *   <li><b>Equation:</b> x ← x − h V′(x) + √(2kT h) ξ, a hundred times an interval, ξ standard normal,
 *       V(x) = 4 (x⁸ + 0.8 e^(−80x²) + 0.2 e^(−80(x − 0.5)²) + 0.5 e^(−40(x + 0.5)²)); all quantities dimensionless, friction 1.
 *   <li><b>Parameters:</b> kT = 2, h = 1e-4, τ = 100 h = 0.01 (sampling interval).
 *   <li><b>Start:</b> uniform on [−1, 1].
 *   <li><b>Integrator:</b> none: the system is the Euler–Maruyama map itself, as in its origin, and not the differential equation, from whose eigenvalues it is
 *       off by up to 1.1e-3 among the first five.
 *   <li><b>Exact facts:</b> Koopman eigenvalues on L² of the stationary law: 1, 0.958567, 0.806943, 0.699346, 0.311386, …;
 *       {@code euler_transfer.py} computes them from the transition density of a step, converged to 1e-10. Four metastable sets.
 *   <li><b>Origin:</b> potential from Prinz, Wu, Sarich, Keller, Senne, Held, Chodera, Schütte, Noé, <i>Markov models of molecular kinetics: generation
 *       and validation</i>, J. Chem. Phys. 134, 2011. Parameters are those of the example of the kooplearn library ({@code make_prinz_potential} with γ = 1, σ = 2,
 *       every hundredth state, 5,000 of them); the deeptime library ({@code prinz_potential}) has the same scheme with kT = 1, h = 1e-5, τ = 500 h = 0.005.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class PrinzPotential implements BenchmarkSystem {

    private static final int INNER_STEPS = 100;
    private static final double INNER_STEP = 1e-4;
    private static final double TEMPERATURE = 2;
    private static final double NOISE = Math.sqrt(2 * TEMPERATURE * INNER_STEP);
    /** From 2.9 on one step of x⁷ leads farther out on the other side. */
    private static final double MAX_COORDINATE = 2;

    private static final DataSheet SHEET = new DataSheet(
            "prinz-v1", 0.01, List.of("x"), "Langevin dynamics on the line in a potential with four unequal wells");

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        return new double[] {rng.nextDouble(-1, 1)};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.stateWithin(this, state, MAX_COORDINATE, "farther out the scheme of " + id() + " diverges");
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double x = state[0];
        for (int i = 0; i < INNER_STEPS; i++) {
            x += NOISE * normal.sample() - INNER_STEP * slope(x);
        }
        state[0] = x;
    }

    /** V′(x). */
    private static double slope(double x) {
        double square = x * x;
        double right = x - 0.5;
        double left = x + 0.5;
        return 32 * square * square * square * x
                - 512 * x * StrictMath.exp(-80 * square)
                - 128 * right * StrictMath.exp(-80 * right * right)
                - 160 * left * StrictMath.exp(-40 * left * left);
    }

    /** {@inheritDoc} Here on L² of the stationary law, at most the 10 of the table, all real. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        return Optional.of(ReferenceTable.leading("prinz_eigenvalues.csv", count, this));
    }
}
