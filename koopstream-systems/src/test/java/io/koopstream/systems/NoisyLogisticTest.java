package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoisyLogisticTest extends BenchmarkSystemContract {

    private final NoisyLogistic system = new NoisyLogistic();

    @Override
    BenchmarkSystem system() {
        return new NoisyLogistic();
    }

    @Override
    double[] publishedState() {
        return new double[] {0.3126893868130288};
    }

    @Test
    void staysOnTheCircle() {
        for (double[][] path : system.simulate(100, 1000, 1)) {
            for (double[] state : path) {
                assertThat(state[0] >= 0 && state[0] < 1).isTrue();
            }
        }
    }

    @Test
    void noiseHasTheStatedLaw() {
        // For density ∝ cos(πξ)^20: E cos(2πξ) = b₁ = 10/11 and E cos(4πξ) = b₂ = 10·9/(11·12).
        UniformRandomProvider rng = TrajectoryStreams.of(9, 0);
        int samples = 200_000;
        double first = 0;
        double second = 0;
        double sine = 0;
        for (int i = 0; i < samples; i++) {
            double[] state = {0.15};
            system.step(state, rng);
            double angle = 2 * Math.PI * (state[0] - 4 * 0.15 * 0.85);
            first += Math.cos(angle) / samples;
            second += Math.cos(2 * angle) / samples;
            sine += Math.sin(angle) / samples;
        }
        // Var cos(2πξ) = (1 + b₂)/2 − b₁² = 0.0145; Var cos(4πξ) = 0.13; Var sin(2πξ) = (1 − b₂)/2 = 0.16.
        assertThat(first).isCloseTo(10.0 / 11, within(4 * Math.sqrt(0.0145 / samples)));
        assertThat(second).isCloseTo(90.0 / 132, within(4 * Math.sqrt(0.13 / samples)));
        assertThat(sine).isCloseTo(0, within(4 * Math.sqrt(0.16 / samples)));
    }

    @Test
    void onlyOneEigenvalueIsOneAndAtMostElevenAreNotZero() {
        double[][] values = system.exactEigenvalues(15).orElseThrow();
        for (int i = 1; i < 15; i++) {
            double modulus = Math.hypot(values[i][0], values[i][1]);
            if (i < 11) {
                assertThat(modulus).isBetween(1e-8, 0.28);
            } else {
                assertThat(modulus).isZero();
            }
        }
    }

    @Test
    void eigenvaluesSumToTheTraceOfTheOperator() {
        // Independent of any eigenvalue solver: the trace is ∫ p(x | x) dx with the transition density
        // p(y | x) = 2²⁰/C(20,10) cos(π(y − 4x(1 − x)))²⁰.
        int points = 10_000;
        double trace = 0;
        for (int i = 0; i < points; i++) {
            double x = (i + 0.5) / points;
            trace += Math.pow(Math.cos(Math.PI * (x - 4 * x * (1 - x))), 20) * 1048576 / 184756 / points;
        }
        double sum = Arrays.stream(system.exactEigenvalues(11).orElseThrow())
                .mapToDouble(value -> value[0])
                .sum();
        assertThat(sum).isCloseTo(trace, within(1e-6));
    }

    @Test
    void simulatedPathsHaveTheExactLeadingPair() {
        // x and 1 − x have the same image, so each transition counts for both; that calms an ill-conditioned spectrum.
        UlamMatrix ulam = new UlamMatrix(0, 1, 50);
        for (double[][] path : system.simulate(1600, 1000, 6)) {
            for (int t = 0; t < 1000; t++) {
                ulam.add(path[t][0], path[t + 1][0]);
                ulam.add(1 - path[t][0], path[t + 1][0]);
            }
        }
        // After eight steps only the leading pair is left, and three successive vectors obey w₂ = a w₁ + b w₀, where
        // the pair are the roots of z² = a z + b.
        double[] w0 = ulam.iterateWithoutConstant(ulam.centres(), 8);
        double[] w1 = ulam.apply(w0);
        double[] w2 = ulam.apply(w1);
        double s00 = UlamMatrix.dot(w0, w0);
        double s01 = UlamMatrix.dot(w0, w1);
        double s11 = UlamMatrix.dot(w1, w1);
        double s02 = UlamMatrix.dot(w0, w2);
        double s12 = UlamMatrix.dot(w1, w2);
        double determinant = s00 * s11 - s01 * s01;
        double a = (s00 * s12 - s01 * s02) / determinant;
        double b = (s11 * s02 - s01 * s12) / determinant;
        double[] exact = system.exactEigenvalues(2).orElseThrow()[1];
        // Standard errors 0.006 and 0.004 over twenty samples of this size; the 50 cells cost 0.001 and 0.004.
        assertThat(a / 2).isCloseTo(exact[0], within(4 * 0.006 + 0.001));
        assertThat(Math.sqrt(-b - a * a / 4)).isCloseTo(exact[1], within(4 * 0.004 + 0.004));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1})
    void refusesStatesOffTheInterval(double x) {
        double[] state = {x};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.step(state, TrajectoryStreams.of(0, 0)))
                .withMessage("state[0] = " + x + ": must be in [0, 1] (coordinate x of logistic-v1)");
        assertThat(state).containsExactly(x);
    }
}
