package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

/** A kernel that is a function of the caller's own. */
class OwnKernelTest {

    private static final Kernel GAUSSIAN = Kernels.gaussian(0.5);
    private static final Kernel OWN = Kernel.of("mine", 1, GAUSSIAN::value);

    private static SogdLearner<KoopmanOperator> taught(Kernel kernel) {
        SogdLearner<KoopmanOperator> learner =
                SogdLearner.koopman(SogdConfig.forState(2, kernel).budget(0.01).build());
        SplittableRandom random = new SplittableRandom(5);
        double[] x = {0, 0};
        for (int t = 0; t < 300; t++) {
            double[] next = {0.8 * x[0] - 0.5 * x[1] + random.nextDouble(-0.3, 0.3), 0.5 * x[0] + 0.8 * x[1]};
            learner.update(x, next);
            x = next;
        }
        return learner;
    }

    @Test
    void learnsLikeTheKernelWhoseFunctionItIs() {
        SogdLearner<KoopmanOperator> known = taught(GAUSSIAN);
        SogdLearner<KoopmanOperator> own = taught(OWN);
        assertThat(own.dictionarySize()).isEqualTo(known.dictionarySize()).isGreaterThan(10);
        assertThat(own.norm()).isEqualTo(known.norm());
        double[] at = {0.3, -0.2};
        assertThat(own.snapshot().predict(at)).isEqualTo(known.snapshot().predict(at));
    }

    @Test
    void rowsHaveTheBitsOfValuesInEveryView() {
        Points points = Points.of(3, new double[][] {{1, 2, 3}, {-1, 0.5, 2}});
        double[] x = {0.5, 1.5, 2.5};
        CoordinateView view = CoordinateView.all(3).part(1, 2).dividedBy(new double[] {2, 0.5});
        double[] row = new double[2];
        OWN.row(view, points, x, row, new Scratch());
        for (int i = 0; i < 2; i++) {
            assertThat(row[i]).isEqualTo(OWN.value(view, points.get(i), x));
            assertThat(row[i])
                    .isEqualTo(OWN.value(
                            new double[] {points.get(i, 1) / 2, points.get(i, 2) / 0.5},
                            new double[] {x[1] / 2, x[2] / 0.5}));
        }
    }

    @Test
    void itsNameIsItsIdentityAndWithoutOneItsFunction() {
        assertThat(OWN)
                .isEqualTo(Kernel.of("mine", 1, (x, y) -> 0))
                .isNotEqualTo(Kernel.of("yours", 1, GAUSSIAN::value));
        ToDoubleBiFunction<double[], double[]> half = (x, y) -> 0.5;
        assertThat(Kernel.of(1, half))
                .isEqualTo(Kernel.of(1, half))
                .isNotEqualTo(Kernel.of(1, (x, y) -> 0.5))
                .isNotEqualTo(OWN);
        assertThat(Kernels.sum(0.5, OWN, 0.5, GAUSSIAN).text()).contains("custom(mine)");
        assertThatThrownBy(() -> Kernels.parse(OWN.text()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("Kernel.of(name, bound, function)");
        assertThatThrownBy(() -> Kernel.of("a b", 1, (x, y) -> 0)).isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> Kernel.of(0, (x, y) -> 0)).isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> Kernel.of(1, null)).isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void whatExceedsItsBoundIsRefusedBeforeItIsLearned() {
        SogdLearner<KoopmanOperator> learner =
                SogdLearner.koopman(SogdConfig.forState(1, Kernel.of("line", 4, (x, y) -> x[0] * y[0]))
                        .build());
        learner.update(new double[] {1}, new double[] {2});
        String before = learner.state().digest();
        assertThatThrownBy(() -> learner.update(new double[] {1}, new double[] {2.1}))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("bound 4.0 of custom(line)");
        assertThat(learner.state().digest()).isEqualTo(before);
        assertThatThrownBy(() -> new Rkhs(Kernel.of(1, (x, y) -> Double.NaN), 1).requireSample(new double[] {1}, "x"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("gives NaN");
    }
}
