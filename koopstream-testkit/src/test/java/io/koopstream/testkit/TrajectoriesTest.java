package io.koopstream.testkit;

import static io.koopstream.rows.Outcome.Kind.DUPLICATE;
import static io.koopstream.rows.Outcome.Kind.GAP;
import static io.koopstream.rows.Outcome.Kind.LATE;
import static io.koopstream.rows.Outcome.Kind.STARTED;
import static io.koopstream.rows.Outcome.Kind.UNREADABLE;
import static io.koopstream.rows.Outcome.Kind.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Trajectories;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.NoisyRotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Observations that arrive one by one become states and pairs, and never across something that is missing or bad. */
class TrajectoriesTest {

    private static final double NONE = Double.NaN;

    /** Of observations with one coordinate. */
    private static Trajectories trajectories(int delays, int stride) {
        return trajectories(1, delays, stride, NONE, 100);
    }

    private static Trajectories trajectories(int dimension, int delays, int stride, double interval, int maxOpen) {
        Map<String, String> words = new HashMap<>(Map.of("openTrajectories", Integer.toString(maxOpen)));
        if (!Double.isNaN(interval)) {
            words.put("dt", Double.toString(interval));
        }
        StreamConfig config = StreamConfig.parse(words);
        return new Trajectories(
                config.preparation(),
                dimension,
                null,
                delays,
                stride,
                config.interval(),
                config.maxGap(),
                config.openTrajectories());
    }

    private static Observation step(double step, double value) {
        return Observation.at("a", step, NONE, value);
    }

    private static Observation time(double time, double value) {
        return Observation.at("a", NONE, time, value);
    }

    /** What the trajectories say to each, and the pairs they make of them, e.g. {@code 1.0>2.0}. */
    private static List<Object> taken(Trajectories trajectories, Observation... observations) {
        List<Object> all = new ArrayList<>();
        for (Observation observation : observations) {
            Outcome outcome = trajectories.next(observation);
            all.add(outcome.kind() == WAITING ? pair(outcome) : outcome.kind());
            assertThat(outcome.isPair()).isEqualTo(outcome.kind() == WAITING);
        }
        return all;
    }

    private static String pair(Outcome outcome) {
        return Arrays.toString(outcome.from()) + ">" + Arrays.toString(outcome.to());
    }

    @Test
    void pairsSuccessiveStatesOfEachTrajectory() {
        Trajectories trajectories = trajectories(0, 1);
        List<String> pairs = new ArrayList<>();
        // One array for all states: it must not be kept.
        double[] state = new double[1];
        double[][] interleaved = {{0, 0}, {1, 5}, {0, 1}, {2, 7}, {0, 2}, {2, 8}};
        for (double[] row : interleaved) {
            state[0] = row[1];
            Outcome outcome = trajectories.next(Observation.of("t" + row[0], state));
            if (outcome.isPair()) {
                pairs.add(pair(outcome));
            }
        }
        assertThat(pairs).containsExactly("[0.0]>[1.0]", "[1.0]>[2.0]", "[7.0]>[8.0]");
    }

    @Test
    void aStoredTrajectoryIsFittedAtALag() {
        SogdConfig config =
                SogdConfig.forState(1, Kernels.gaussian(0.5)).budget(0).build();
        SogdLearner<KoopmanOperator> fitted = SogdLearner.koopman(config);
        fitted.fitTrajectory(new double[][] {{0}, {1}, {2}, {3}}, 2);
        fitted.fitTrajectory(new double[][] {{5}, {6}}, 2);
        SogdLearner<KoopmanOperator> expected = SogdLearner.koopman(config);
        expected.partialFit(new double[][] {{0}, {1}}, new double[][] {{2}, {3}});
        assertThat(fitted.state().digest()).isEqualTo(expected.state().digest());
        assertThatThrownBy(() -> fitted.fitTrajectory(new double[][] {{0}, {1}}, 0))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("lag = 0");
        assertThatThrownBy(() -> fitted.fitTrajectory(new double[][] {{0}, {1}, {Double.NaN}}, 1))
                .isInstanceOf(InvalidSampleException.class);
        assertThat(fitted.samples()).as("all of a trajectory or nothing").isEqualTo(2);
    }

