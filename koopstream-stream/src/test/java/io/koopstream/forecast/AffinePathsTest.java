package io.koopstream.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths under an affine kernel go by a matrix on the state, without kernel values. */
class AffinePathsTest {

    /** Two coordinates of very different sizes, the second far from zero, with one delay. */
    private static double[] state(SplittableRandom random) {
        double[] state = new double[4];
        for (int k = 0; k < 2; k++) {
            state[2 * k] = random.nextDouble(-1, 1);
            state[2 * k + 1] = 1e6 + 1e3 * random.nextDouble(-1, 1);
        }
        return state;
    }

    private static LeastSquaresState learned(Kernel kernel, SplittableRandom random) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(4, kernel).epsilon(0).holdOut(0.1).build());
        for (int t = 0; t < 400; t++) {
            double[] x = state(random);
            learner.update(x, new double[] {
                0.7 * x[0] - 0.2 * x[2] + 1e-4 * (x[1] - 1e6) + 0.1 * random.nextGaussian(),
                0.9 * x[1] + 0.1 * x[3] + 100 * x[0] + 10 * random.nextGaussian(),
                x[0],
                x[1]
            });
        }
        return learner.state().settled();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scaled(linear(offset=1,radius=5000),1,1e3,1,1e3)",
                "linear(offset=1,radius=3e6)",
                "0.5*scaled(linear(offset=1,radius=5000),1,1e3,1,1e3)+2*linear(offset=0,radius=3e6)"
            })
    void theMatrixIsTheRegressionOnKernelValues(String text) {
        SplittableRandom random = new SplittableRandom(1);
        LeastSquaresState learned = learned(Kernels.parse(text), random);
        IncrementMap map = new IncrementMap(learned, new DelayLayout(2, 1, 1), 1e-6);
        assertThat(map.isAffine()).isTrue();
        double[][] states = new double[20][];
        for (int i = 0; i < states.length; i++) {
            states[i] = state(random);
        }
        Points points = Points.of(4, states);
        Matrix newton = map.basis().coordinates(points);
        Matrix expected = new Matrix(states.length, 2);
        new Products().multiply(0, expected, newton.transposed(), map.readout(true));
        double[][] coordinates = new double[4][];
        for (int c = 0; c < 4; c++) {
            coordinates[c] = points.coordinate(c);
        }
        Matrix increments = new Matrix(states.length, 2);
        map.affineIncrements(coordinates, increments);
        for (int i = 0; i < states.length; i++) {
            assertThat(increments.get(i, 0)).isCloseTo(expected.get(i, 0), within(1e-7));
            assertThat(increments.get(i, 1)).isCloseTo(expected.get(i, 1), within(1e-4));
        }
    }

    @Test
    void manyPathsAtOnceHaveTheBitsOfOneAlone() {
        SplittableRandom random = new SplittableRandom(2);
        LeastSquaresState learned = learned(Kernels.parse("scaled(linear(offset=1,radius=5000),1,1e3,1,1e3)"), random);
        IncrementMap map = new IncrementMap(learned, new DelayLayout(2, 1, 1), 1e-6);
        double[][][] starts = new double[17][][];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = map.layout().history(state(random));
        }
        PathBlock all = new PathBlock(map, starts, new Products());
        PathBlock one = new PathBlock(map, new double[][][] {starts[11]}, new Products());
        for (int s = 0; s < 30; s++) {
            all.step(true, KnownAhead.NOTHING);
            assertThat(one.stepAndKnown(KnownAhead.NOTHING)[0]).isBetween(0.99, 1.0);
            assertThat(all.newest(11)).containsExactly(one.newest(0));
        }
    }

    @Test
    void onlyAffineKernelsAreTakenForOne() {
        for (String text : new String[] {
            "gaussian(1)", "linear(offset=1,radius=3)+gaussian(1)", "polynomial(degree=2,offset=1,radius=3)"
        }) {
            assertThat(Kernels.parse(text).isAffine()).as(text).isFalse();
        }
    }
}
