package io.koopstream.testkit;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import org.apache.commons.rng.UniformRandomProvider;

/** Twelve kinds of point sets whose Gram matrices are hard in different ways, from the identity to all ones. */
public enum GramFamily {

    /** Points so far apart that the Gram matrix is the identity to rounding. */
    FAR_POINTS("gaussian(1)") {
        @Override
        public double[][] points(int n, long seed) {
            return fill(n, 2, seed, (i, random) -> 20 * i + random.nextDouble());
        }
    },

    /** One point, again and again: rank one. */
    ALL_EQUAL("gaussian(1)") {
        @Override
        public double[][] points(int n, long seed) {
            double place = Streams.random(seed).nextDouble();
            return fill(n, 2, seed, (i, random) -> place);
        }
    },

    /** Two tight clusters far from each other. */
    TWO_CLUSTERS("gaussian(1)") {
        @Override
        public double[][] points(int n, long seed) {
            return fill(n, 2, seed, (i, random) -> (i % 2) * 10 + 0.01 * random.nextDouble());
        }
    },

    /** Pairs of points that differ by 10^-k, k growing with the index. */
    NEAR_DUPLICATES("gaussian(1)") {
        @Override
        public double[][] points(int n, long seed) {
            UniformRandomProvider starts = Streams.random(seed);
            double[] place = {0};
            return fill(n, 1, seed, (i, random) -> {
                if (i % 2 == 0) {
                    place[0] = 6 * starts.nextDouble();
                    return place[0];
                }
                return place[0] + StrictMath.pow(10, -(i / 2) % 17);
            });
        }
    },

    /** An equispaced grid much finer than the kernel is wide. */
    NARROW_GRID("gaussian(1)") {
        @Override
        public double[][] points(int n, long seed) {
            double start = Streams.random(seed).nextDouble();
            return fill(n, 1, seed, (i, random) -> start + 0.01 * i);
        }
    },

    /** A kernel so wide that every Gram entry is one to rounding. */
    VERY_WIDE_KERNEL("gaussian(1e9)") {
        @Override
        public double[][] points(int n, long seed) {
            return fill(n, 3, seed, (i, random) -> random.nextDouble());
        }
    },

    /** Points at 1, ..., 1e-12, geometrically spaced. */
    GEOMETRIC_SPACING("laplacian(1)") {
        @Override
        public double[][] points(int n, long seed) {
            double unit = 1 + Streams.random(seed).nextDouble();
            return fill(n, 1, seed, (i, random) -> unit * StrictMath.pow(10, -12.0 * i / Math.max(1, n - 1)));
        }
    },

    /** Random points in dimension 100, where all distances are alike. */
    DIMENSION_100("gaussian(10)") {
        @Override
        public double[][] points(int n, long seed) {
            return Streams.normalPoints(seed, n, 100, 1);
        }
    },

    /** Coordinates near 1e8: differences lose half of their digits. */
    OFFSET_1E8("matern52(1)") {
        @Override
        public double[][] points(int n, long seed) {
            return fill(n, 2, seed, (i, random) -> 1e8 + 4 * random.nextDouble());
        }
    },

    /** Coordinates of 1e150 and of 1e-150 in one set: squares next to overflow and underflow. */
    SCALE_1E150("gaussian(1e150)") {
        @Override
        public double[][] points(int n, long seed) {
            return fill(n, 2, seed, (i, random) -> (i % 2 == 0 ? 1e150 : 1e-150) * (4 * random.nextDouble() - 2));
        }
    },

    /** A slow trajectory: every point is close to the one before. */
    SLOW_TRAJECTORY("gaussian(0.7)") {
        @Override
        public double[][] points(int n, long seed) {
            double phase = Streams.random(seed).nextDouble();
            return fill(n, 1, seed, (i, random) -> StrictMath.sin(phase + 0.02 * i));
        }
    },

    /** A periodic orbit, visited again at the same points bit for bit. */
    PERIODIC_ORBIT("rational-quadratic(sigma=1, alpha=2)") {
        @Override
        public double[][] points(int n, long seed) {
            int period = 3 + Streams.random(seed).nextInt(20);
            return Streams.periodicOrbit(period, Math.max(1, n)).range(0, n).inputs();
        }
    };

    private final String kernel;

    GramFamily(String kernel) {
        this.kernel = kernel;
    }

    /** The kernel under which the points are hard. */
    public Kernel kernel() {
        return Kernels.parse(kernel);
    }

    /** n points, a function of the seed alone. */
    public abstract double[][] points(int n, long seed);

    @FunctionalInterface
    private interface Coordinate {
        double of(int point, UniformRandomProvider random);
    }

    private static double[][] fill(int n, int dimension, long seed, Coordinate coordinate) {
        UniformRandomProvider random = Streams.random(seed ^ 0x5DEECE66DL);
        double[][] points = new double[n][dimension];
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < dimension; c++) {
                points[i][c] = coordinate.of(i, random);
            }
        }
        return points;
    }
}
