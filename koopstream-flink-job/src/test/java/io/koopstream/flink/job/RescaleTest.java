package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.FolderExchange;
import io.koopstream.flink.Partitioning;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
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

/** One big stream that is stopped and goes on with other numbers of tasks ends with the model of plain loops over its partitions: nothing is forgotten. */
class RescaleTest {

    private static final WellStreams WELLS = new WellStreams(4, 500, 11);
    private static final int RECORDS = WELLS.streams() * (WELLS.steps() + 1);
    private static final Map<String, Long> NEWEST = new ConcurrentHashMap<>();

    @TempDir
    Path folder;

    private Path dictionary() {
        LearningStream scout = LearningStream.of(StreamConfig.parse(Map.of("kernel", WellStreams.KERNEL)), 2);
        WellStreams others = new WellStreams(2, 300, 5);
        for (int i = 0; i < others.streams(); i++) {
            for (int t = 0; t <= others.steps(); t++) {
                scout.accept(Observation.of("run " + i, others.state(i, t)));
            }
        }
        Path file = folder.resolve("scout.safetensors");
        ModelFile.write(file, scout.learner().orElseThrow().state());
        return file;
    }

    /** Every stream is a partition. */
    private static RawRecord record(long n) {
        int stream = (int) (n % WELLS.streams());
        int step = (int) (n / WELLS.streams());
        double[] state = WELLS.state(stream, step);
        String row = step + "," + state[0] + "," + state[1];
        return new RawRecord("samples", stream, n, "well", row.getBytes(StandardCharsets.UTF_8));
    }

    private StreamExecutionEnvironment environment(String run, int parallelism, String learn, String savepoint) {
        JobSettings job = JobSettings.parse("""
                name: big
                source:
                  brokers: none
                  topic: none
                  columns: [step, x1, x2]
                  step: step
                  state: [x1, x2]
                learn: {mode: merged, partitions: 4, %s}
                publish:
                  models: {folder: "%s", every: 100, keep: 100}
                  rejected: {folder: "%s"}
                run: {parallelism: %d, checkpoint: 50 ms}
                """.formatted(
                        learn,
                        folder.resolve("models").toUri(),
                        folder.resolve("rejected").toUri(),
                        parallelism));
        Configuration configuration = KoopJob.configuration(job);
        if (savepoint != null) {
            configuration.setString("execution.state-recovery.path", savepoint);
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
        KoopJob.configure(environment, job);
        new Pipeline(job)
                .build(environment
                        .fromSource(
                                new DataGeneratorSource<>(
                                        RescaleTest::record,
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

    private String stopped(int parallelism, String learn, String from, long until) throws Exception {
        String run = UUID.randomUUID().toString();
        JobClient job = environment(run, parallelism, learn, from).executeAsync();
        Await.until("record " + until, () -> NEWEST.getOrDefault(run, 0L) >= until);
        String path = job.stopWithSavepoint(
                        false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        assertThat(NEWEST.get(run)).as("stopped on the way").isLessThan(RECORDS - 1L);
        return path;
    }

    /** With two tasks, then four, then one. */
    private LeastSquaresState learned(String learn) throws Exception {
        String savepoint = stopped(2, learn, null, RECORDS / 4);
        savepoint = stopped(4, learn, savepoint, RECORDS / 2);
        environment(UUID.randomUUID().toString(), 1, learn, savepoint).execute();
        Path model = folder.resolve("models")
                .resolve("big")
                .resolve(String.format("%019d.safetensors", (long) WELLS.streams() * WELLS.steps()));
        assertThat(model).as("a model of every pair").exists();
        assertThat(LocalRun.lines(folder.resolve("rejected"))).isEmpty();
        return (LeastSquaresState) ModelFile.read(model);
    }

    @Test
    void twoTasksThenFourThenOne() throws Exception {
        Path dictionary = dictionary();
        LeastSquaresState model = learned("dictionary: \"" + dictionary + "\"");

        LeastSquaresState start = ((LeastSquaresState) ModelFile.read(dictionary)).dictionaryOnly();
        Partitioning parts = Partitioning.of("big", 4, 128);
        List<LeastSquaresState> all = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            LearningStream part = LearningStream.startingFrom(StreamConfig.defaults(), start, 0, 1);
            for (int i = 0; i < WELLS.streams(); i++) {
                for (int t = 0; parts.partOf("samples", i) == p && t <= WELLS.steps(); t++) {
                    part.accept(Observation.at("well", t, Double.NaN, WELLS.state(i, t)));
                }
            }
            all.add((LeastSquaresState) part.learner().orElseThrow().state());
        }
        assertThat(model.digest()).isEqualTo(LeastSquaresState.merged(all).digest());
    }

    /** Which points are agreed on depends on who was faster; that every pair is counted once does not. */
    @Test
    void aDictionaryThatGrowsIsKeptToo() throws Exception {
        LeastSquaresState model = learned("kernel: \"" + WellStreams.KERNEL + "\", exchange: \""
                + folder.resolve("exchange").toUri() + "\"");

        assertThat(model.pairs()).isEqualTo((long) WELLS.streams() * WELLS.steps());
        assertThat(model.weight()).isEqualTo((double) model.samples());
        assertThat(model.dictionarySize()).isGreaterThan(20);
        FolderExchange exchange =
                new FolderExchange(folder.resolve("exchange").toUri().toString());
        LeastSquaresState agreed = (LeastSquaresState)
                ModelFile.decode(exchange.read("big", exchange.newest("big").orElseThrow()));
        assertThat(agreed.dictionarySize()).isGreaterThan(20);
    }
}
