package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.ModelFile;
import io.koopstream.io.samples.Sample;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No pair is made across a record that cannot be read, whatever of it is known, before and after a restart with another parallelism. */
class UnreadableRecordsTest {

    private static final WellStreams WELLS = new WellStreams(5, 400, 7);
    private static final int RECORDS = WELLS.streams() * WELLS.steps();
    private static final int PARTITIONS = 2;
    private static final Map<String, Long> NEWEST = new ConcurrentHashMap<>();

    /** What is left of a record. */
    private enum Left {
        ALL,
        KEY,
        FEW_CELLS,
        NOTHING,
        NO_KEY,
        OPEN_QUOTE
    }

    @TempDir
    Path folder;

    private static int stream(long n) {
        return (int) (n % WELLS.streams());
    }

    private static int partition(int stream) {
        return stream % PARTITIONS;
    }

    /** Every fifth record or so is broken, each kind as often as the others. */
    private static Left left(long n) {
        long mixed = ((n + 1) * 0x9E3779B97F4A7C15L) >>> 33;
        return mixed % 5 > 0 ? Left.ALL : Left.values()[1 + (int) (mixed / 5 % 5)];
    }

    private static RawRecord record(long n) {
        int stream = stream(n);
        String key = WellStreams.usualKey(stream);
        double[] state = WELLS.state(stream, (int) (n / WELLS.streams()));
        String row = switch (left(n)) {
            case ALL -> key + "," + state[0] + "," + state[1];
            case KEY -> key + ",oops," + state[1];
            case FEW_CELLS -> key + "," + state[0];
            case NOTHING -> "";
            case NO_KEY -> "," + state[0] + "," + state[1];
            case OPEN_QUOTE -> "\"" + key + "," + state[0] + "," + state[1];
        };
        return new RawRecord("samples", partition(stream), n, null, row.getBytes(StandardCharsets.UTF_8));
    }

    /** What a plain loop makes of it: where the key is unknown, the record may have been any key's of the partition. */
    private static Map<String, LearningStream> plain() {
        StreamConfig settings = StreamConfig.parse(Map.of("kernel", WellStreams.KERNEL));
        Map<String, LearningStream> streams = new LinkedHashMap<>();
        for (int i = 0; i < WELLS.streams(); i++) {
            streams.put(WellStreams.usualKey(i), LearningStream.of(settings, 2));
        }
        for (long n = 0; n < RECORDS; n++) {
            int stream = stream(n);
            LearningStream own = streams.get(WellStreams.usualKey(stream));
            switch (left(n)) {
                case ALL -> own.accept(Observation.of(null, WELLS.state(stream, (int) (n / WELLS.streams()))));
                case KEY -> own.accept(Observation.unreadable(null));
                default -> {
                    for (int other = 0; other < WELLS.streams(); other++) {
                        if (partition(other) == partition(stream)) {
                            streams.get(WellStreams.usualKey(other)).accept(Observation.unreadable(null));
                        }
                    }
                }
            }
        }
        return streams;
    }

    private JobSettings job(int parallelism) {
        return JobSettings.parse("""
                name: test
                source:
                  brokers: none
                  topic: none
                  columns: [well, x1, x2]
                  key: well
                  state: [x1, x2]
                learn: {kernel: "%s"}
                publish:
                  models: {folder: "%s", every: 100000}
                  rejected: {folder: "%s"}
                run: {parallelism: %d, checkpoint: 50 ms}
                """.formatted(
                        WellStreams.KERNEL,
                        folder.resolve("models").toUri(),
                        folder.resolve("rejected").toUri(),
                        parallelism));
    }

    private StreamExecutionEnvironment environment(String run, int parallelism, String savepoint) {
        JobSettings job = job(parallelism);
        Configuration configuration = KoopJob.configuration(job);
        if (savepoint != null) {
            configuration.setString("execution.state-recovery.path", savepoint);
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
        KoopJob.configure(environment, job);
        // As with Kafka: what is in one partition stays in order.
        new Pipeline(job)
                .build(environment
                        .fromSource(
                                new DataGeneratorSource<>(
                                        UnreadableRecordsTest::record,
                                        RECORDS,
                                        RateLimiterStrategy.perCheckpoint(200),
                                        TypeInformation.of(RawRecord.class)),
                                WatermarkStrategy.noWatermarks(),
                                "records")
                        .setParallelism(1)
                        .uid("records")
                        .map(record -> {
                            NEWEST.merge(run, record.offset, Math::max);
                            return record;
                        })
                        .returns(TypeInformation.of(RawRecord.class))
                        .setParallelism(1)
                        .uid("progress")
                        .keyBy(record -> record.partition));
        return environment;
    }

    private void requireModelsOfThePlainLoop() {
        long pairs = 0;
        for (Map.Entry<String, LearningStream> entry : plain().entrySet()) {
            long version = entry.getValue().pairs();
            Path file = folder.resolve("models")
                    .resolve(entry.getKey())
                    .resolve(String.format("%019d.safetensors", version));
            assertThat(file).as("a model of so many pairs").exists();
            assertThat(ModelFile.read(file).digest())
                    .isEqualTo(entry.getValue().learner().orElseThrow().state().digest());
            pairs += version;
        }
        assertThat(pairs).as("pairs that remain, of %d records", RECORDS).isBetween(RECORDS / 3L, RECORDS * 2L / 3);
    }

    @Test
    void noPairIsMadeAcrossARecordThatCannotBeRead() throws Exception {
        environment(UUID.randomUUID().toString(), 2, null).execute();

        requireModelsOfThePlainLoop();
        long broken = 0;
        for (long n = 0; n < RECORDS; n++) {
            broken += left(n) == Left.ALL ? 0 : 1;
        }
        try (var files = Files.walk(folder.resolve("rejected"))) {
            long told = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                told += Files.readAllLines(file).stream()
                        .filter(line -> line.contains("UNREADABLE"))
                        .count();
            }
            assertThat(told).as("each one once").isEqualTo(broken);
        }
    }

    @Test
    void lossesSurviveARestartWithAnotherParallelism() throws Exception {
        String savepoint = stopped(2, null, RECORDS / 4);
        savepoint = stopped(1, savepoint, RECORDS / 2);
        environment(UUID.randomUUID().toString(), 2, savepoint).execute();

        requireModelsOfThePlainLoop();
    }

    private String stopped(int parallelism, String from, long until) throws Exception {
        String run = UUID.randomUUID().toString();
        JobClient job = environment(run, parallelism, from).executeAsync();
        Await.until("record " + until, () -> NEWEST.getOrDefault(run, 0L) >= until);
        String path = job.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        assertThat(NEWEST.get(run)).as("stopped on the way").isLessThan(RECORDS - 1L);
        return path;
    }

    /** The names in a record are used only where they stand for sure. */
    @ParameterizedTest
    @EnumSource(Left.class)
    void aKeyIsKnownOnlyWhereItStandsForSure(Left kind) {
        long n = LongStream.range(0, RECORDS)
                .filter(i -> left(i) == kind)
                .findFirst()
                .orElseThrow();
        Sample fields = new Sample();
        try {
            job(1).source().reader().read(record(n).value, fields);
            assertThat(kind).isIn(Left.ALL, Left.NO_KEY);
        } catch (BadRecordException e) {
            assertThat(kind).isNotIn(Left.ALL, Left.NO_KEY);
        }
        if (kind == Left.ALL || kind == Left.KEY) {
            assertThat(fields.key()).isEqualTo(WellStreams.usualKey(stream(n)));
        } else {
            assertThat(fields.key()).isIn(null, "");
        }
    }
}
