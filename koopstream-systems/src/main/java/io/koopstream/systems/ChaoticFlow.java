package io.koopstream.systems;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * Deterministic chaos to forecast, without noise, sampled 30 times per dominant period. Nothing is known about spectra, so these are no
 * {@link BenchmarkSystem benchmark systems}; what is known is how fast an error grows.
 *
 * <p>Parameters, periods and largest Lyapunov exponents are those of the dysts collection (Gilpin, <i>Chaos as an interpretable benchmark for forecasting
 * and data-driven modelling</i>, NeurIPS 2021). Integrated by the classical Runge–Kutta method with {@value #INNER_STEPS} steps per sample.
 */
public enum ChaoticFlow {
    /** Lorenz 1963: σ = 10, ρ = 28, β = 2.667. */
    LORENZ(3, 1.5008, 0.8917) {
        @Override
        void slope(double[] x, double[] out) {
            out[0] = 10 * (x[1] - x[0]);
            out[1] = x[0] * (28 - x[2]) - x[1];
            out[2] = x[0] * x[1] - 2.667 * x[2];
        }
    },
    /** Rössler 1976: a = b = 0.2, c = 5.7. The exponent of the collection is an overestimate of 0.0714, so its Lyapunov times are short. */
    ROESSLER(3, 5.9086, 0.1506) {
        @Override
        void slope(double[] x, double[] out) {
            out[0] = -x[1] - x[2];
            out[1] = x[0] + 0.2 * x[1];
            out[2] = 0.2 + x[2] * (x[0] - 5.7);
        }
    },
    /** Halvorsen: a = 1.4, b = 4 (Sprott, Elegant Chaos, 2010). */
    HALVORSEN(3, 1.4889, 0.6964) {
        @Override
        void slope(double[] x, double[] out) {
            for (int i = 0; i < 3; i++) {
                double next = x[(i + 1) % 3];
                out[i] = -1.4 * x[i] - 4 * next - 4 * x[(i + 2) % 3] - next * next;
            }
        }
    },
    /** Lorenz 1996 with four coordinates and forcing 20. */
    LORENZ_96(4, 2.1969, 1.3362) {
        @Override
        void slope(double[] x, double[] out) {
            for (int i = 0; i < 4; i++) {
                out[i] = (x[(i + 1) % 4] - x[(i + 2) % 4]) * x[(i + 3) % 4] - x[i] + 20;
            }
        }
    },
    /** Hindmarsh–Rose as of Marhl and Perc 2005: a = 0.49, b = d = s = 1, c = 0.0322, τ_x = 0.03, τ_z = 0.8. */
    HINDMARSH_ROSE(3, 1.752, 0.6535) {
        @Override
        void slope(double[] x, double[] out) {
            double square = x[0] * x[0];
            out[0] = -x[0] + (x[1] - 0.49 * x[0] * square + square + x[2]) / 0.03;
            out[1] = -0.49 * x[0] * square + x[2];
            out[2] = (-x[0] - x[2] + 0.0322) / 0.8;
        }
    };

    /** Samples per period. */
    public static final int PER_PERIOD = 30;

    private static final int INNER_STEPS = 100;
    private static final int TRANSIENT_PERIODS = 100;

    private final int dimension;
    private final double dt;
    private final double exponent;

    ChaoticFlow(int dimension, double period, double exponent) {
        this.dimension = dimension;
        this.dt = period / PER_PERIOD;
        this.exponent = exponent;
    }

    abstract void slope(double[] x, double[] out);

    /** Number of coordinates. */
    public int dimension() {
        return dimension;
    }

    /** Samples in which an error grows by e. */
    public double stepsPerLyapunovTime() {
        return 1 / (exponent * dt);
    }

    /** Successive states on the attractor, a function of the seed. */
    public double[][] path(int states, long seed) {
        UniformRandomProvider rng = TrajectoryStreams.of(seed, 0);
        double[] state = new double[dimension];
        for (int c = 0; c < dimension; c++) {
            state[c] = start(rng);
        }
        for (int t = 0; t < TRANSIENT_PERIODS * PER_PERIOD; t++) {
            advance(state);
        }
        double[][] path = new double[states][];
        for (int t = 0; t < states; t++) {
            path[t] = state.clone();
            advance(state);
        }
        return path;
    }

    /** Where all of these flows are drawn to the attractor. */
    private double start(UniformRandomProvider rng) {
        return this == HINDMARSH_ROSE ? rng.nextDouble(-0.05, 0.05) : rng.nextDouble(-1, 1);
    }

    private void advance(double[] state) {
        double h = dt / INNER_STEPS;
        double[] slope = new double[dimension];
        double[] probe = new double[dimension];
        double[] sum = new double[dimension];
        for (int i = 0; i < INNER_STEPS; i++) {
            for (int stage = 0; stage < 4; stage++) {
                double reach = stage == 0 ? 0 : stage == 3 ? h : h / 2;
                double weight = stage == 0 || stage == 3 ? 1 : 2;
                for (int c = 0; c < dimension; c++) {
                    probe[c] = state[c] + reach * slope[c];
                }
                slope(probe, slope);
                for (int c = 0; c < dimension; c++) {
                    sum[c] = (stage == 0 ? 0 : sum[c]) + weight * slope[c];
                }
            }
            for (int c = 0; c < dimension; c++) {
                state[c] += h / 6 * sum[c];
            }
        }
    }
}
