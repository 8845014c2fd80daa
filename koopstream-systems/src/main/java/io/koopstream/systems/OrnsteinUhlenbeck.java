package io.koopstream.systems;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Ornstein–Uhlenbeck process with independent coordinates, {@code ou-v1}.
 *
 * <ul>
 *   <li><b>Equation:</b> dXᵢ = −θᵢ Xᵢ dt + σᵢ dBᵢ.
 *   <li><b>Parameters:</b> θᵢ (relaxation rate, 1/s), σᵢ (noise, state unit per √s), τ (sampling interval, s), all
 *       positive. {@code ou-v1} itself is θ = (0.5, 0.8), σ = (1, 1), τ = 0.2; other parameters are spelled out in the
 *       id. These θ give distinct leading eigenvalues.
 *   <li><b>Start:</b> the stationary law, independent normals of mean 0 and variance σᵢ²/(2θᵢ).
 *   <li><b>Integrator:</b> none; the transition is sampled exactly, Xᵢ ← e^(−θᵢτ) Xᵢ + √(σᵢ²(1 − e^(−2θᵢτ))/(2θᵢ)) ξᵢ.
 *   <li><b>Exact facts:</b> on L² of the stationary law the Koopman eigenvalues are e^(−τ Σ kᵢθᵢ) for all integers kᵢ
 *       ≥ 0, with products of Hermite polynomials as eigenfunctions (Risken, <i>The Fokker–Planck Equation</i>, 2nd
 *       ed., section 5.5.1). Given here to rounding.
 *   <li><b>Versions:</b> v1, first.
 * </ul>
 */
public final class OrnsteinUhlenbeck implements BenchmarkSystem {

    private static final String ID = "ou-v1";

    private final DataSheet sheet;
    private final double[] theta;
    private final double dt;
    private final double[] decay;
    private final double[] transitionDeviation;
    private final double[] stationaryDeviation;

    /** The process called {@code ou-v1}. */
    public OrnsteinUhlenbeck() {
        this(ID, new double[] {0.5, 0.8}, new double[] {1, 1}, 0.2);
    }

    /** A process with its own parameters; one entry of {@code theta} and {@code sigma} per coordinate. */
    public OrnsteinUhlenbeck(double[] theta, double[] sigma, double dt) {
        this(
                ID + "(theta=" + Arrays.toString(theta) + ", sigma=" + Arrays.toString(sigma) + ", dt=" + dt + ")",
                theta.clone(),
                sigma,
                dt);
    }

    private OrnsteinUhlenbeck(String id, double[] theta, double[] sigma, double dt) {
        int dimension = Checks.atLeast("theta.length", theta.length, 1, "one relaxation rate per coordinate");
        if (sigma.length != dimension) {
            throw new IllegalArgumentException(
                    "sigma.length = " + sigma.length + ": must be " + dimension + " (as many as theta)");
        }
        this.sheet = new DataSheet(
                id,
                dt,
                IntStream.rangeClosed(1, theta.length).mapToObj(i -> "x" + i).toList(),
                "Ornstein-Uhlenbeck process with independent coordinates, sampled exactly; real spectrum in closed form");
        this.theta = theta;
        this.dt = Checks.positive("dt", dt, "sampling interval in seconds");
        this.decay = new double[dimension];
        this.transitionDeviation = new double[dimension];
        this.stationaryDeviation = new double[dimension];
        for (int i = 0; i < dimension; i++) {
            Checks.positive("theta[" + i + "]", theta[i], "relaxation rate per second");
            Checks.positive("sigma[" + i + "]", sigma[i], "noise per square root of a second");
            decay[i] = StrictMath.exp(-theta[i] * dt);
            stationaryDeviation[i] = sigma[i] / Math.sqrt(2 * theta[i]);
            transitionDeviation[i] = stationaryDeviation[i] * Math.sqrt(-StrictMath.expm1(-2 * theta[i] * dt));
        }
    }

    @Override
    public DataSheet sheet() {
        return sheet;
    }

    /** Variance σ²/(2θ) of a coordinate under the stationary law. */
    public double stationaryVariance(int coordinate) {
        return stationaryDeviation[coordinate] * stationaryDeviation[coordinate];
    }

    @Override
    public double[] initialState(UniformRandomProvider rng) {
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double[] state = new double[theta.length];
        for (int i = 0; i < state.length; i++) {
            state[i] = stationaryDeviation[i] * normal.sample();
        }
        return state;
    }

    @Override
    public void step(double[] state, UniformRandomProvider rng) {
        Checks.state(this, state);
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        for (int i = 0; i < state.length; i++) {
            state[i] = decay[i] * state[i] + transitionDeviation[i] * normal.sample();
        }
    }

    /** A sum of rates Σ kᵢθᵢ whose highest coordinate taking part is {@code last}. */
    private record RateSum(double rate, int last) {}

    /** {@inheritDoc} Here on L² of the stationary law, any number of them, all real. */
    @Override
    public Optional<double[][]> exactEigenvalues(int count) {
        Checks.eigenvalueCount(count);
        // Slowest first. A sum is extended only by coordinates from its last one on, so each multi-index comes once.
        PriorityQueue<RateSum> slowest = new PriorityQueue<>(Comparator.comparingDouble(RateSum::rate));
        slowest.add(new RateSum(0, 0));
        double[][] eigenvalues = new double[count][2];
        for (double[] eigenvalue : eigenvalues) {
            RateSum sum = slowest.remove();
            eigenvalue[0] = StrictMath.exp(-sum.rate() * dt);
            for (int i = sum.last(); i < theta.length; i++) {
                slowest.add(new RateSum(sum.rate() + theta[i], i));
            }
        }
        return Optional.of(eigenvalues);
    }
}
