package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Van der Pol oscillator with noise, {@code vanderpol-v1}: a limit cycle whose phase diffuses.
 *
 * <ul>
 *   <li><b>Equation:</b> dx = v dt, dv = (μ(1 − x²)v − x) dt + s dB.
 *   <li><b>Parameters:</b> μ = 1, s = 0.5, τ = 0.25 (sampling interval); all dimensionless. The period of the cycle without noise is 6.663.
 *   <li><b>Start:</b> uniform on [−2.5, 2.5]².
 *   <li><b>Integrator:</b> Strang splitting with inner step 0.0125, twenty to an interval: half the noise, the drift by one step of the classical
 *       Runge–Kutta scheme, half the noise. Weak order 2; from ten to twenty inner steps the seven leading eigenvalues of the simulated chain
 *       move by less than 2e-6 ({@code vanderpol_generator.py}).
 *   <li><b>Exact facts:</b> Koopman eigenvalues on L² of the stationary law: 1, 0.96847 ± 0.22848i (the phase, whose modulus says how fast it is
 *       forgotten), 0.87696 ± 0.43923i, 0.73381 ± 0.61619i (multiples of the frequency), …; {@code vanderpol_generator.py} computes these seven from
 *       the generator in two ways that agree to 2e-6. Noise on x as well would not do: far out the drift is only −1/x there, and the spectrum of
 *       the generator would reach 0.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class VanDerPol implements BenchmarkSystem {

    private static final double NOISE = 0.5;
    private static final double DT = 0.25;
    private static final DataSheet SHEET = new DataSheet(
            "vanderpol-v1",
            DT,
            List.of("x", "v"),
            "Van der Pol oscillator with noise: a limit cycle whose phase diffuses; spectrum computed");
    private static final int INNER_STEPS = 20;
    private static final double H = DT / INNER_STEPS;
    private static final double FULL_NOISE = NOISE * Math.sqrt(H);
    private static final double HALF_NOISE = NOISE * Math.sqrt(H / 2);

    @Override
    public DataSheet sheet() {
        return SHEET;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        return new double[] {rng.nextDouble(-2.5, 2.5), rng.nextDouble(-2.5, 2.5)};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double x = state[0];
        // The half noise that ends one inner step and the one that begins the next are one full noise.
        double v = state[1] + HALF_NOISE * normal.sample();
        for (int i = 1; i <= INNER_STEPS; i++) {
            double x1 = v;
            double v1 = acceleration(x, v);
            double x2 = v + H / 2 * v1;
            double v2 = acceleration(x + H / 2 * x1, x2);
            double x3 = v + H / 2 * v2;
            double v3 = acceleration(x + H / 2 * x2, x3);
            double x4 = v + H * v3;
            double v4 = acceleration(x + H * x3, x4);
            x += H / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
            v += H / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
            v += (i < INNER_STEPS ? FULL_NOISE : HALF_NOISE) * normal.sample();
        }
        state[0] = x;
        state[1] = v;
    }

    private static double acceleration(double x, double v) {
        return (1 - x * x) * v - x;
    }

    /** {@inheritDoc} Here on L² of the stationary law, at most the 7 of the table. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        return Optional.of(ReferenceTable.leading("vanderpol_eigenvalues.csv", count, this));
    }
}
