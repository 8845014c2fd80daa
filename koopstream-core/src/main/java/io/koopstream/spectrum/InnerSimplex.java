package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.SmallSystem;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import java.util.Arrays;

/**
 * Memberships in k sets from the values of k leading eigenfunctions: on metastable sets these values gather at the corners of a simplex,
 * and the barycentric coordinates of a value are its memberships. The corners are found by the inner simplex algorithm (Weber and
 * Galliat, <i>Characterization of transition states in conformational dynamics using fuzzy sets</i>, ZIB report 02-12, 2002; Deuflhard
 * and Weber, Linear Algebra Appl. 398, 2005, section 3.2): the value farthest from the mean first, then always the one farthest from the
 * affine hull of those before.
 *
 * <p>Two departures, both because eigenfunctions here are learned: values f are divided by c·f with c the least-squares fit of Σ c_i f_i
 * to 1, since the constant is only nearly among them; and distances are taken after whitening, so that they do not depend on which
 * basis of a degenerate eigenspace was found. Immutable; O(n k²) to build, O(k²) per point.
 *
 * @param constant c
 * @param dropped the coordinate that the others determine
 * @param vertices indices of the corners among the points it was built from
 * @param toBarycentric barycentric coordinates are this matrix times (h, 1), h the normalised values without the dropped one
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record InnerSimplex(double[] constant, int dropped, int[] vertices, double[][] toBarycentric) {

    /** Below this share of 1, c·f says that the eigenfunctions fade, because little was learned there. */
    static final double MIN_CONSTANT = 0.25;

    /** The simplex of these values, one point a row, as many columns as sets. */
    static InnerSimplex of(double[][] values) {
        int k = values[0].length;
        double[] constant = constant(values);
        int dropped = 0;
        for (int i = 1; i < k; i++) {
            dropped = Math.abs(constant[i]) > Math.abs(constant[dropped]) ? i : dropped;
        }
        double[][] h = new double[values.length][];
        for (int i = 0; i < values.length; i++) {
            h[i] = normalised(values[i], constant, dropped);
        }
        int[] vertices = corners(whitened(h));
        double[][] system = new double[k][k];
        double[][] identity = new double[k][k];
        for (int j = 0; j < k; j++) {
            for (int i = 0; i < k - 1; i++) {
                system[i][j] = h[vertices[j]][i];
            }
            system[k - 1][j] = 1;
            identity[j][j] = 1;
        }
        double[][] inverse = SmallSystem.solve(system, identity);
        if (inverse == null) {
            throw dependent(k);
        }
        return new InnerSimplex(constant, dropped, vertices, inverse);
    }

    private static InvalidQueryException dependent(int k) {
        return new InvalidQueryException(
                "the " + k + " leading eigenfunctions depend on one another on these states, so " + k
                        + " sets cannot be told apart; ask for fewer sets or give states from all of them");
    }

    /** c with Σ_i c_i f_i ≈ 1 over the points, in the least-squares sense. */
    private static double[] constant(double[][] values) {
        int k = values[0].length;
        double[][] normal = new double[k][k];
        double[][] right = new double[k][1];
        for (double[] f : values) {
            for (int i = 0; i < k; i++) {
                Vectors.axpy(f[i], f, normal[i], 0, k);
                right[i][0] += f[i];
            }
        }
        double[][] solution = SmallSystem.solve(normal, right);
        if (solution == null) {
            throw dependent(k);
        }
        return Arrays.stream(solution).mapToDouble(row -> row[0]).toArray();
    }

    /** f / (c·f) without one coordinate, which the others determine; null where c·f is too small to divide by. */
    private static double[] normalised(double[] f, double[] constant, int dropped) {
        double sum = Vectors.dot(constant, f, f.length);
        if (!(sum >= MIN_CONSTANT)) {
            return null;
        }
        double[] h = new double[f.length - 1];
        int next = 0;
        for (int i = 0; i < f.length; i++) {
            if (i != dropped) {
                h[next++] = f[i] / sum;
            }
        }
        return h;
    }

    /** L⁻¹ (h − mean) with L Lᵀ the covariance; rows that are null stay null. */
    private static double[][] whitened(double[][] h) {
        double[][] present = Arrays.stream(h).filter(row -> row != null).toArray(double[][]::new);
        InvalidQueryException.require(
                present.length != 0,
                "the leading eigenfunctions vanish on all these states: learn more samples, or give states near those that were learned");
        int d = present[0].length;
        double[] mean = new double[d];
        for (double[] row : present) {
            Vectors.axpy(1.0 / present.length, row, mean, 0, d);
        }
        Matrix covariance = new Matrix(d, d);
        double[] centred = new double[d];
        for (double[] row : present) {
            System.arraycopy(row, 0, centred, 0, d);
            Vectors.axpy(-1, mean, centred, 0, d);
            covariance.rankOne(1, 1.0 / present.length, centred, centred);
        }
        Matrix factor = Triangular.cholesky(covariance);
        if (factor == null) {
            throw dependent(d + 1);
        }
        double[][] result = new double[h.length][];
        for (int i = 0; i < h.length; i++) {
            if (h[i] != null) {
                result[i] = h[i].clone();
                Vectors.axpy(-1, mean, result[i], 0, d);
                Triangular.solve(factor, result[i]);
            }
        }
        return result;
    }

    /** Indices of the d + 1 points that span a large simplex, by Gram–Schmidt. Overwrites the points. */
    private static int[] corners(double[][] points) {
        int first = farthest(points);
        double[] origin = points[first].clone();
        int d = origin.length;
        int[] corners = new int[d + 1];
        corners[0] = first;
        for (double[] point : points) {
            if (point != null) {
                Vectors.axpy(-1, origin, point, 0, d);
            }
        }
        for (int j = 1; j <= d; j++) {
            corners[j] = farthest(points);
            double[] direction = points[corners[j]].clone();
            double length = Vectors.norm(direction, d);
            if (!(length > 0)) {
                throw dependent(d + 1);
            }
            Vectors.scale(1 / length, direction, d);
            for (double[] point : points) {
                if (point != null) {
                    Vectors.axpy(-Vectors.dot(direction, point, d), direction, point, 0, d);
                }
            }
        }
        return corners;
    }

    private static int farthest(double[][] points) {
        int best = -1;
        double largest = -1;
        for (int i = 0; i < points.length; i++) {
            if (points[i] != null && Vectors.squaredNorm(points[i], points[i].length) > largest) {
                largest = Vectors.squaredNorm(points[i], points[i].length);
                best = i;
            }
        }
        return best;
    }

    /** Memberships of many points in sets of their own numbers, see {@link #memberships(double[])}. */
    double[][] memberships(double[][] values, int[] cornerOf) {
        double[][] result = new double[values.length][];
        for (int i = 0; i < values.length; i++) {
            double[] byCorner = values[i] == null ? null : memberships(values[i]);
            result[i] = byCorner == null
                    ? null
                    : Arrays.stream(cornerOf)
                            .mapToDouble(corner -> byCorner[corner])
                            .toArray();
        }
        return result;
    }

    /** Memberships of a point with these values: barycentric coordinates, those below 0 cut off, sum 1; null where values fade. */
    double[] memberships(double[] values) {
        double[] h = normalised(values, constant, dropped);
        if (h == null) {
            return null;
        }
        double[] result = new double[values.length];
        double sum = 0;
        for (int j = 0; j < result.length; j++) {
            double[] row = toBarycentric[j];
            result[j] = Math.max(0.0, Vectors.dot(row, h, h.length) + row[h.length]);
            sum += result[j];
        }
        // They sum to 1 before the cut, so at least one is positive.
        Vectors.scale(1 / sum, result, result.length);
        return result;
    }
}
