package io.koopstream.flink;

import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What a task that learns reports, under the group {@code koopstream}: gauges {@code version}, {@code dictionary}, {@code error} and {@code score} of the
 * model that learned last (there may be thousands of keys, so none has gauges of its own), counters, and the times of updates.
 */
final class LearnMetrics {

    private final Counter total;
    private final Counter learned;
    private final Counter published;
    private final Counter drifted;
    private final Counter scored;
    private final Counter alarms;
    private final Counter keys;
    private final Counter forgotten;
    private final Counter loaded;
    private final Counter evicted;
    private final Counter written;
    private final Map<RejectedSample.Reason, Counter> rejected = new EnumMap<>(RejectedSample.Reason.class);
    private final UpdateTimes times = new UpdateTimes();
    // Read by the reporter's thread; a value that is one sample old does no harm.
    private volatile long version;
    private volatile int dictionary;
    private volatile double error = Double.NaN;
    private volatile double score = Double.NaN;
    private volatile long newest;
    private volatile int hotModels;
    private volatile long hotBytes;

    LearnMetrics(MetricGroup parent) {
        MetricGroup group = parent.addGroup("koopstream");
        group.gauge("version", () -> version);
        group.gauge("dictionary", () -> dictionary);
        group.gauge("error", () -> error);
        group.gauge("score", () -> score);
        // Seconds; -1 before anything was published since the task started.
        group.gauge("newestModelAge", () -> newest == 0 ? -1L : (System.currentTimeMillis() - newest) / 1000);
        group.gauge("hotModels", () -> hotModels);
        group.gauge("hotBytes", () -> hotBytes);
        group.histogram("updateNanos", times);
        total = group.counter("updateNanosTotal");
        learned = group.counter("learned");
        published = group.counter("published");
        drifted = group.counter("drifted");
        scored = group.counter("scored");
        alarms = group.counter("alarms");
        keys = group.counter("keys");
        forgotten = group.counter("forgottenKeys");
        loaded = group.counter("loadedModels");
        evicted = group.counter("evictedModels");
        written = group.counter("writtenBytes");
        MetricGroup reasons = group.addGroup("rejected");
        for (RejectedSample.Reason reason : RejectedSample.Reason.values()) {
            // A record after a gap is learned from.
            boolean gap = reason == RejectedSample.Reason.GAP;
            rejected.put(reason, gap ? group.counter("gaps") : reasons.counter(reason.name()));
        }
    }

    void updated(long nanos) {
        times.update(nanos);
        total.inc(nanos);
    }

    void learned(long pairs, KoopmanModel model) {
        learned.inc(pairs);
        version = model.version();
        dictionary = model.dictionarySize();
        error = model.error();
    }

    /** A key came that this task had not met since it started. */
    void met() {
        keys.inc();
    }

    void forgot() {
        forgotten.inc();
    }

    /** A model was taken from the state into the cache. */
    void loaded() {
        loaded.inc();
    }

    /** A model had to make room in the cache. */
    void evicted() {
        evicted.inc();
    }

    /** A section of a cached model was written to the state. */
    void wrote(long bytes) {
        written.inc(bytes);
    }

    /** What the cache holds. */
    void hot(int models, long bytes) {
        hotModels = models;
        hotBytes = bytes;
    }

    void published() {
        published.inc();
        newest = System.currentTimeMillis();
    }

    void drifted() {
        drifted.inc();
    }

    void scored(ScoreRecord record) {
        scored.inc();
        alarms.inc(record.alarm);
        score = record.score;
    }

    void rejected(RejectedSample.Reason reason) {
        rejected.get(reason).inc();
    }
}
