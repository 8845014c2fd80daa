package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.NoisyRotation;
import io.koopstream.systems.OrnsteinUhlenbeck;
import io.koopstream.systems.QuadrupleWell;
import io.koopstream.tuning.AdvisorConfig;
import io.koopstream.tuning.Proposal;
import io.koopstream.tuning.SettingsAdvisor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proposed settings against the best of a wide grid that is allowed to look at the truth. */
class SettingsAdvisorTest {

    private static final int PAIRS = 6000;

    /** Pairs of a system with the second coordinate in other units. */
    private static double[][][] pairs(BenchmarkSystem system, int steps, double unit, long seed) {
        double[][] x = new double[PAIRS][];
        double[][] y = new double[PAIRS][];
        int t = 0;
        for (double[][] path : system.simulate(PAIRS / steps, steps, seed)) {
            for (int i = 0; i < steps; i++) {
                x[t] = new double[] {path[i][0], unit * path[i][1]};
                y[t++] = new double[] {path[i + 1][0], unit * path[i + 1][1]};
            }
        }
        return new double[][][] {x, y};
    }

    /** The largest distance of an exact eigenvalue from the nearest of the learned ones. */
    private static double error(TransitionOperator operator, double[][] exact) {
        int count = Math.min(operator.inputBasis().size(), exact.length + 3);
        Complex[] found = Spectrum.leading(operator.asKoopman(), count).eigenvalues();
        double worst = 0;
        for (double[] value : exact) {
            double nearest = Double.POSITIVE_INFINITY;
            for (Complex candidate : found) {
                nearest = Math.min(nearest, Math.hypot(candidate.re() - value[0], candidate.im() - value[1]));
            }
            worst = Math.max(worst, nearest);
        }
        return worst;
    }