    @Test
    void stepsShowWhatIsMissingDoubledOrLate() {
        Trajectories trajectories = trajectories(0, 1);
        assertThat(taken(
                        trajectories,
                        step(0, 10),
                        step(1, 11),
                        step(3, 13),
                        step(3, 13),
                        step(4, 14),
                        step(2, 12),
                        step(5, 15)))
                .containsExactly(STARTED, "[10.0]>[11.0]", GAP, DUPLICATE, "[13.0]>[14.0]", LATE, "[14.0]>[15.0]");
        assertThat(trajectories.gaps()).isEqualTo(1);
        assertThat(trajectories.duplicates()).isEqualTo(1);
        assertThat(trajectories.late()).isEqualTo(1);
    }

    @Test
    void stepsThatBeginAnewAreANewTrajectory() {
        Trajectories trajectories = trajectories(0, 1);
        assertThat(taken(trajectories, step(7, 7), step(8, 8), step(0, 20), step(1, 21), step(2, 22)))
                .containsExactly(STARTED, "[7.0]>[8.0]", LATE, "[20.0]>[21.0]", "[21.0]>[22.0]");
        assertThat(trajectories.late()).isZero();
        assertThat(trajectories.gaps()).isEqualTo(1);
        // The newest decides when both would fit: step 3 follows 2, not a late 2.
        assertThat(taken(trajectories, step(2, 32), step(3, 33))).containsExactly(DUPLICATE, "[22.0]>[33.0]");
        assertThat(taken(trajectories, step(1, 41), step(4, 44), step(2, 42)))
                .as("a late one is remembered until the next is taken only")
                .containsExactly(LATE, "[33.0]>[44.0]", LATE);
    }

    @Test
    void timesShowTheSameAndTheFirstTwoSayHowFarApartTheyAre() {
        Trajectories trajectories = trajectories(0, 1);
        assertThat(taken(
                        trajectories,
                        time(0, 1),
                        time(0.1, 2),
                        time(0.21, 3),
                        time(0.41, 4),
                        time(0.41, 4),
                        time(0.2, 5),
                        time(0.45, 6)))
                .containsExactly(STARTED, "[1.0]>[2.0]", "[2.0]>[3.0]", GAP, DUPLICATE, LATE, GAP);
        assertThat(trajectories.interval()).isEqualTo(0.1);
        Trajectories told = trajectories(1, 0, 1, 0.2, 100);
        assertThat(taken(told, time(0, 1), time(0.4, 2), time(0.6, 3))).containsExactly(STARTED, GAP, "[2.0]>[3.0]");
    }

    @Test
    void whatHasAPlaceDoesNotFollowWhatHasNone() {
        assertThat(taken(
                        trajectories(0, 1),
                        Observation.of("a", 1),
                        Observation.of("a", 2),
                        step(5, 3),
                        step(6, 4),
                        Observation.of("a", 5),
                        time(1, 6)))
                .containsExactly(STARTED, "[1.0]>[2.0]", GAP, "[3.0]>[4.0]", GAP, GAP);
    }

    @Test
    void vectorsHoldTheNewestFirstAndNeverReachOverABreak() {
        Trajectories trajectories = trajectories(2, 2);
        List<String> pairs = new ArrayList<>();
        Outcome outcome = null;
        for (int t = 0; t < 7; t++) {
            outcome = trajectories.next(Observation.of("a", t));
            if (outcome.isPair()) {
                pairs.add(pair(outcome));
            }
        }
        assertThat(pairs).containsExactly("[4.0, 2.0, 0.0]>[5.0, 3.0, 1.0]", "[5.0, 3.0, 1.0]>[6.0, 4.0, 2.0]");
        assertThat(outcome.to()).containsExactly(6, 4, 2);
        trajectories.interrupt("a");
        for (int t = 100; t < 106; t++) {
            outcome = trajectories.next(Observation.of("a", t));
            assertThat(outcome.isPair()).isEqualTo(t == 105);
            assertThat(outcome.to() == null).as("a first state has no pair yet").isEqualTo(t < 104);
        }
        assertThat(pair(outcome)).isEqualTo("[104.0, 102.0, 100.0]>[105.0, 103.0, 101.0]");
    }

