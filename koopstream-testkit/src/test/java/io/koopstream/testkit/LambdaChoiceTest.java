package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.OrnsteinUhlenbeck;
import io.koopstream.systems.SlowManifold;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ridge that held-out pairs choose: none to speak of where there is no noise, enough of it where there is. */
class LambdaChoiceTest {

    private static LeastSquaresState learned(
            BenchmarkSystem system, Kernel kernel, int trajectories, int steps, long seed, double heldOut) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(system.dimension(), kernel)
                        .epsilon(0.1)
                        .holdOut(heldOut)
                        .build());
        for (double[][] path : system.simulate(trajectories, steps, seed)) {
            for (int i = 0; i < steps; i++) {
                learner.update(path[i], path[i + 1]);
            }
        }
        return learner.state();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aPolynomialSystemWithoutNoiseIsLearnedWithoutARidge(long seed) {
        SlowManifold system = new SlowManifold();
        LeastSquaresState state =
                learned(system, Kernels.polynomial(4, 1, 2), 60, 30, seed, HoldOutConfig.DEFAULT_SHARE);
        LambdaChoice choice = state.choice();
        assertThat(choice.isChosen()).isTrue();
        double unit = state.family().scale();
        assertThat(choice.forecast() / unit).as("seed %d", seed).isLessThan(1e-8);
        assertThat(choice.spectrum() / unit).as("seed %d", seed).isLessThan(1e-6);
        // Polynomials of degree four hold x₁ʲ with eigenvalue 0.9753ʲ up to j = 4.
        double[][] exact = system.exactEigenvalues(3).orElseThrow();
        Spectrum spectrum = Spectrum.leading(state.operator().asKoopman(), 3);
        for (int k = 0; k < 3; k++) {
            assertThat(spectrum.eigenvalue(k).re())
                    .as("seed %d, eigenvalue %d, lambda %.1e", seed, k, choice.spectrum())
                    .isCloseTo(exact[k][0], within(1e-3));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noiseAsksForARidge(long seed) {
        LeastSquaresState state =
                learned(new OrnsteinUhlenbeck(), Kernels.gaussian(0.3), 1, 2000, seed, HoldOutConfig.DEFAULT_SHARE);
        LambdaChoice choice = state.choice();
        double unit = state.family().scale();
        assertThat(choice.isChosen()).isTrue();
        assertThat(choice.forecast() / unit).as("seed %d", seed).isBetween(1e-5, 0.5);
        assertThat(choice.spectrum() / unit).as("seed %d", seed).isBetween(0.9e-7, 0.5);
        assertThat(state.operator().norm())
                .isEqualTo(state.operator(choice.spectrum()).norm());
    }

    @Test
    void theErrorsAreThoseOfTheChosenAndTheGridFallsByDecades() {
        LeastSquaresState state =
                learned(new OrnsteinUhlenbeck(), Kernels.gaussian(1), 1, 3000, 4, HoldOutConfig.DEFAULT_SHARE);
        LambdaChoice choice = state.choice();
        double[] grid = choice.grid();
        double[] errors = choice.forecastErrors();
        assertThat(errors).hasSameSizeAs(grid);
        assertThat(choice.spectrumErrors()).hasSameSizeAs(grid);
        assertThat(choice.longErrors()).hasSameSizeAs(grid);
        assertThat(grid[0]).isCloseTo(state.family().scale(), within(1e-12));
        double least = Double.MAX_VALUE;
        for (int g = 0; g < grid.length; g++) {
            assertThat(grid[g] / grid[0]).isCloseTo(Math.pow(10, -g), within(1e-12));
            least = Math.min(least, errors[g]);
        }
        for (int g = 0; g < grid.length; g++) {
            if (grid[g] == choice.forecast()) {
                // Within a thousandth of the best, and no larger ridge is.
                assertThat(errors[g]).isLessThanOrEqualTo(1.001 * least);
            } else if (grid[g] > choice.forecast()) {
                assertThat(errors[g]).isGreaterThan(1.001 * least);
            }
        }
        assertThat(choice.heldOut()).isEqualTo(state.holdOut().size());
    }

    @Test
    void theRiskIsThatOfEachOperatorOnTheHeldOutRuns() {
        LeastSquaresState state = learned(
                        new OrnsteinUhlenbeck(), Kernels.gaussian(1), 1, 1000, 4, HoldOutConfig.DEFAULT_SHARE)
                .settled();
        LambdaChoice choice = state.choice();
        double[] grid = choice.grid();
        double[] risks = choice.spectrumErrors();
        double least = Double.MAX_VALUE;
        double atLeast = Double.NaN;
        for (int g = 0; g < grid.length && !Double.isNaN(risks[g]); g++) {
            assertThat(risks[g]).as("ridge %s", grid[g]).isCloseTo(risk(state, grid[g]), within(1e-9));
            atLeast = risks[g] < least ? grid[g] : atLeast;
            least = Math.min(least, risks[g]);
        }
        assertThat(choice.risk()).isEqualTo(atLeast);
    }

    /** The mean over held-out runs of the mean of ‖φ(x⁺) − U φ(x)‖² over a run, by kernel values. */
    private static double risk(LeastSquaresState state, double lambda) {
        double[][] coefficients = state.operator(lambda).coefficients();
        Points kept = state.inputBasis().points();
        Rkhs space = state.inputBasis().space();
        Map<Long, List<Double>> runs = new TreeMap<>();
        for (int i = 0; i < state.holdOut().size(); i++) {
            double[] x = state.holdOut().inputs()[i];
            double[] y = state.holdOut().outputs()[i];
            double[] weights = new double[kept.size()];
            for (int a = 0; a < weights.length; a++) {
                for (int b = 0; b < weights.length; b++) {
                    weights[a] += coefficients[a][b] * value(space, kept.get(b), x);
                }
            }
            double squares = value(space, y, y);
            for (int a = 0; a < weights.length; a++) {
                squares -= 2 * weights[a] * value(space, kept.get(a), y);
                for (int b = 0; b < weights.length; b++) {
                    squares += weights[a] * weights[b] * value(space, kept.get(a), kept.get(b));
                }
            }
            runs.computeIfAbsent(state.holdOut().runNumbers()[i], run -> new ArrayList<>())
                    .add(squares);
        }
        return runs.values().stream()
                .mapToDouble(run ->
                        run.stream().mapToDouble(Double::doubleValue).average().orElseThrow())
                .average()
                .orElseThrow();
    }

    private static double value(Rkhs space, double[] a, double[] b) {
        return space.kernel().value(space.view(), a, b);
    }

    @Test
    void withoutEnoughHeldOutPairsTheUsualOneServes() {
        LeastSquaresState none = learned(new OrnsteinUhlenbeck(), Kernels.gaussian(1), 1, 500, 5, 0);
        assertThat(none.choice().isChosen()).isFalse();
        assertThat(none.choice().isAtEdge()).isFalse();
        assertThat(none.choice().spectrum())
                .isEqualTo(none.choice().forecast())
                .isCloseTo(1e-5 * none.family().scale(), within(1e-18));
        LeastSquaresState few = learned(new OrnsteinUhlenbeck(), Kernels.gaussian(1), 1, 130, 5, 0.1);
        assertThat(few.holdOut().size()).isBetween(1, LambdaChoice.MIN_PAIRS - 1);
        assertThat(few.choice().isChosen()).isFalse();
    }

    @Test
    void aFixedRidgeIsNotChosen() {
        LeastSquaresState state = learned(new OrnsteinUhlenbeck(), Kernels.gaussian(1), 1, 2000, 6, 0.1);
        LeastSquaresLearner<KoopmanOperator> fixed = LeastSquaresLearner.koopman(
                state.config().toBuilder().lambda(0.5).build());
        for (double[][] path : new OrnsteinUhlenbeck().simulate(1, 2000, 6)) {
            for (int i = 0; i < 2000; i++) {
                fixed.update(path[i], path[i + 1]);
            }
        }
        assertThat(fixed.snapshot().distance(state.operator(0.5).asKoopman())).isZero();
        assertThat(state.choice().spectrum()).isNotEqualTo(0.5);
    }
}
