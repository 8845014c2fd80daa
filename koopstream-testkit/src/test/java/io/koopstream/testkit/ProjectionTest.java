package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.NamedParts;
import io.koopstream.rows.Projection;
import io.koopstream.rows.ProjectionBuilder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The incremental projection against the eigenvectors of the whole scatter matrix, by Jacobi's method. */
class ProjectionTest {

    /** Rows about a large mean: some directions with falling amplitudes, and noise. */
    private static double[][] rows(int count, int columns, int directions, double fall, double noise, long seed) {
        Random random = new Random(seed);
        double[][] patterns = new double[directions][columns];
        double[] mean = new double[columns];
        for (int c = 0; c < columns; c++) {
            mean[c] = 100 + 10 * random.nextGaussian();
            for (double[] pattern : patterns) {
                pattern[c] = random.nextGaussian();
            }
        }
        double[][] rows = new double[count][];
        for (int i = 0; i < count; i++) {
            double[] row = mean.clone();
            double amplitude = 1;
            for (double[] pattern : patterns) {
                // A drift moves the mean from block to block.
                double weight = amplitude * (random.nextGaussian() + i / (double) count);
                for (int c = 0; c < columns; c++) {
                    row[c] += weight * pattern[c];
                }
                amplitude *= fall;
            }
            for (int c = 0; c < columns; c++) {
                row[c] += noise * random.nextGaussian();
            }
            rows[i] = row;
        }
        return rows;
    }

    private static Projection of(ProjectionBuilder builder, double[][] rows) {
        for (double[] row : rows) {
            builder.add(row);
        }
        return builder.build();
    }

    private static double[] mean(double[][] rows) {
        double[] mean = new double[rows[0].length];
        for (double[] row : rows) {
            for (int c = 0; c < mean.length; c++) {
                mean[c] += row[c] / rows.length;
            }
        }
        return mean;
    }

    /** Σ (row − mean)(row − mean)ᵀ, literally. */
    private static double[][] scatter(double[][] rows) {
        double[] mean = mean(rows);
        double[][] scatter = new double[mean.length][mean.length];
        for (double[] row : rows) {
            for (int a = 0; a < mean.length; a++) {
                for (int b = 0; b < mean.length; b++) {
                    scatter[a][b] += (row[a] - mean[a]) * (row[b] - mean[b]);
                }
            }
        }
        return scatter;
    }

