package io.koopstream.flink.job;

import com.sun.management.OperatingSystemMXBean;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.StorableLearner;
import io.koopstream.learner.TrajectoryFeeder;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.tuning.MethodSettings;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * What is promised of a real cluster and a real broker, tried: a TaskManager is killed in mid-run and every model and every record is compared;
 * then the cost of the engine and the gain of a second slot are measured. Profile {@code flink-cluster} runs it; a broken promise ends it with
 * an exception, a figure is printed whatever it is.
 */
public final class ClusterProofs {

    private static final int STREAMS = 64;
    /** Steps of each stream in a measurement. */
    private static final int STEPS = 16_000;

    private static final int REPEATS = 2;
    /** A checkpoint costs by its size, whatever was learned since the last one: it is measured apart. */
    private static final String SELDOM = "4 min";

    private static final Map<String, String> WORDS = Map.of("kernel", WellStreams.KERNEL);
    private static final Pattern PLACE = Pattern.compile("\"key\":\"(.*?)\".*?\"step\":([0-9.]+)");
    private static final PrintStream OUT = System.out;

    private final Path root;
    private final Path work;

    private ClusterProofs(Path root, Path work) {
        this.root = root;
        this.work = work;
    }

    /** The project's folder, a work folder, and which parts: kill, speed, or both. */
    public static void main(String[] arguments) throws Exception {
        ClusterProofs proofs =
                new ClusterProofs(Path.of(arguments[0]), Path.of(arguments[1]).toAbsolutePath());
        List<String> parts = List.of(arguments[2].split("[ ,]+"));
        if (parts.contains("kill")) {
            proofs.kill();
        }
        if (parts.contains("speed")) {
            proofs.speed();
        }
    }

    private static String source(LocalCluster cluster, String key, String until) throws Exception {
        return """
                source:
                  brokers: %s
                  topic: samples
                  format: doubles
                  columns: [run, step, x1, x2]
                  trajectory: run
                  step: step
                  state: [x1, x2]
                  until: %s
                """.formatted(cluster.brokers(), until).concat(key);
    }

    /** Learns one stream as anybody would without Flink. */
    private static LearnerState alone(WellStreams wells, int stream) {
        StorableLearner<KoopmanOperator> learner =
                MethodSettings.of(WORDS).choose(2, null).newLearner();
        TrajectoryFeeder feeder = new TrajectoryFeeder(learner);
        for (int t = 0; t <= wells.steps(); t++) {
            feeder.next(wells.state(stream, t));
        }
        return learner.state();
    }

    private void kill() throws Exception {
        int steps = 6000;
        WellStreams wells = new WellStreams(STREAMS, steps, 1);
        try (LocalCluster cluster = LocalCluster.start(root, work.resolve("kill"), 2, 2)) {
            for (String topic : List.of("samples", "predictions", "models")) {
                cluster.topic(topic, 4);
            }
            cluster.topic("rejected", 1);
            String job = cluster.submit(
                    "kill",
                    "name: kill\n" + source(cluster, "", "forever")
                            + """
                            learn: {kernel: "%s"}
                            publish:
                              predictions: {topic: predictions}
                              models: {topic: models, folder: "file://%s/models", every: %d}
                              rejected: {topic: rejected}
                            run: {parallelism: 4, checkpoint: 1 s}
                            """.formatted(WellStreams.KERNEL, cluster.work(), steps));
            String restored;
            try (KafkaProducer<byte[], byte[]> producer = wells.producer(cluster.brokers())) {
                // In portions, so that the kill falls into the middle of the work.
                for (int from = 0; from < steps / 2; from += 200) {
                    wells.send(producer, "samples", from, from + 200);
                    Thread.sleep(300);
                }
                LocalCluster.await("two checkpoints", Duration.ofMinutes(1), () -> completed(cluster, job) >= 2);
                cluster.kill("taskmanager-2");
                wells.send(producer, "samples", steps / 2, steps / 2 + 600);
                cluster.script("taskmanager", cluster.work().toString(), "taskmanager-3");
                wells.send(producer, "samples", steps / 2 + 600, steps + 1);
            }
            LocalCluster.await("a recovery", Duration.ofMinutes(2), () -> restoredFrom(cluster, job) != null);
            restored = restoredFrom(cluster, job);
            LocalCluster.await("64 models", Duration.ofMinutes(3), () -> {
                Map<String, byte[]> models = FetchModels.newest(cluster.brokers(), "models", Map.of());
                return models.size() == STREAMS;
            });
            long expected = (long) STREAMS * steps;
            LocalCluster.await(
                    "all predictions",
                    Duration.ofMinutes(1),
                    () -> FetchModels.committed(cluster.brokers(), "predictions", Map.of())
                                    .size()
                            >= expected);
            compareModels(cluster, wells);
            comparePredictions(cluster, expected, restored);
        }
    }

    private static long completed(LocalCluster cluster, String job) throws Exception {
        Map<?, ?> counts =
                (Map<?, ?>) cluster.rest("/jobs/" + job + "/checkpoints").get("counts");
        return counts == null ? 0 : ((Number) counts.get("completed")).longValue();
    }

