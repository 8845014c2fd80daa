package io.koopstream.systems;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Chaotic logistic map on the circle [0, 1) with trigonometric noise, {@code logistic-v1}: a strongly nonlinear,
 * irreversible system whose Koopman operator has finite rank.
 *
 * <ul>
 *   <li><b>Equation:</b> x ← (4x(1 − x) + ξ) mod 1, ξ with density ∝ cos(πξ)^N on [−1/2, 1/2].
 *   <li><b>Parameters:</b> N = 20 (the larger, the less noise; the standard deviation of ξ is about 1/(π√N) = 0.07).
 *       State and noise are dimensionless; time is counted in steps, τ = 1.
 *   <li><b>Start:</b> uniform on [0, 1).
 *   <li><b>Integrator:</b> none; the system is a map. The noise is drawn exactly, by rejection from a normal law.
 *   <li><b>Exact facts:</b> the transition density is a trigonometric polynomial in the difference of new state and
 *       image, so the operator has rank N + 1; by the symmetry of the map under x ↦ 1 − x at most N/2 + 1 = 11
 *       eigenvalues are not zero, on any space that holds the bounded continuous observables: 1, −0.19334 ± 0.19094i,
 *       −0.02665, 0.02212, … {@code logistic_transfer.py} computes them to 1e-12.
 *   <li><b>Origin:</b> trigonometric noise is from Ostruszka, Pakoński, Słomczyński, Życzkowski, <i>Dynamical entropy
 *       for systems with stochastic perturbation</i>, Phys. Rev. E 62, 2000; the kooplearn library uses this very map
 *       as a data set (its M = 10).
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class NoisyLogistic implements BenchmarkSystem {

    private static final DataSheet SHEET = new DataSheet(
            "logistic-v1",
            1,
            List.of("x"),
            "Logistic map on the circle with trigonometric noise; Koopman operator of finite rank, spectrum computed");
    private static final int NOISE_ORDER = 20;
    /** Standard deviation, in the angle u = πξ, of the normal law whose bell lies above cos(u)^N. */
    private static final double PROPOSAL_DEVIATION = 1 / Math.sqrt(NOISE_ORDER);

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        return new double[] {rng.nextDouble()};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        double x = state[0];
        if (x < 0 || x > 1) {
            throw new IllegalArgumentException(
                    "state[0] = " + x + ": must be in [0, 1] (coordinate x of " + id() + ")");
        }
        double moved = 4 * x * (1 - x) + noise(rng);
        double wrapped = moved - Math.floor(moved);
        // A tiny negative number wraps to 1 − tiny, which rounds to 1: the same point of the circle as 0.
        state[0] = wrapped < 1 ? wrapped : 0;
    }

    /**
     * Rejection from a normal law: cos(u) ≤ exp(−u²/2) on [−π/2, π/2], so cos(u)^N lies below the bell of variance 1/N,
     * and 98.8 % of the proposals are accepted.
     */
    private static double noise(UniformRandomProvider rng) {
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        while (true) {
            double angle = PROPOSAL_DEVIATION * normal.sample();
            double cosine = Math.abs(angle) < Math.PI / 2 ? StrictMath.cos(angle) : 0;
            double acceptance = StrictMath.pow(cosine * StrictMath.exp(angle * angle / 2), NOISE_ORDER);
            if (rng.nextDouble() < acceptance) {
                return angle / Math.PI;
            }
        }
    }

    /** {@inheritDoc} Here any number of them: from the twelfth on they are zero. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        Checks.eigenvalueCount(count);
        double[][] nonZero = ReferenceTable.read("logistic_eigenvalues.csv");
        double[][] eigenvalues = Arrays.copyOf(nonZero, count);
        for (int i = nonZero.length; i < count; i++) {
            eigenvalues[i] = new double[2];
        }
        return Optional.of(eigenvalues);
    }
}
