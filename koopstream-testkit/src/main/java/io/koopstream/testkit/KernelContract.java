package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every kernel owes its users, in one and in five dimensions. A subclass names the kernel, and the domain if it is not
 * the whole space.
 */
public abstract class KernelContract {

    private static final long SEED = 20_240_511;
    private static final int POINTS = 40;

    /** The kernel for points of this dimension. */
    protected abstract Kernel kernel(int dimension);

    /** The domain is the ball of this radius; infinite when it is the whole space. */
    protected double radius() {
        return Double.POSITIVE_INFINITY;
    }

    /** A point of the domain where κ(x, x) reaches {@link Kernel#bound()}. */
    protected double[] pointAtBound(int dimension) {
        double[] point = new double[dimension];
        point[0] = Double.isInfinite(radius()) ? 1 : radius();
        return point;
    }

    /** Random points of the domain: most spread out, some close together, one pair equal, one near the origin. */
    private double[][] domainPoints(int dimension) {
        double[][] points = Streams.normalPoints(SEED + dimension, POINTS, dimension, 1.5);
        for (int i = 30; i < 36; i++) {
            points[i] = Arrays.stream(points[i - 30]).map(c -> c + 1e-6).toArray();
        }
        points[36] = points[0].clone();
        points[37] = new double[dimension];
        for (double[] point : points) {
            double norm = Math.sqrt(Arrays.stream(point).map(c -> c * c).sum());
            if (norm > radius()) {
                double factor = 0.99 * radius() / norm;
                Arrays.setAll(point, c -> point[c] * factor);
            }
        }
        return points;
    }