    /** The checkpoint that the job went back to, or null when it has not. */
    private static String restoredFrom(LocalCluster cluster, String job) throws Exception {
        Map<?, ?> latest =
                (Map<?, ?>) cluster.rest("/jobs/" + job + "/checkpoints").get("latest");
        Map<?, ?> restored = latest == null ? null : (Map<?, ?>) latest.get("restored");
        return restored == null ? null : String.valueOf(restored.get("id"));
    }

    private static void compareModels(LocalCluster cluster, WellStreams wells) throws Exception {
        Map<String, byte[]> models = FetchModels.newest(cluster.brokers(), "models", Map.of());
        int same = 0;
        for (int i = 0; i < STREAMS; i++) {
            String ours = alone(wells, i).digest();
            String theirs = ModelFile.decode(models.get(WellStreams.key(i))).digest();
            same += ours.equals(theirs) ? 1 : 0;
        }
        OUT.printf(Locale.ROOT, "models equal to plain Java bit for bit: %d of %d%n", same, STREAMS);
        require(same == STREAMS, "models differ from plain Java");
    }

    private static void comparePredictions(LocalCluster cluster, long expected, String restored) throws Exception {
        List<ConsumerRecord<byte[], byte[]>> records =
                FetchModels.committed(cluster.brokers(), "predictions", Map.of());
        Set<String> seen = new HashSet<>();
        long doubled = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Matcher place = PLACE.matcher(new String(record.value(), StandardCharsets.UTF_8));
            require(place.find(), "a prediction without key and step");
            doubled += seen.add(place.group(1) + "@" + place.group(2)) ? 0 : 1;
        }
        long uncommitted = FetchModels.records(cluster.brokers(), "predictions", "read_uncommitted", Map.of())
                .size();
        int rejected =
                FetchModels.committed(cluster.brokers(), "rejected", Map.of()).size();
        OUT.printf(
                Locale.ROOT,
                "predictions, read_committed: %,d expected, %,d lost, %,d doubled; read_uncommitted sees %,d; rejected %d; restored checkpoint %s%n",
                expected,
                expected - seen.size(),
                doubled,
                uncommitted,
                rejected,
                restored);
        require(seen.size() == expected && doubled == 0, "predictions lost or doubled");
        require(rejected == 0, "records rejected");
        require(Long.parseLong(restored) >= 1, "the job started from zero");
    }

    private static void require(boolean so, String promise) {
        if (!so) {
            throw new IllegalStateException(promise);
        }
    }

    /** Models of about 150 points from a first look at the same system: where every stream of the measurement starts. */
    private Path scout() {
        StorableLearner<KoopmanOperator> learner =
                MethodSettings.of(WORDS).choose(2, null).newLearner();
        WellStreams wells = new WellStreams(400, 100, 77);
        TrajectoryFeeder feeder = new TrajectoryFeeder(learner);
        for (int i = 0; i < wells.streams(); i++) {
            for (int t = 0; t <= wells.steps(); t++) {
                feeder.next(wells.state(i, t));
            }
            feeder.breakTrajectory();
        }
        Path file = work.resolve("speed").resolve("scout.safetensors");
        ModelFile.write(file, learner.state());
        OUT.printf(
                "%ndictionary at the start: %d points, model file %,d bytes%n",
                learner.dictionarySize(), file.toFile().length());
        return file;
    }

    private void speed() throws Exception {
        WellStreams wells = new WellStreams(STREAMS, STEPS, 5);
        try (LocalCluster cluster = LocalCluster.start(root, work.resolve("speed"), 1, 2)) {
            cluster.topic("samples", 4);
            cluster.topic("rejected", 1);
            Path scout = scout();
            try (KafkaProducer<byte[], byte[]> producer = wells.producer(cluster.brokers())) {
                wells.send(producer, "samples", 0, wells.steps() + 1);
            }
            unitCosts(scout);
            OUT.println("| run | slots | samples/s | CPU µs/sample: TaskManager | broker |");
            OUT.println("|---|---|---|---|---|");
            embedded(wells, scout);
            Map<String, Double> rates = new HashMap<>();
            for (int repeat = 1; repeat <= REPEATS; repeat++) {
                for (String mode : List.of("keyed", "merged")) {
                    for (int slots = 1; slots <= 2; slots++) {
                        String name = mode + slots + "-" + repeat;
                        rates.merge(mode + slots, measure(cluster, mode, slots, scout, name, SELDOM), Math::max);
                    }
                    OUT.printf(
                            Locale.ROOT,
                            "  (speed-up of two slots over one so far, best of each: %.2f)%n",
                            rates.get(mode + 2) / rates.get(mode + 1));
                }
                embedded(wells, scout);
            }
            OUT.println("  (with a checkpoint every 5 s:)");
            measure(cluster, "keyed", 2, scout, "checkpointed", "5 s");
        }
    }

    /** The same streams, interleaved alike, learned in one thread without Flink. */
    private static void embedded(WellStreams wells, Path scout) {
        LearnerState start = ModelFile.read(scout);
        TrajectoryFeeder[] feeders = new TrajectoryFeeder[STREAMS];
        for (int i = 0; i < STREAMS; i++) {
            feeders[i] = new TrajectoryFeeder(start.resumeKoopman());
        }
        int warm = STEPS / 2;
        int end = STEPS;
        long cpu = 0;
        long clock = 0;
        for (int t = 0; t < end; t++) {
            if (t == warm) {
                cpu = processCpu();
                clock = System.nanoTime();
            }
            for (int i = 0; i < STREAMS; i++) {
                feeders[i].next(wells.state(i, t));
            }
        }
        double samples = (double) (end - warm) * STREAMS;
        OUT.printf(
                Locale.ROOT,
                "| embedded, one thread | - | %,.0f | %.2f | - |%n",
                samples / ((System.nanoTime() - clock) * 1e-9),
                (processCpu() - cpu) * 1e-3 / samples);
    }

    /** Of the whole process, as for the TaskManager: the compiler and the garbage collector count too. */
    private static long processCpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Reads the topic from its beginning; the span from a half to nineteen twentieths of the records counts. */
    private double measure(LocalCluster cluster, String mode, int slots, Path scout, String name, String checkpoint)
            throws Exception {
        String learn = mode.equals("keyed")
                ? "learn: {warmStart: \"" + scout + "\"}\n"
                : "learn: {mode: merged, dictionary: \"" + scout + "\", partitions: " + 2 + "}\n";
        String job = cluster.submit(
                mode + slots,
                "name: " + name + "\n" + source(cluster, "", "end") + learn
                        + """
                        publish:
                          models: {folder: "file://%s/models-%s", every: 1000000}
                          rejected: {topic: rejected}
                        run: {parallelism: %d, checkpoint: %s}
                        """.formatted(cluster.work(), mode + slots, slots, checkpoint));
        long total = (long) STREAMS * (STEPS + 1);
        double[] begin = null;
        double[] last = null;
        long bytes = 0;
        while (true) {
            Map<?, ?> metrics = (Map<?, ?>) cluster.vertex(job, "learn").get("metrics");
            double records = ((Number) metrics.get("read-records")).doubleValue();
            double[] now = {
                records, System.nanoTime() * 1e-9, cluster.cpuSeconds("taskmanager-1"), cluster.cpuSeconds("broker")
            };
            if (records >= total * 0.5 && records <= total * 0.95 && (last == null || records > last[0])) {
                begin = begin == null ? now : begin;
                last = now;
                bytes = ((Number) metrics.get("read-bytes")).longValue();
            }
            if (!cluster.state(job).equals("RUNNING") && records > 0) {
                break;
            }
            Thread.sleep(1000);
        }
        require(begin != null && last[0] > begin[0], "too few readings; take more samples");
        double samples = last[0] - begin[0];
        double rate = samples / (last[1] - begin[1]);
        OUT.printf(
                Locale.ROOT,
                "| %s, Kafka to models | %d | %,.0f | %.2f | %.2f |%n",
                mode,
                slots,
                rate,
                (last[2] - begin[2]) * 1e6 / samples,
                (last[3] - begin[3]) * 1e6 / samples);
        checkpoints(cluster, job, bytes / last[0]);
        return rate;
    }

    private static void checkpoints(LocalCluster cluster, String job, double bytes) throws Exception {
        Map<?, ?> latest =
                (Map<?, ?>) cluster.rest("/jobs/" + job + "/checkpoints").get("latest");
        Map<?, ?> complete = latest == null ? null : (Map<?, ?>) latest.get("completed");
        if (complete != null) {
            OUT.printf(
                    Locale.ROOT,
                    "  (last checkpoint %,d bytes in %s ms; %.0f bytes a sample between tasks)%n",
                    ((Number) complete.get("state_size")).longValue(),
                    complete.get("end_to_end_duration"),
                    bytes);
        }
    }

    /** What a merge costs, for the extrapolation in docs/scale.md. */
    private static void unitCosts(Path scout) {
        LeastSquaresState state = (LeastSquaresState) ModelFile.read(scout);
        byte[] bytes = ModelFile.encode(state);
        var threads = ManagementFactory.getThreadMXBean();
        double decode = 0;
        double merge = 0;
        double encode = 0;
        int rounds = 300;
        for (int i = 0; i < 2 * rounds; i++) {
            if (i == rounds) {
                decode = merge = encode = 0;
            }
            long a = threads.getCurrentThreadCpuTime();
            LeastSquaresState part = (LeastSquaresState) ModelFile.decode(bytes);
            long b = threads.getCurrentThreadCpuTime();
            LeastSquaresState sum = LeastSquaresState.merged(List.of(state, part));
            long c = threads.getCurrentThreadCpuTime();
            ModelFile.encode(sum);
            long d = threads.getCurrentThreadCpuTime();
            decode += b - a;
            merge += c - b;
            encode += d - c;
        }
        OUT.printf(
                Locale.ROOT,
                "unit costs: read a model %.2f ms, add its statistics %.2f ms, write it %.2f ms of CPU%n%n",
                decode / rounds * 1e-6,
                merge / rounds * 1e-6,
                encode / rounds * 1e-6);
    }
}
