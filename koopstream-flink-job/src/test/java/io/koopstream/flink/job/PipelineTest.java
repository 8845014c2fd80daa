package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.Partitioning;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.StateBackendFactory;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackendFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole job from records to files inside one JVM, compared with plain loops. */
class PipelineTest {

    private static final WellStreams WELLS = new WellStreams(3, 700, 3);
    private static final Map<String, String> WORDS = Map.of("kernel", WellStreams.KERNEL);

    @TempDir
    Path folder;

    private String file(String learn, int every) {
        return """
                name: test
                source:
                  brokers: none
                  topic: none
                  columns: [well, step, x1, x2]
                  key: well
                  step: step
                  state: [x1, x2]
                learn: %s
                publish:
                  predictions: {folder: "%s"}
                  models: {folder: "%s", every: %d, keep: 2}
                  rejected: {folder: "%s"}
                run: {parallelism: 2, checkpoint: 200 ms}
                """.formatted(learn, uri("predictions"), uri("models"), every, uri("rejected"));
    }

    private URI uri(String name) {
        return folder.resolve(name).toUri();
    }

    private static RawRecord record(int partition, String text) {
        return new RawRecord("samples", partition, 17, null, text.getBytes(StandardCharsets.UTF_8));
    }

    private static RawRecord record(int stream, int step) {
        double[] state = WELLS.state(stream, step);
        return record(stream, WellStreams.usualKey(stream) + "," + step + "," + state[0] + "," + state[1]);
    }

    private List<String> lines(String name) throws IOException {
        return LocalRun.lines(folder.resolve(name));
    }

    private LeastSquaresState model(String key, long version) {
        return (LeastSquaresState) ModelFile.read(
                folder.resolve("models").resolve(key).resolve(String.format("%019d.safetensors", version)));
    }

    private static LearningStream fresh() {
        return LearningStream.of(StreamConfig.parse(WORDS), 2);
    }

    private static LeastSquaresState state(LearningStream stream) {
        return (LeastSquaresState) stream.learner().orElseThrow().state();
    }

    @Test
    void everyStreamHasTheModelOfAPlainLoopAndNothingIsLostInSilence() throws Exception {
        List<RawRecord> records = new ArrayList<>();
        for (int t = 0; t <= WELLS.steps(); t++) {
            for (int i = 0; i < WELLS.streams(); i++) {
                records.add(record(i, t));
            }
        }
        records.add(100, record(0, "well-0,oops,1,2"));
        records.add(200, record(0, 3));
        LocalRun.of(JobSettings.parse(file("{kernel: \"" + WellStreams.KERNEL + "\"}", 350)), records);

        for (int i = 0; i < WELLS.streams(); i++) {
            LearningStream stream = fresh();
            for (int t = 0; t <= WELLS.steps(); t++) {
                stream.accept(Observation.of(null, WELLS.state(i, t)));
                if (t == 350) {
                    assertThat(model(WellStreams.usualKey(i), 350).digest())
                            .isEqualTo(state(stream).digest());
                }
            }
            assertThat(model(WellStreams.usualKey(i), 700).digest())
                    .isEqualTo(state(stream).digest());
        }
        List<String> predictions = lines("predictions");
        assertThat(predictions).hasSize(WELLS.streams() * WELLS.steps());
        assertThat(predictions)
                .filteredOn(line -> line.contains("\"version\":700,"))
                .hasSize(3)
                .allMatch(line -> line.matches(".*\"prediction\":\\[-?[0-9.E-]+,-?[0-9.E-]+],\"error\":[0-9.E-]+.*"));
        List<String> rejected = lines("rejected");
        assertThat(rejected)
                .hasSize(2)
                .anyMatch(line -> line.contains("UNREADABLE")
                        && line.contains("'oops' is not a number")
                        && line.contains("samples-0@17"))
                .anyMatch(line -> line.contains("OUT_OF_ORDER") && line.contains("\"key\":\"well-0\""));
    }

