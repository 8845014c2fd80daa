package io.koopstream.spectrum;

import java.util.SplittableRandom;

/**
 * k-means with the starts of Arthur and Vassilvitskii, <i>k-means++: the advantages of careful seeding</i>, SODA 2007; the best of
 * several runs.
 */
final class KMeans {

    private static final int RUNS = 8;
    private static final int MAX_ROUNDS = 200;

    private KMeans() {}

    /** Centres of k clusters of the points (rows) with the smallest sum of squared distances found. */
    static double[][] centres(double[][] points, int k, SplittableRandom random) {
        double[][] best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int run = 0; run < RUNS; run++) {
            double[][] centres = starts(points, k, random);
            double sum = refine(points, centres);
            if (best == null || sum < least) {
                best = centres;
                least = sum;
            }
        }
        return best;
    }

    /** The index of the centre nearest to the point, the first of several. */
    static int nearest(double[][] centres, double[] point) {
        int nearest = 0;
        for (int k = 1; k < centres.length; k++) {
            if (squaredDistance(centres[k], point) < squaredDistance(centres[nearest], point)) {
                nearest = k;
            }
        }
        return nearest;
    }

    /** Each next start is a point drawn in proportion to its squared distance from the starts before it. */
    private static double[][] starts(double[][] points, int k, SplittableRandom random) {
        double[][] centres = new double[k][];
        centres[0] = points[random.nextInt(points.length)].clone();
        double[] distance = new double[points.length];
        java.util.Arrays.fill(distance, Double.POSITIVE_INFINITY);
        for (int c = 1; c < k; c++) {
            double sum = 0;
            for (int i = 0; i < points.length; i++) {
                distance[i] = Math.min(distance[i], squaredDistance(points[i], centres[c - 1]));
                sum += distance[i];
            }
            double left = random.nextDouble() * sum;
            int chosen = 0;
            while (chosen < points.length - 1 && (left -= distance[chosen]) > 0) {
                chosen++;
            }
            centres[c] = points[chosen].clone();
        }
        return centres;
    }

    /** Lloyd's iteration, in place; returns the sum of squared distances. */
    private static double refine(double[][] points, double[][] centres) {
        int dimension = points[0].length;
        double sum = Double.POSITIVE_INFINITY;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            double[][] sums = new double[centres.length][dimension];
            int[] counts = new int[centres.length];
            double now = 0;
            for (double[] point : points) {
                int nearest = nearest(centres, point);
                now += squaredDistance(centres[nearest], point);
                counts[nearest]++;
                for (int d = 0; d < dimension; d++) {
                    sums[nearest][d] += point[d];
                }
            }
            if (!(now < sum)) {
                return now;
            }
            sum = now;
            for (int c = 0; c < centres.length; c++) {
                // A centre that lost all its points stays where it is: a later run may do better.
                for (int d = 0; counts[c] > 0 && d < dimension; d++) {
                    centres[c][d] = sums[c][d] / counts[c];
                }
            }
        }
        return sum;
    }

    private static double squaredDistance(double[] a, double[] b) {
        double sum = 0;
        for (int d = 0; d < a.length; d++) {
            double difference = a[d] - b[d];
            sum += difference * difference;
        }
        return sum;
    }
}