    @Test
    void severalCoordinatesStayTogether() {
        Trajectories trajectories = trajectories(2, 1, 1, NONE, 100);
        trajectories.next(Observation.of(null, 0, 10));
        trajectories.next(Observation.of(null, 1, 11));
        Outcome outcome = trajectories.next(Observation.of(null, 2, 12));
        assertThat(outcome.from()).containsExactly(1, 11, 0, 10);
        assertThat(outcome.to()).containsExactly(2, 12, 1, 11);
    }

    @Test
    void aRowThatIsNoPointIsRefused() {
        Trajectories trajectories = trajectories(0, 1);
        taken(trajectories, step(0, 0), step(1, 1));
        for (Observation bad : List.of(
                step(2, Double.POSITIVE_INFINITY),
                step(2, 1e300),
                Observation.at("a", 2, NONE, 1, 2),
                Observation.at("a", 2, NONE),
                step(Double.POSITIVE_INFINITY, 1),
                time(Double.NEGATIVE_INFINITY, 1))) {
            assertThatThrownBy(() -> trajectories.next(bad)).isInstanceOf(InvalidSampleException.class);
        }
    }

    @Test
    void aRowWithAMissingValueIsAGap() {
        Trajectories trajectories = trajectories(0, 1);
        taken(trajectories, step(0, 0), step(1, 1));
        Outcome missing = trajectories.next(step(2, Double.NaN));
        assertThat(missing.kind()).isEqualTo(Outcome.Kind.MISSING);
        assertThat(missing.from()).isNull();
        assertThat(taken(trajectories, step(3, 3), step(4, 4))).containsExactly(STARTED, "[3.0]>[4.0]");
    }

    @Test
    void aRefusedRowLeavesNoTrace() {
        // Neither a trajectory, for which another would be forgotten, nor the time between two rows.
        Trajectories trajectories = trajectories(1, 0, 1, NONE, 1);
        taken(trajectories, time(0, 0));
        assertThatThrownBy(() -> trajectories.next(Observation.of("b", Double.POSITIVE_INFINITY)))
                .isInstanceOf(InvalidSampleException.class);
        assertThatThrownBy(() -> trajectories.next(time(5, Double.POSITIVE_INFINITY)))
                .isInstanceOf(InvalidSampleException.class);
        assertThat(trajectories.forgotten()).isZero();
        assertThat(trajectories.interval()).isNaN();
        assertThat(taken(trajectories, time(1, 1))).containsExactly("[0.0]>[1.0]");
    }

    @Test
    void anUnreadableRecordInterruptsWhatMayHaveItsRow() {
        Trajectories trajectories = trajectories(0, 1);
        taken(trajectories, Observation.of("bare", 1), Observation.at("steps", 4, NONE, 1), Observation.of("other", 1));
        assertThat(taken(trajectories, Observation.unreadable("other"), Observation.of("bare", 2)))
                .as("the trajectory is known")
                .containsExactly(UNREADABLE, "[1.0]>[2.0]");
        assertThat(taken(trajectories, Observation.of("other", 2))).containsExactly(STARTED);
        assertThat(taken(
                        trajectories,
                        Observation.unreadable(null),
                        Observation.of("bare", 3),
                        Observation.of("other", 3),
                        Observation.at("steps", 5, NONE, 2)))
                .as("it is not: where steps are known they tell")
                .containsExactly(UNREADABLE, STARTED, STARTED, "[1.0]>[2.0]");
        assertThat(trajectories.interrupt("nobody")).isFalse();
        assertThat(trajectories.interrupt("steps")).isTrue();
    }

    @Test
    void timesTellOnlyOnceTheirIntervalIsKnown() {
        Trajectories trajectories = trajectories(0, 1);
        taken(trajectories, time(0, 1));
        assertThat(trajectories.interrupt(null))
                .as("any time would seem to follow")
                .isTrue();
        taken(trajectories, time(2, 1), time(3, 2));
        assertThat(trajectories.interrupt(null)).isFalse();
        assertThat(taken(trajectories, time(5, 4), time(6, 5))).containsExactly(GAP, "[4.0]>[5.0]");
    }

    @Test
    void aFirstRowFollowsNothing() {
        assertThat(taken(trajectories(0, 1), step(0, 0), step(1, 1), step(2, 2).asFirst(), step(3, 3)))
                .containsExactly(STARTED, "[0.0]>[1.0]", STARTED, "[2.0]>[3.0]");
    }

