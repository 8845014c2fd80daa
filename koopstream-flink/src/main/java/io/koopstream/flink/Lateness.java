package io.koopstream.flink;

import org.apache.flink.streaming.api.functions.KeyedProcessFunction;

/** Whether a record is too old by its event time. */
final class Lateness {

    private Lateness() {}

    /** Late as Flink's windows have it: the watermark has passed the record's time and the allowance. Without times nothing is late. */
    static boolean isLate(LearnSettings settings, SampleEvent event, KeyedProcessFunction<?, ?, ?>.Context context) {
        Long timestamp = context.timestamp();
        long watermark = context.timerService().currentWatermark();
        long allowed = settings.allowedLateness().toMillis();
        // What cannot be read interrupts its trajectory whenever it comes.
        return !event.unreadable
                && allowed < Long.MAX_VALUE
                && timestamp != null
                && watermark != Long.MIN_VALUE
                && watermark - allowed >= timestamp;
    }

    static RejectedSample rejected(String key, SampleEvent event, Long timestamp) {
        return RejectedSample.of(
                key,
                event,
                RejectedSample.Reason.LATE,
                "event time " + timestamp + " is behind the watermark and the allowed lateness; it is skipped");
    }
}
