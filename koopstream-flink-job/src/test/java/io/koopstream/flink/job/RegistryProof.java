package io.koopstream.flink.job;

import static io.koopstream.flink.job.ClusterProofs.OUT;
import static io.koopstream.flink.job.ClusterProofs.require;

import io.koopstream.io.samples.Sample;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A real registry takes the schemas of all results, and records in both formats are read by what it gives back. */
final class RegistryProof {

    private static final int SECONDS = 120;

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
            prove(SchemaRegistry.of(Section.parse("registry: {url: \"" + url + "\"}"))
                    .orElseThrow());
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

    private static void prove(SchemaRegistry registry) {
        byte[] line = "{\"key\":\"w\",\"time\":1.5}".getBytes(StandardCharsets.UTF_8);
        Sample sample = new Sample();
        RecordLayout layout = new RecordLayout("key", "", "", "", List.of("time"), List.of(), 1);
        for (ResultEncoder.Kind kind : ResultEncoder.Kind.values()) {
            for (TargetSettings.Format format : List.of(TargetSettings.Format.AVRO, TargetSettings.Format.PROTOBUF)) {
                ResultEncoder encoder = new ResultEncoder(kind, format, registry, kind + "-" + format);
                encoder.open();
                byte[] record = encoder.encode(line);
                String text =
                        registry.entry(SchemaRegistry.id(record), format.name()).schema();
                require(
                        text.equals(format == TargetSettings.Format.AVRO ? kind.avro() : kind.proto()),
                        "the registry gives back the schema of " + kind + " in " + format);
                if (format == TargetSettings.Format.AVRO) {
                    new AvroFormat(layout, registry).read(record, sample);
                    require(sample.key().equals("w") && sample.state()[0] == 1.5, kind + " is read back");
                }
            }
        }
        int wells = registry.register("wells-value", ProtobufFormat.TYPE, WellSchemas.PROTO);
        byte[] message =
                WellSchemas.protobuf(WellSchemas.well(), Map.of("well", "w", "step", 7L, "x1", 0.25, "x2", -1.0));
        new ProtobufFormat(
                        new RecordLayout("well", "", "step", "", List.of("x1", "x2"), List.of(), 2),
                        WellSchemas.descriptors().toByteArray(),
                        "plant.Well",
                        registry)
                .read(WellSchemas.framed(wells, new int[] {1}, message), sample);
        require(sample.key().equals("w") && sample.state()[1] == -1, "a message is read by the registry's number");
        try {
            registry.entry(987_654, AvroFormat.TYPE);
            throw new IllegalStateException("a number that the registry does not know is refused");
        } catch (BadRecordException e) {
            OUT.println("registry: 8 schemas of results, Avro and Protobuf read back; " + e.getMessage());
        }
    }
}
