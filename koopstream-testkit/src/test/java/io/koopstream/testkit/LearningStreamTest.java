package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.learner.Learner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.NoisyRotation;
import io.koopstream.systems.VanDerPol;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From records to a model: which pairs are learned, when settings are chosen, and what never happens whatever comes. */
class LearningStreamTest {

    private static StreamConfig settings(String... words) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            map.put(words[i], words[i + 1]);
        }
        return StreamConfig.parse(map);
    }

    /** A pair that must be learned, and the record that completes it. */
    private static final class Expected {
        private final int at;
        private final double[] from;
        private final double[] to;

        Expected(int at, double[] from, double[] to) {
            this.at = at;
            this.from = from;
            this.to = to;
        }
    }

    /** A row of a trajectory and where in the stream it came. */
    private record Row(int at, Observation observation) {}

    /**
     * What must be learned, in plain words: cut every trajectory into runs of rows that follow each other; every run gives the pairs of its successive
     * delay vectors; explicit pairs are pairs.
     */
    private static final class Oracle {
        private final List<List<Row>> runs = new ArrayList<>();
        private final Map<String, List<Row>> open = new LinkedHashMap<>();
        private final Map<String, Row> late = new LinkedHashMap<>();
        private final List<Expected> pairs = new ArrayList<>();
        private static final double INTERVAL = 0.25;

        static List<Expected> pairs(List<Observation> stream, int dimension, int delays, int stride) {
            Oracle oracle = new Oracle();
            for (int at = 0; at < stream.size(); at++) {
                oracle.take(new Row(at, stream.get(at)), dimension, delays);
            }
            for (List<Row> run : oracle.runs) {
                for (int i = delays * stride; i + 1 < run.size(); i++) {
                    oracle.pairs.add(new Expected(
                            run.get(i + 1).at, vector(run, i, delays, stride), vector(run, i + 1, delays, stride)));
                }
            }
            oracle.pairs.sort(Comparator.comparing(pair -> pair.at));
            return oracle.pairs;
        }

        private static double[] vector(List<Row> run, int newest, int delays, int stride) {
            int d = run.get(0).observation.values().length;
            double[] vector = new double[d * (delays + 1)];
            for (int c = 0; c < vector.length; c++) {
                vector[c] = run.get(newest - Math.floorDiv(c, d) * stride)
                        .observation
                        .values()[c % d];
            }
            return vector;
        }

        private void take(Row row, int dimension, int delays) {
            Observation o = row.observation;
            if (o.isUnreadable() && o.trajectory() == null) {
                // It may have belonged to any trajectory; steps and times will show it, where there are some.
                open.keySet().removeIf(name -> {
                    Observation last = last(name);
                    return Double.isNaN(last.step()) && Double.isNaN(last.time());
                });
            } else if (o.isPair()) {
                if (delays == 0) {
                    pairs.add(new Expected(row.at, o.values(), o.next()));
                }
            } else if (o.isUnreadable() || bad(o, dimension)) {
                end(o.trajectory());
            } else {
                if (o.isFirst()) {
                    end(o.trajectory());
                }
                place(row);
            }
        }

        private static boolean bad(Observation o, int dimension) {
            boolean bad = o.values().length != dimension || Double.isInfinite(o.step()) || Double.isInfinite(o.time());
            for (double value : o.values()) {
                bad |= !Double.isFinite(value);
            }
            return bad;
        }

        private void end(String name) {
            open.remove(name);
            late.remove(name);
        }

        private Observation last(String name) {
            List<Row> run = open.get(name);
            return run.get(run.size() - 1).observation;
        }

        private void place(Row row) {
            String name = row.observation.trajectory();
            if (!open.containsKey(name)) {
                end(name);
                begin(name, row);
                return;
            }
            double steps = steps(last(name), row.observation);
            Row before = late.get(name);
            if (steps == 1) {
                open.get(name).add(row);
            } else if (before != null && steps(before.observation, row.observation) == 1) {
                // It was no late row: the trajectory began again with it.
                begin(name, before);
                open.get(name).add(row);
            } else if (steps == 0) {
                return;
            } else if (steps < 0) {
                late.put(name, row);
                return;
            } else {
                begin(name, row);
            }
            late.remove(name);
        }

        private void begin(String name, Row row) {
            List<Row> run = new ArrayList<>(List.of(row));
            runs.add(run);
            open.put(name, run);
        }

        /** How many steps from one row to another: 1 follows, 0 is the same, below 0 is earlier, NaN and all else is a gap. */
        private double steps(Observation a, Observation b) {
            if (!Double.isNaN(a.step()) || !Double.isNaN(b.step())) {
                return b.step() - a.step();
            }
            if (Double.isNaN(a.time()) && Double.isNaN(b.time())) {
                return 1;
            }
            double passed = b.time() - a.time();
            return Math.abs(passed / INTERVAL - 1) < 0.5 ? 1 : passed > 0 ? 2 : passed;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 0, 1", "3, 0, 1", "1, 1, 1", "2, 2, 1", "3, 1, 2", "4, 2, 3"})
    void exactlyThePairsThatFollowEachOtherAreLearned(long seed, int delays, int stride) {
        List<Observation> records = AwkwardStream.of(seed, 3000, true);
        StreamConfig settings = settings(
                "kernel",
                "gaussian(0.7)",
                "delays",
                Integer.toString(delays),
                "stride",
                Integer.toString(stride),
                "dt",
                "0.25");
        LearningStream stream = LearningStream.of(settings);
        int dimension = 2 * (delays + 1);
        Learner<KoopmanOperator> plain = settings.choose(dimension, 2, null).newLearner();
        List<Expected> expected = Oracle.pairs(records, 2, delays, stride);
        int learned = 0;
        Map<Outcome.Kind, Integer> kinds = new EnumMap<>(Outcome.Kind.class);
        for (int at = 0; at < records.size(); at++) {
            Outcome outcome = stream.accept(records.get(at));
            kinds.merge(outcome.kind(), 1, Integer::sum);
            boolean pair = learned < expected.size() && expected.get(learned).at == at;
            assertThat(outcome.isPair())
                    .as("seed %d, record %d: %s", seed, at, outcome)
                    .isEqualTo(pair);
            if (pair) {
                assertThat(outcome.from()).isEqualTo(expected.get(learned).from);
                assertThat(outcome.to()).isEqualTo(expected.get(learned).to);
                plain.update(outcome.from(), outcome.to());
                learned++;
            }
        }
        assertThat(learned).isEqualTo(expected.size()).isGreaterThan(200);
        assertThat(stream.pairs()).isEqualTo(learned);
        assertThat(stream.counts().observations()).isEqualTo(3000);
        assertThat(stream.counts().refused()).isEqualTo((long) kinds.get(Outcome.Kind.REFUSED));
        assertThat(stream.counts().missing()).isEqualTo((long) kinds.get(Outcome.Kind.MISSING));
        assertThat(stream.counts().unreadable()).isEqualTo((long) kinds.get(Outcome.Kind.UNREADABLE));
        // Whatever came between, the model is that of the pairs.
        assertThat(stream.state().learner().digest()).isEqualTo(plain.state().digest());
        assertThat(kinds)
                .as("everything happens")
                .containsKeys(
                        Outcome.Kind.STARTED,
                        Outcome.Kind.GAP,
                        Outcome.Kind.LEARNED,
                        Outcome.Kind.HELD_OUT,
                        Outcome.Kind.DUPLICATE,
                        Outcome.Kind.LATE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theWarmUpLearnsTheSamePairsLater(boolean explicit) {
        List<Observation> records = AwkwardStream.of(5, 2500, explicit);
        LearningStream stream = LearningStream.of(settings("warmUp", "500"));
        int waited = 0;
        for (Observation record : records) {
            Outcome outcome = stream.accept(record);
            waited += outcome.kind() == Outcome.Kind.WAITING ? 1 : 0;
        }
        assertThat(stream.isWarmingUp()).isFalse();
        assertThat(stream.waiting()).isZero();
        assertThat(waited).isBetween(200, 500);
        List<Expected> expected = Oracle.pairs(records, 2, stream.delays(), 1);
        assertThat(stream.pairs()).isEqualTo(expected.size());
        assertThat(stream.explained()).extracting("name").contains("kernel", "epsilon", "delays");
        // What was waited for is learned as if the settings had been known before.
        Learner<KoopmanOperator> plain = stream.learner().orElseThrow().copy();
        plain.reset();
        expected.forEach(pair -> plain.update(pair.from, pair.to));
        assertThat(stream.state().learner().digest()).isEqualTo(plain.state().digest());
    }

    @Test
    void delaysAreChosenWhereAnObservationDoesNotShowTheState() {
        double[][] path = new VanDerPol().trajectory(0, 1200, 1);
        LearningStream whole = LearningStream.of(settings("warmUp", "600"));
        LearningStream half = LearningStream.of(settings("warmUp", "600"));
        LearningStream told = LearningStream.of(settings("warmUp", "600", "delays", "0"));
        for (double[] state : path) {
            whole.accept(Observation.of("a", state));
            half.accept(Observation.of("a", state[0]));
            told.accept(Observation.of("a", state[0]));
        }
        assertThat(whole.delays()).isZero();
        assertThat(half.delays()).isPositive();
        assertThat(told.delays()).isZero();
        assertThat(half.pairs()).isEqualTo(1200 - half.delays());
        assertThat(half.accept(Observation.pair(new double[] {1}, new double[] {1}))
                        .reason())
                .isEqualTo(Reason.PAIR_WITH_DELAYS);
    }

    @Test
    void aWarmUpThatShowsNothingIsDoubled() {
        for (boolean moves : new boolean[] {true, false}) {
            LearningStream stream = LearningStream.of(settings("warmUp", "100"));
            for (int i = 0; i < 150; i++) {
                // Nothing moves, or nothing follows anything.
                stream.accept(moves ? Observation.of("path " + i, i) : Observation.of("still", 5));
            }
            assertThat(stream.isWarmingUp()).isTrue();
            double[][] path = new NoisyRotation().trajectory(0, 300, 1);
            for (double[] state : path) {
                stream.accept(Observation.of("goes on", state[0]));
            }
            assertThat(stream.isWarmingUp()).isFalse();
            assertThat(stream.learner().orElseThrow().dictionarySize()).isGreaterThan(1);
        }
    }

    @Test
    void aStreamThatEndsEarlyLearnsFromWhatThereIs() {
        LearningStream stream = LearningStream.of(StreamConfig.defaults());
        for (double[] state : new NoisyRotation().trajectory(0, 50, 1)) {
            assertThat(stream.accept(Observation.of(null, state)).kind())
                    .isIn(Outcome.Kind.STARTED, Outcome.Kind.WAITING);
        }
        assertThat(stream.learner()).isEmpty();
        stream.endWarmUp();
        assertThat(stream.pairs()).isEqualTo(50);
        stream.endWarmUp();
        assertThat(stream.pairs()).isEqualTo(50);
        LearningStream still = LearningStream.of(StreamConfig.defaults());
        for (int i = 0; i < 50; i++) {
            still.accept(Observation.of(null, 1, 1));
        }
        assertThat(still.learner()).as("it waits until something varies").isEmpty();
        still.endWarmUp();
        assertThat(still.pairs()).as("a flat sensor may move tomorrow").isEqualTo(49);
    }

    @Test
    void aFloodOfBadRecordsDoesNotFillMemory() {
        LearningStream stream = LearningStream.of(settings("warmUp", "1000"));
        SplittableRandom random = new SplittableRandom(1);
        stream.accept(Observation.of("good", 1, 2));
        for (int i = 0; i < 20_000; i++) {
            String name = "bad " + random.nextInt(5000);
            stream.accept(
                    switch (i % 4) {
                        case 0 -> Observation.of(name, Double.NaN, 1);
                        case 1 -> Observation.unreadable(name);
                        case 2 -> Observation.unreadable(null);
                        default -> Observation.of(name, 1, 2, 3).asFirst();
                    });
        }
        assertThat(stream.waiting()).isLessThan(10);
        assertThat(stream.counts().refused()).isEqualTo(5_000);
        assertThat(stream.counts().missing()).isEqualTo(5_000);
        assertThat(stream.counts().unreadable()).isEqualTo(10_000);
        assertThat(stream.trajectories().forgotten()).isZero();
    }

    @Test
    void theFirstUsableRecordSaysTheDimension() {
        LearningStream stream = LearningStream.of(settings("kernel", "gaussian(1)"));
        assertThat(stream.accept(Observation.unreadable(null)).kind()).isEqualTo(Outcome.Kind.UNREADABLE);
        assertThat(stream.accept(Observation.of("a", Double.NaN)).kind()).isEqualTo(Outcome.Kind.MISSING);
        assertThat(stream.accept(Observation.of("a", Double.NEGATIVE_INFINITY)).reason())
                .isEqualTo(Reason.NOT_FINITE);
        assertThat(stream.accept(Observation.of("a")).reason()).isEqualTo(Reason.WRONG_DIMENSION);
        assertThat(stream.dimension()).isZero();
        assertThat(stream.accept(Observation.of("a", 1, 2)).kind()).isEqualTo(Outcome.Kind.STARTED);
        Outcome refused = stream.accept(Observation.of("a", 1, Double.POSITIVE_INFINITY));
        assertThat(refused.reason()).isEqualTo(Reason.NOT_FINITE);
        assertThat(refused.index()).isEqualTo(1);
        assertThat(refused.message()).isNotEmpty();
        assertThat(stream.accept(Observation.pair(new double[] {1, 2}, new double[] {1}))
                        .reason())
                .isEqualTo(Reason.WRONG_DIMENSION);
    }

    @Test
    void whatTheKernelDoesNotTakeIsRefusedToo() {
        LearningStream stream = LearningStream.of(settings("kernel", "linear(radius=2)"));
        assertThat(stream.accept(Observation.of("a", 1)).kind()).isEqualTo(Outcome.Kind.STARTED);
        assertThat(stream.accept(Observation.of("a", 3)).reason()).isEqualTo(Reason.OUTSIDE_DOMAIN);
        assertThat(stream.accept(Observation.of("a", 1)).kind()).isEqualTo(Outcome.Kind.STARTED);
        assertThat(stream.accept(Observation.pair(new double[] {3}, new double[] {1}))
                        .reason())
                .isEqualTo(Reason.OUTSIDE_DOMAIN);
        assertThat(stream.accept(Observation.of("a", 0.5)).isPair())
                .as("a refused pair is no part of a trajectory")
                .isTrue();
    }

    @Test
    void aStreamGoesOnWithALearnerThatKnowsSomething() {
        List<Observation> records = AwkwardStream.of(7, 1000, false);
        LearningStream first = LearningStream.of(settings("kernel", "gaussian(0.7)", "delays", "1"));
        records.subList(0, 500).forEach(first::accept);
        LearningStream second = LearningStream.startingFrom(
                settings("dt", "0.25"), first.learner().orElseThrow().state(), 1, 1);
        records.subList(500, 1000).forEach(second::accept);
        int more = Oracle.pairs(records.subList(500, 1000), 2, 1, 1).size();
        assertThat(second.pairs()).isEqualTo(first.pairs() + more);
        assertThatThrownBy(() -> LearningStream.startingFrom(
                        settings("epsilon", "0.1"), first.state().learner(), 1, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("epsilon = 0.1");
        assertThatThrownBy(() -> LearningStream.startingFrom(
                        StreamConfig.defaults(), first.state().learner(), 2, 1))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("multiple of");
    }

    @Test
    void equalWordsMakeEqualSettings() {
        StreamConfig one = settings("delays", "2", "kernel", "gaussian(1)", "driftDiscount", "0.5");
        StreamConfig other = settings("driftDiscount", " 0.5 ", "kernel", "gaussian(1)", "delays", "2");
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString(other.toString());
        assertThat(one.given().keySet()).containsExactly("kernel", "delays", "driftDiscount");
        assertThat(StreamConfig.parse(one.given())).isEqualTo(one);
        assertThat(one).isNotEqualTo(settings("delays", "3", "kernel", "gaussian(1)", "driftDiscount", "0.5"));
        assertThat(StreamConfig.defaults().given()).isEmpty();
    }

    static List<Map<String, String>> wrong() {
        Map<String, String> missing = new LinkedHashMap<>();
        missing.put("delays", null);
        return List.of(
                Map.of("colour", "red"),
                missing,
                Map.of("delays", "-1"),
                Map.of("delays", "1001"),
                Map.of("delays", "two"),
                Map.of("stride", "0"),
                Map.of("stride", "10001"),
                Map.of("dt", "0"),
                Map.of("dt", "NaN"),
                Map.of("dt", "soon"),
                Map.of("warmUp", "2"),
                Map.of("warmUp", "1000001"),
                Map.of("openTrajectories", "0"),
                Map.of("openTrajectories", "99999999999"),
                Map.of("drift", "yes"),
                Map.of("driftDiscount", "0"),
                Map.of("driftDiscount", "1.1"),
                Map.of("driftDiscount", "NaN"),
                Map.of("driftDiscount", "0.5", "drift", "false"),
                Map.of("driftDiscount", "0.5", "method", "sogd"),
                Map.of("kernel", "round(1)"),
                Map.of("epsilon", "much"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void wrongWordsAreNamed(Map<String, String> words) {
        assertThatThrownBy(() -> StreamConfig.parse(words))
                .isInstanceOf(InvalidConfigException.class)
                .satisfies(e ->
                        assertThat(e.getMessage()).containsAnyOf(words.keySet().toArray(String[]::new)));
    }
}