    @Test
    void theTrajectoryNotSeenForLongestIsForgottenFirst() {
        Trajectories trajectories = trajectories(1, 0, 1, NONE, 2);
        assertThat(taken(
                        trajectories,
                        Observation.of("a", 1),
                        Observation.of("b", 1),
                        Observation.of("a", 2),
                        Observation.of("c", 1),
                        Observation.of("a", 3),
                        Observation.of("b", 2)))
                .containsExactly(STARTED, STARTED, "[1.0]>[2.0]", STARTED, "[2.0]>[3.0]", STARTED);
        assertThat(trajectories.forgotten()).isEqualTo(2);
        assertThat(trajectories.open()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 3"})
    void takenOutAtAnyPointTheyGoOn(int delays, int stride) {
        List<Observation> stream = awkward(400, 9);
        Trajectories whole = trajectories(1, delays, stride, NONE, 3);
        Trajectories resumed = trajectories(1, delays, stride, NONE, 3);
        int pairs = 0;
        for (Observation observation : stream) {
            Outcome expected = whole.next(observation);
            assertThat(resumed.next(observation)).isEqualTo(expected);
            pairs += expected.isPair() ? 1 : 0;
            RecordedState saved = saved(resumed);
            resumed = trajectories(1, delays, stride, NONE, 3).resume(resumed);
            assertThat(saved(resumed)).isEqualTo(saved);
            resumed = trajectories(1, delays, stride, NONE, 3).parts(StateParts.from(saved.copy()));
            assertThat(counts(resumed)).isEqualTo(counts(whole));
        }
        assertThat(pairs).isPositive();
        assertThat(counts(whole)).allMatch(count -> count > 0);
    }

    private static RecordedState saved(Trajectories trajectories) {
        return RecordedState.of(sink -> trajectories.parts(StateParts.to(sink)));
    }

    private static List<Long> counts(Trajectories trajectories) {
        return List.of(trajectories.gaps(), trajectories.late(), trajectories.duplicates(), trajectories.forgotten());
    }

    /** Rows of four trajectories, with steps, with times and with neither, some of them missing, late or doubled. */
    private static List<Observation> awkward(int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Observation> stream = new ArrayList<>();
        int[] next = new int[4];
        for (int i = 0; i < rows; i++) {
            // Runs, so that there are pairs also with delays, and rarely the fourth, for which another is forgotten.
            int who = random.nextInt(12) == 0 ? 3 : Math.floorDiv(i, 20) % 3;
            int what = random.nextInt(20);
            next[who] += what == 0 ? 3 : what == 1 ? 0 : what == 2 ? -2 : 1;
            double place = next[who];
            double value = random.nextDouble();
            stream.add(
                    what == 3
                            ? Observation.unreadable(random.nextBoolean() ? null : "t" + who)
                            : switch (who) {
                                case 0 -> Observation.at("t0", place, NONE, value);
                                case 1 -> Observation.at("t1", NONE, 0.5 * place, value);
                                default -> Observation.of("t" + who, value);
                            });
        }
        return stream;
    }

    @Test
    void refusesStatesThatCannotBe() {
        Trajectories trajectories = trajectories(1, 1);
        taken(trajectories, time(0, 0), time(1, 1), time(0.5, 2));
        RecordedState saved = saved(trajectories);
        for (String part : List.of("gaps", "late", "duplicates", "forgotten")) {
            assertThatThrownBy(() -> trajectories(1, 1).parts(StateParts.from(saved.with(part, -1L))))
                    .isInstanceOf(InvalidStateException.class)
                    .hasMessageContaining("negative");
        }
        for (double interval : new double[] {0, -1, Double.POSITIVE_INFINITY, 1}) {
            assertThatThrownBy(() -> trajectories(1, 1).parts(StateParts.from(saved.with("interval", interval))))
                    .as("also one that is fixed while differences decide")
                    .isInstanceOf(InvalidStateException.class);
        }
        assertThatThrownBy(() -> trajectories(2, 1, 1, NONE, 100).parts(StateParts.from(saved.copy())))
                .isInstanceOf(InvalidSampleException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theFrequencyOfARotationIsFoundFromOneOfItsCoordinates(long seed) {
        // Little noise, many short trajectories: the pairs across their ends would be wrong ones.
        NoisyRotation system = new NoisyRotation(0.99, 0.5, 0.02);
        LeastSquaresLearner<KoopmanOperator> delayed = learner(2);
        LeastSquaresLearner<KoopmanOperator> blind = learner(1);
        Trajectories embedding = trajectories(1, 2);
        Trajectories none = trajectories(0, 1);
        double[][][] paths = system.simulate(100, 50, seed);
        for (int i = 0; i < paths.length; i++) {
            for (double[] state : paths[i]) {
                Observation seen = Observation.of("path " + i, state[0]);
                update(delayed, embedding.next(seen));
                update(blind, none.next(seen));
            }
        }
        assertThat(nearestAngle(delayed, 0.5)).as("seed %d", seed).isCloseTo(0.5, within(0.02));
        // What is seen of one coordinate alone is no rotation.
        assertThat(nearestAngle(blind, 0.5)).as("seed %d", seed).isLessThan(0.3);
    }

    private static void update(LeastSquaresLearner<KoopmanOperator> learner, Outcome outcome) {
        if (outcome.isPair()) {
            learner.update(outcome.from(), outcome.to());
        }
    }

    private static LeastSquaresLearner<KoopmanOperator> learner(int dimension) {
        return LeastSquaresLearner.koopman(LeastSquaresConfig.forState(dimension, Kernels.gaussian(0.4))
                .lambda(1e-5)
                .build());
    }

    /** The angle of the first of the leading eigenvalues that turns at all. */
    private static double nearestAngle(LeastSquaresLearner<KoopmanOperator> learner, double wanted) {
        double best = 0;
        for (Complex value : Spectrum.leading(learner.snapshot(), 3).eigenvalues()) {
            double angle = Math.abs(value.argument());
            best = Math.abs(angle - wanted) < Math.abs(best - wanted) ? angle : best;
        }
        return best;
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> trajectories(-1, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("delays = -1");
        assertThatThrownBy(() -> trajectories(2, 0)).hasMessageStartingWith("stride = 0");
        assertThatThrownBy(() -> DelayVectors.observationDimension(3, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("multiple of");
        DelayVectors vectors = new DelayVectors(1, 1, 1);
        vectors.add(new double[] {1});
        assertThatThrownBy(vectors::current).isInstanceOf(InvalidQueryException.class);
    }

    /**
     * Rows of a clock that jitters around a grid, some of them missing. Two rows in a row that come early and late by nearly half an interval are as far apart as
     * rows around a missing one are near, so not all of them can be told apart.
     */
    @ParameterizedTest
    @CsvSource({"0.1, 1, 0", "0.3, 0.98, 0.05", "0.333, 0.97, 0.08", "0.45, 0.85, 0.2"})
    void rowsNearAGridFollowEachOther(double jitter, double found, double wrong) {
        SplittableRandom random = new SplittableRandom(1);
        Trajectories trajectories = trajectories(0, 1);
        int neighbours = 0;
        int pairs = 0;
        int gaps = 0;
        int bridged = 0;
        int before = -1;
        for (int k = 0; k < 20_000; k++) {
            double time = 60 * (k + jitter * (2 * random.nextDouble() - 1));
            if (random.nextDouble() < 0.03) {
                continue;
            }
            boolean isPair = trajectories.next(time(time, k)).isPair();
            if (k == before + 1) {
                neighbours++;
                pairs += isPair ? 1 : 0;
            } else {
                gaps++;
                bridged += isPair ? 1 : 0;
            }
            before = k;
        }
        assertThat((double) pairs / neighbours).isGreaterThanOrEqualTo(found - 1e-3);
        assertThat((double) bridged / gaps).isLessThanOrEqualTo(wrong);
    }

    @Test
    void rowsThatAreOneStepApartFollowHoweverTheUsualIntervalErrs() {
        Trajectories trajectories = trajectories(1, 0, 1, 1.0, 100);
        trajectories.next(time(0, 0));
        for (int k = 1; k < 100; k++) {
            assertThat(trajectories.next(time(1.4 * k, k)).isPair()).isTrue();
        }
    }
}