    private static String at(int i, int j) {
        return "points " + i + " and " + j + ", seed " + SEED;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void isSymmetricBitForBit(int dimension) {
        Kernel kernel = kernel(dimension);
        double[][] points = domainPoints(dimension);
        for (int i = 0; i < points.length; i++) {
            for (int j = 0; j < i; j++) {
                assertThat(kernel.value(points[i], points[j]))
                        .as(at(i, j))
                        .isEqualTo(kernel.value(points[j], points[i]));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void hasPositiveSemidefiniteGramMatrices(int dimension) {
        Kernel kernel = kernel(dimension);
        double[][] gram = LiteralSogd.gram(kernel, domainPoints(dimension)).toRows();
        double trace = 0;
        for (int i = 0; i < gram.length; i++) {
            trace += gram[i][i];
        }
        // Rounding of the entries moves an eigenvalue by at most n eps max|κ| ≈ 40 * 2e-16 * trace / 40.
        assertThat(SymmetricEigen.of(gram).smallest()).as("seed " + SEED).isGreaterThanOrEqualTo(-1e-12 * trace);
        assertThat(trace).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void satisfiesTheCauchySchwarzInequality(int dimension) {
        Kernel kernel = kernel(dimension);
        double[][] points = domainPoints(dimension);
        for (int i = 0; i < points.length; i++) {
            for (int j = 0; j < points.length; j++) {
                double value = kernel.value(points[i], points[j]);
                double product = kernel.value(points[i], points[i]) * kernel.value(points[j], points[j]);
                // A few roundings each in three values.
                assertThat(value * value).as(at(i, j)).isLessThanOrEqualTo(product * (1 + 1e-12));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    protected void rowAndBlockAgreeWithTheValueBitForBit(int dimension) {
        Kernel kernel = kernel(dimension);
        double[][] rows = domainPoints(dimension);
        Points points = Points.of(dimension, rows);
        double[][] block = kernel.block(points, points);
        double[] row = new double[rows.length];
        for (int j = 0; j < rows.length; j++) {
            kernel.row(points, rows[j], row);
            for (int i = 0; i < rows.length; i++) {
                double value = kernel.value(rows[i], rows[j]);
                assertThat(row[i]).as("row, " + at(i, j)).isEqualTo(value);
                assertThat(block[j][i]).as("block, " + at(i, j)).isEqualTo(value);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    protected void rowAgreesWithTheValueOnComposedViews(int dimension) {
        Kernel kernel = kernel(dimension);
        // The kernel's coordinates sit behind two others and before one, and have their own units.
        double[] scales = new double[dimension + 2];
        Arrays.setAll(scales, c -> 1.5 + c);
        CoordinateView view = CoordinateView.all(dimension + 3)
                .part(1, dimension + 2)
                .dividedBy(scales)
                .part(1, dimension)
                .dividedBy(Arrays.copyOf(scales, dimension));
        double[][] inner = domainPoints(dimension);
        double[][] outer = new double[inner.length][dimension + 3];
        for (int i = 0; i < inner.length; i++) {
            Arrays.fill(outer[i], 1e6 * (i + 1));
            for (int c = 0; c < dimension; c++) {
                outer[i][c + 2] = inner[i][c] * scales[c] * scales[c + 1];
            }
        }
        Points points = Points.of(dimension + 3, outer);
        double[] row = new double[outer.length];
        Scratch scratch = new Scratch();
        // One less than all, so that the last few are not a whole group.
        double[][] several = new double[outer.length][outer.length];
        kernel.rows(view, points, outer, outer.length - 1, several, scratch);
        for (int j = 0; j < outer.length - 1; j++) {
            kernel.row(view, points, outer[j], row, scratch);
            assertThat(several[j]).as("rows, " + at(j, j)).containsExactly(row);
        }
        assertThat(several[outer.length - 1]).containsOnly(0.0);
        kernel.squaredNorms(view, points, row, scratch);
        for (int i = 0; i < outer.length; i++) {
            assertThat(row[i]).as("squared norm, " + at(i, i)).isEqualTo(kernel.value(view, outer[i], outer[i]));
        }
        for (int j = 0; j < outer.length; j++) {
            kernel.row(view, points, outer[j], row, scratch);
            for (int i = 0; i < outer.length; i++) {
                assertThat(row[i]).as(at(i, j)).isEqualTo(kernel.value(view, outer[i], outer[j]));
                // Undoing the units by multiplication costs a few roundings of coordinates of size one.
                assertThat(Math.abs(row[i] - kernel.value(inner[i], inner[j])))
                        .as("the other coordinates must not be looked at, " + at(i, j))
                        .isLessThanOrEqualTo(1e-9 * kernel.bound());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void staysBelowItsBoundAndReachesIt(int dimension) {
        Kernel kernel = kernel(dimension);
        assertThat(kernel.bound()).isPositive().isFinite();
        CoordinateView view = CoordinateView.all(dimension);
        for (double[] point : domainPoints(dimension)) {
            assertThat(kernel.objection(view, point)).as(Arrays.toString(point)).isNull();
            assertThat(kernel.value(point, point))
                    .as("κ(x, x) at " + Arrays.toString(point))
                    .isLessThanOrEqualTo(kernel.bound());
        }
        double[] extreme = pointAtBound(dimension);
        assertThat(kernel.objection(view, extreme)).isNull();
        // The bound enters the largest legal step size: a loose one would forbid good settings.
        assertThat(kernel.value(extreme, extreme)).isBetween(0.999 * kernel.bound(), kernel.bound() * (1 + 1e-15));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void objectsOutsideItsDomainOnly(int dimension) {
        Kernel kernel = kernel(dimension);
        CoordinateView view = CoordinateView.all(dimension);
        double[] outside = pointAtBound(dimension);
        Arrays.setAll(outside, c -> 1.001 * outside[c]);
        if (Double.isInfinite(radius())) {
            assertThat(kernel.objection(view, outside)).isNull();
        } else {
            assertThat(kernel.objection(view, outside)).contains("outside the domain");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void textReadsBackAsAnEqualKernel(int dimension) {
        Kernel kernel = kernel(dimension);
        Kernel read = Kernels.parse(kernel.text());
        assertThat(read).isEqualTo(kernel).hasSameHashCodeAs(kernel).hasToString(kernel.toString());
        assertThat(read.text()).isEqualTo(kernel.text());
        assertThat(kernel(dimension)).isEqualTo(kernel);
        double[][] points = domainPoints(dimension);
        for (int i = 1; i < points.length; i++) {
            assertThat(read.value(points[0], points[i])).as(at(0, i)).isEqualTo(kernel.value(points[0], points[i]));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void hugeAndDistantPointsGiveNoNan(int dimension) {
        Kernel kernel = kernel(dimension);
        double[][] points = new double[8][dimension];
        double[] sizes = {0, 1e-300, -1e-300, 1e8, 1e100, 1e154, -1e154, -1e100};
        for (int i = 0; i < sizes.length; i++) {
            Arrays.fill(points[i], sizes[i]);
        }
        CoordinateView view = CoordinateView.all(dimension);
        for (double[] x : points) {
            for (double[] y : points) {
                // Outside its domain a kernel promises nothing, because the space refuses the point first.
                if (kernel.objection(view, x) == null && kernel.objection(view, y) == null) {
                    assertThat(kernel.value(x, y))
                            .as(Arrays.toString(x) + " and " + Arrays.toString(y))
                            .isBetween(-kernel.bound(), kernel.bound());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    protected void isNotChangedByUse(int dimension) {
        Kernel kernel = kernel(dimension);
        UniformRandomProvider random = Streams.random(SEED);
        double[][] points = domainPoints(dimension);
        double[] before = points[0].clone();
        double first = kernel.value(points[0], points[1]);
        for (int k = 0; k < 100; k++) {
            kernel.value(points[random.nextInt(points.length)], points[random.nextInt(points.length)]);
        }
        assertThat(kernel.value(points[0], points[1])).isEqualTo(first);
        assertThat(points[0]).containsExactly(before);
    }
}
