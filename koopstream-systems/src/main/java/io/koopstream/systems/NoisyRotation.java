package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Damped rotation of the plane with noise, {@code rotation-v1}: the simplest system with complex eigenvalues.
 *
 * <ul>
 *   <li><b>Equation:</b> x ← ρ R(ω) x + σ ξ, R(ω) the rotation by ω counter-clockwise, ξ standard normal in the plane.
 *   <li><b>Parameters:</b> ρ in (0, 1) (damping per step), ω (angle per step, rad), σ positive (noise per step, state
 *       unit). {@code rotation-v1} itself is ρ = 0.95, ω = 0.5, σ = 0.2; other parameters are spelled out in the id.
 *       Time is counted in steps, τ = 1.
 *   <li><b>Start:</b> the stationary law, normal of mean 0 and covariance σ²/(1 − ρ²) times the identity.
 *   <li><b>Integrator:</b> none; the system is a map.
 *   <li><b>Exact facts:</b> on L² of the stationary law the Koopman eigenvalues are the products (ρe^(iω))^j
 *       (ρe^(−iω))^k, j, k ≥ 0, whatever the noise: polynomials up to any degree are mapped into themselves (for the
 *       process in continuous time see Metafune, Pallara, Priola, <i>Spectrum of Ornstein–Uhlenbeck operators in Lᵖ
 *       spaces with respect to invariant measures</i>, J. Funct. Anal. 196, 2002). Given here to rounding. One step
 *       correlates as E[x⁺xᵀ] = ρ R(ω) σ²/(1 − ρ²).
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class NoisyRotation implements BenchmarkSystem {

    private static final String ID = "rotation-v1";

    private final DataSheet sheet;
    private final double rho;
    private final double omega;
    private final double sigma;
    private final double rhoCos;
    private final double rhoSin;
    private final double stationaryDeviation;

    /** The system called {@code rotation-v1}. */
    public NoisyRotation() {
        this(ID, 0.95, 0.5, 0.2);
    }

    /** A rotation with its own parameters. */
    public NoisyRotation(double rho, double omega, double sigma) {
        this(ID + "(rho=" + rho + ", omega=" + omega + ", sigma=" + sigma + ")", rho, omega, sigma);
    }

    private NoisyRotation(String id, double rho, double omega, double sigma) {
        Checks.positive("rho", rho, "damping factor per step");
        if (rho >= 1) {
            throw new IllegalArgumentException("rho = " + rho + ": must be < 1 (else there is no stationary law)");
        }
        this.sheet = new DataSheet(
                id, 1, List.of("x1", "x2"), "Damped rotation of the plane with noise; complex spectrum in closed form");
        this.rho = rho;
        this.omega = Checks.finite("omega", omega, "angle per step in radians");
        this.sigma = Checks.positive("sigma", sigma, "noise per step");
        this.rhoCos = rho * StrictMath.cos(omega);
        this.rhoSin = rho * StrictMath.sin(omega);
        this.stationaryDeviation = sigma / Math.sqrt((1 - rho) * (1 + rho));
    }

    @Override
    public DataSheet sheet() {
        return sheet;
    }

    /** Variance σ²/(1 − ρ²) of either coordinate under the stationary law. */
    public double stationaryVariance() {
        return stationaryDeviation * stationaryDeviation;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        return new double[] {stationaryDeviation * normal.sample(), stationaryDeviation * normal.sample()};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double x1 = state[0];
        double x2 = state[1];
        state[0] = rhoCos * x1 - rhoSin * x2 + sigma * normal.sample();
        state[1] = rhoSin * x1 + rhoCos * x2 + sigma * normal.sample();
    }

    /**
     * {@inheritDoc} Here on L² of the stationary law, any number of them; of those with equal modulus the ones with the
     * smaller multiple of ω come first.
     */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        Checks.eigenvalueCount(count);
        return Optional.of(ConjugateProducts.leading(rho, omega, count));
    }
}
