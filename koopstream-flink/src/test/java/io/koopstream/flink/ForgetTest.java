package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key that comes no more is published once, with all it has learned, while the stream goes on. */
class ForgetTest {

    private static final int RECORDS = 60;

    @TempDir
    private Path folder;

    private static SampleEvent event(long n) {
        SampleEvent event = Streams.event(n, 1);
        event.key = n < RECORDS ? "gone" : "here";
        return event;
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
                        WatermarkStrategy.noWatermarks(),
                        "events")
                .setParallelism(1)
                .uid("events")
                .keyBy(SampleEvent.byKey())
                .process(new LearnFunction(settings))
                .returns(TypeInformation.of(Learned.class))
                .uid("learn");
        learned.sinkTo(new DiscardingSink<>()).uid("learned");
        learned.getSideOutput(LearnFunction.MODELS)
                .map(new Jobs.Remember(run))
                .uid("remember")
                .sinkTo(new DiscardingSink<>())
                .uid("remembered");
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
}