    private static double[] axis(Projection projection, int j) {
        double[] one = new double[projection.rank()];
        one[j] = 1;
        return projection.direction(one);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** Compares with the scatter matrix of all rows: mean, energies, eigenvectors, orthonormality. */
    private static void requireEigenvectors(Projection projection, double[][] rows, double tolerance) {
        double[][] scatter = scatter(rows);
        SymmetricEigen literal = SymmetricEigen.of(scatter);
        double[] values =
                IntStream.range(0, literal.size()).mapToDouble(literal::value).toArray();
        Arrays.sort(values);
        double largest = values[values.length - 1];
        double[] mean = projection.lift(new double[projection.rank()]);
        double[] expectedMean = mean(rows);
        for (int c = 0; c < mean.length; c++) {
            assertThat(mean[c]).isCloseTo(expectedMean[c], within(1e-11 * Math.abs(expectedMean[c])));
        }
        for (int j = 0; j < projection.rank(); j++) {
            double energy = projection.energies()[j];
            assertThat(energy).as("energy %d", j).isCloseTo(values[values.length - 1 - j], within(tolerance * largest));
            double[] axis = axis(projection, j);
            for (int i = 0; i <= j; i++) {
                assertThat(dot(axis, axis(projection, i))).isCloseTo(i == j ? 1 : 0, within(1e-12));
            }
            for (int a = 0; a < axis.length; a++) {
                assertThat(dot(scatter[a], axis)).isCloseTo(energy * axis[a], within(tolerance * largest));
            }
        }
        double trace = Arrays.stream(values).sum();
        assertThat(projection.total()).isCloseTo(trace, within(1e-11 * trace));
        assertThat(projection.rows()).isEqualTo(rows.length);
    }

    @Test
    void ofFewRowsItIsTheThinSingularValueDecomposition() {
        double[][] rows = rows(74, 90, 12, 0.5, 1e-3, 1);
        Projection projection = of(ProjectionBuilder.ofRank(90, 10), rows);
        assertThat(projection.rank()).isEqualTo(10);
        requireEigenvectors(projection, rows, 1e-12);
    }

    @Test
    void allDirectionsOfFewRowsGiveTheRowsBack() {
        double[][] rows = rows(30, 50, 29, 0.8, 0, 2);
        Projection projection = of(ProjectionBuilder.ofRank(50, 29), rows);
        for (double[] row : rows) {
            double[] back = projection.lift(projection.coordinates(row));
            for (int c = 0; c < row.length; c++) {
                assertThat(back[c]).isCloseTo(row[c], within(1e-10));
            }
        }
        assertThat(projection.missed()).isLessThan(1e-14);
    }

    @Test
    void ofManyRowsOfFewDirectionsItIsExact() {
        // Amplitudes fall to 1e-5, so that energies fall to 1e-10 of the largest.
        double[][] rows = rows(700, 40, 6, 0.1, 0, 3);
        Projection projection = of(ProjectionBuilder.ofRank(40, 10), rows);
        assertThat(projection.rank()).isGreaterThanOrEqualTo(6);
        requireEigenvectors(projection, rows, 1e-11);
        assertThat(projection.energies()[5]).isGreaterThan(0);
    }

    @Test
    void ofManyNoisyRowsWhatIsDroppedOnTheWayHardlyMatters() {
        double[][] rows = rows(1000, 60, 5, 0.7, 0.05, 4);
        Projection projection = of(ProjectionBuilder.ofRank(60, 5), rows);
        requireEigenvectors(projection, rows, 1e-5);
    }

    @Test
    void theAutomaticRankIsThatOfTheSignal() {
        for (long seed = 1; seed <= 5; seed++) {
            for (int count : new int[] {60, 300, 900}) {
                double[][] rows = rows(count, 400, 7, 0.9, 0.5, seed);
                assertThat(of(ProjectionBuilder.automatic(400), rows).rank())
                        .as("seed %d, %d rows", seed, count)
                        .isEqualTo(7);
            }
        }
    }

    @Test
    void theAutomaticRankOfRowsWithoutNoiseIsTheirOwn() {
        assertThat(of(ProjectionBuilder.automatic(300), rows(200, 300, 4, 0.3, 0, 6))
                        .rank())
                .isEqualTo(4);
    }

    @Test
    void theAutomaticRankOfNoiseIsOne() {
        assertThat(of(ProjectionBuilder.automatic(300), rows(400, 300, 0, 1, 1, 7))
                        .rank())
                .isEqualTo(1);
    }

    @Test
    void aPartOfTheRowIsMissed() {
        double[][] rows = rows(200, 100, 3, 0.9, 0.3, 8);
        Projection projection = of(ProjectionBuilder.ofRank(100, 3), rows);
        double missed = 0;
        for (double[] row : rows) {
            double[] coordinates = new double[3];
            double energy = projection.project(row.clone(), coordinates);
            missed += energy - dot(coordinates, coordinates);
        }
        assertThat(projection.missed()).isCloseTo(missed / projection.total(), within(1e-5));
        assertThat(projection.missed()).isBetween(0.01, 0.2);
    }

    @Test
    void whatIsMissingIsMissingInAllCoordinates() {
        Projection projection = of(ProjectionBuilder.ofRank(20, 2), rows(50, 20, 3, 0.9, 0.1, 9));
        double[] row = new double[20];
        row[7] = Double.NaN;
        assertThat(projection.coordinates(row)).containsOnly(Double.NaN);
    }

    @Test
    void whatCannotBeProjectedIsRefused() {
        assertThatThrownBy(() -> ProjectionBuilder.ofRank(10, 11))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("from 1 to the number of columns, 10");
        ProjectionBuilder builder = ProjectionBuilder.ofRank(3, 2);
        assertThatThrownBy(() -> builder.add(new double[] {1, 2}))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("a row of 2 columns, the projection has 3");
        assertThatThrownBy(() -> builder.add(new double[] {1, Double.NaN, 2}))
                .isInstanceOfSatisfying(
                        InvalidSampleException.class, e -> assertThat(e.index()).isEqualTo(1));
        builder.add(new double[] {1, 2, 3});
        builder.add(new double[] {1, 2, 3});
        assertThat(builder.rows()).isEqualTo(2);
        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidStateException.class)
                .hasMessageContaining("no two complete rows differ");
    }

    @Test
    void aStateThatWasReadIsTheSame() {
        Projection projection = of(ProjectionBuilder.ofRank(30, 4), rows(100, 30, 5, 0.8, 0.1, 10));
        NamedParts parts = new NamedParts();
        projection.save(parts);
        Projection read = Projection.read(parts, 30, 4);
        double[] row = rows(1, 30, 5, 0.8, 0.1, 11)[0];
        assertThat(read.coordinates(row)).containsExactly(projection.coordinates(row));
        assertThat(read.missed()).isEqualTo(projection.missed());
        assertThat(read.rows()).isEqualTo(100);
        parts.number(Projection.TOTAL, -1);
        assertThatThrownBy(() -> Projection.read(parts, 30, 4)).isInstanceOf(InvalidStateException.class);
    }
}
