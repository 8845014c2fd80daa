package io.koopstream.testkit;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.rng.simple.RandomSource;

/** Seeded streams to learn from. Equal arguments give equal bits; the name of a stream carries its seed. */
public final class Streams {

    private Streams() {}

    /** A generator that depends on the seed alone. */
    public static UniformRandomProvider random(long seed) {
        return RandomSource.XO_SHI_RO_256_PP.create(seed);
    }

    /** Standard normal numbers from a generator. */
    public static double[] normal(UniformRandomProvider random, int n) {
        ZigguratSampler.NormalizedGaussian gaussian = ZigguratSampler.NormalizedGaussian.of(random);
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] = gaussian.sample();
        }
        return values;
    }

    /** Points with independent normal coordinates of the given spread, one per row. */
    public static double[][] normalPoints(long seed, int n, int dimension, double spread) {
        UniformRandomProvider random = random(seed);
        double[][] points = new double[n][];
        for (int i = 0; i < n; i++) {
            points[i] = normal(random, dimension);
            for (int c = 0; c < dimension; c++) {
                points[i][c] *= spread;
            }
        }
        return points;
    }

    /** The van der Pol oscillator with noise, two coordinates within about ±4; one trajectory, Euler–Maruyama. */
    public static Samples vanDerPol(long seed, int n) {
        UniformRandomProvider random = random(seed);
        int substeps = 4;
        double h = 0.1 / substeps;
        double noise = 0.25 * Math.sqrt(h);
        double[][] path = new double[n + 1][];
        double[] state = {1.0, 0.5};
        path[0] = state.clone();
        for (int t = 1; t <= n; t++) {
            for (int s = 0; s < substeps; s++) {
                double[] kick = normal(random, 2);
                double speed = state[1];
                double force = (1 - state[0] * state[0]) * state[1] - state[0];
                state[0] += h * speed + noise * kick[0];
                state[1] += h * force + noise * kick[1];
            }
            path[t] = state.clone();
        }
        return Samples.ofTrajectory("vanDerPol(seed=" + seed + ", n=" + n + ")", path);
    }

    /** The chaotic logistic map 3.9 x (1 − x) from a random start: one coordinate in [0, 1], elementary arithmetic only. */
    public static Samples logistic(long seed, int n) {
        double[][] path = new double[n + 1][1];
        path[0][0] = 0.1 + 0.8 * random(seed).nextDouble();
        for (int t = 1; t <= n; t++) {
            path[t][0] = 3.9 * path[t - 1][0] * (1 - path[t - 1][0]);
        }
        return Samples.ofTrajectory("logistic(seed=" + seed + ", n=" + n + ")", path);
    }

    /** A random walk held in [−2, 2] by pulling it back a little at every step. */
    public static Samples randomWalk(long seed, int n, int dimension) {
        UniformRandomProvider random = random(seed);
        double[][] path = new double[n + 1][dimension];
        for (int t = 1; t <= n; t++) {
            double[] kick = normal(random, dimension);
            for (int c = 0; c < dimension; c++) {
                path[t][c] = Math.max(-2, Math.min(2, 0.9 * path[t - 1][c] + 0.4 * kick[c]));
            }
        }
        return Samples.ofTrajectory("randomWalk(seed=" + seed + ", n=" + n + ", d=" + dimension + ")", path);
    }

    /** A closed orbit on the unit circle that comes back to the same points bit for bit. */
    public static Samples periodicOrbit(int period, int n) {
        double[][] circle = new double[period][];
        for (int k = 0; k < period; k++) {
            double angle = 2 * Math.PI * k / period;
            circle[k] = new double[] {StrictMath.cos(angle), StrictMath.sin(angle)};
        }
        double[][] path = new double[n + 1][];
        for (int t = 0; t <= n; t++) {
            path[t] = circle[t % period];
        }
        return Samples.ofTrajectory("periodicOrbit(period=" + period + ", n=" + n + ")", path);
    }

    /** A spiral into an equilibrium at the origin, reached to rounding (and below the smallest normal number) if long enough. */
    public static Samples settlingSpiral(long seed, int n) {
        UniformRandomProvider random = random(seed);
        double[][] path = new double[n + 1][];
        path[0] = new double[] {1 + random.nextDouble(), random.nextDouble()};
        for (int t = 1; t <= n; t++) {
            double[] p = path[t - 1];
            path[t] = new double[] {0.7 * p[0] - 0.4 * p[1], 0.4 * p[0] + 0.7 * p[1]};
        }
        return Samples.ofTrajectory("settlingSpiral(seed=" + seed + ", n=" + n + ")", path);
    }

    /** The stream with some samples replaced by an exact repetition of an earlier one. */
    public static Samples withDuplicates(Samples samples, double probability, long seed) {
        UniformRandomProvider random = random(seed);
        double[][] inputs = samples.inputs();
        double[][] outputs = samples.outputs();
        for (int i = 1; i < inputs.length; i++) {
            if (random.nextDouble() < probability) {
                int earlier = random.nextInt(i);
                inputs[i] = inputs[earlier];
                outputs[i] = outputs[earlier];
            }
        }
        return new Samples(samples + " with duplicates " + probability + " (seed=" + seed + ")", inputs, outputs);
    }

    /** A damped oscillator (x, v) under a random input u, held in [−3, 3]: inputs are z = (x, v, u), outputs the next (x, v). */
    public static Samples controlledOscillator(long seed, int n) {
        UniformRandomProvider random = random(seed);
        double[][] inputs = new double[n][];
        double[][] outputs = new double[n][];
        double[] state = {0.5, 0};
        for (int t = 0; t < n; t++) {
            double u = 3 * random.nextDouble() - 1.5;
            inputs[t] = new double[] {state[0], state[1], u};
            double[] kick = normal(random, 2);
            double force = -state[0] - 0.5 * state[1] + 1.5 * u;
            state = new double[] {
                Math.max(-3, Math.min(3, state[0] + 0.2 * state[1] + 0.05 * kick[0])),
                Math.max(-3, Math.min(3, state[1] + 0.2 * force + 0.05 * kick[1]))
            };
            outputs[t] = state;
        }
        return new Samples("controlledOscillator(seed=" + seed + ", n=" + n + ")", inputs, outputs);
    }

    /** One pair for ever. */
    public static Samples constant(double[] x, double[] y, int n) {
        double[][] inputs = new double[n][];
        double[][] outputs = new double[n][];
        Arrays.fill(inputs, x);
        Arrays.fill(outputs, y);
        return new Samples("constant(n=" + n + ")", inputs, outputs);
    }
}
