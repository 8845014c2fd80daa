package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key that comes no more, by the time of the stream, is published once, with all it has learned, while the stream goes on. */
class ForgetTest {

    private static final int RECORDS = 60;
    private static final int KEYS = 3;
    private static final long ALL = 12_000;
    private static final int PER_CHECKPOINT = 300;

    @TempDir
    private Path folder;

    private static SampleEvent event(long n) {
        SampleEvent event = Streams.event(n, 1);
        event.key = n < RECORDS ? "gone" : "here";
        return event;
    }

    /** One record a millisecond, by the stream's time. */
    private static WatermarkStrategy<SampleEvent> millis() {
        return WatermarkStrategy.<SampleEvent>forMonotonousTimestamps()
                .withTimestampAssigner((event, earlier) -> (long) event.time);
    }

    private static void remember(SingleOutputStreamOperator<Learned> learned, String run) {
        learned.sinkTo(new DiscardingSink<>()).uid("learned");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
    }

    @Test
    void aKeyThatComesNoMoreIsPublishedAndForgotten() throws Exception {
        String run = Jobs.newRun();
        LearnSettings settings = Streams.leastSquaresSettings()
                .forgetAfter(Duration.ofMillis(400))
                .build();
        StreamExecutionEnvironment environment = Jobs.environment(folder, 1, Map.of());
        GeneratorFunction<Long, SampleEvent> events = ForgetTest::event;
        SingleOutputStreamOperator<Learned> learned = environment
                .fromSource(
                        new DataGeneratorSource<>(
                                events,
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(2000),
                                TypeInformation.of(SampleEvent.class)),
                        millis(),
                        "events")
                .setParallelism(1)
                .uid("events")
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        remember(learned, run);
        JobClient job = environment.executeAsync();
        Await.until(
                "the model of the key that is gone",
                () -> !Jobs.versions(run, "gone").isEmpty());
        job.cancel().get();

        KoopmanModel plain = KoopmanModel.start(settings);
        for (long n = 0; n < RECORDS; n++) {
            plain.accept("gone", event(n), false);
        }
        assertThat(Jobs.last(run, "gone").model().state().digest())
                .isEqualTo(plain.state().digest());
    }

    private StreamExecutionEnvironment watched(String run, LearnSettings settings, Map<String, String> more) {
        StreamExecutionEnvironment environment = Jobs.environment(folder, 2, more);
        remember(
                Jobs.events(environment, n -> Streams.event(n, KEYS), ALL, PER_CHECKPOINT)
                        .map(Faults.of(run, List.of()))
                        .returns(TypeInformation.of(SampleEvent.class))
                        .setParallelism(1)
                        .uid("faults")
                        .assignTimestampsAndWatermarks(millis())
                        .setParallelism(1)
                        .uid("times")
                        .keyBy(SampleEvent.byKey())
                        .process(new LearnFunction(settings))
                        .returns(TypeInformation.of(Learned.class))
                        .uid("learn"),
                run);
        return environment;
    }

    /** The records of a key are 3 ms apart in the stream; between savepoint and resume far more passes by the clock. */
    @Test
    void aJobThatStoodStillForgetsNothing() throws Exception {
        LearnSettings settings = Streams.leastSquaresSettings()
                .forgetAfter(Duration.ofMillis(20))
                .build();
        String run = Jobs.newRun();
        JobClient first = watched(run, settings, Map.of()).executeAsync();
        Await.until("a third of the records", () -> Faults.memory(run).newest() >= ALL / 3);
        String savepoint = first.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        assertThat(Faults.memory(run).newest()).as("stopped on the way").isLessThan(ALL - 1);
        watched(run, settings, Map.of("execution.state-recovery.path", savepoint))
                .execute();

        Map<String, KoopmanModel> plain = new HashMap<>();
        for (long n = 0; n < ALL; n++) {
            SampleEvent event = Streams.event(n, KEYS);
            plain.computeIfAbsent(event.key, key -> KoopmanModel.start(settings))
                    .accept(event.key, event, false);
        }
        assertThat(Faults.memory(run).lastStart()).as("resumed on the way").isPositive();
        plain.forEach((key, model) -> {
            assertThat(Jobs.versions(run, key)).as("published once, at the end").containsExactly(key + "@end");
            assertThat(Jobs.last(run, key).version).as(key).isEqualTo(model.version());
            assertThat(Jobs.last(run, key).model().state().digest())
                    .as(key)
                    .isEqualTo(model.state().digest());
        });
    }

    @Test
    void recordsWithoutTimesAreAnErrorThatSaysSo() throws Exception {
        LearnSettings settings = Streams.leastSquaresSettings()
                .forgetAfter(Duration.ofMillis(20))
                .build();
        StreamExecutionEnvironment environment = Jobs.environment(folder, 1, Map.of());
        environment
                .fromData(List.of(Streams.event(0, 1)), TypeInformation.of(SampleEvent.class))
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .sinkTo(new DiscardingSink<>());

        assertThatThrownBy(environment::execute)
                .hasStackTraceContaining("forgetAfter")
                .hasStackTraceContaining("assignTimestampsAndWatermarks");
    }
}
