package io.koopstream.flink.job;

import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * What is promised of a real cluster and a real broker, tried: a TaskManager is killed in mid-run and every model and every record is compared;
 * then the cost of the engine and the gain of a second slot are measured. Profile {@code flink-cluster} runs it; a broken promise ends it with
 * an exception, a figure is printed whatever it is.
 */
public final class ClusterProofs {

    private static final int STREAMS = 64;
    /** Steps of each stream in a measurement. */
    private static final int STEPS = 96_000;

    private static final int PARTITIONS = 4;
    private static final List<String> MODES = List.of("keyed", "merged");
    private static final int REPEATS = 2;
    /** A checkpoint costs by its size, whatever was learned since the last one: it is measured apart. */
    private static final String SELDOM = "4 min";

    static final Map<String, String> WORDS = Map.of("kernel", WellStreams.KERNEL);
    static final PrintStream OUT = System.out;

    private final Path root;
    private final Path work;

    private ClusterProofs(Path root, Path work) {
        this.root = root;
        this.work = work;
    }

    /** The project's folder, a work folder, and which parts: kill, takeover, runbook, keys, registry, sql, doors, slots, speed, or only one mode of that, keyed or merged. */
    public static void main(String[] arguments) throws Exception {
        // A folder of its own for every run: topics and checkpoints of an earlier one would be in the way.
        Path work = Path.of(arguments[1])
                .toAbsolutePath()
                .resolve(Long.toString(ProcessHandle.current().pid()));
        ClusterProofs proofs = new ClusterProofs(Path.of(arguments[0]), work);
        List<String> parts = List.of(arguments[2].split("[ ,]+"));
        if (parts.contains("kill")) {
            new KillProof(proofs.root, work.resolve("kill"), "taskmanager-2", Map.of()).run();
        }
        if (parts.contains("takeover")) {
            Map<String, String> safe = Map.of("KOOP_HA", "yes", "KOOP_TLS", "yes");
            new KillProof(proofs.root, work.resolve("takeover"), "jobmanager", safe).run();
        }
        if (parts.contains("runbook")) {
            RunbookProof.run(proofs.root, work.resolve("runbook"));
        }
        if (parts.contains("keys")) {
            ManyKeysProof.run(proofs.root, work.resolve("keys"));
        }
        if (parts.contains("registry")) {
            RegistryProof.run(proofs.root, work.resolve("registry"));
        }
        if (parts.contains("sql")) {
            SqlProof.run(proofs.root, work.resolve("sql"));
        }
        if (parts.contains("slots")) {
            SlotsProof.run(work.resolve("slots"), STEPS);
        }
        if (parts.contains("doors")) {
            LocalCluster.command(List.of(
                    "bash",
                    proofs.root.resolve("deploy/flink/doors.sh").toString(),
                    work.resolve("doors").toString()));
        }
        List<String> modes = MODES.stream()
                .filter(mode -> parts.contains("speed") || parts.contains(mode))
                .toList();
        if (!modes.isEmpty()) {
            proofs.speed(modes);
        }
    }

