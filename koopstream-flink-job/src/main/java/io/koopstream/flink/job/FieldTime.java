package io.koopstream.flink.job;

import io.koopstream.flink.SampleEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * Event time from the records' own field. As with Kafka's times, every partition has a clock, its newest record, and the slowest of them counts;
 * a partition counts from its first record on, until it has been silent for long. A record without a time is never late and moves no clock.
 */
final class FieldTime implements WatermarkStrategy<SampleEvent> {

    private static final long serialVersionUID = 1L;

    private final double millisPerUnit;
    private final Duration lateAfter;
    private final Duration idleAfter;

    /** @param unit what one in the field is */
    FieldTime(Duration unit, Duration lateAfter, Duration idleAfter) {
        this.millisPerUnit = unit.toNanos() / 1e6;
        this.lateAfter = lateAfter;
        this.idleAfter = idleAfter;
    }

    @Override
    public TimestampAssigner<SampleEvent> createTimestampAssigner(TimestampAssignerSupplier.Context context) {
        return (event, recorded) -> Double.isFinite(event.time) ? millis(event) : Long.MAX_VALUE;
    }

    private long millis(SampleEvent event) {
        return (long) Math.floor(event.time * millisPerUnit);
    }

    @Override
    public WatermarkGenerator<SampleEvent> createWatermarkGenerator(WatermarkGeneratorSupplier.Context context) {
        return generator(System::nanoTime);
    }

    /** @param clock in nanoseconds; only differences count */
    WatermarkGenerator<SampleEvent> generator(LongSupplier clock) {
        return new Clocks(clock);
    }

    /** The newest time of a partition, and when a record of it came last. */
    private record Newest(long time, long seen) {}

    private final class Clocks implements WatermarkGenerator<SampleEvent> {

        private final LongSupplier clock;
        private final Map<String, Newest> partitions = new HashMap<>();

        private Clocks(LongSupplier clock) {
            this.clock = clock;
        }

        @Override
        public void onEvent(SampleEvent event, long timestamp, WatermarkOutput output) {
            long now = clock.getAsLong();
            if (Double.isFinite(event.time)) {
                partitions.merge(
                        event.source,
                        new Newest(timestamp, now),
                        (old, one) -> new Newest(Math.max(old.time(), one.time()), now));
            }
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {
            long now = clock.getAsLong();
            long slowest = partitions.values().stream()
                    .filter(one -> now - one.seen() < idleAfter.toNanos())
                    .mapToLong(Newest::time)
                    .min()
                    .orElse(Long.MIN_VALUE);
            if (slowest > Long.MIN_VALUE + lateAfter.toMillis()) {
                output.emitWatermark(new Watermark(slowest - lateAfter.toMillis() - 1));
            } else if (!partitions.isEmpty()) {
                output.markIdle();
            }
        }
    }
}
