package io.koopstream.systems;

import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Damped linear oscillator pushed by noise, {@code oscillator-v1}: noise on one coordinate only, a drift that is not normal, coordinates of
 * different scale, and still a spectrum in closed form.
 *
 * <ul>
 *   <li><b>Equation:</b> dx = v dt, dv = −(ω₀²x + γv) dt + σ dB.
 *   <li><b>Parameters:</b> ω₀ = 2 (rad/s), γ = 0.4 (1/s), σ = 1 (m/s per √s), τ = 0.25 s (sampling interval). Other parameters, underdamped
 *       (γ &lt; 2ω₀), are spelled out in the id.
 *   <li><b>Start:</b> the stationary law, independent normals of variance σ²/(2γω₀²) for x and σ²/(2γ) for v.
 *   <li><b>Integrator:</b> none needed: the law of the next state is normal with mean e^(Aτ)(x, v) and covariance Σ − e^(Aτ) Σ e^(Aτ)ᵀ, drawn exactly.
 *   <li><b>Exact facts:</b> on L² of the stationary law the Koopman eigenvalues are the products e^(τ(jμ + kμ̄)), j, k ≥ 0, with
 *       μ = −γ/2 + i√(ω₀² − γ²/4), whatever the noise (Metafune, Pallara, Priola, <i>Spectrum of Ornstein–Uhlenbeck operators in Lᵖ spaces with respect
 *       to invariant measures</i>, J. Funct. Anal. 196, 2002). Given here to rounding.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class LinearOscillator implements BenchmarkSystem {

    private static final String ID = "oscillator-v1";
    private static final double DT = 0.25;

    private final DataSheet sheet;
    private final double decay;
    private final double angle;
    /** e^(Aτ), row by row. */
    private final double xx;

    private final double xv;
    private final double vx;
    private final double vv;
    private final double deviationX;
    private final double deviationV;
    /** Lower Cholesky factor of the covariance of a step. */
    private final double noiseX;

    private final double noiseVX;
    private final double noiseV;

    /** The system called {@code oscillator-v1}. */
    public LinearOscillator() {
        this(ID, 2, 0.4, 1);
    }

    /** An oscillator with its own frequency, damping and noise. */
    public LinearOscillator(double omega, double gamma, double sigma) {
        this(ID + "(omega=" + omega + ", gamma=" + gamma + ", sigma=" + sigma + ")", omega, gamma, sigma);
    }

    private LinearOscillator(String id, double omega, double gamma, double sigma) {
        Checks.positive("omega", omega, "frequency of the undamped oscillator in rad/s");
        Checks.positive("gamma", gamma, "damping per second");
        Checks.positive("sigma", sigma, "noise of the speed per square root of a second");
        if (gamma >= 2 * omega) {
            throw new IllegalArgumentException(
                    "gamma = " + gamma + ": must be < 2 omega = " + 2 * omega + " (else it does not oscillate)");
        }
        this.sheet = new DataSheet(
                id, DT, List.of("x", "v"), "Damped linear oscillator pushed by noise; complex spectrum in closed form");
        double half = gamma / 2;
        double damped = Math.sqrt(omega * omega - half * half);
        this.decay = half * DT;
        this.angle = damped * DT;
        double factor = StrictMath.exp(-decay);
        double cosine = factor * StrictMath.cos(angle);
        double sine = factor * StrictMath.sin(angle) / damped;
        // A has the eigenvalues −γ/2 ± iω: e^(Aτ) = e^(−γτ/2) (cos ωτ I + sin ωτ (A + γ/2 I)/ω).
        this.xx = cosine + half * sine;
        this.xv = sine;
        this.vx = -omega * omega * sine;
        this.vv = cosine - half * sine;
        double varianceV = sigma * sigma / (2 * gamma);
        double varianceX = varianceV / (omega * omega);
        this.deviationX = Math.sqrt(varianceX);
        this.deviationV = Math.sqrt(varianceV);
        this.noiseX = Math.sqrt(varianceX * (1 - xx * xx) - varianceV * xv * xv);
        this.noiseVX = -(varianceX * xx * vx + varianceV * xv * vv) / noiseX;
        this.noiseV = Math.sqrt(varianceV * (1 - vv * vv) - varianceX * vx * vx - noiseVX * noiseVX);
    }

    @Override
    public DataSheet sheet() {
        return sheet;
    }

    /** Variance of coordinate i (0 for x, 1 for v) under the stationary law. */
    public double stationaryVariance(int i) {
        return i == 0 ? deviationX * deviationX : deviationV * deviationV;
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        return new double[] {deviationX * normal.sample(), deviationV * normal.sample()};
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double first = normal.sample();
        double second = normal.sample();
        double x = state[0];
        double v = state[1];
        state[0] = xx * x + xv * v + noiseX * first;
        state[1] = vx * x + vv * v + noiseVX * first + noiseV * second;
    }

    /** {@inheritDoc} Here on L² of the stationary law, any number of them. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        Checks.eigenvalueCount(count);
        return Optional.of(ConjugateProducts.leading(StrictMath.exp(-decay), angle, count));
    }
}
