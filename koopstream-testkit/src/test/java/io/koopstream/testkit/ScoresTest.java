package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scores of observations: calibrated while nothing changes, and telling when something does. */
class ScoresTest {

    private static final int LEARNED = 5_000;

    private static LearningStream stream(String... words) {
        Map<String, String> all = new HashMap<>(Map.of("kernel", "gaussian(1.5)", "scores", "true", "drift", "false"));
        for (int i = 0; i < words.length; i += 2) {
            all.put(words[i], words[i + 1]);
        }
        return LearningStream.of(StreamConfig.parse(all), 1);
    }

    /** A particle between two wells, noisier on the right. */
    private static final class Wells {
        private final SplittableRandom random;
        private double x = 1;

        Wells(long seed) {
            random = new SplittableRandom(seed);
        }

        double next() {
            double noise = (x > 0 ? 0.3 : 0.15) * random.nextGaussian();
            x += 0.1 * (x - x * x * x) + noise;
            return x;
        }
    }

    private static Score fed(LearningStream stream, double value) {
        return fed(stream, Observation.of("", value));
    }

    private static Score fed(LearningStream stream, Observation observation) {
        Score[] last = new Score[1];
        stream.listen((row, score) -> last[0] = score);
        stream.accept(observation);
        return last[0];
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void probabilitiesAreUniformWhileNothingChanges(long seed) {
        LearningStream stream = stream();
        Wells wells = new Wells(seed);
        int[] counts = new int[10];
        int judged = 20_000;
        int inside = 0;
        for (int t = 0; t < LEARNED + judged; t++) {
            double value = wells.next();
            Score score = fed(stream, value);
            if (t >= LEARNED) {
                counts[Math.min(9, (int) (10 * score.p()))]++;
                inside += Math.abs(score.residual()[0]) <= score.spread()[0] ? 1 : 0;
            }
        }
        for (int count : counts) {
            assertThat((double) count / judged).as("seed %d", seed).isCloseTo(0.1, within(0.015));
        }
        assertThat((double) inside / judged).as("95 %% band").isCloseTo(0.95, within(0.01));
    }

    @Test
    void falseAlarmsComeNoMoreOftenThanSaid() {
        double rate = 1e-3;
        long samples = 0;
        long alarms = 0;
        for (long seed = 11; seed < 15; seed++) {
            LearningStream stream = stream("alarmRate", Double.toString(rate));
            Wells wells = new Wells(seed);
            for (int t = 0; t < 50_000; t++) {
                fed(stream, wells.next());
            }
            samples += stream.scorer().orElseThrow().judged();
            alarms += stream.scorer().orElseThrow().alarms();
        }
        assertThat((double) alarms / samples).isLessThan(1.5 * rate).isGreaterThan(0.1 * rate);
    }

    @Test
    void aSpikeIsAnAlarmAndLeavesNoTraceWhereThatIsAskedFor() {
        for (boolean robust : new boolean[] {false, true}) {
            LearningStream stream = stream("robust", Boolean.toString(robust));
            Wells wells = new Wells(5);
            for (int t = 0; t < LEARNED; t++) {
                fed(stream, wells.next());
            }
            int kept = stream.learner().orElseThrow().dictionarySize();
            long alarms = stream.scorer().orElseThrow().alarms();
            Score[] told = new Score[1];
            stream.listen((row, score) -> told[0] = score);
            Outcome outcome = stream.accept(Observation.of("", 9));
            Score score = told[0];
            assertThat(score.alarm()).isTrue();
            assertThat(score.score()).isGreaterThan(0.5);
            assertThat(score.known()).isLessThan(0.5);
            assertThat(stream.scorer().orElseThrow().alarms()).isEqualTo(alarms + 1);
            assertThat(outcome.kind() == Outcome.Kind.HELD_BACK).isEqualTo(robust);
            for (int t = 0; t < 200; t++) {
                assertThat(fed(stream, wells.next()).alarm())
                        .as("one alarm for one event")
                        .isFalse();
            }
            boolean spikeIsKept = false;
            for (double[] point : stream.learner().orElseThrow().snapshot().inputPoints()) {
                spikeIsKept |= point[0] == 9;
            }
            assertThat(spikeIsKept).isEqualTo(!robust);
            assertThat(kept).isPositive();
        }
    }

    @Test
    void whatGoesOnIsLearnedEvenWhereOutliersAreHeldBack() {
        LearningStream stream = stream("robust", "true");
        Wells wells = new Wells(6);
        for (int t = 0; t < LEARNED; t++) {
            fed(stream, wells.next());
        }
        long before = stream.pairs();
        for (int t = 0; t < 500; t++) {
            fed(stream, 8 + 0.1 * wells.next());
        }
        assertThat(stream.scorer().orElseThrow().heldBack()).isBetween(1L, 200L);
        assertThat(stream.pairs() - before).isGreaterThan(300);
    }

    @Test
    void rowsThatWaitedForSettingsAreToldOfInTheirOrder() {
        LearningStream stream =
                LearningStream.of(StreamConfig.parse(Map.of("scores", "true", "warmUp", "300", "delays", "0")), 1);
        List<Long> rows = new ArrayList<>();
        stream.listen((observation, score) -> rows.add(observation.row()));
        Wells wells = new Wells(7);
        for (long t = 1; t <= 400; t++) {
            stream.accept(Observation.of("", wells.next()).withRow(t));
            assertThat(rows).hasSize(t < 300 ? 0 : (int) t);
        }
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).isEqualTo(i + 1L);
        }
    }

    @Test
    void aModelThatLearnsNoMoreScoresWithTheResidualsOfHeldOutPairs() {
        LearningStream stream = stream("scores", "false");
        Wells wells = new Wells(8);
        for (int t = 0; t < 4 * LEARNED; t++) {
            stream.accept(Observation.of("", wells.next()));
        }
        Scorer scorer = Scorer.of(stream.learner().orElseThrow().state(), 1, 1e-4);
        double[] x = {wells.next()};
        int below = 0;
        for (int t = 0; t < LEARNED; t++) {
            double[] next = {wells.next()};
            below += scorer.score(null, x, next).p() < 0.1 ? 1 : 0;
            x = next;
        }
        assertThat((double) below / LEARNED).isCloseTo(0.1, within(0.03));
        assertThat(scorer.score(null, x, new double[] {x[0] + 4}).alarm()).isTrue();
    }

    @Test
    void nothingIsSaidBeforeAnythingIsKnown() {
        LearningStream stream = stream();
        assertThat(fed(stream, 0.5).known()).isNaN();
        Score score = fed(stream, 0.6);
        assertThat(score.score()).isNaN();
        assertThat(score.isJudged()).isFalse();
        assertThat(score.alarm()).isFalse();
    }

    @Test
    void wordsAboutScoresNeedScores() {
        for (Map<String, String> words : List.of(
                Map.of("robust", "true"),
                Map.of("alarmRate", "0.01"),
                Map.of("scores", "true", "alarmRate", "0"),
                Map.of("scores", "true", "alarmRate", "0.5"))) {
            assertThatThrownBy(() -> StreamConfig.parse(words)).isInstanceOf(InvalidConfigException.class);
        }
    }

    /** A machine that runs from a third of the day to two thirds of it, 96 rows a day. */
    private static double daily(int t, SplittableRandom random) {
        return (t % 96 >= 32 && t % 96 < 64 ? 80 : 20) + 6 * (random.nextDouble() - 0.5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDayOnWhichNothingHappensIsAnAlarmAlsoAfterAGap(boolean gap) {
        LearningStream stream = stream("kernel", "gaussian(10)");
        SplittableRandom random = new SplittableRandom(8);
        int idle = 20 * 96;
        List<Integer> alarms = new ArrayList<>();
        for (int t = 0; t < 24 * 96; t++) {
            double value = t >= idle && t < idle + 96 ? daily(0, random) : daily(t, random);
            if (!gap || t / 50 != 20) {
                Score score = fed(stream, Observation.at("", Double.NaN, 300.0 * t, value));
                if (score != null && score.alarm()) {
                    alarms.add(t);
                }
            }
        }
        assertThat(alarms).as("rows of alarms").hasSize(1);
        assertThat(alarms.get(0)).isBetween(idle + 32, idle + 64);
    }

    @Test
    void whatHappensAgainAndAgainAlarmsLessOften() {
        LearningStream stream = stream("alarmRate", "1e-4");
        Wells wells = new Wells(6);
        for (int t = 0; t < 40_000; t++) {
            fed(stream, t > LEARNED && t % 1_000 == 0 ? 4 : wells.next());
        }
        // One event in a thousand rows, 34 in all, is ten times as often as alarms may come; each that is higher than
        // those before may alarm.
        assertThat(stream.scorer().orElseThrow().alarms()).isBetween(1L, 20L);
    }

    /**
     * A daily price whose volatility comes in clusters, with heavy tails: a fall of 22 % on one day, as on 19 October 1987, is an alarm on that day; an
     * ordinary fall of half a percent is none.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCrashIsAnAlarmAndAnOrdinaryFallIsNone(long seed) {
        LearningStream stream = LearningStream.of(StreamConfig.parse(Map.of("scores", "true")), 1);
        Map<Long, Score> scores = new HashMap<>();
        stream.listen((observation, score) -> scores.put(observation.row(), score));
        SplittableRandom random = new SplittableRandom(seed);
        long crash = 4_000;
        long ordinary = 5_500;
        double variance = 1e-4;
        double before = 0;
        double price = 100;
        for (long day = 1; day <= 6_000; day++) {
            variance = 2e-6 + 0.08 * before * before + 0.9 * variance;
            double chi = 0;
            for (int i = 0; i < 5; i++) {
                double one = random.nextGaussian();
                chi += one * one;
            }
            // Student's t with five degrees of freedom, of variance one.
            before = Math.sqrt(variance * 3 / chi) * random.nextGaussian();
            double fall = day == crash ? -0.22 : day == ordinary ? -0.005 : before;
            price *= 1 + fall;
            stream.accept(Observation.of("", price).withRow(day));
        }
        stream.endWarmUp();
        assertThat(scores.get(crash).alarm()).isTrue();
        assertThat(scores.get(ordinary).alarm()).isFalse();
        assertThat(stream.scorer().orElseThrow().alarms()).isBetween(1L, 12L);
    }
}
