package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A parabola that attracts fast and along which the state creeps to the origin, {@code slowmanifold-v1}; deterministic, and
 * nonlinear with a spectrum in closed form.
 *
 * <ul>
 *   <li><b>Equation:</b> x₁′ = μx₁, x₂′ = λ(x₂ − x₁²); all quantities dimensionless, time in the unit of the equation.
 *   <li><b>Parameters:</b> μ = −0.05, λ = −1, τ = 0.5 (sampling interval).
 *   <li><b>Start:</b> uniform on [−0.9, 0.9]².
 *   <li><b>Integrator:</b> none needed: with b = λ/(λ − 2μ), x₁ decays by e^(μt) and x₂ − bx₁² by e^(λt); {@link #step} does not touch the generator.
 *   <li><b>Exact facts:</b> for observables analytic at the origin the Koopman eigenvalues are e^(τ(jμ + kλ)), j, k ≥ 0, with eigenfunctions
 *       x₁ʲ (x₂ − bx₁²)ᵏ: 1, 0.9753, 0.9512, 0.9277, 0.9048, … Given here to rounding.
 *   <li><b>Origin:</b> Tu, Rowley, Luchtenburg, Brunton, Kutz, <i>On dynamic mode decomposition: theory and applications</i>, J. Comput. Dyn. 1, 2014,
 *       and Brunton, Brunton, Proctor, Kutz, <i>Koopman invariant subspaces and finite linear representations of nonlinear dynamical systems for
 *       control</i>, PLoS ONE 11, 2016; with these parameters in the pykoopman library ({@code slow_manifold}).
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class SlowManifold implements BenchmarkSystem {

    private static final double SLOW = -0.05;
    private static final double FAST = -1;
    private static final double DT = 0.5;
    /** λ/μ: as many slow decays make a fast one. */
    private static final int SLOW_IN_FAST = 20;

    private static final double SHAPE = FAST / (FAST - 2 * SLOW);
    private static final double SLOW_DECAY = StrictMath.exp(DT * SLOW);
    private static final double FAST_DECAY = StrictMath.exp(DT * FAST);

    private static final DataSheet SHEET = new DataSheet(
            "slowmanifold-v1",
            DT,
            List.of("x1", "x2"),
            "Slow creep along an attracting parabola, deterministic; spectrum in closed form");

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        return new double[] {rng.nextDouble(-0.9, 0.9), rng.nextDouble(-0.9, 0.9)};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        double x1 = state[0] * SLOW_DECAY;
        double distance = (state[1] - SHAPE * state[0] * state[0]) * FAST_DECAY;
        state[0] = x1;
        state[1] = distance + SHAPE * x1 * x1;
    }

    /** {@inheritDoc} Here on the observables analytic at the origin, any number of them, all real. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        Checks.eigenvalueCount(count);
        double[][] values = new double[count][];
        int filled = 0;
        for (int level = 0; filled < count; level++) {
            double value = StrictMath.exp(DT * SLOW * level);
            // j + 20 k = level, once for each k.
            for (int k = 0; k <= level / SLOW_IN_FAST && filled < count; k++) {
                values[filled++] = new double[] {value, 0};
            }
        }
        return Optional.of(values);
    }
}
