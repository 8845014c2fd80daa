package io.koopstream.flink.job;

import static io.koopstream.flink.job.ClusterProofs.OUT;
import static io.koopstream.flink.job.ClusterProofs.require;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A real registry takes the schemas of all results, and records in both formats are read by what it gives back. */
final class RegistryProof {

    private static final int SECONDS = 120;
    private static final int STREAMS = 4;
    private static final int STEPS = 400;

    private RegistryProof() {}

    static void run(Path root, Path work) throws Exception {
        Path pom = root.resolve("deploy/flink/registry/pom.xml");
        LocalCluster.command(List.of("mvn", "-q", "-B", "-f", pom.toString(), "package"));
        Path app = pom.resolveSibling("target/app/apicurio-registry-app-2.6.13.Final-runner.jar");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.createDirectories(work);
        Process registry = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=" + port,
                        "-jar",
                        app.toString())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("registry.out").toFile())
                .start();
        try {
            String url = "http://127.0.0.1:" + port + "/apis/ccompat/v7";
            await(registry, url + "/subjects");
            try (LocalCluster cluster = LocalCluster.start(root, work.resolve("cluster"), 1, 2, Map.of())) {
                prove(
                        SchemaRegistry.of(Section.parse("registry: {url: \"" + url + "\"}"))
                                .orElseThrow(),
                        url,
                        cluster);
            }
        } finally {
            registry.destroy();
        }
    }

    private static void await(Process registry, String url) throws Exception {
        for (int i = 0; i < SECONDS; i++) {
            require(registry.isAlive(), "the registry ended; see registry.out");
            try {
                HttpURLConnection asked =
                        (HttpURLConnection) URI.create(url).toURL().openConnection();
                if (asked.getResponseCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                // Not yet.
            }
            Thread.sleep(1000);
        }
        throw new IllegalStateException("the registry did not answer within " + SECONDS + " s");
    }

    private static void prove(SchemaRegistry registry, String url, LocalCluster cluster) throws Exception {
        WellStreams wells = new WellStreams(STREAMS, STEPS, 5);
        int schema = registry.register("samples-value", AvroFormat.TYPE, WellSchemas.AVRO);
        for (String topic : List.of("samples", "predictions", "rejected", "models")) {
            cluster.topic(topic, 2);
        }
        String job = cluster.submit(
                "registry", """
                name: registry
                registry: {url: "%s"}
                source: {brokers: "%s", topic: samples, format: avro, key: well, step: step, state: [x1, x2]}
                learn: {kernel: "%s"}
                publish:
                  predictions: {topic: predictions, format: avro}
                  models: {topic: models, folder: "file://%s/models", every: %d}
                  rejected: {topic: rejected, format: protobuf}
                run: {parallelism: 2, checkpoint: 1 s}
                """.formatted(url, cluster.brokers(), WellStreams.KERNEL, cluster.work(), STEPS));
        try (KafkaProducer<byte[], byte[]> producer = wells.producer(cluster.brokers(), cluster.client())) {
            for (int t = 0; t <= STEPS; t++) {
                for (int i = 0; i < STREAMS; i++) {
                    double[] x = wells.state(i, t);
                    byte[] record = WellSchemas.avro(
                            WellSchemas.AVRO,
                            Map.of("notes", Map.of(), "well", wells.key(i), "step", (long) t, "x1", x[0], "x2", x[1]));
                    producer.send(new ProducerRecord<>(
                                    "samples", i % 2, null, WellSchemas.framed(schema, new int[0], record)))
                            .get();
                }
            }
            producer.send(new ProducerRecord<>(
                            "samples", 0, null, WellSchemas.framed(987_654, new int[0], new byte[3])))
                    .get();
        }
        LocalCluster.await(
                "all models",
                Duration.ofMinutes(5),
                () -> cluster.models("models").size() == STREAMS);
        LocalCluster.await(
                "the rejected record",
                Duration.ofMinutes(1),
                () -> cluster.records("rejected", "read_committed").size() == 1);
        require(cluster.state(job).equals("RUNNING"), "the job does not run");
        KillProof.compareModels(cluster, wells);
        int read = 0;
        for (ConsumerRecord<byte[], byte[]> record : cluster.records("predictions", "read_committed")) {
            String text = registry.entry(SchemaRegistry.id(record.value()), AvroFormat.TYPE)
                    .schema();
            Map<String, Object> fields =
                    ReadBack.avro(text, Arrays.copyOfRange(record.value(), 5, record.value().length));
            require(String.valueOf(fields.get("key")).startsWith("well-"), "a prediction has its key: " + fields);
            read++;
        }
        require(read == STREAMS * STEPS, read + " predictions");
        byte[] rejected = cluster.records("rejected", "read_committed").get(0).value();
        String proto =
                registry.entry(SchemaRegistry.id(rejected), ProtobufFormat.TYPE).schema();
        Map<String, Object> fields = ReadBack.protobuf(proto, Arrays.copyOfRange(rejected, 6, rejected.length));
        require("UNREADABLE".equals(fields.get("reason")), "the broken record is rejected: " + fields);
        OUT.println("registry: " + read + " predictions read back by the schema of the registry; rejected: "
                + fields.get("message"));
    }
}
