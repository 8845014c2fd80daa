package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.flink.Faults.Place;
import io.koopstream.flink.Faults.Planned;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job tells of unusual records and of lasting changes is what a plain stream tells, once, whatever fails. */
class ScoresTest {

    private static final int KEYS = 2;
    private static final long RECORDS = 3000;
    /** The record of each key that is like no other. */
    private static final long SPIKE = 1200;

    @TempDir
    private Path folder;

    /** Record n: a noisy circle for each key, with one spike; the second key's settings are chosen from 400 records. */
    private static SampleEvent event(long n) {
        long key = n % KEYS;
        long t = n / KEYS;
        SplittableRandom random = new SplittableRandom(31 * t + key);
        double[] state = {
            StrictMath.cos(0.3 * t) + random.nextDouble(-0.05, 0.05),
            StrictMath.sin(0.3 * t) + random.nextDouble(-0.05, 0.05)
        };
        SampleEvent event = SampleEvent.atStep("k" + key, "run", (double) t, t == SPIKE ? new double[] {4, -4} : state);
        event.time = (double) n;
        return event;
    }

    private static StreamConfig words(boolean scores) {
        return scores
                ? Streams.words("warmUp", "400", "maxDictionary", "60", "scores", "true", "alarmRate", "0.001")
                : Streams.words("warmUp", "400", "maxDictionary", "60");
    }

    private static LearnSettings settings(boolean scores) {
        return LearnSettings.of(words(scores), 2).names(List.of("x", "y")).build();
    }

    /** What a plain stream tells of a key's records. */
    private static List<String> plain(String key) {
        LearningStream stream = LearningStream.of(words(true));
        List<String> told = new ArrayList<>();
        stream.listen((observation, score) -> {
            if (score != null) {
                told.add(ScoreRecord.of(key, observation, score, stream.preparation())
                        .toString());
            }
        });
        for (long n = 0; n < RECORDS; n++) {
            SampleEvent event = event(n);
            if (event.key.equals(key)) {
                stream.accept(Observation.at("run", event.step, event.time, event.state));
            }
        }
        return told;
    }