    @Test
    void scoresAndKindsOfChangesAreLines() throws Exception {
        Map<String, String> words = Map.of("kernel", "gaussian(2)", "scores", "true", "onDrift", "ignore");
        LearningStream stream = LearningStream.of(StreamConfig.parse(words), 2);
        List<RawRecord> records = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(77);
        double[] x = new double[2];
        for (int t = 0; t < 5000; t++) {
            x = new double[] {0.7 * x[0] + random.nextGaussian(), 0.5 * x[1] + random.nextGaussian()};
            double[] row = {t < 4000 ? x[0] : x[0] + 3, x[1]};
            records.add(record(0, "well-0," + t + "," + row[0] + "," + row[1]));
            stream.accept(Observation.at("", t, Double.NaN, row));
        }
        String job = file("{kernel: gaussian(2), scores: true, onDrift: ignore}", 9999)
                .replace(
                        "publish:\n",
                        "publish:\n  scores: {folder: \"" + uri("scores") + "\"}\n  drift: {folder: \"" + uri("drift")
                                + "\"}\n");
        LocalRun.of(JobSettings.parse(job), records);

        assertThat(lines("scores"))
                .hasSize(5000)
                // Files come in any order.
                .filteredOn(line -> line.contains("\"row\":5000,"))
                .singleElement()
                .asString()
                .startsWith("{\"key\":\"well-0\",\"trajectory\":\"\",\"step\":4999.0,\"row\":5000,\"score\":")
                .matches(
                        ".*\"p\":[0-9.E-]+,\"known\":[0-9.E-]+,\"alarm\":0,\"value\":\\[.*],\"predicted\":\\[.*],\"low\":\\[.*],\"high\":\\[.*]}");
        assertThat(lines("scores").stream().filter(line -> line.contains("\"alarm\":1")))
                .hasSize((int) stream.scorer().orElseThrow().alarms());
        assertThat(stream.watch().events()).hasSize(1);
        assertThat(lines("drift"))
                .singleElement()
                .asString()
                .contains("\"kind\":\"level shift\",\"coordinate\":1,")
                .contains("\"onsetRow\":"
                        + stream.watch().events().get(0).change().onsetRow() + ",\"onset\":null,")
                .contains("\"sentence\":\"level shift: the level of x1 shifted up: ");
        assertThat(model("well-0", 4999).digest()).isEqualTo(state(stream).digest());
    }

    @Test
    void withoutStepsNothingIsPairedAcrossAnUnreadableRecord() throws Exception {
        List<RawRecord> records = new ArrayList<>();
        for (int t = 0; t <= 100; t++) {
            for (int i = 0; i < 2; i++) {
                records.add(record(i, t));
            }
            if (t == 40) {
                // Tells its stream in a cell, and in the key of the record.
                records.add(record(0, "well-0,40,oops,1"));
            } else if (t == 70) {
                records.add(new RawRecord("samples", 0, 17, "well-0", new byte[0]));
            }
        }
        String words = file("{kernel: \"" + WellStreams.KERNEL + "\"}", 1000).replace("  step: step\n", "");
        LocalRun.of(JobSettings.parse(words), records);

        for (int i = 0; i < 2; i++) {
            LearningStream stream = fresh();
            for (int t = 0; t <= 100; t++) {
                stream.accept(Observation.of("", WELLS.state(i, t)));
                if (i == 0 && (t == 40 || t == 70)) {
                    stream.accept(Observation.unreadable(""));
                }
            }
            assertThat(model(WellStreams.usualKey(i), i == 0 ? 98 : 100).digest())
                    .isEqualTo(stream.learner().orElseThrow().state().digest());
        }
        assertThat(lines("rejected"))
                .filteredOn(line -> line.contains("UNREADABLE"))
                .hasSize(2);
    }

    @Test
    void oneBigStreamHasTheModelOfALoopOverEachPartition() throws Exception {
        LearningStream scout = fresh();
        for (int i = 1; i < 3; i++) {
            for (int t = 0; t <= WELLS.steps(); t++) {
                scout.accept(Observation.of("run " + i, WELLS.state(i, t)));
            }
        }
        Path dictionary = folder.resolve("scout.safetensors");
        ModelFile.write(dictionary, state(scout));
        List<RawRecord> records = new ArrayList<>();
        for (int t = 0; t <= WELLS.steps(); t++) {
            for (int i = 0; i < WELLS.streams(); i++) {
                records.add(record(i, t));
            }
        }
        int parts = 5;
        String learn = "{mode: merged, partitions: " + parts + ", dictionary: \"" + dictionary + "\"}";
        LocalRun.of(JobSettings.parse(file(learn, 200)), records);

        List<LeastSquaresState> last = new ArrayList<>();
        Partitioning partitioning = Partitioning.of("test", parts, 128);
        for (int p = 0; p < parts; p++) {
            LeastSquaresLearner<KoopmanOperator> part =
                    state(scout).dictionaryOnly().resumeKoopman();
            for (int i = 0; i < WELLS.streams(); i++) {
                for (int t = 0; partitioning.partOf("samples", i) == p && t < WELLS.steps(); t++) {
                    part.update(WELLS.state(i, t), WELLS.state(i, t + 1));
                }
            }
            if (part.samples() > 0) {
                last.add(part.state());
            }
        }
        assertThat(last).as("two parts have no partition").hasSize(WELLS.streams());
        assertThat(model("test", (long) WELLS.streams() * WELLS.steps()).digest())
                .isEqualTo(LeastSquaresState.merged(last).digest());
        assertThat(lines("rejected")).isEmpty();
    }