    private static double bestOfGrid(double[][][] pairs, double unit, double[][] exact) {
        double best = Double.POSITIVE_INFINITY;
        for (double sigma : new double[] {0.25, 0.4, 0.7, 1, 1.5, 2.5}) {
            LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                    LeastSquaresConfig.forState(2, Kernels.scaled(Kernels.gaussian(sigma), 1, unit))
                            .epsilon(0.15)
                            .build());
            for (int i = 0; i < PAIRS && learner.dictionarySize() <= 150; i++) {
                learner.update(pairs[0][i], pairs[1][i]);
            }
            for (double lambda : new double[] {1e-6, 1e-5, 1e-4, 1e-3}) {
                // Widths that are far too narrow for the units are not worth their time.
                if (learner.samples() == PAIRS) {
                    best = Math.min(best, error(learner.state().operator(lambda), exact));
                }
            }
        }
        return best;
    }

    private static Proposal comparesWithTheGrid(
            BenchmarkSystem system, int steps, double unit, int eigenvalues, long seed) {
        double[][][] pairs = pairs(system, steps, unit, seed);
        double[][] exact = system.exactEigenvalues(eigenvalues).orElseThrow();
        Proposal proposal = SettingsAdvisor.propose(pairs[0], pairs[1]);
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(proposal.leastSquares());
        learner.partialFit(pairs[0], pairs[1]);
        assertThat(error(learner.snapshot(), exact))
                .as("%s, seed %d: error with%n%s", system.id(), seed, proposal)
                .isLessThanOrEqualTo(3 * Math.max(bestOfGrid(pairs, unit, exact), statisticalError(exact)));
        return proposal;
    }

    /** What an estimate from so many pairs has on average even where it is given the eigenfunctions; the best of a grid may be luckier. */
    private static double statisticalError(double[][] exact) {
        double largest = 0;
        for (double[] value : exact) {
            largest = Math.max(largest, Math.sqrt((1 - value[0] * value[0] - value[1] * value[1]) / PAIRS));
        }
        return largest;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void ornsteinUhlenbeckIsNearTheBestOfTheGrid(long seed) {
        comparesWithTheGrid(new OrnsteinUhlenbeck(), PAIRS, 1, 4, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void theRotationIsNearTheBestOfTheGrid(long seed) {
        comparesWithTheGrid(new NoisyRotation(), PAIRS, 1, 6, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void fourWellsWithOneCoordinateInOtherUnitsAreNearTheBestOfTheGrid(long seed) {
        Proposal proposal = comparesWithTheGrid(new FourWell(), 100, 1000, 4, seed);
        assertThat(proposal.scales()).hasSize(2);
        assertThat(proposal.scales()[1] / proposal.scales()[0]).isBetween(800.0, 1250.0);
    }

    /** One step ahead a wide kernel and a coarse dictionary forecast as well, and lose a hundredth of the slow eigenvalues. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void slowEigenvaluesOfNoisyDataAreNearTheirStatisticalError(long seed) {
        QuadrupleWell system = new QuadrupleWell();
        double[][][] pairs = pairs(system, PAIRS, 1, seed);
        Proposal proposal = SettingsAdvisor.propose(pairs[0], pairs[1]);
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(proposal.leastSquares());
        learner.partialFit(pairs[0], pairs[1]);
        double[][] exact = system.exactEigenvalues(4).orElseThrow();
        // Three standard errors of an estimate that is given the eigenfunctions.
        assertThat(error(learner.snapshot(), exact)).as("%s", proposal).isLessThan(3 * statisticalError(exact));
        assertThat(learner.dictionarySize()).isLessThan(150);
    }

    @Test
    void everySettingHasAReasonAndCanBeReplaced() {
        double[][][] pairs = pairs(new OrnsteinUhlenbeck(), PAIRS, 1, 3);
        AdvisorConfig small = new AdvisorConfig(600, 120);
        Proposal proposal = SettingsAdvisor.propose(pairs[0], pairs[1], small);
        assertThat(proposal.toString())
                .isEqualTo(SettingsAdvisor.propose(pairs[0], pairs[1], small).toString());
        assertThat(proposal.lines()).hasSize(5).allMatch(line -> line.matches("\\w+ = [^:]+: \\w.{20,}"));
        Proposal mine = proposal.withEpsilon(0.25);
        assertThat(mine.leastSquares())
                .isEqualTo(LeastSquaresConfig.forState(2, proposal.kernel())
                        .epsilon(0.25)
                        .holdOut(0.1)
                        .build());
        double eta = mine.eta().value();
        assertThat(mine.sogd().stepSize().at(1)).isEqualTo(eta);
        assertThat(mine.sogd().budget().at(1, eta)).isEqualTo(0.25 * eta);
        assertThat(mine.epsilon().reason()).isEqualTo("given");
        // Another window, another proposal.
        assertThat(SettingsAdvisor.propose(pairs[0], pairs[1], new AdvisorConfig(500, 120))
                        .toString())
                .isNotEqualTo(proposal.toString());
        assertThatThrownBy(() -> proposal.withEpsilon(-1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("epsilon = -1.0");
    }

    @Test
    void constantCoordinatesPlayNoPart() {
        double[][][] pairs = pairs(new OrnsteinUhlenbeck(), PAIRS, 1, 4);
        double[][][] padded = new double[2][600][];
        for (int i = 0; i < 600; i++) {
            for (int side = 0; side < 2; side++) {
                padded[side][i] = new double[] {pairs[side][i][0], 5e7, 1000 * pairs[side][i][1]};
            }
        }
        AdvisorConfig small = new AdvisorConfig(600, 120);
        Proposal proposal = SettingsAdvisor.propose(padded[0], padded[1], small);
        assertThat(proposal.scales()).hasSize(3);
        assertThat(proposal.scales()[1]).isEqualTo(1.0);
        assertThat(proposal.lines().get(0)).contains("1 constant coordinate(s)");
        assertThat(proposal.leastSquares().input().dimension()).isEqualTo(3);
        double[][] still = new double[300][2];
        Proposal flat = SettingsAdvisor.propose(still, still);
        assertThat(flat.kernel().isAffine()).isTrue();
        assertThat(flat.warnings()).singleElement().asString().startsWith("nothing varied in the first 300 pairs");
    }

    @Test
    void aRuleOfThumbWhereATestSaysNothing() {
        AdvisorConfig config = AdvisorConfig.defaults();
        double[][] x = {{0, 0}, {1, 100}, {2, 200}};
        double[][] y = {{1, 100}, {2, 200}, {3, 300}};
        Proposal few = SettingsAdvisor.suggest(x, y, config);
        assertThat(few.scales()).hasSize(2);
        assertThat(few.kernelReason()).contains("3 pairs are too few", "half the median distance");
        assertThat(few.leastSquares().lambda()).isEmpty();
        Proposal one = SettingsAdvisor.suggest(new double[][] {{1}}, new double[][] {{3}}, config);
        assertThat(one.kernel()).isEqualTo(Kernels.gaussian(1));
        double[][][] enough = pairs(new OrnsteinUhlenbeck(), PAIRS, 1, 3);
        AdvisorConfig small = new AdvisorConfig(600, 120);
        assertThat(SettingsAdvisor.suggest(enough[0], enough[1], small).toString())
                .isEqualTo(SettingsAdvisor.propose(enough[0], enough[1], small).toString());
        assertThat(SettingsAdvisor.suggest(new double[5][1], new double[5][1], config)
                        .kernel()
                        .isAffine())
                .isTrue();
    }

    @Test
    void delaysAreProposedWhereTheStateIsNotComplete() {
        // One coordinate of a rotation with noise: the next value needs the one before.
        java.util.SplittableRandom random = new java.util.SplittableRandom(5);
        double[][] x = new double[2000][1];
        double[][] y = new double[2000][1];
        double p = 1;
        double q = 0;
        for (int t = 0; t < x.length; t++) {
            x[t][0] = p;
            double next = 0.98 * (Math.cos(0.3) * p - Math.sin(0.3) * q) + 0.05 * random.nextGaussian();
            q = 0.98 * (Math.sin(0.3) * p + Math.cos(0.3) * q) + 0.05 * random.nextGaussian();
            p = next;
            y[t][0] = p;
        }
        Proposal proposal = SettingsAdvisor.propose(x, y, new AdvisorConfig(2000, 200, 16));
        assertThat(proposal.delays()).isPositive();
        assertThat(proposal.leastSquares().input().dimension()).isEqualTo(1 + proposal.delays());
        assertThat(proposal.leastSquares().targets()).isEqualTo(1);
        assertThat(proposal.kernelReason()).contains("without delays");
        assertThat(SettingsAdvisor.propose(x, y, new AdvisorConfig(2000, 200, 0))
                        .delays())
                .isZero();
        // A complete state needs none.
        double[][][] pairs = pairs(new NoisyRotation(), PAIRS, 1, 6);
        assertThat(SettingsAdvisor.propose(pairs[0], pairs[1], new AdvisorConfig(2000, 200, 4))
                        .delays())
                .isZero();
    }

    @Test
    void aLinearSystemGetsALinearKernelAndOneWithoutNoiseAFineDictionary() {
        java.util.SplittableRandom random = new java.util.SplittableRandom(8);
        double[][] x = new double[1200][2];
        double[][] y = new double[1200][2];
        for (int t = 0; t < x.length; t++) {
            x[t][0] = random.nextGaussian();
            x[t][1] = random.nextGaussian();
            y[t][0] = 0.9 * x[t][0] + 0.2 * x[t][1];
            y[t][1] = 0.7 * x[t][1];
        }
        Proposal linear = SettingsAdvisor.propose(x, y);
        assertThat(linear.kernel().text()).contains("linear");
        for (int t = 0; t < x.length; t++) {
            y[t][1] = 0.7 * x[t][1] + 0.2 * Math.sin(3 * x[t][0]);
        }
        Proposal fine = SettingsAdvisor.propose(x, y);
        assertThat(fine.epsilon().value()).isLessThan(0.05);
    }

    @Test
    void refusesWindowsItCannotUse() {
        assertThatThrownBy(() -> SettingsAdvisor.propose(new double[10][2], new double[10][2]))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("at least 50");
        double[][] broken = new double[300][2];
        broken[7][1] = Double.NaN;
        assertThatThrownBy(() -> SettingsAdvisor.propose(broken, new double[300][2]))
                .isInstanceOf(InvalidSampleException.class)
                .hasMessageContaining("x[7]");
        assertThatThrownBy(() -> new AdvisorConfig(10, 100)).hasMessageStartingWith("window = 10");
        assertThatThrownBy(() -> new AdvisorConfig(1000, 1)).hasMessageStartingWith("maxDictionary = 1");
    }
}
