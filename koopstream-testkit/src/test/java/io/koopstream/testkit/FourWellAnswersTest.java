package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidQueryException;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.SetFacts;
import io.koopstream.spectrum.SetTransitions;
import io.koopstream.spectrum.SpectralGap;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.OrnsteinUhlenbeck;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sets, exit times, time scales and the Chapman–Kolmogorov check on the four-well system, against its generator. */
class FourWellAnswersTest {

    private static final long SEED = 1;
    private static final int[] LAGS = {1, 5, 10};
    private static final FourWell SYSTEM = new FourWell();
    private static double[][][] paths;
    private static double[][] states;
    private static final Map<Integer, KoopmanOperator> OPERATORS = new HashMap<>();
    private static MetastableSets sets;

    @BeforeAll
    static void learn() {
        paths = SYSTEM.simulate(600, 100, SEED);
        states = Arrays.stream(paths)
                .flatMap(p -> Arrays.stream(new double[][] {p[20], p[60], p[100]}))
                .toArray(double[][]::new);
        for (int lag : LAGS) {
            OPERATORS.put(lag, learnedAt(lag));
        }
        sets = MetastableSets.byGap(OPERATORS.get(1), states, 7);
    }

    private static KoopmanOperator learnedAt(int lag) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)"))
                        .build());
        for (double[][] path : paths) {
            learner.fitTrajectory(path, lag);
        }
        return learner.snapshot();
    }

    /** Written by fourwell_passage_times.py beside it, from the generator. */
    private static Map<String, Double> truth() throws IOException {
        Map<String, Double> values = new HashMap<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                FourWellAnswersTest.class.getResourceAsStream("fourwell_passage_times.csv"), StandardCharsets.UTF_8))) {
            reader.lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .forEach(p -> values.put(p[0], Double.valueOf(p[1])));
        }
        return values;
    }

    /** The well of every set, from its states. */
    private static int[] wells() {
        int[] assigned = sets.assign(states);
        int[] wells = new int[4];
        for (int s = 0; s < 4; s++) {
            int[] votes = new int[4];
            for (int i = 0; i < states.length; i++) {
                votes[SYSTEM.wellOf(states[i])] += assigned[i] == s ? 1 : 0;
            }
            for (int w = 1; w < 4; w++) {
                wells[s] = votes[w] > votes[wells[s]] ? w : wells[s];
            }
        }
        return wells;
    }

    @Test
    void theGapSpeaksForFourSetsAndForOneWhereNothingIsMetastable() {
        SpectralGap gap = SpectralGap.of(OPERATORS.get(1));
        assertThat(gap.sets()).as("seed %d", SEED).isEqualTo(4);
        // Exact time scales: ln 0.718177 / ln 0.994062 = 55.6.
        assertThat(gap.ratio()).as("seed %d", SEED).isBetween(40.0, 75.0);
        System.out.printf("four-well, seed %d: gap ratio %.1f%n", SEED, gap.ratio());
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.gaussian(0.7)).build());
        for (double[][] path : new OrnsteinUhlenbeck().simulate(50, 100, 3)) {
            learner.fitTrajectory(path, 1);
        }
        KoopmanOperator relaxing = learner.snapshot();
        assertThat(SpectralGap.of(relaxing).sets()).as("seed 3").isEqualTo(1);
        assertThatThrownBy(() -> MetastableSets.byGap(relaxing, relaxing.inputPoints(), 1))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("no set is metastable");
    }

    @Test
    void setsAndMembershipsAreTheWells() {
        assertThat(wells()).as("seed %d", SEED).containsExactlyInAnyOrder(0, 1, 2, 3);
        int[] wells = wells();
        double[][] grid = new double[400][];
        for (int i = 0; i < 400; i++) {
            grid[i] = new double[] {-1.5 + 3 * (i % 20 + 0.5) / 20, -1.5 + 3 * (Math.floorDiv(i, 20) + 0.5) / 20};
        }
        double[][] memberships = sets.memberships(grid);
        int[] assigned = sets.assign(grid);
        int right = 0;
        for (int i = 0; i < grid.length; i++) {
            int well = SYSTEM.wellOf(grid[i]);
            right += wells[assigned[i]] == well ? 1 : 0;
            double sum = 0;
            for (int s = 0; s < 4; s++) {
                assertThat(memberships[i][s]).isNotNegative();
                sum += memberships[i][s];
                boolean deep = Math.abs(grid[i][0]) > 0.6 && Math.abs(grid[i][1]) > 0.6;
                if (deep) {
                    assertThat(memberships[i][s])
                            .as("seed %d at %s", SEED, Arrays.toString(grid[i]))
                            .isCloseTo(wells[s] == well ? 1 : 0, within(0.06));
                }
            }
            assertThat(sum).isCloseTo(1, within(1e-12));
        }
        assertThat(right).as("seed %d, of 400 grid points", SEED).isGreaterThanOrEqualTo(384);
        // Half-way between two wells the memberships are halves.
        double[] between = sets.memberships(new double[][] {{0, 1}})[0];
        for (int s = 0; s < 4; s++) {
            assertThat(between[s]).as("seed %d", SEED).isCloseTo(wells[s] >= 2 ? 0.5 : 0, within(0.1));
        }
    }

    @Test
    void farAwayNothingBelongsAnywhere() {
        double[][] far = {{50, 50}};
        assertThat(sets.assign(far)).containsExactly(MetastableSets.NONE);
        assertThat(sets.memberships(far)[0]).containsOnly(0.0);
        assertThatThrownBy(() -> MetastableSets.of(OPERATORS.get(1), 4, far, 1))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("fewer than the 4 sets");
    }

    @Test
    void exitAndPassageTimesAreThoseOfTheGenerator() throws IOException {
        Map<String, Double> truth = truth();
        SetTransitions transitions = SetTransitions.of(OPERATORS.get(1), sets, states, SYSTEM.dt());
        int[] wells = wells();
        double[][] passage = transitions.meanFirstPassageTimes();
        double exit = 0;
        double neighbour = 0;
        double diagonal = 0;
        for (int s = 0; s < 4; s++) {
            // About 45 jumps out of each well in these data: 15 % standard error, three of them allowed.
            assertThat(transitions.meanExitTime(s))
                    .as("seed %d, set %d", SEED, s)
                    .isCloseTo(truth.get("exit"), within(0.45 * truth.get("exit")));
            exit += transitions.meanExitTime(s) / 4;
            assertThat(Arrays.stream(transitions.matrix()[s]).sum()).isCloseTo(1, within(1e-9));
            assertThat(passage[s][s]).isZero();
            for (int t = 0; t < 4; t++) {
                int apart = Integer.bitCount(wells[s] ^ wells[t]);
                neighbour += apart == 1 ? passage[s][t] / 8 : 0;
                diagonal += apart == 2 ? passage[s][t] / 4 : 0;
            }
        }
        // All 180 jumps together: 7.5 % standard error.
        assertThat(exit).as("seed %d", SEED).isCloseTo(truth.get("exit"), within(0.2 * truth.get("exit")));
        assertThat(neighbour)
                .as("seed %d", SEED)
                .isCloseTo(truth.get("neighbour"), within(0.2 * truth.get("neighbour")));
        assertThat(diagonal).as("seed %d", SEED).isCloseTo(truth.get("diagonal"), within(0.2 * truth.get("diagonal")));
        System.out.printf(
                "four-well, seed %d: mean exit time %.1f (generator %.1f), to a neighbour %.1f (%.1f), to the diagonal"
                        + " %.1f (%.1f)%n",
                SEED, exit, truth.get("exit"), neighbour, truth.get("neighbour"), diagonal, truth.get("diagonal"));
    }

    @Test
    void theCoarseMatrixKeepsTheSlowTimeScales() {
        // Galerkin on the span of the eigenfunctions: the trace is the sum of their eigenvalues, clipping and
        // interpolation apart.
        double[][] matrix = SetTransitions.of(OPERATORS.get(1), sets, states, 1).matrix();
        Spectrum spectrum = Spectrum.leading(OPERATORS.get(1), 4);
        double decay = 4;
        double expected = 4;
        for (int s = 0; s < 4; s++) {
            decay -= matrix[s][s];
            expected -= spectrum.eigenvalue(s).re() / spectrum.eigenvalue(0).re();
        }
        assertThat(decay).as("seed %d", SEED).isCloseTo(expected, within(0.1 * expected));
    }

    @Test
    void timeScalesDoNotDependOnTheLag() {
        double[] powers = new double[4];
        double[] least = new double[4];
        double[] most = new double[4];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        double[] last = null;
        for (int lag : LAGS) {
            double dt = lag * SYSTEM.dt();
            double[] predicted =
                    Spectrum.leading(OPERATORS.get(1).power(lag), 4).timescales(dt);
            double[] learned = Spectrum.leading(OPERATORS.get(lag), 4).timescales(dt);
            for (int i = 1; i < 4; i++) {
                powers[i] = lag == LAGS[0] ? predicted[i] : powers[i];
                assertThat(predicted[i])
                        .as("seed %d, time scale %d of a power", SEED, i)
                        .isCloseTo(powers[i], within(1e-6 * powers[i]));
                least[i] = Math.min(least[i], learned[i]);
                most[i] = Math.max(most[i], learned[i]);
            }
            last = learned;
        }
        for (int i = 1; i < 4; i++) {
            assertThat(most[i] / least[i])
                    .as("seed %d, time scale %d", SEED, i)
                    .isGreaterThan(1)
                    .isLessThan(1.25);
        }
        // Exact: 33.58, 33.58, 16.79.
        assertThat(last[1]).as("seed %d", SEED).isCloseTo(33.58, within(8.0));
        assertThat(last[3]).as("seed %d", SEED).isCloseTo(16.79, within(4.0));
    }

    /** The largest difference of a probability between n steps of an operator and the operator learned at lag n. */
    private static double deviation(KoopmanOperator operator) {
        double largest = 0;
        for (int lag : LAGS) {
            double[][] predicted =
                    SetTransitions.of(operator.power(lag), sets, states, 1).probabilities();
            double[][] learned =
                    SetTransitions.of(OPERATORS.get(lag), sets, states, 1).probabilities();
            for (int s = 0; s < learned.length; s++) {
                for (int t = 0; t < learned.length; t++) {
                    largest = Math.max(largest, Math.abs(predicted[s][t] - learned[s][t]));
                }
            }
        }
        return largest;
    }

    @Test
    void chapmanAndKolmogorovAgreeAndAWrongOperatorIsCaught() {
        assertThat(deviation(OPERATORS.get(1))).as("seed %d", SEED).isLessThan(0.02);
        // An operator at five times the lag it claims leaves its sets five times as fast.
        assertThat(deviation(OPERATORS.get(5))).as("seed %d", SEED).isGreaterThan(0.1);
    }

    @Test
    void everySetHasItsPlaceAndItsShareOfTheTime() {
        List<SetFacts> facts = SetFacts.of(OPERATORS.get(1), sets, states, SYSTEM.dt());
        int[] wells = wells();
        double[] populations =
                SetTransitions.of(OPERATORS.get(1), sets, states, SYSTEM.dt()).populations();
        assertThat(Arrays.stream(populations).sum()).isCloseTo(1, within(1e-9));
        for (int s = 0; s < 4; s++) {
            // The wells are at (±1, ±1), and alike.
            assertThat(Math.abs(facts.get(s).centre()[0])).isCloseTo(1, within(0.2));
            assertThat(Math.abs(facts.get(s).centre()[1])).isCloseTo(1, within(0.2));
            assertThat(wells).doesNotHaveDuplicates();
            assertThat(populations[s]).as("seed %d", SEED).isCloseTo(0.25, within(0.15));
            assertThat(facts.get(s).meanExitTime()).isBetween(10.0, 100.0);
        }
        assertThat(SetFacts.of(OPERATORS.get(1), sets, new double[0][], 1)
                        .get(0)
                        .centre())
                .hasSize(2);
    }

    @Test
    void refusesQuestionsWithoutAnAnswer() {
        KoopmanOperator u = OPERATORS.get(1);
        assertThatThrownBy(() -> SetTransitions.of(u, sets, states, 0))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("dt = 0.0");
        assertThatThrownBy(() -> SetTransitions.of(u, sets, new double[][] {{1, 1}}, 1))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("do not tell the 4 sets apart");
        assertThatThrownBy(() -> SetTransitions.of(u, sets, states, 1).meanExitTime(4))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageStartingWith("set 4");
    }
}
