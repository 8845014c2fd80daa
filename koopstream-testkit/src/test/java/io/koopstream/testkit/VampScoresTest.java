package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.VampScores;
import io.koopstream.systems.NoisyRotation;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Variational scores on a rotation with noise, whose eigenvalues are known: 1 and ρ e^{±iω} lead. */
class VampScoresTest {

    private static LeastSquaresState learned;
    private static double[][] x;
    private static double[][] xNext;

    @BeforeAll
    static void learn() {
        NoisyRotation system = new NoisyRotation();
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(1.5))
                        .blockSize(64)
                        .build());
        double[][] path = system.trajectory(0, 10_000, 1);
        learner.partialFit(Arrays.copyOf(path, 10_000), Arrays.copyOfRange(path, 1, 10_001));
        learned = learner.state().settled();
        double[][] other = system.trajectory(0, 3_000, 2);
        x = Arrays.copyOf(other, 3_000);
        xNext = Arrays.copyOfRange(other, 1, 3_001);
    }

    private static VampScores at(double lambda) {
        Spectrum spectrum = Spectrum.leading(learned.operator(lambda).asKoopman(), 3);
        return VampScores.of(spectrum, learned.meanCovariance(), x, xNext);
    }

    @Test
    void theScoresOfTheTrueFunctionsAreTheSumOfTheirSquaredEigenvalues() {
        double[][] known = new NoisyRotation().exactEigenvalues(3).orElseThrow();
        double sum = Arrays.stream(known)
                .mapToDouble(value -> value[0] * value[0] + value[1] * value[1])
                .sum();
        VampScores good = at(1e-5);
        assertThat(good.functions()).isEqualTo(3);
        assertThat(good.pairs()).isEqualTo(3_000);
        // Isotropic noise: the rotation is normal, so singular values are moduli. The tolerance is a few times the
        // scatter of 3,000 pairs.
        assertThat(good.vamp2()).isCloseTo(sum, within(0.05));
        assertThat(good.vampE().orElseThrow()).isCloseTo(sum, within(0.1));
    }

    @Test
    void wrongEigenvaluesAreSeenByVampEAlone() {
        VampScores good = at(1e-5);
        VampScores shrunk = at(0.1);
        assertThat(shrunk.vamp2()).isCloseTo(good.vamp2(), within(0.05));
        assertThat(shrunk.vampE().orElseThrow()).isLessThan(good.vampE().orElseThrow() - 0.1);
    }

    @Test
    void withoutStatisticsThereIsNoVampEAndWithoutPairsNoScore() {
        Spectrum spectrum = Spectrum.leading(learned.operator(1e-5).asKoopman(), 3);
        assertThat(VampScores.of(spectrum, x, xNext).vampE()).isEmpty();
        assertThatThrownBy(() -> VampScores.of(spectrum, Arrays.copyOf(x, 1), Arrays.copyOf(xNext, 1)))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("at least two pairs");
    }
}
