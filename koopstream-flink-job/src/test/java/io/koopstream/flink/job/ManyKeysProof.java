package io.koopstream.flink.job;

import static io.koopstream.flink.job.ClusterProofs.OUT;
import static io.koopstream.flink.job.ClusterProofs.require;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A million keys that live for two records each, in one TaskManager of 2 GB: none is lost, and nothing is restarted. */
final class ManyKeysProof {

    private static final int KEYS = 1_000_000;

    private ManyKeysProof() {}

    static void run(Path root, Path work) throws Exception {
        Map<String, String> environment = Map.of("KOOP_TASKMANAGER_MEMORY", "2g");
        try (LocalCluster cluster = LocalCluster.start(root, work, 1, 2, environment)) {
            cluster.topic("samples", 4);
            cluster.topic("rejected", 1);
            try (KafkaProducer<byte[], byte[]> producer =
                    new WellStreams(1, 1, 1).producer(cluster.brokers(), cluster.client())) {
                for (int step = 0; step < 2; step++) {
                    for (int key = 0; key < KEYS; key++) {
                        ByteBuffer state = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
                        state.putDouble(0)
                                .putDouble(step)
                                .putDouble(Math.sin(key))
                                .putDouble(Math.cos(key + step));
                        byte[] name = ("sensor-" + key).getBytes(StandardCharsets.UTF_8);
                        var unused = producer.send(new ProducerRecord<>("samples", key % 4, name, state.array()));
                    }
                }
            }
            String job = cluster.submit(
                    "keys",
                    "name: keys\n" + ClusterProofs.source(cluster, "", "forever") + """
                            learn: {kernel: "gaussian(0.5)"}
                            publish:
                              models: {folder: "file://%s/models", every: 1000}
                              rejected: {topic: rejected}
                            run: {parallelism: 2, checkpoint: 20 s}
                            """.formatted(cluster.work()));
            LocalCluster.await(
                    "a pair of every key", Duration.ofMinutes(20), () -> cluster.learnMetric(job, "learned") >= KEYS);
            LocalCluster.await("a checkpoint after that", Duration.ofMinutes(5), () -> bytes(cluster, job, KEYS) > 0);
            int rejected = cluster.records("rejected", "read_committed").size();
            OUT.printf(
                    Locale.ROOT,
                    "%,d keys of two records in a TaskManager of 2 GB: %,d bytes of checkpoint, %.0f per key; %d rejected%n",
                    KEYS,
                    bytes(cluster, job, KEYS),
                    (double) bytes(cluster, job, KEYS) / KEYS,
                    rejected);
            require(rejected == 0, "records rejected");
            require(cluster.state(job).equals("RUNNING"), "the job does not run");
        }
    }

    /** The size of the newest checkpoint that has so many keys, which are some dozens of bytes each; 0 when there is none. */
    private static long bytes(LocalCluster cluster, String job, int keys) throws Exception {
        Map<?, ?> latest =
                (Map<?, ?>) cluster.rest("/jobs/" + job + "/checkpoints").get("latest");
        Map<?, ?> completed = latest == null ? null : (Map<?, ?>) latest.get("completed");
        long bytes = completed == null ? 0 : ((Number) completed.get("state_size")).longValue();
        return bytes > 40L * keys ? bytes : 0;
    }
}
