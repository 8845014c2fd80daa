package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.server.http.live.Webhook;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lasting change, as a reader, a listener and a webhook of the real server are told. */
@Timeout(1800)
class ChangeFlowTest {

    private static final int SHIFT = 4_000;
    private static final DateTimeFormatter WRITTEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private static String at(long row) {
        return WRITTEN.format(LocalDateTime.of(2024, 3, 1, 0, 0).plusMinutes(row - 1));
    }

    /** A row a minute, whose level shifts by three. */
    private static byte[] table() {
        SplittableRandom random = new SplittableRandom(77);
        StringBuilder text = new StringBuilder("time,pressure\n");
        double x = 0;
        for (int row = 1; row <= 5_000; row++) {
            x = 0.7 * x + random.nextGaussian();
            text.append(at(row)).append(',').append(row <= SHIFT ? x : x + 3).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @SuppressWarnings("unchecked")
    void readerListenerAndWebhookAreToldKindOnsetTimeAndSentence() throws Exception {
        BlockingQueue<String> posted = new LinkedBlockingQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/alarms", exchange -> {
            posted.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        String address = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/alarms";
        try (RunningServer server =
                RunningServer.start(config -> config.withWebhook(Webhook.Target.of(address, List.of())))) {
            server.post(
                            "/models",
                            "{\"name\":\"pump\",\"settings\":{\"kernel\":\"gaussian(2)\",\"onDrift\":\"ignore\",\"names\":[\"pressure\"],"
                                    + "\"timeStyle\":\""
                                    + TimeStyle.ofPattern("yyyy-MM-dd HH:mm:ss").text() + "\"}}")
                    .is(201);
            server.post("/models/pump/samples", "text/csv", table()).is(200);
            List<Map<String, Object>> events = (List<Map<String, Object>>)
                    server.get("/models/pump/drift?after=5000").is(200).json().get("events");
            assertThat(events).hasSize(1);
            Map<String, Object> change = events.get(0);
            assertThat(change).containsEntry("kind", "level shift").containsEntry("coordinate", 1.0);
            long onset = (long) ServerFlowTest.number(change.get("onsetRow"));
            long noticed = (long) ServerFlowTest.number(change.get("row"));
            assertThat(onset).isBetween(SHIFT - 50L, SHIFT + 100L);
            assertThat(change).containsEntry("onset", at(onset)).containsEntry("time", at(noticed));
            String sentence = (String) change.get("sentence");
            assertThat(sentence)
                    .startsWith("level shift: the level of pressure shifted up: ")
                    .contains("(" + at(onset) + ")");
            Map<String, Object> info = server.get("/models/pump").is(200).json();
            assertThat(info.get("drift")).isEqualTo(events);
            OpenApiTest.fits("model", server.get("/models/pump"), "Model");
            OpenApiTest.fits("drift", server.get("/models/pump/drift"), "Drift");

            assertThat(posted.poll(20, TimeUnit.MINUTES))
                    .startsWith("{\"model\":\"pump\",\"names\":[\"pressure\"],\"change\":{\"sample\":")
                    .contains("\"kind\":\"level shift\"", "\"sentence\":\"" + sentence + "\"");
            try (Socket socket = server.connect()) {
                socket.getOutputStream()
                        .write(server.head("GET", "/models/pump/events").getBytes(StandardCharsets.UTF_8));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                String line = RunningServer.line(in);
                while (!line.startsWith("data: ")) {
                    line = RunningServer.line(in);
                }
                assertThat(line).contains("\"sentence\":\"" + sentence + "\"");
            }
            server.post("/models/pump/samples", "{\"states\":[[0.1],[0.2]]}").is(200);
            server.get("/models/pump?after=5002").is(200);
            assertThat(posted.poll(1, TimeUnit.SECONDS)).as("told once").isNull();
        } finally {
            receiver.stop(0);
        }
    }
}
