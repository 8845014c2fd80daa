package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.RidgeFamily.By;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.testkit.ReferenceStreamTest.Case;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Least squares against streams worked out by a program of its own, in raw kernel vectors and 80 bit arithmetic: see reference/README.md. */
class LeastSquaresOracleTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 64", "2, 1", "2, 64", "3, 1", "3, 64"})
    void pointsEigenvaluesAndForecastsAreThoseOfTheReference(int number, int block) {
        Case reference = new Case("least-squares-" + number);
        double[][] samples = reference.read("samples.csv", true);
        int d = samples[0].length / 2;
        Kernel kernel = Kernels.parse(reference.text("kernel"));
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(d, kernel)
                        .epsilon(reference.number("epsilon"))
                        .forgetting(reference.number("forgetting"))
                        .blockSize(block)
                        .build());
        for (double[] row : samples) {
            learner.update(Arrays.copyOf(row, d), Arrays.copyOfRange(row, d, 2 * d));
        }
        LeastSquaresState state = learner.state().settled();
        assertThat(state.inputBasis().points().toRows()).isDeepEqualTo(reference.read("kept.csv", true));
        double lambda = reference.number("lambda");
        Complex[] found = Spectrum.full(state.operator(lambda).asKoopman()).eigenvalues();
        ReferenceStreamTest.assertNearest(reference.read("eigenvalues.csv", true), found);
        double[][] reduced = reference.read("reduced.csv", true);
        Complex[] ofRank = Spectrum.leading(
                        state.operator(lambda, reduced.length, By.PREDICTION).asKoopman(), reduced.length)
                .eigenvalues();
        ReferenceStreamTest.assertNearest(reduced, ofRank);
        double[] beta = new double[state.dictionarySize()];
        double[] increment = new double[d + 1];
        for (double[] row : reference.read("query.csv", true)) {
            double[] x = Arrays.copyOf(row, d);
            state.inputBasis().coordinates(x, beta, new Scratch());
            state.family().increments(lambda).multiplyTransposed(beta, increment);
            for (int c = 0; c < d; c++) {
                assertThat(x[c] + increment[c]).isCloseTo(row[d + c], Offset.offset(1e-9));
            }
        }
    }
}
