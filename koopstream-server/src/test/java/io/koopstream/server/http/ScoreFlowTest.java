package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.koopstream.InvalidConfigException;
import io.koopstream.answers.ScoreRow;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import io.koopstream.server.http.live.Webhook;
import io.koopstream.testkit.Await;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How unusual rows are, as a sender, a listener, a monitor and a webhook of the real server are told. */
@Timeout(1800)
class ScoreFlowTest {

    private static final String SCORING =
            "{\"name\":\"pump\",\"settings\":{\"kernel\":\"gaussian(0.5)\",\"scores\":true,\"alarmRate\":1e-3}}";
    private static final int SPIKE = 2_500;

    /** A quiet stream with one spike. */
    private static double[][] rows() {
        double[][] rows = ServerFlowTest.path(3_000, 1);
        rows[SPIKE - 1] = new double[] {4, -4};
        return rows;
    }

    private static String states(double[][] rows, int from, int to) {
        return "{\"states\":" + ServerFlowTest.json(Arrays.copyOfRange(rows, from, to)) + "}";
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }

    @Test
    void senderListenerMonitorAndReaderAreToldOfTheSpike() throws Exception {
        double[][] rows = rows();
        try (RunningServer server = RunningServer.start();
                Socket socket = connected(server)) {
            server.create("plain");
            server.post("/models", SCORING).is(201);
            server.get("/models/plain/scores").isError(422, "BAD_QUERY");
            server.post("/models/plain/samples?scores=true", states(rows, 0, 10))
                    .isError(422, "BAD_QUERY");
            server.post("/models/pump/samples", states(rows, 0, 2_000)).is(200);
            socket.getOutputStream()
                    .write(server.head("GET", "/models/pump/scores/events?since=2000")
                            .getBytes(StandardCharsets.UTF_8));
            Map<String, Object> ack = server.post("/models/pump/samples?scores=true", states(rows, 2_000, 3_000))
                    .is(200)
                    .json();
            List<Map<String, Object>> scores = list(ack.get("scores"));
            assertThat(scores).hasSize(1_000);
            assertThat(scores.get(0)).containsEntry("row", 2_001.0);
            assertThat(scores.get(0).keySet())
                    .containsExactly(
                            "row",
                            "time",
                            "score",
                            "p",
                            "known",
                            "alarm",
                            "reason",
                            "coordinate",
                            "value",
                            "predicted",
                            "low",
                            "high");
            Map<String, Object> spike = scores.get(SPIKE - 2_001);
            assertThat(spike).containsEntry("row", (double) SPIKE).containsEntry("alarm", 1.0);
            assertThat(ServerFlowTest.numbers(spike.get("value"))).containsExactly(4, -4);
            assertThat(spike.get("reason")).asString().isIn("error", "high", "low");
            assertThat(ServerFlowTest.number(spike.get("coordinate"))).isIn(1.0, 2.0);
            assertThat(ServerFlowTest.numbers(spike.get("high"))[0]).isLessThan(4);

            Map<String, Object> asked =
                    server.get("/models/pump/scores?since=2000").is(200).json();
            assertThat(list(asked.get("rows"))).isEqualTo(scores);
            assertThat(list(asked.get("alarms")).stream().map(row -> row.get("row")))
                    .contains((double) SPIKE);
            String metrics = server.get("/metrics").is(200).body();
            assertThat(metrics)
                    .contains("koopstream_model_score{model=\"pump\"}")
                    .contains("koopstream_alarms_total{model=\"pump\"} " + ServerFlowTest.number(asked.get("alarmed")))
                    .doesNotContain("koopstream_alarms_total{model=\"plain\"}");

            InputStream in = new BufferedInputStream(socket.getInputStream());
            List<Map<String, Object>> told = new ArrayList<>();
            String kind = "";
            while (told.size() < 1_000) {
                String line = RunningServer.line(in);
                kind = line.startsWith("event: ") ? line.substring(7) : kind;
                if (line.startsWith("data: ") && !kind.equals("from")) {
                    Map<String, Object> row = new JsonInput(HttpLimits.usual())
                            .object(new ByteArrayInputStream(line.substring(6).getBytes(StandardCharsets.UTF_8)));
                    assertThat(kind).isEqualTo(row.get("alarm").equals(1.0) ? "alarm" : "score");
                    told.add(row);
                }
            }
            assertThat(told).as("every row once, in order").isEqualTo(scores);
        }
    }

    private static Socket connected(RunningServer server) throws IOException {
        return server.connect();
    }

