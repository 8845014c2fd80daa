package io.koopstream.learner.leastsquares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.SymmetricEigen;
import io.koopstream.kernel.Kernels;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All ridges from one decomposition, and reduced ranks, against direct solutions and the risk they minimise. */
class RidgeFamilyTest {

    private static LeastSquaresState noisyLogistic(long seed) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.1))
                        .epsilon(0.2)
                        .build());
        SplittableRandom random = new SplittableRandom(seed);
        double x = 0.3;
        for (int i = 0; i < 800; i++) {
            double next = 3.6 * x * (1 - x) + 0.05 * random.nextDouble();
            learner.update(new double[] {x}, new double[] {next});
            x = next;
        }
        return learner.state().settled();
    }

    private static Matrix mean(Matrix sum, double n) {
        Matrix mean = sum.copy();
        mean.scale(1 / n);
        return mean;
    }

    private static Matrix ridged(LeastSquaresState state, double lambda) {
        Matrix covariance = mean(state.inputStatistics(), state.weight());
        covariance.add(lambda, Matrix.identity(covariance.rows()));
        return covariance;
    }

    private static double distance(Matrix a, Matrix b) {
        Matrix difference = a.copy();
        difference.add(-1, b);
        return difference.frobeniusNorm();
    }

    /** X with X A = B, by elimination with pivots on the transposed system. */
    private static Matrix solve(Matrix a, Matrix b) {
        int m = a.rows();
        double[][] left = a.transposed().toRows();
        double[][] right = b.transposed().toRows();
        for (int k = 0; k < m; k++) {
            int pivot = k;
            for (int i = k + 1; i < m; i++) {
                pivot = Math.abs(left[i][k]) > Math.abs(left[pivot][k]) ? i : pivot;
            }
            swap(left, k, pivot);
            swap(right, k, pivot);
            for (int i = 0; i < m; i++) {
                double share = left[i][k] / left[k][k];
                if (i != k) {
                    subtract(left[i], share, left[k]);
                    subtract(right[i], share, right[k]);
                }
            }
        }
        for (int i = 0; i < m; i++) {
            for (int c = 0; c < right[i].length; c++) {
                right[i][c] /= left[i][i];
            }
        }
        return Matrix.ofRows(right, b.rows()).transposed();
    }

    private static void swap(double[][] rows, int i, int k) {
        double[] row = rows[i];
        rows[i] = rows[k];
        rows[k] = row;
    }

    private static void subtract(double[] row, double share, double[] other) {
        for (int c = 0; c < row.length; c++) {
            row[c] -= share * other[c];
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10})
    void everyRidgeIsTheDirectSolution(double lambda) {
        LeastSquaresState state = noisyLogistic(1);
        Matrix direct = solve(ridged(state, lambda), mean(state.crossStatistics(), state.weight()));
        // Both solve to rounding times the condition, 1e4 at most here; the norms are of order ten.
        assertThat(state.dictionarySize()).isGreaterThan(5);
        assertThat(distance(state.family().operator(lambda), direct)).isLessThan(1e-9);
        assertThat(distance(state.operator(lambda).matrix(), direct)).isLessThan(1e-9);
        Matrix readout = solve(
                ridged(state, lambda),
                mean(state.incrementStatistics(), state.weight()).transposed());
        assertThat(distance(state.family().increments(lambda), readout.transposed()))
                .isLessThan(1e-9);
    }

    @Test
    void theScaleIsTheMeanOfTheKernel() {
        // A Gaussian has κ(x, x) = 1; the dictionary misses at most ε² = 0.04 of it.
        assertThat(noisyLogistic(1).family().scale()).isBetween(0.96, 1 + 1e-12);
    }

    /** The regularised risk but for a constant: ⟨M (S/n + λ), M⟩ − 2 ⟨M, T/n⟩. */
    private static double risk(LeastSquaresState state, Matrix operator, double lambda) {
        return operator.times(ridged(state, lambda)).inner(operator)
                - 2 * operator.inner(mean(state.crossStatistics(), state.weight()));
    }

    /** The nearest matrix of a rank. */
    private static Matrix nearest(Matrix matrix, int rank) {
        SymmetricEigen eigen = SymmetricEigen.of(matrix.transposed().times(matrix));
        double[][] columns = new double[rank][];
        for (int k = 0; k < rank; k++) {
            columns[k] = eigen.vector(matrix.columns() - 1 - k);
        }
        Matrix leading = Matrix.ofColumns(columns, matrix.columns());
        return matrix.times(leading).times(leading.transposed());
    }

    private static Matrix random(SplittableRandom random, int rows, int columns) {
        Matrix matrix = new Matrix(rows, columns);
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < rows; i++) {
                matrix.set(i, j, random.nextDouble(-1, 1));
            }
        }
        return matrix;
    }

    @Test
    void fullRankIsTheWholeOperator() {
        LeastSquaresState state = noisyLogistic(2);
        RidgeFamily family = state.family();
        for (RidgeFamily.By by : RidgeFamily.By.values()) {
            assertThat(distance(family.operator(1e-4, family.size(), by), family.operator(1e-4)))
                    .as(by.name())
                    .isLessThan(1e-10);
        }
        assertThatThrownBy(() -> family.operator(1e-4, 0, RidgeFamily.By.PREDICTION))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("rank = 0");
        assertThatThrownBy(() -> family.operator(1e-4, family.size() + 1, RidgeFamily.By.INPUT))
                .isInstanceOf(InvalidQueryException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void noOtherOperatorOfTheRankHasLessRisk(int rank) {
        double lambda = 1e-3;
        LeastSquaresState state = noisyLogistic(3);
        RidgeFamily family = state.family();
        Matrix best = family.operator(lambda, rank, RidgeFamily.By.PREDICTION);
        double least = risk(state, best, lambda);
        assertThat(distance(nearest(best, rank), best)).as("its rank").isLessThan(1e-6);
        assertThat(risk(state, nearest(family.operator(lambda), rank), lambda)).isGreaterThan(least - 1e-12);
        assertThat(risk(state, family.operator(lambda, rank, RidgeFamily.By.INPUT), lambda))
                .isGreaterThan(least - 1e-12);
        SplittableRandom random = new SplittableRandom(4);
        for (int trial = 0; trial < 50; trial++) {
            // Other operators of the rank, far away and near by.
            Matrix moved = best.copy();
            moved.add(trial % 2 == 0 ? 1 : 1e-3, random(random, best.rows(), best.columns()));
            assertThat(risk(state, nearest(moved, rank), lambda))
                    .as("trial %d", trial)
                    .isGreaterThan(least);
        }
        assertThat(risk(state, family.operator(lambda), lambda)).isLessThanOrEqualTo(least + 1e-12);
    }

    @Test
    void twoSignalsAmongNoiseAreFoundByWhatTheyPredict() {
        // x₁ and x₂ remember 0.9 and 0.6 of themselves, four louder coordinates remember nothing.
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(6, Kernels.parse("polynomial(degree=1, offset=1, radius=100)"))
                        .epsilon(0.001)
                        .build());
        SplittableRandom random = new SplittableRandom(5);
        double[] x = new double[6];
        for (int i = 0; i < 6000; i++) {
            double[] next = new double[6];
            next[0] = 0.9 * x[0] + random.nextDouble(-1, 1);
            next[1] = 0.6 * x[1] + random.nextDouble(-1, 1);
            for (int c = 2; c < 6; c++) {
                next[c] = 8 * random.nextDouble(-1, 1);
            }
            learner.update(x, next);
            x = next;
        }
        LeastSquaresState state = learner.state().settled();
        assertThat(state.dictionarySize()).isEqualTo(7);
        Spectrum byPrediction =
                Spectrum.full(state.operator(1e-6, 3, RidgeFamily.By.PREDICTION).asKoopman());
        double[] exact = {1, 0.9, 0.6};
        for (int k = 0; k < 3; k++) {
            // A coefficient is known to sqrt((1 - a²)/n) < 0.011: four of them.
            assertThat(byPrediction.eigenvalue(k).re()).as("eigenvalue %d", k).isCloseTo(exact[k], within(0.044));
            assertThat(byPrediction.eigenvalue(k).im()).isZero();
        }
        Spectrum byInput =
                Spectrum.full(state.operator(1e-6, 3, RidgeFamily.By.INPUT).asKoopman());
        assertThat(byInput.eigenvalue(0).re()).as("the loud ones alone").isLessThan(0.5);
    }
}
