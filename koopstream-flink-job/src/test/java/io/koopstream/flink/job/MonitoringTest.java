package io.koopstream.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.flink.RejectedSample;
import io.koopstream.testkit.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Dashboard and alert rules ask only for what a running job really tells Prometheus, and leave nothing important out. */
class MonitoringTest {

    private static final Path FILES = Path.of("../deploy/flink/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\bflink_[A-Za-z0-9_]+");

    /** What a job of this test told Prometheus. */
    private static Set<String> told;

    @TempDir
    private static Path folder;

    /** Runs a job until it has learned and completed a checkpoint, and reads what the reporter answers. */
    @BeforeAll
    static void scrape() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        JobSettings job = JobSettings.parse("""
                name: watched
                source: {brokers: "127.0.0.1:9", topic: samples, format: csv, columns: [well, step, x], key: well, step: step, state: [x]}
                learn: {kernel: gaussian(0.5), scores: true}
                publish:
                  models: {folder: "%s", every: 20}
                  rejected: {folder: "%s"}
                run: {parallelism: 1, checkpoint: 200 ms, checkpointFolder: "%s"}
                """.formatted(
                        folder.resolve("models").toUri(),
                        folder.resolve("rejected").toUri(),
                        folder.resolve("checkpoints").toUri()));
        Configuration configuration = KoopJob.configuration(job);
        configuration.addAll(Configuration.fromMap(Map.of(
                "metrics.reporters", "prom",
                "metrics.reporter.prom.factory.class", "org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
                "metrics.reporter.prom.port", Integer.toString(port))));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        KoopJob.configure(environment, job);
        new Pipeline(job)
                .build(environment.fromSource(
                        new DataGeneratorSource<>(
                                n -> new RawRecord(
                                        "samples",
                                        0,
                                        n,
                                        null,
                                        ("w," + n + "," + Math.sin((double) n)).getBytes(StandardCharsets.UTF_8)),
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(200),
                                TypeInformation.of(RawRecord.class)),
                        WatermarkStrategy.noWatermarks(),
                        "samples"));
        JobClient client = environment.executeAsync();
        try {
            Await.until("a published model and a checkpoint", () -> {
                String text = page(port);
                told = metrics(text);
                return positive(text, "flink_taskmanager_job_task_operator_koopstream_published")
                        && positive(text, "flink_jobmanager_job_numberOfCompletedCheckpoints");
            });
        } finally {
            client.cancel().get();
        }
    }

    private static String page(int port) throws IOException, InterruptedException {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            // Not there yet.
            return "";
        }
    }

    private static boolean positive(String text, String metric) {
        return Pattern.compile("^" + metric + "\\{.*} [1-9]", Pattern.MULTILINE)
                .matcher(text)
                .find();
    }

    private static Set<String> metrics(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = METRIC.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private static Object yaml(String file) throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(FILES.resolve(file)));
    }

    private static List<?> list(Object map, String key) {
        return (List<?>) ((Map<?, ?>) map).get(key);
    }

    private static String text(Object map, String key) {
        return (String) ((Map<?, ?>) map).get(key);
    }

    @Test
    void everyAlertRuleIsWholeAndAsksForWhatThereIs() throws IOException {
        List<String> names = new ArrayList<>();
        for (Object group : list(yaml("alerts.yaml"), "groups")) {
            for (Object rule : list(group, "rules")) {
                String name = text(rule, "alert");
                names.add(name);
                assertThat(metrics(text(rule, "expr"))).as(name).isNotEmpty().isSubsetOf(told);
                assertThat(text(((Map<?, ?>) rule).get("labels"), "severity"))
                        .as(name)
                        .isIn("page", "ticket", "info");
                assertThat(text(((Map<?, ?>) rule).get("annotations"), "summary"))
                        .as(name)
                        .isNotBlank();
            }
        }
        assertThat(names).hasSizeGreaterThan(5).doesNotHaveDuplicates();
    }

    /** JSON is YAML. */
    @Test
    void everyPanelAsksForWhatThereIsAndTheImportantIsShown() throws IOException {
        Set<String> shown = new TreeSet<>();
        Set<Object> ids = new HashSet<>();
        for (Object panel : list(yaml("dashboard.json"), "panels")) {
            String title = text(panel, "title");
            assertThat(title).isNotBlank();
            assertThat(ids.add(((Map<?, ?>) panel).get("id"))).as(title).isTrue();
            assertThat(((Map<?, ?>) ((Map<?, ?>) panel).get("gridPos")).keySet().toString())
                    .as(title)
                    .contains("x", "y", "w", "h");
            assertThat(list(panel, "targets")).as(title).isNotEmpty();
            for (Object target : list(panel, "targets")) {
                Set<String> asked = metrics(text(target, "expr"));
                assertThat(asked).as(title).isNotEmpty().isSubsetOf(told);
                shown.addAll(asked);
            }
        }
        String prefix = "flink_taskmanager_job_task_operator_koopstream_";
        for (String metric : List.of(
                "records", "learned", "unreadable", "keys", "newestModelAge", "score", "alarms", "error", "hotBytes")) {
            assertThat(shown).contains(prefix + metric);
        }
        for (RejectedSample.Reason reason : RejectedSample.Reason.values()) {
            // What cannot be read is told by the reader, and a gap is no rejection.
            boolean gap = reason == RejectedSample.Reason.GAP;
            assertThat(told).contains(prefix + (gap ? "gaps" : "rejected_" + reason));
            boolean unreadable = reason == RejectedSample.Reason.UNREADABLE;
            assertThat(shown)
                    .as("every reason")
                    .contains(prefix + (gap ? "gaps" : unreadable ? "unreadable" : "rejected_" + reason));
        }
    }
}
