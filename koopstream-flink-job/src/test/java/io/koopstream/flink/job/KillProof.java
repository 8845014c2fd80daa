package io.koopstream.flink.job;

import static io.koopstream.flink.job.ClusterProofs.OUT;
import static io.koopstream.flink.job.ClusterProofs.require;

import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A process of the cluster is killed in mid-run, and odd records come in; then every model and every record is compared.
 *
 * @param root the project's folder
 * @param work for everything that is written
 * @param victim which process
 * @param environment of the script that starts cluster and broker
 */
record KillProof(Path root, Path work, String victim, Map<String, String> environment) {

    private static final int STREAMS = 64;
    private static final int STEPS = 6000;
    /** Records of the odd kind that are sent in the middle. */
    private static final int ODD = 3;

    private static final Pattern PLACE = Pattern.compile("\"key\":\"(.*?)\".*?\"step\":([0-9.]+)");

    void run() throws Exception {
        WellStreams wells = new WellStreams(STREAMS, STEPS, 1);
        try (LocalCluster cluster = LocalCluster.start(root, work, 2, 2, environment)) {
            for (String topic : List.of("samples", "predictions", "models")) {
                cluster.topic(topic, 4);
            }
            cluster.topic("rejected", 1);
            String properties = cluster.jobProperties();
            String job = cluster.submit(
                    "kill",
                    "name: kill\n" + ClusterProofs.source(cluster, properties, "forever")
                            + """
                            learn: {kernel: "%s"}
                            publish:
                              predictions: {topic: predictions}
                              models: {topic: models, folder: "file://%s/models", every: %d}
                              rejected: {topic: rejected}
                            run:
                              parallelism: 4
                              checkpoint: 1 s
                            %s""".formatted(WellStreams.KERNEL, cluster.work(), STEPS, properties));
            try (KafkaProducer<byte[], byte[]> producer = wells.producer(cluster.brokers(), cluster.client())) {
                // In portions, so that the kill falls into the middle of the work.
                for (int from = 0; from < STEPS / 2; from += 200) {
                    wells.send(producer, "samples", from, from + 200);
                    Thread.sleep(300);
                }
                sendOdd(producer);
                LocalCluster.await("two checkpoints", Duration.ofMinutes(3), () -> completed(cluster, job) >= 2);
                cluster.kill(victim);
                wells.send(producer, "samples", STEPS / 2, STEPS / 2 + 600);
                cluster.script(victim.replaceAll("-.*", ""), cluster.work().toString(), victim + "-again");
                wells.send(producer, "samples", STEPS / 2 + 600, STEPS + 1);
            }
            LocalCluster.await("a recovery", Duration.ofMinutes(3), () -> restoredFrom(cluster, job) != null);
            String restored = restoredFrom(cluster, job);
            LocalCluster.await(
                    "64 models",
                    Duration.ofMinutes(5),
                    () -> cluster.models("models").size() == STREAMS);
            long expected = (long) STREAMS * STEPS;
            LocalCluster.await(
                    "all predictions",
                    Duration.ofMinutes(2),
                    () -> cluster.records("predictions", "read_committed").size() >= expected);
            OUT.printf("%s killed, %s%n", victim, environment);
            compareModels(cluster, wells);
            comparePredictions(cluster, expected, restored);
        }
    }

    /** A key of 600 kB, one that is no text, and none. */
    private static void sendOdd(KafkaProducer<byte[], byte[]> producer) throws Exception {
        byte[] value = new byte[32];
        for (byte[] key : new byte[][] {new byte[600_000], {(byte) 0x90, (byte) 0x91}, null}) {
            producer.send(new ProducerRecord<>("samples", 0, key, value)).get();
        }
    }

    static long completed(LocalCluster cluster, String job) throws Exception {
        Map<?, ?> counts =
                (Map<?, ?>) cluster.rest("/jobs/" + job + "/checkpoints").get("counts");
        return counts == null ? 0 : ((Number) counts.get("completed")).longValue();
    }

    /** The checkpoint that the job went back to, or null when it has not. */
    static String restoredFrom(LocalCluster cluster, String job) throws Exception {
        Map<?, ?> latest =
                (Map<?, ?>) cluster.rest("/jobs/" + job + "/checkpoints").get("latest");
        Map<?, ?> restored = latest == null ? null : (Map<?, ?>) latest.get("restored");
        return restored == null ? null : String.valueOf(restored.get("id"));
    }

    /** Learns one stream as anybody would without Flink. */
    private static LearnerState alone(WellStreams wells, int stream) {
        LearningStream alone = LearningStream.of(StreamConfig.parse(ClusterProofs.WORDS), 2);
        for (int t = 0; t <= wells.steps(); t++) {
            alone.accept(Observation.of(null, wells.state(stream, t)));
        }
        return alone.learner().orElseThrow().state();
    }

    static void compareModels(LocalCluster cluster, WellStreams wells) throws Exception {
        Map<String, byte[]> models = cluster.models("models");
        int same = 0;
        for (int i = 0; i < wells.streams(); i++) {
            String ours = alone(wells, i).digest();
            String theirs = ModelFile.decode(models.get(wells.key(i))).digest();
            same += ours.equals(theirs) ? 1 : 0;
        }
        OUT.printf(Locale.ROOT, "models equal to plain Java bit for bit: %d of %d%n", same, wells.streams());
        require(same == wells.streams(), "models differ from plain Java");
    }

    private static void comparePredictions(LocalCluster cluster, long expected, String restored) throws Exception {
        Set<String> seen = new HashSet<>();
        long doubled = 0;
        for (ConsumerRecord<byte[], byte[]> record : cluster.records("predictions", "read_committed")) {
            Matcher place = PLACE.matcher(new String(record.value(), StandardCharsets.UTF_8));
            require(place.find(), "a prediction without key and step");
            doubled += seen.add(place.group(1) + "@" + place.group(2)) ? 0 : 1;
        }
        long uncommitted = cluster.records("predictions", "read_uncommitted").size();
        int rejected = cluster.records("rejected", "read_committed").size();
        OUT.printf(
                Locale.ROOT,
                "predictions, read_committed: %,d expected, %,d lost, %,d doubled; read_uncommitted sees %,d; rejected %d of %d odd records;"
                        + " restored checkpoint %s%n",
                expected,
                expected - seen.size(),
                doubled,
                uncommitted,
                rejected,
                ODD,
                restored);
        require(seen.size() == expected && doubled == 0, "predictions lost or doubled");
        require(rejected == ODD, "records rejected that should not, or not those that should");
        require(Long.parseLong(restored) >= 1, "the job started from zero");
    }
}