    @Test
    void everyRecordIsScoredOnceWhateverFailsAndTheModelIsTheSame() throws Exception {
        String run = Jobs.newRun();
        // In the warm-up, whose records are told when it ends, and after the spike.
        List<Planned> plan = List.of(new Planned(Place.RECORD, 500), new Planned(Place.RECORD, 2700));
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, Map.of());
        SingleOutputStreamOperator<Learned> learned = Jobs.events(environment, ScoresTest::event, RECORDS, 100)
                .map(Faults.of(run, plan))
                .returns(TypeInformation.of(SampleEvent.class))
                .setParallelism(1)
                .uid("faults")
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings(true)))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
        Map<String, List<String>> told = new HashMap<>();
        Map<String, List<Long>> alarms = new HashMap<>();
        Jobs.collect(learned.getSideOutput(LearnFunction.SCORES), record -> {
            told.computeIfAbsent(record.key, any -> new ArrayList<>()).add(record.toString());
            if (record.alarm == 1) {
                alarms.computeIfAbsent(record.key, any -> new ArrayList<>()).add(record.row);
            }
        });
        assertThat(Faults.memory(run).happened()).isEqualTo(plan.size());
        for (int k = 0; k < KEYS; k++) {
            String key = "k" + k;
            assertThat(told.get(key)).hasSizeGreaterThan(1_400).isEqualTo(plain(key));
            assertThat(alarms.get(key)).contains(SPIKE + 1);
            KoopmanModel unscored = KoopmanModel.start(settings(false));
            for (long n = k; n < RECORDS; n += KEYS) {
                assertThat(unscored.accept(key, event(n), false).scores()).isEmpty();
            }
            assertThat(Jobs.last(run, key).model().state().digest())
                    .as("the model does not depend on scores")
                    .isEqualTo(unscored.state().digest());
        }
    }

    private static KoopmanModel stored(KoopmanModel model) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelSerializer.INSTANCE.serialize(model, new DataOutputViewStreamWrapper(bytes));
        return ModelSerializer.INSTANCE.deserialize(
                new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes.toByteArray())));
    }

    @Test
    void aYoungModelTellsNobodyTwiceWhenItWakes() {
        KoopmanModel model =
                KoopmanModel.start(LearnSettings.of(Streams.words("kernel", "gaussian(0.5)", "scores", "true"), 2)
                        .build());
        List<Long> rows = new ArrayList<>();
        for (long n = 0; n < 80; n += KEYS) {
            model.accept("k0", event(n), false).scores().forEach(record -> rows.add(record.row));
            model.sleep();
        }
        assertThat(rows).isEqualTo(LongStream.rangeClosed(1, 40).boxed().toList());
    }

    @Test
    void scoresCanBeTurnedOnAndOffUnderASavepoint() throws IOException {
        KoopmanModel model = KoopmanModel.start(settings(false));
        KoopmanModel never = KoopmanModel.start(settings(false));
        List<ScoreRecord> told = new ArrayList<>();
        for (long t = 0; t < RECORDS / KEYS; t++) {
            if (t == 700 || t == 1400) {
                model = stored(model);
                model.follow(settings(t == 700));
            }
            told.addAll(model.accept("k0", event(KEYS * t), false).scores());
            never.accept("k0", event(KEYS * t), false);
        }
        assertThat(told.stream().map(record -> record.row))
                .isEqualTo(LongStream.rangeClosed(701, 1400).boxed().toList());
        assertThat(told.stream().filter(record -> record.alarm == 1).map(record -> record.row))
                .contains(SPIKE + 1);
        assertThat(model.state().digest()).isEqualTo(never.state().digest());
    }

    @Test
    void whatIsHeldBackIsRejectedByName() {
        KoopmanModel model = KoopmanModel.start(
                LearnSettings.of(Streams.words("kernel", "gaussian(0.5)", "scores", "true", "robust", "true"), 2)
                        .build());
        List<RejectedSample> rejected = new ArrayList<>();
        for (long n = 0; n < RECORDS; n += KEYS) {
            model.accept("k0", event(n), false).rejected().ifPresent(rejected::add);
        }
        assertThat(rejected)
                .anyMatch(sample -> sample.reason == RejectedSample.Reason.HELD_BACK
                        && sample.step == SPIKE
                        && sample.message.contains("robust"));
        assertThat(model.version() + rejected.size()).isEqualTo(RECORDS / KEYS - 1);
    }

    @Test
    void aLastingChangeIsToldWithItsKindOnsetTimeAndSentence() throws IOException {
        LearnSettings settings = LearnSettings.of(Streams.words("kernel", "gaussian(2)", "onDrift", "forget"), 1)
                .names(List.of("pressure"))
                .build();
        KoopmanModel model = KoopmanModel.start(settings);
        SplittableRandom random = new SplittableRandom(77);
        List<DriftNotice> notices = new ArrayList<>();
        double x = 0;
        for (int i = 0; i < 5000; i++) {
            x = 0.7 * x + random.nextGaussian();
            SampleEvent event = SampleEvent.atTime("pump", null, 60.0 * i, new double[] {i < 4000 ? x : x + 3});
            notices.addAll(model.accept("pump", event, false).drift());
            if (i % 500 == 0) {
                model = stored(model);
                model.follow(settings);
            }
        }
        assertThat(notices).hasSize(1);
        DriftNotice notice = notices.get(0);
        assertThat(notice.kind).isEqualTo("level shift");
        assertThat(notice.coordinate).isEqualTo(1);
        assertThat(notice.to - notice.from).isBetween(2.0, 4.0);
        assertThat(notice.onsetRow).isBetween(3950L, 4100L);
        assertThat(notice.onsetTime).isEqualTo(60.0 * (notice.onsetRow - 1));
        assertThat(notice.row).isGreaterThan(notice.onsetRow);
        assertThat(notice.time).isCloseTo(60.0 * (notice.row - 1), within(0.0));
        assertThat(notice.sentence)
                .startsWith("level shift: the level of pressure shifted up")
                .contains("(" + notice.onsetTime + ")");
    }
}
