package io.koopstream.spectrum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The inner simplex finds the corners it was given, whatever the basis of the eigenspace. */
class InnerSimplexTest {

    private static final int SETS = 4;

    /** Memberships: first the corners themselves, then points between them. */
    private static double[][] memberships(SplittableRandom random) {
        double[][] rows = new double[100][SETS];
        for (int i = 0; i < rows.length; i++) {
            double sum = 0;
            for (int s = 0; s < SETS; s++) {
                rows[i][s] = i < SETS ? (i == s ? 1 : 0) : random.nextDouble();
                sum += rows[i][s];
            }
            for (int s = 0; s < SETS; s++) {
                rows[i][s] /= sum;
            }
        }
        return rows;
    }

    private static double[][] mixed(double[][] rows, double[][] mixing, SplittableRandom fade) {
        double[][] values = new double[rows.length][SETS];
        for (int i = 0; i < rows.length; i++) {
            // Learned eigenfunctions fade where there is little data, all by the same factor.
            double factor = fade == null ? 1 : 0.9 + 0.2 * fade.nextDouble();
            for (int s = 0; s < SETS; s++) {
                for (int j = 0; j < SETS; j++) {
                    values[i][j] += factor * rows[i][s] * mixing[s][j];
                }
            }
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void recoversMembershipsFromAnyBasisOfTheirSpan(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] truth = memberships(random);
        double[][] mixing = new double[SETS][SETS];
        for (double[] row : mixing) {
            Arrays.setAll(row, j -> random.nextDouble() * 2 - 1);
        }
        double[][] values = mixed(truth, mixing, null);
        InnerSimplex simplex = InnerSimplex.of(values);
        int[] vertices = simplex.vertices();
        assertThat(vertices).as("seed %d", seed).containsExactlyInAnyOrder(0, 1, 2, 3);
        for (int i = 0; i < truth.length; i++) {
            double[] found = simplex.memberships(values[i]);
            for (int j = 0; j < SETS; j++) {
                assertThat(found[j]).as("seed %d, point %d", seed, i).isCloseTo(truth[i][vertices[j]], within(1e-8));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCommonFactorOfAllEigenfunctionsDoesNotMatter(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] truth = memberships(random);
        double[][] identity = new double[SETS][SETS];
        for (int s = 0; s < SETS; s++) {
            identity[s][s] = 1;
        }
        double[][] values = mixed(truth, identity, random);
        InnerSimplex simplex = InnerSimplex.of(values);
        int[] vertices = simplex.vertices();
        for (int i = 0; i < truth.length; i++) {
            double[] found = simplex.memberships(values[i]);
            double sum = 0;
            for (int j = 0; j < SETS; j++) {
                assertThat(found[j]).as("seed %d", seed).isNotNegative().isCloseTo(truth[i][vertices[j]], within(0.03));
                sum += found[j];
            }
            assertThat(sum).as("seed %d", seed).isCloseTo(1, within(1e-12));
        }
        // Beyond a corner the negative coordinates are cut off, and what is left still sums to 1.
        double[] beyond = values[vertices[0]].clone();
        for (int s = 0; s < SETS; s++) {
            beyond[s] += 0.2 * (values[vertices[0]][s] - values[vertices[1]][s]);
        }
        double[] outside = simplex.memberships(beyond);
        assertThat(outside[0]).as("seed %d", seed).isCloseTo(1, within(0.02));
        assertThat(outside[1]).as("seed %d", seed).isZero();
        assertThat(simplex.memberships(new double[SETS]))
                .as("no values, no memberships")
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void refusesValuesThatSpanNoSimplex(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] flat = new double[50][];
        Arrays.setAll(flat, i -> {
            double x = random.nextDouble();
            return new double[] {1, x, 2 * x};
        });
        assertThatThrownBy(() -> InnerSimplex.of(flat))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("depend on one another");
    }
}
