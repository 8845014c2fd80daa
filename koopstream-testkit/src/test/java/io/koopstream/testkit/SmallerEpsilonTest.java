package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A smaller ε keeps at least as many points, and misses no more of the states, down to what double precision resolves. */
class SmallerEpsilonTest {

    private static final double[] THRESHOLDS = {1e-2, 1e-3, 1e-4, 1e-5, 0};

    /** A slow path without noise on a torus: successive states are nearly equal, so the first ones are kept far too densely. */
    private static Samples torus(int count) {
        double[][] states = new double[count + 1][];
        for (int t = 0; t <= count; t++) {
            double a = 0.02 * t;
            double b = 0.02 * Math.sqrt(2) * t;
            states[t] = new double[] {Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)};
        }
        return Samples.ofTrajectory("torus", states);
    }

    @ParameterizedTest
    @CsvSource({"vanDerPol, 2, 1", "vanDerPol, 2, 64", "torus, 3, 1", "torus, 3, 64"})
    void moreIsNeverWorse(String stream, double width, int block) {
        Samples samples = stream.equals("torus") ? torus(3000) : Streams.vanDerPol(5, 3000);
        int fewest = 0;
        double most = 1;
        for (double epsilon : THRESHOLDS) {
            LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                    LeastSquaresConfig.forState(samples.input(0).length, Kernels.gaussian(width))
                            .epsilon(epsilon)
                            .blockSize(block)
                            .build());
            for (int i = 0; i < samples.size(); i++) {
                learner.update(samples.input(i), samples.output(i));
            }
            double missed = missed(learner.state().inputBasis(), samples);
            assertThat(learner.dictionarySize())
                    .as("kept with epsilon %s", epsilon)
                    .isGreaterThanOrEqualTo(fewest);
            assertThat(missed).as("missed with epsilon %s", epsilon).isLessThanOrEqualTo(most);
            fewest = learner.dictionarySize();
            most = missed;
        }
    }

    /** The mean of b² over all states. */
    private static double missed(NewtonBasis basis, Samples samples) {
        double[] beta = new double[basis.size()];
        Scratch scratch = new Scratch();
        double sum = 0;
        for (int i = 0; i < samples.size(); i++) {
            sum += basis.coordinates(samples.input(i), beta, scratch);
        }
        return sum / samples.size();
    }
}
