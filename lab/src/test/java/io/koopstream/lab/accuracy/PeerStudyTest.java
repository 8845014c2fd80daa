package io.koopstream.lab.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.stream.StreamConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The data and the exact answers of the peers' problems that are no systems of their own. */
class PeerStudyTest {

    @Test
    void mixedSignalsAreTwoOscillationsAtTheStatedEigenvalues() {
        double[][] values = MixedSignals.eigenvalues(true);
        assertThat(values).hasDimensions(5, 2);
        assertThat(values[0]).containsExactly(1, 0);
        double tau = 4 * Math.PI / 199;
        assertThat(values[1][0]).isCloseTo(Math.cos(2.3 * tau), within(1e-15));
        assertThat(values[4][1]).isCloseTo(-Math.sin(2.8 * tau), within(1e-15));
        assertThat(MixedSignals.eigenvalues(false)[0]).containsExactly(values[1]);
        // (z² − 2 re z + 1) for either pair, one after the other, annihilates every coordinate.
        PairStream stream = MixedSignals.pairs(1, 0);
        assertThat(stream.size()).isEqualTo(199);
        assertThat(stream.inputs()[0]).hasSize(800);
        double[][] x = stream.inputs();
        double first = 2 * values[1][0];
        double second = 2 * values[3][0];
        double onlyOne = 0;
        for (int t = 4; t < x.length; t++) {
            for (int c = 0; c < 800; c++) {
                double late = x[t][c] - first * x[t - 1][c] + x[t - 2][c];
                double middle = x[t - 1][c] - first * x[t - 2][c] + x[t - 3][c];
                double early = x[t - 2][c] - first * x[t - 3][c] + x[t - 4][c];
                assertThat(late - second * middle + early).isCloseTo(0, within(1e-13));
                onlyOne = Math.max(onlyOne, Math.abs(late));
            }
        }
        assertThat(onlyOne).as("one pair alone does not do").isGreaterThan(1e-3);
    }

    @Test
    void noiseOfTheMixedSignalsHasTheStatedDeviation() {
        double[][] noisy = MixedSignals.pairs(1).inputs();
        double[][] clean = MixedSignals.pairs(1, 0).inputs();
        double squares = 0;
        for (int t = 0; t < noisy.length; t++) {
            for (int c = 0; c < 800; c++) {
                squares += (noisy[t][c] - clean[t][c]) * (noisy[t][c] - clean[t][c]);
            }
        }
        int n = 199 * 800;
        assertThat(squares / n).isCloseTo(0.01, within(4 * 0.01 * Math.sqrt(2.0 / n)));
    }

    @Test
    void driftingRotationFollowsItsEquation() {
        PairStream stream = DriftingRotation.pairs();
        double[] x = stream.inputs()[0].clone();
        int pieces = 2_000;
        double h = 0.1 / pieces;
        for (int pair = 1; pair <= DriftingRotation.PAIRS; pair++) {
            double[] before = x.clone();
            for (int i = 0; i < pieces; i++) {
                // The midpoint rule: no formula shared with the class.
                double t = (pair - 1) * 0.1 + i * h;
                double omega = 1 + 0.1 * t;
                double mid = 1 + 0.1 * (t + h / 2);
                double mid1 = x[0] + h / 2 * omega * x[1];
                double mid2 = x[1] - h / 2 * omega * x[0];
                x[0] += h * mid * mid2;
                x[1] -= h * mid * mid1;
            }
            assertThat(stream.outputs()[pair - 1][0]).isCloseTo(x[0], within(1e-7));
            assertThat(stream.outputs()[pair - 1][1]).isCloseTo(x[1], within(1e-7));
            double[][] values = DriftingRotation.eigenvalues(pair);
            assertThat(values[0][0]).isCloseTo(before[0] * x[0] + before[1] * x[1], within(1e-7));
            assertThat(values[0][1]).isCloseTo(before[1] * x[0] - before[0] * x[1], within(1e-7));
            assertThat(values[1]).containsExactly(values[0][0], -values[0][1]);
        }
    }

    @Test
    void whatWasNotLearnedCountsAsZero() {
        PeerStudy.Learned learned = PeerStudy.learn(
                DriftingRotation.pairs().first(20),
                StreamConfig.parse(Map.of("kernel", "linear(radius=2)", "forgetting", "0.9")),
                3);
        assertThat(learned.kept()).isEqualTo(2);
        assertThat(learned.eigenvalues()).hasSize(3);
        assertThat(learned.eigenvalues().get(2).modulus()).isZero();
        // Forgetting lags by about ten pairs, in which the angle grows by a hundredth.
        assertThat(learned.match(DriftingRotation.eigenvalues(20)).largest(0, 2))
                .isBetween(1e-4, 0.015);
    }
}