    static String source(LocalCluster cluster, String key, String until) throws Exception {
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

    static void require(boolean so, String promise) {
        if (!so) {
            throw new IllegalStateException(promise);
        }
    }

    /** Models of about 150 points from a first look at the same system: where every stream of the measurement starts. */
    private Path scout() {
        Path file = work.resolve("speed").resolve("scout.safetensors");
        LearnerState state = SlotsProof.scout();
        ModelFile.write(file, state);
        OUT.printf(
                "%ndictionary at the start: %d points, model file %,d bytes%n",
                state.dictionarySize(), file.toFile().length());
        return file;
    }

    private void speed(List<String> modes) throws Exception {
        WellStreams wells = WellStreams.even(STREAMS, STEPS, 5, 2, 128, PARTITIONS);
        try (LocalCluster cluster = LocalCluster.start(root, work.resolve("speed"), 1, 2, Map.of())) {
            cluster.topic("samples", PARTITIONS);
            cluster.topic("rejected", 1);
            Path scout = scout();
            try (KafkaProducer<byte[], byte[]> producer = wells.producer(cluster.brokers(), Map.of())) {
                wells.send(producer, "samples", 0, wells.steps() + 1);
            }
            SlotsProof.unitCosts((LeastSquaresState) ModelFile.read(scout));
            OUT.println(
                    "| run | slots | samples/s | CPU µs/sample | of these compilers | broker | learning, by the clock |");
            OUT.println("|---|---|---|---|---|---|---|");
            Map<String, Double> rates = new HashMap<>();
            embedded(wells, scout, rates);
            for (int repeat = 1; repeat <= REPEATS; repeat++) {
                for (String mode : modes) {
                    // A slot on one processor against two on two; then one slot that may use both, as its two tasks do.
                    cluster.hold("taskmanager-1", "0");
                    compare(rates, mode + " held", measure(cluster, mode, 1, "held", scout, repeat));
                    cluster.hold("taskmanager-1", "0,1");
                    compare(rates, mode + 2, measure(cluster, mode, 2, "free", scout, repeat));
                    compare(rates, mode + 1, measure(cluster, mode, 1, "free", scout, repeat));
                    OUT.printf(
                            Locale.ROOT,
                            "  (%s, two slots over one so far, best of each: %.2f; over one that is held to a processor: %.2f)%n",
                            mode,
                            rates.get(mode + 2) / rates.get(mode + 1),
                            rates.get(mode + 2) / rates.get(mode + " held"));
                }
                embedded(wells, scout, rates);
            }
        }
    }

    private static void compare(Map<String, Double> rates, String what, double rate) {
        rates.merge(what, rate, Math::max);
    }

    private static void embedded(WellStreams wells, Path scout, Map<String, Double> rates) throws Exception {
        for (int threads = 1; threads <= 2; threads++) {
            compare(rates, "embedded" + threads, embedded(wells, scout, threads));
        }
        OUT.printf(
                Locale.ROOT,
                "  (two threads over one without Flink so far, best of each: %.2f)%n",
                rates.get("embedded2") / rates.get("embedded1"));
    }

    /**
     * The same streams, interleaved alike, learned without Flink; with two threads each has half of the streams, which tells what the second
     * processor of this machine is worth.
     */
    private static double embedded(WellStreams wells, Path scout, int threads) throws Exception {
        LearnerState start = ModelFile.read(scout);
        LearningStream[] streams = new LearningStream[STREAMS];
        for (int i = 0; i < STREAMS; i++) {
            streams[i] = LearningStream.startingFrom(StreamConfig.defaults(), start, 0, 1);
        }
        int warm = STEPS / 4;
        int end = STEPS / 2;
        learn(wells, streams, threads, 0, warm);
        LocalCluster.Used before = LocalCluster.used(ProcessHandle.current());
        long clock = System.nanoTime();
        learn(wells, streams, threads, warm, end);
        double samples = (double) (end - warm) * STREAMS;
        double rate = samples / ((System.nanoTime() - clock) * 1e-9);
        OUT.printf(
                Locale.ROOT,
                "| embedded, %s | - | %,.0f | %s | - | %.2f |%n",
                threads == 1 ? "one thread" : threads + " threads",
                rate,
                perSample(LocalCluster.used(ProcessHandle.current()).since(before), samples),
                1e6 * threads / rate);
        return rate;
    }

    private static void learn(WellStreams wells, LearningStream[] streams, int threads, int from, int to)
            throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int k = 0; k < threads; k++) {
            int first = k;
            Thread thread = new Thread(() -> {
                for (int t = from; t < to; t++) {
                    for (int i = first; i < STREAMS; i += threads) {
                        streams[i].accept(Observation.of(null, wells.state(i, t)));
                    }
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    /** Of the whole process, compilers and garbage collector included, and what of it the compilers have: a job of hours compiles once. */
    private static String perSample(LocalCluster.Used used, double samples) {
        return String.format(
                Locale.ROOT, "%.2f | %.2f", used.cpuSeconds() * 1e6 / samples, used.compilerSeconds() * 1e6 / samples);
    }

    /** Reads the topic from its beginning; the span from 60 to 95 % of the records counts, when most is compiled. */
    private double measure(LocalCluster cluster, String mode, int slots, String how, Path scout, int repeat)
            throws Exception {
        String learn = mode.equals("keyed")
                ? "learn: {warmStart: \"" + scout + "\"}\n"
                : "learn: {mode: merged, dictionary: \"" + scout + "\", partitions: " + 2 + "}\n";
        String job = cluster.submit(
                mode + slots,
                "name: " + mode + slots + how + repeat + "\n" + source(cluster, "", "end") + learn
                        + """
                        publish:
                          models: {folder: "file://%s/models-%s", every: 1000000}
                          rejected: {topic: rejected}
                        run: {parallelism: %d, checkpoint: %s}
                        """.formatted(cluster.work(), mode + slots, slots, SELDOM));
        long total = (long) STREAMS * (STEPS + 1);
        double beginRecords = 0;
        double lastRecords = 0;
        double beginLearned = 0;
        double lastLearned = 0;
        double beginNanos = 0;
        double lastNanos = 0;
        long beginClock = 0;
        long lastClock = 0;
        LocalCluster.Used[] begin = null;
        LocalCluster.Used[] last = null;
        long bytes = 0;
        while (true) {
            Map<?, ?> metrics = (Map<?, ?>) cluster.vertex(job, "learn").get("metrics");
            double records = ((Number) metrics.get("read-records")).doubleValue();
            long clock = System.nanoTime();
            LocalCluster.Used[] now = {cluster.used("taskmanager-1"), cluster.used("broker")};
            if (records >= total * 0.6 && records <= total * 0.95 && records > lastRecords) {
                double learned = cluster.learnMetric(job, "learned");
                double nanos = cluster.learnMetric(job, "updateNanosTotal");
                if (begin == null) {
                    begin = now;
                    beginLearned = learned;
                    beginNanos = nanos;
                    beginRecords = records;
                    beginClock = clock;
                }
                last = now;
                lastLearned = learned;
                lastNanos = nanos;
                lastRecords = records;
                lastClock = clock;
                bytes = ((Number) metrics.get("read-bytes")).longValue();
            }
            if (!cluster.state(job).equals("RUNNING") && records > 0) {
                break;
            }
            Thread.sleep(1000);
        }
        require(begin != null && lastRecords > beginRecords, "too few readings; take more samples");
        double samples = lastRecords - beginRecords;
        double rate = samples / ((lastClock - beginClock) * 1e-9);
        OUT.printf(
                Locale.ROOT,
                "| %s, Kafka to models | %d%s | %,.0f | %s | %.2f | %.2f |%n",
                mode,
                slots,
                how.equals("held") ? " on one processor" : "",
                rate,
                perSample(last[0].since(begin[0]), samples),
                last[1].since(begin[1]).cpuSeconds() * 1e6 / samples,
                (lastNanos - beginNanos) * 1e-3 / (lastLearned - beginLearned));
        checkpoints(cluster, job, bytes / lastRecords);
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
}