    @Test
    void aStopInBetweenChangesNoScore(@TempDir Path folder) throws Exception {
        double[][] rows = rows();
        List<Map<String, Object>> whole;
        try (RunningServer server = RunningServer.start()) {
            server.post("/models", SCORING).is(201);
            server.post("/models/pump/samples", states(rows, 0, 2_300)).is(200);
            whole = list(server.post("/models/pump/samples?scores=true", states(rows, 2_300, 3_000))
                    .is(200)
                    .json()
                    .get("scores"));
        }
        Path data = folder.resolve("kept");
        String alarmed;
        try (RunningServer first = RunningServer.start(config -> in(data, config))) {
            first.post("/models", SCORING).is(201);
            first.post("/models/pump/samples", states(rows, 0, 2_300)).is(200);
            alarmed = first.get("/models/pump/scores?after=2300").is(200).json().get("alarmed") + "";
        }
        try (RunningServer second = RunningServer.start(config -> in(data, config))) {
            assertThat(second.get("/models/pump/scores").is(200).json().get("alarmed") + "")
                    .isEqualTo(alarmed);
            assertThat(list(second.post("/models/pump/samples?scores=true", states(rows, 2_300, 3_000))
                            .is(200)
                            .json()
                            .get("scores")))
                    .isEqualTo(whole);
        }
    }

    private static io.koopstream.server.ServerConfig in(Path data, io.koopstream.server.ServerConfig config) {
        return new io.koopstream.server.ServerConfig(
                data,
                config.host(),
                config.port(),
                false,
                List.of(),
                config.token(),
                config.engine(),
                config.limits(),
                config.webhook());
    }

    @Test
    void alarmsArePostedAgainWhenTheFirstAttemptFails() throws Exception {
        BlockingQueue<String> posted = new LinkedBlockingQueue<>();
        AtomicInteger attempts = new AtomicInteger();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/alarms", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean refused = attempts.getAndIncrement() == 0;
            exchange.sendResponseHeaders(refused ? 500 : 204, -1);
            exchange.close();
            if (!refused) {
                posted.add(new String(body, StandardCharsets.UTF_8));
            }
        });
        receiver.start();
        String address = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/alarms";
        double[][] rows = rows();
        try (RunningServer server =
                RunningServer.start(config -> config.withWebhook(Webhook.Target.of(address, List.of())))) {
            server.post("/models", SCORING).is(201);
            LiveModel model = server.server().models().find("pump").orElseThrow();
            model.submit(Batch.states(rows, true)).get(20, TimeUnit.MINUTES);
            List<ScoreRow> alarms = model.viewAfter(3_000)
                    .get(20, TimeUnit.MINUTES)
                    .scores()
                    .orElseThrow()
                    .alarms();
            assertThat(alarms).isNotEmpty();
            for (ScoreRow alarm : alarms) {
                assertThat(posted.poll(20, TimeUnit.MINUTES))
                        .contains("\"model\":\"pump\"", "\"row\":" + alarm.row() + ",", "\"alarm\":1");
            }
            assertThat(attempts.get()).isEqualTo(alarms.size() + 1);
            assertThat(server.get("/metrics").is(200).body()).contains("koopstream_webhook_failed_total 0.0");
        } finally {
            receiver.stop(0);
        }
    }

    /** An address that no client takes ends no thread: the alarms wait, and are told to wait. */
    @Test
    void alarmsThatCannotBeSentWaitAndAreCounted() throws Exception {
        Webhook.Target nowhere = new Webhook.Target(java.net.URI.create("http://127.0.0.1:99999/alarms"));
        try (RunningServer server = RunningServer.start(config -> config.withWebhook(nowhere))) {
            double before = 0;
            // The thread goes on after the first of them: it takes note of what comes later, too.
            for (String name : List.of("pump", "other")) {
                server.post("/models", SCORING.replace("pump", name)).is(201);
                LiveModel model = server.server().models().find(name).orElseThrow();
                model.submit(Batch.states(rows(), true)).get(20, TimeUnit.MINUTES);
                double known = before;
                Await.until("alarms that wait", () -> waiting(server) > known);
                before = waiting(server);
            }
        }
        assertThatThrownBy(() -> Webhook.Target.of("http://127.0.0.1:99999/alarms", List.of()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("65535");
    }

    private static double waiting(RunningServer server) throws java.io.IOException {
        return server.get("/metrics")
                .is(200)
                .body()
                .lines()
                .filter(line -> line.startsWith("koopstream_webhook_waiting "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", 2)[1]))
                .sum();
    }

    @Test
    void alarmsLeaveThisMachineOnlyForAllowedHosts() {
        assertThat(Webhook.Target.of("http://localhost:1/x", List.of())
                        .address()
                        .getPort())
                .isEqualTo(1);
        assertThat(Webhook.Target.of("https://alarms.example.org/x", List.of("alarms.example.org"))
                        .address()
                        .getHost())
                .isEqualTo("alarms.example.org");
        for (String wrong : List.of("https://192.0.2.1/x", "ftp://127.0.0.1/x", "127.0.0.1:9", "not an address")) {
            assertThatThrownBy(() -> Webhook.Target.of(wrong, List.of("alarms.example.org")))
                    .isInstanceOf(InvalidConfigException.class);
        }
    }
}
