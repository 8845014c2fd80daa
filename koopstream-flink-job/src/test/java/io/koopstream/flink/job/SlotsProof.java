package io.koopstream.flink.job;

import com.sun.management.OperatingSystemMXBean;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StatisticsFile;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One merged stream of four partitions with 1, 2 and 4 slots, in one JVM without a broker: what a record costs, and what the parts tell each other. Figures are
 * printed whatever they are.
 */
final class SlotsProof {

    private static final int PARTITIONS = 4;
    /** All tasks are in this JVM. */
    private static volatile WellStreams wells;
    /** The record from which on it counts, when it came, and how much CPU this process had taken then. */
    private static volatile long countsFrom;

    private static volatile long clock;
    private static volatile long cpu;

    private SlotsProof() {}

    /** A model of a first look at the same system. */
    static LeastSquaresState scout() {
        LearningStream stream = LearningStream.of(StreamConfig.parse(ClusterProofs.WORDS), 2);
        WellStreams first = new WellStreams(400, 100, 77);
        for (int i = 0; i < first.streams(); i++) {
            for (int t = 0; t <= first.steps(); t++) {
                stream.accept(Observation.of("run " + i, first.state(i, t)));
            }
        }
        return (LeastSquaresState) stream.learner().orElseThrow().state();
    }

    /** A folder to work in, and how many records each partition has. */
    public static void main(String[] arguments) throws Exception {
        run(Path.of(arguments[0]).toAbsolutePath(), Integer.parseInt(arguments[1]));
    }

    static void run(Path work, int steps) throws Exception {
        LeastSquaresState scout = scout();
        Path dictionary = work.resolve("scout.safetensors");
        Files.createDirectories(work);
        ModelFile.write(dictionary, scout);
        unitCosts(scout);
        wells = new WellStreams(PARTITIONS, steps, 5);
        String fixed = "dictionary: \"" + dictionary + "\"";
        // Everything is compiled once before anything counts.
        measure(work, "warm", fixed, 2, 1000, steps / 2);
        ClusterProofs.OUT.println("| dictionary | slots | every | samples/s | CPU µs/sample |");
        ClusterProofs.OUT.println("|---|---|---|---|---|");
        for (int slots : new int[] {1, 2, 4}) {
            print("fixed", slots, 100_000_000, measure(work, "fixed" + slots, fixed, slots, 100_000_000, steps));
        }
        print("fixed", 2, 1000, measure(work, "often", fixed, 2, 1000, steps));
        String grows = "kernel: \"" + WellStreams.KERNEL + "\", exchange: \""
                + work.resolve("exchange").toUri() + "\"";
        print("grows", 2, 1000, measure(work, "grows", grows, 2, 1000, steps));
    }

    private static void print(String dictionary, int slots, int every, double[] cost) {
        ClusterProofs.OUT.printf(
                Locale.ROOT, "| %s | %d | %,d | %,.0f | %.2f |%n", dictionary, slots, every, cost[0], cost[1]);
    }

    /** Samples per second, and CPU microseconds per sample of the whole process, from a fifth of the records on: starting a cluster is no record's cost. */
    private static double[] measure(Path work, String name, String learn, int slots, int every, int steps)
            throws Exception {
        JobSettings job = JobSettings.parse("""
                name: %s
                source:
                  brokers: none
                  topic: none
                  format: doubles
                  columns: [run, step, x1, x2]
                  trajectory: run
                  step: step
                  state: [x1, x2]
                learn: {mode: merged, partitions: 4, %s}
                publish:
                  models: {folder: "%s", every: %d, keep: 2}
                  rejected: {folder: "%s"}
                run: {parallelism: %d, checkpoint: 60 s, checkpointFolder: "%s"}
                """.formatted(
                        name,
                        learn,
                        work.resolve("models").toUri(),
                        every,
                        work.resolve("rejected").toUri(),
                        slots,
                        work.resolve("checkpoints").toUri()));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(slots, KoopJob.configuration(job));
        KoopJob.configure(environment, job);
        long records = (long) PARTITIONS * (steps + 1);
        new Pipeline(job)
                .build(environment
                        .fromSource(
                                new DataGeneratorSource<>(
                                        SlotsProof::record, records, TypeInformation.of(RawRecord.class)),
                                WatermarkStrategy.noWatermarks(),
                                "records")
                        .setParallelism(1)
                        .uid("records")
                        .keyBy(record -> record.partition));
        countsFrom = records / 5;
        environment.execute();
        long counted = records - countsFrom;
        return new double[] {counted / ((System.nanoTime() - clock) * 1e-9), (processCpu() - cpu) * 1e-3 / counted};
    }