    @Test
    void aStreamWithoutAKernelChoosesItsOwnSettings() throws Exception {
        List<RawRecord> records = new ArrayList<>();
        for (int t = 0; t <= WELLS.steps(); t++) {
            records.add(record(0, t));
            if (t < 100) {
                records.add(record(1, t));
            }
        }
        // All versions are kept: which of two would be left depends on the times of checkpoints.
        String job = file("{warmUp: 300, maxDictionary: 60}", 200).replace("keep: 2", "keep: 9");
        LocalRun.of(JobSettings.parse(job), records);

        LearningStream stream =
                LearningStream.of(StreamConfig.parse(Map.of("warmUp", "300", "maxDictionary", "60")), 2);
        long first = 0;
        for (int t = 0; t <= WELLS.steps(); t++) {
            stream.accept(Observation.at(null, t, Double.NaN, WELLS.state(0, t)));
            if (first == 0 && stream.pairs() > 0) {
                first = stream.pairs();
                assertThat(first).as("the end of the warm-up passes 200 pairs").isBetween(250L, 299L);
                assertThat(model("well-0", first).digest())
                        .isEqualTo(state(stream).digest());
            }
        }
        assertThat(model("well-0", stream.pairs()).digest())
                .isEqualTo(state(stream).digest());
        assertThat(lines("predictions"))
                .as("every pair once there is a model")
                .filteredOn(line -> line.contains("\"key\":\"well-0\""))
                .hasSize((int) (stream.pairs() - first))
                .allMatch(line -> line.matches(".*\"prediction\":\\[.*],\"error\":[0-9.E-]+.*"));

        LearningStream ended = LearningStream.of(StreamConfig.parse(Map.of("warmUp", "300", "maxDictionary", "60")), 2);
        for (int t = 0; t < 100; t++) {
            ended.accept(Observation.at(null, t, Double.NaN, WELLS.state(1, t)));
        }
        ended.endWarmUp();
        assertThat(model("well-1", ended.pairs()).digest())
                .as("the stream ended before the warm-up did")
                .isEqualTo(state(ended).digest());
    }

    /** Reads what a job has to say about 300 rows, one a minute, and nothing is refused. */
    @Test
    void datesAreTheTimesOfAJob() throws Exception {
        List<RawRecord> records = new ArrayList<>();
        for (int t = 0; t <= 300; t++) {
            double[] x = WELLS.state(0, t);
            records.add(record(
                    0,
                    "{\"well\": \"a\", \"at\": \"%s\", \"x1\": %s, \"x2\": %s}"
                            .formatted(Instant.ofEpochSecond(1_795_089_600 + 60L * t), x[0], x[1])));
        }
        String job = file("{kernel: \"" + WellStreams.KERNEL + "\"}", 9999)
                .replace("columns: [well, step, x1, x2]", "format: json")
                .replace("step: step", "time: at");
        LocalRun.of(JobSettings.parse(job), records);

        assertThat(lines("rejected")).isEmpty();
        assertThat(lines("predictions"))
                .hasSize(300)
                .anyMatch(line -> line.contains("\"time\":" + (1_795_089_600.0 + 60 * 300)));
    }

    /** Every tenth record changes places with the one behind it. */
    @Test
    void recordsOutOfOrderWaitForEachOther() throws Exception {
        List<RawRecord> records = new ArrayList<>();
        LearningStream inOrder = fresh();
        for (int t = 0; t <= 400; t++) {
            double[] x = WELLS.state(0, t);
            inOrder.accept(Observation.at("", Double.NaN, t, x));
            records.add(records.size() - (t > 0 && t % 10 == 0 ? 1 : 0), record(0, "a," + t + "," + x[0] + "," + x[1]));
        }
        String job = file("{kernel: \"" + WellStreams.KERNEL + "\"}", 9999)
                .replace("step: step", "time: step\n  timeUnit: 1 s\n  order: {wait: 5 s}");
        LocalRun.of(JobSettings.parse(job), records);

        assertThat(lines("rejected")).isEmpty();
        assertThat(model("a", 400).digest()).isEqualTo(state(inOrder).digest());
    }

    /** RocksDB as a cluster would be set to it; counts how often a task asks for it. */
    public static final class Rocks implements StateBackendFactory<EmbeddedRocksDBStateBackend> {

        private static final AtomicInteger ASKED = new AtomicInteger();

        @Override
        public EmbeddedRocksDBStateBackend createFromConfig(ReadableConfig config, ClassLoader loader)
                throws IOException {
            ASKED.incrementAndGet();
            return new EmbeddedRocksDBStateBackendFactory().createFromConfig(config, loader);
        }
    }

    @Test
    void theClusterChoosesTheStateBackend() throws Exception {
        List<RawRecord> records = new ArrayList<>();
        for (int t = 0; t <= WELLS.steps(); t++) {
            for (int i = 0; i < WELLS.streams(); i++) {
                records.add(record(i, t));
            }
        }
        // No room: every model goes to the backend and comes back, whenever another stream has a record.
        String job = file("{kernel: \"" + WellStreams.KERNEL + "\", cacheBytes: 0}", 350);
        LocalRun.of(
                JobSettings.parse(job),
                records,
                Map.of(
                        "state.backend.type", Rocks.class.getName(),
                        "execution.checkpointing.incremental", "true",
                        "taskmanager.memory.managed.size", "64 mb"));

        assertThat(Rocks.ASKED.get()).isPositive();
        for (int i = 0; i < WELLS.streams(); i++) {
            LearningStream stream = fresh();
            for (int t = 0; t <= WELLS.steps(); t++) {
                stream.accept(Observation.of(null, WELLS.state(i, t)));
            }
            assertThat(model(WellStreams.usualKey(i), 700).digest())
                    .isEqualTo(state(stream).digest());
        }
    }
}
