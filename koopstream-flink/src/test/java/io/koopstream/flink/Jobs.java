package io.koopstream.flink;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Jobs in this JVM, with the settings that every user of the library should have too. */
final class Jobs {

    static final int MAX_PARALLELISM = 128;

    /** Models that jobs have published, by run and key: the newest complete version. */
    private static final Map<String, Map<String, ModelParts>> PUBLISHED = new ConcurrentHashMap<>();

    private Jobs() {}

    /** An environment with checkpoints; what is given on top wins. */
    static StreamExecutionEnvironment environment(Path folder, int parallelism, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "pipeline.generic-types", "false",
                "pipeline.max-parallelism", Integer.toString(MAX_PARALLELISM),
                "state.backend.type", "hashmap",
                "execution.checkpointing.dir",
                        folder.resolve("checkpoints").toUri().toString(),
                "execution.checkpointing.savepoint-dir",
                        folder.resolve("savepoints").toUri().toString(),
                "execution.checkpointing.interval", "40 ms",
                "execution.checkpointing.mode", "EXACTLY_ONCE",
                "restart-strategy.type", "fixed-delay",
                "restart-strategy.fixed-delay.attempts", "20",
                "restart-strategy.fixed-delay.delay", "10 ms"));
        // A machine that is busy with other things is no failure.
        settings.put("heartbeat.timeout", "600 s");
        // Flink's own sink for collecting takes its task manager along when it is cancelled before it was opened (a
        // NullPointerException in CollectSinkFunction, seen on 2.3.0): any one of these is enough to go on.
        settings.put("minicluster.number-of-taskmanagers", "4");
        settings.put("taskmanager.numberOfTaskSlots", "4");
        settings.put("taskmanager.memory.network.min", "16 mb");
        settings.put("taskmanager.memory.network.max", "16 mb");
        settings.putAll(more);
        return StreamExecutionEnvironment.createLocalEnvironment(parallelism, Configuration.fromMap(settings));
    }

    /** Records 0 to count − 1 of a stream, in order, so many between two checkpoints: no race with the clock, however slow the machine. */
    static DataStream<SampleEvent> events(
            StreamExecutionEnvironment environment,
            GeneratorFunction<Long, SampleEvent> stream,
            long count,
            int perCheckpoint) {
        return environment
                .fromSource(
                        new DataGeneratorSource<>(
                                stream,
                                count,
                                RateLimiterStrategy.perCheckpoint(perCheckpoint),
                                TypeInformation.of(SampleEvent.class)),
                        WatermarkStrategy.noWatermarks(),
                        "events")
                .setParallelism(1)
                .uid("events");
    }

    /** A name for the static memory of one run. */
    static String newRun() {
        return UUID.randomUUID().toString();
    }

    /** Remembers models outside of the job. A version that is published again after a failure replaces itself. */
    static final class Remember implements MapFunction<ModelRecord, Long> {

        private static final long serialVersionUID = 1L;

        private final String run;

        Remember(String run) {
            this.run = run;
        }

        @Override
        public Long map(ModelRecord record) {
            Map<String, ModelParts> models = PUBLISHED.computeIfAbsent(run, r -> new ConcurrentHashMap<>());
            models.computeIfAbsent(record.key + "@" + (record.end ? "end" : record.version), k -> new ModelParts())
                    .add(record);
            return record.version;
        }
    }

    /** Runs a job and takes what one of its streams says, exactly once whatever fails on the way. */
    static <T> void collect(DataStream<T> stream, Consumer<T> target) throws Exception {
        CloseableIterator<T> outputs = stream.collectAsync();
        try {
            stream.getExecutionEnvironment().executeAsync();
            outputs.forEachRemaining(target);
        } finally {
            outputs.close();
        }
    }

    /** What a run has published at the end of its stream for a key. */
    static ModelParts last(String run, String key) {
        return published(run, key, "end");
    }

    /** The versions that a run has published for a key, as texts. */
    static List<String> versions(String run, String key) {
        return PUBLISHED.getOrDefault(run, Map.of()).keySet().stream()
                .filter(name -> name.startsWith(key + "@"))
                .toList();
    }

    /** What a run has published for a key in a version. */
    static ModelParts published(String run, String key, Object version) {
        ModelParts parts = PUBLISHED.getOrDefault(run, Map.of()).get(key + "@" + version);
        if (parts == null) {
            throw new AssertionError("nothing published for " + key + "@" + version + " but "
                    + PUBLISHED.getOrDefault(run, Map.of()).keySet());
        }
        return parts;
    }
}