    private static long processCpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static RawRecord record(long n) {
        if (n == countsFrom) {
            cpu = processCpu();
            clock = System.nanoTime();
        }
        int partition = (int) (n % PARTITIONS);
        int step = (int) (n / PARTITIONS);
        double[] state = wells.state(partition, step);
        byte[] value = ByteBuffer.allocate(4 * Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(partition)
                .putDouble(step)
                .putDouble(state[0])
                .putDouble(state[1])
                .array();
        return new RawRecord("samples", partition, step, "well", value);
    }

    /** What telling costs, for the extrapolation in lab/records/scale.md. */
    static void unitCosts(LeastSquaresState scout) {
        LeastSquaresState start = scout.dictionaryOnly();
        LeastSquaresLearner<KoopmanOperator> learner = start.resumeKoopman();
        WellStreams one = new WellStreams(1, 2000, 9);
        for (int t = 0; t < one.steps(); t++) {
            learner.update(one.state(0, t), one.state(0, t + 1));
        }
        LeastSquaresState state = learner.state();
        DeltaSender teller = DeltaSender.startingFrom(start);
        byte[] news = StatisticsFile.encode(teller.send(state, 800).delta());
        byte[] first = StatisticsFile.encode(StatisticsGroup.NOTHING.plus(0, StatisticsFile.decodeNews(news)));
        byte[] told = StatisticsFile.encode(teller);
        byte[] model = ModelFile.encode(state);
        ClusterProofs.OUT.printf(
                Locale.ROOT,
                "%n%d points: a model file has %,d bytes, a difference %,d%n",
                state.dictionarySize(),
                model.length,
                news.length);
        cpu("a part tells", () -> {
            StatisticsDelta.Sent<DeltaSender> now =
                    StatisticsFile.decodeTeller(told).send(state, 800);
            StatisticsFile.encode(now.next());
            StatisticsFile.encode(now.delta());
        });
        cpu(
                "a stage adds a difference",
                () -> StatisticsFile.encode(
                        StatisticsFile.decodeGroup(first).plus(1, StatisticsFile.decodeNews(news))));
        cpu("a stage tells", () -> {
            StatisticsDelta.Sent<StatisticsGroup> now =
                    StatisticsFile.decodeGroup(first).send(start.config(), 50);
            StatisticsFile.encode(now.next());
            StatisticsFile.encode(now.delta());
        });
        StatisticsDelta.Sent<StatisticsGroup> last =
                StatisticsFile.decodeGroup(first).send(start.config(), 1);
        cpu(
                "the last stage makes a model",
                () -> ModelFile.encode(
                        ((LeastSquaresState) ModelFile.decode(model)).plus(last.delta(), Integer.MAX_VALUE)));
        cpu("a whole model, for comparison: read, added, written", () -> {
            LeastSquaresState part = (LeastSquaresState) ModelFile.decode(model);
            ModelFile.encode(LeastSquaresState.merged(List.of(state, part)));
        });
    }

    private static void cpu(String what, Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        int rounds = 200;
        for (int i = 0; i < rounds; i++) {
            work.run();
        }
        long begin = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < rounds; i++) {
            work.run();
        }
        ClusterProofs.OUT.printf(
                Locale.ROOT, "%s: %.2f ms of CPU%n", what, (threads.getCurrentThreadCpuTime() - begin) * 1e-6 / rounds);
    }
}
