package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.flink.SampleEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/** Event time from a field: the slowest partition counts, unless it is silent. */
class FieldTimeTest {

    private final List<String> told = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final FieldTime times = new FieldTime(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));
    private final WatermarkGenerator<SampleEvent> generator = times.generator(clock::get);

    private final WatermarkOutput output = new WatermarkOutput() {
        @Override
        public void emitWatermark(Watermark watermark) {
            told.add(Long.toString(watermark.getTimestamp()));
        }

        @Override
        public void markIdle() {
            told.add("idle");
        }

        @Override
        public void markActive() {
            told.add("active");
        }
    };

    private long event(String source, double time) {
        SampleEvent event = SampleEvent.of("k", null, new double[] {1});
        event.source = source;
        event.time = time;
        long timestamp = times.createTimestampAssigner(null).extractTimestamp(event, 7);
        generator.onEvent(event, timestamp, output);
        return timestamp;
    }

    @Test
    void theSlowestPartitionThatIsNotSilentCounts() {
        generator.onPeriodicEmit(output);
        assertThat(told).isEmpty();
        assertThat(event("a-0", 100)).isEqualTo(100_000);
        assertThat(event("a-1", 50.5)).isEqualTo(50_500);
        assertThat(event("a-1", 20)).isEqualTo(20_000);
        generator.onPeriodicEmit(output);
        // No time: never late, and no clock moves.
        assertThat(event("a-2", Double.NaN)).isEqualTo(Long.MAX_VALUE);
        assertThat(event("a-2", Double.POSITIVE_INFINITY)).isEqualTo(Long.MAX_VALUE);
        generator.onPeriodicEmit(output);
        clock.addAndGet(Duration.ofSeconds(59).toNanos());
        event("a-0", 110);
        generator.onPeriodicEmit(output);
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        generator.onPeriodicEmit(output);
        clock.addAndGet(Duration.ofSeconds(60).toNanos());
        generator.onPeriodicEmit(output);
        assertThat(told).containsExactly("40499", "40499", "40499", "99999", "idle");
    }

    private static JobSettings job(String source) {
        return JobSettings.parse("""
                name: test
                source:
                  brokers: none:1
                  topic: none
                  key: well
                  state: [x1]
                  %s
                learn: {kernel: gaussian(1)}
                publish:
                  predictions: {topic: p}
                  rejected: {topic: r}
                """.formatted(source));
    }

    @Test
    void theFieldIsUsedWhereItsUnitIsGiven() {
        JobSettings job = job("time: t\n  lateAfter: 10 s\n  timeUnit: 1 ms");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        KoopJob.prepare(environment, job);
        assertThat(environment.getStreamGraph().getStreamingPlanAsJSON()).contains("event time");
        assertThat(String.join("\n", Plan.of(job))).contains("late: more than 10000 ms behind the newest field t of");
        assertThatThrownBy(() -> job("lateAfter: 10 s\n  timeUnit: 1 ms"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("source.timeUnit");
        assertThatThrownBy(() -> job("time: t\n  timeUnit: 1 ms"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("lateAfter");
    }
}
