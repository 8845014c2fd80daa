package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Averages of iterates of Algorithm 1. */
class AveragingTest {

    private static SogdConfig.Builder settings() {
        return SogdConfig.forState(2, Kernels.gaussian(0.7))
                .lambda(1e-3)
                .stepSize(0.4)
                .budget(0.02);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 3, 0.5})
    void theAverageIsTheWeightedMeanOfEvery64thIterate(double gamma) {
        SogdLearner<KoopmanOperator> plain = SogdLearner.koopman(settings().build());
        SogdLearner<KoopmanOperator> averaged =
                SogdLearner.koopman(settings().averaging(Averaging.tail(gamma)).build());
        Samples samples = Streams.vanDerPol(3, 1_000);
        int iterates = samples.size() / 64;
        TransitionOperator[] taken = new TransitionOperator[iterates];
        for (int i = 0; i < samples.size(); i++) {
            plain.update(samples.input(i), samples.output(i));
            averaged.update(samples.input(i), samples.output(i));
            if ((i + 1) % 64 == 0) {
                taken[i / 64] = plain.snapshot();
            }
        }
        TransitionOperator last = plain.snapshot();
        // The weights that the recursion w_k = (γ+1)/(k+γ) stands for, written out.
        double[] weights = new double[iterates];
        for (int k = 1; k <= iterates; k++) {
            double share = (gamma + 1) / (k + gamma);
            for (int earlier = 0; earlier < k - 1; earlier++) {
                weights[earlier] *= 1 - share;
            }
            weights[k - 1] = share;
        }
        Matrix mean = new Matrix(last.matrix().rows(), last.matrix().columns());
        double total = 0;
        for (int k = 0; k < iterates; k++) {
            mean.add(weights[k], taken[k].matrix());
            total += weights[k];
        }
        assertThat(total).isCloseTo(1, within(1e-12));
        TransitionOperator expected =
                new TransitionOperator(last.inputBasis(), last.outputBasis(), mean, last.samples());
        assertThat(averaged.snapshot().distance(expected)).isLessThan(1e-6);
        assertThat(averaged.snapshot().distance(last)).isGreaterThan(1e-3);
        assertThat(averaged.norm()).isEqualTo(plain.norm());
    }

    @Test
    void theAverageFluctuatesLessThanTheLastIterate() {
        // A constant step follows the trajectory round and round for ever.
        Samples samples = Streams.vanDerPol(9, 30_000);
        SogdLearner<KoopmanOperator> plain = SogdLearner.koopman(settings().build());
        SogdLearner<KoopmanOperator> averaged =
                SogdLearner.koopman(settings().averaging(Averaging.tail(3)).build());
        double plainMoves = 0;
        double averageMoves = 0;
        KoopmanOperator plainBefore = null;
        KoopmanOperator averageBefore = null;
        for (int i = 0; i < samples.size(); i++) {
            plain.update(samples.input(i), samples.output(i));
            averaged.update(samples.input(i), samples.output(i));
            if (i >= 20_000 && i % 640 == 0) {
                if (plainBefore != null) {
                    plainMoves += plain.snapshot().distance(plainBefore);
                    averageMoves += averaged.snapshot().distance(averageBefore);
                }
                plainBefore = plain.snapshot();
                averageBefore = averaged.snapshot();
            }
        }
        assertThat(averageMoves).isPositive().isLessThan(0.3 * plainMoves);
    }

    @Test
    void beforeTheFirstIterateThatCountsTheLastOneAnswers() {
        SogdLearner<KoopmanOperator> plain = SogdLearner.koopman(settings().build());
        SogdLearner<KoopmanOperator> averaged =
                SogdLearner.koopman(settings().averaging(Averaging.tail(3)).build());
        Samples samples = Streams.vanDerPol(3, 63);
        for (int i = 0; i < samples.size(); i++) {
            plain.update(samples.input(i), samples.output(i));
            averaged.update(samples.input(i), samples.output(i));
        }
        assertThat(averaged.snapshot().coefficients())
                .isDeepEqualTo(plain.snapshot().coefficients());
    }

    @Test
    void textsReadBackAndNonsenseIsRefused() {
        for (Averaging averaging :
                new Averaging[] {Averaging.none(), Averaging.tail(0), Averaging.tail(3), Averaging.tail(0.1)}) {
            assertThat(Averaging.parse(averaging.text())).isEqualTo(averaging);
        }
        for (double gamma : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1001}) {
            assertThatThrownBy(() -> Averaging.tail(gamma)).isInstanceOf(InvalidConfigException.class);
        }
        for (String text : new String[] {"", "tail", "tail()", "tail(x)", "tail(3) ", "tail(1E+)"}) {
            assertThatThrownBy(() -> Averaging.parse(text))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("tail(gamma)");
        }
    }
}
