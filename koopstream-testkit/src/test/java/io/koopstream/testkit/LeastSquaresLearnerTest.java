package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.FourWell;
import io.koopstream.theory.RegularisedRisk;
import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Online least squares against the batch minimiser of the same risk, and against the exact spectrum. */
class LeastSquaresLearnerTest {

    private static final Rkhs PLANE = new Rkhs(Kernels.gaussian(0.8), 2);

    private static LeastSquaresConfig plane(double lambda, double epsilon, double forgetting) {
        return LeastSquaresConfig.forTransition(PLANE, PLANE)
                .lambda(lambda)
                .epsilon(epsilon)
                .forgetting(forgetting)
                .build();
    }

    /** Points far enough apart that every one is kept, each seen several times with the same successor. */
    private static double[][][] repeatedPairs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] x = new double[120][];
        double[][] y = new double[120][];
        for (int i = 0; i < 120; i++) {
            int original = i < 30 ? i : random.nextInt(30);
            x[i] = i < 30 ? new double[] {i % 6, Math.floorDiv(i, 6) * 1.1} : x[original];
            y[i] = i < 30 ? new double[] {random.nextDouble() * 6, random.nextDouble() * 6} : y[original];
        }
        return new double[][][] {x, y};
    }

    @Test
    void equalsTheBatchMinimiserWhereverTheDictionarySpansTheSamples() {
        double[][][] pairs = repeatedPairs(1);
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(plane(1e-3, 0.0, 1.0));
        learner.partialFit(pairs[0], pairs[1]);
        TransitionOperator batch = new RegularisedRisk(pairs[0], pairs[1], 1e-3).minimiser(PLANE, PLANE);
        // One dictionary: thirty inputs and their thirty outputs.
        assertThat(learner.dictionarySize()).isEqualTo(60);
        assertThat(learner.snapshot().distance(batch)).isLessThan(1e-9);
        assertThat(new RegularisedRisk(pairs[0], pairs[1], 1e-3)
                        .gradient(learner.snapshot())
                        .norm())
                .isLessThan(1e-10);
    }

    @Test
    void isTheMinimiserAmongOperatorsOnADictionaryThatMissesMuch() {
        // A coarse dictionary first, then only statistics on it: most of every sample lies outside its span.
        LeastSquaresLearner<KoopmanOperator> scout =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, PLANE.kernel())
                        .lambda(1e-3)
                        .epsilon(0.9)
                        .build());
        Samples samples = Streams.vanDerPol(12, 400);
        scout.partialFit(samples.inputs(), samples.outputs());
        LeastSquaresLearner<KoopmanOperator> learner =
                scout.state().dictionaryOnly().resumeKoopman();
        learner.partialFit(samples.inputs(), samples.outputs());
        KoopmanOperator learned = learner.snapshot();
        assertThat(learned.dictionarySize()).isBetween(2, 60);
        RegularisedRisk risk = new RegularisedRisk(samples.inputs(), samples.outputs(), 1e-3);
        TransitionOperator gradient = risk.gradient(learned);
        assertThat(gradient.norm())
                .as("better operators exist off the dictionary")
                .isGreaterThan(1e-3);
        double least = risk.of(learned);
        UniformRandomProvider random = Streams.random(13);
        for (int trial = 0; trial < 20; trial++) {
            Matrix direction =
                    new Matrix(learned.matrix().rows(), learned.matrix().columns());
            for (int j = 0; j < direction.columns(); j++) {
                double[] column = Streams.normal(random, direction.rows());
                System.arraycopy(column, 0, direction.column(j), 0, column.length);
            }
            direction.scale(1 / direction.frobeniusNorm());
            TransitionOperator unit = new TransitionOperator(learned.inputBasis(), learned.outputBasis(), direction, 0);
            assertThat(gradient.inner(unit)).as("slope along the dictionary").isCloseTo(0, within(1e-9));
            Matrix moved = learned.matrix().copy();
            moved.add(0.1, direction);
            assertThat(risk.of(new TransitionOperator(learned.inputBasis(), learned.outputBasis(), moved, 0)))
                    .isGreaterThan(least);
        }
    }

    @Test
    void forgettingWeighsThePastDown() {
        // Two laws one after the other: without forgetting the answer is between them, with it the second.
        LeastSquaresLearner<KoopmanOperator> remembers =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.5))
                        .lambda(1e-6)
                        .build());
        LeastSquaresLearner<KoopmanOperator> forgets =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.5))
                        .lambda(1e-6)
                        .forgetting(0.99)
                        .build());
        SplittableRandom random = new SplittableRandom(3);
        for (int t = 0; t < 4000; t++) {
            double x = random.nextDouble() * 2 - 1;
            double y = t < 2000 ? 0.5 * x : -0.5 * x;
            remembers.update(new double[] {x}, new double[] {y});
            forgets.update(new double[] {x}, new double[] {y});
        }
        assertThat(remembers.snapshot().predict(new double[] {0.8})[0]).isCloseTo(0.0, within(0.05));
        assertThat(forgets.snapshot().predict(new double[] {0.8})[0]).isCloseTo(-0.4, within(0.02));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void findsTheFourWellSpectrumInOnePassInTrajectoryOrder(long seed) {
        FourWell system = new FourWell();
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)"))
                        .build());
        for (double[][] trajectory : system.simulate(400, 100, seed)) {
            for (int i = 0; i < 100; i++) {
                learner.update(trajectory[i], trajectory[i + 1]);
            }
        }
        Spectrum spectrum = Spectrum.leading(learner.snapshot(), 6);
        double[][] exact = system.exactEigenvalues(6).orElseThrow();
        for (int k = 0; k < 6; k++) {
            double error = Math.hypot(
                    spectrum.eigenvalue(k).re() - exact[k][0],
                    spectrum.eigenvalue(k).im());
            assertThat(error).as("seed %d, eigenvalue %d", seed, k).isLessThan(k < 4 ? 0.001 : 0.03);
        }
        assertThat(learner.dictionarySize()).isLessThanOrEqualTo(170);
    }

    @Test
    void aSnapshotIsSolvedOnceAndKeptUntilTheNextSample() {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(1, Kernels.gaussian(1)).build());
        assertThat(learner.update(new double[] {0}, new double[] {1})).isEqualTo(StepOutcome.ADMITTED);
        KoopmanOperator first = learner.snapshot();
        assertThat(learner.snapshot()).isSameAs(first);
        learner.update(new double[] {0.1}, new double[] {1.1});
        assertThat(learner.snapshot()).isNotSameAs(first);
    }

    @Test
    void stateCarriesOnBitForBit() {
        double[][][] trajectories = new FourWell().simulate(6, 80, 4);
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(plane(1e-4, 0.2, 0.999));
        for (int i = 0; i < 80; i++) {
            learner.update(trajectories[0][i], trajectories[0][i + 1]);
        }
        LeastSquaresLearner<KoopmanOperator> resumed = learner.state().resumeKoopman();
        for (int j = 1; j < 6; j++) {
            for (int i = 0; i < 80; i++) {
                learner.update(trajectories[j][i], trajectories[j][i + 1]);
                learner.snapshot();
                resumed.update(trajectories[j][i], trajectories[j][i + 1]);
            }
        }
        assertThat(resumed.state().digest()).isEqualTo(learner.state().digest());
        assertThat(learner.copy().state().digest()).isEqualTo(learner.state().digest());
        learner.reset();
        assertThat(learner.samples()).isZero();
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> plane(0, 0.1, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("lambda = 0.0: must be a finite number > 0");
        assertThatThrownBy(() -> plane(1e-4, -1, 1)).hasMessageStartingWith("epsilon = -1.0");
        assertThatThrownBy(() -> plane(1e-4, 0.1, 0)).hasMessageStartingWith("forgetting = 0.0");
        assertThatThrownBy(() -> plane(1e-4, 0.1, 1.5)).hasMessageStartingWith("forgetting = 1.5");
        assertThatThrownBy(() -> LeastSquaresLearner.koopman(
                        LeastSquaresConfig.forTransition(PLANE, new Rkhs(Kernels.gaussian(1), 3))
                                .build()))
                .hasMessageContaining("one space");
    }
}
