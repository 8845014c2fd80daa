package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.http.guard.HttpLimits;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send slowly or not at all do not keep the others from being served, and are closed. */
@Timeout(1800)
class SlowClientsTest {

    private static final int SLOW = 200;

    private static HttpLimits impatient() {
        return HttpLimits.usual().withTimes(Duration.ofSeconds(6), Duration.ofSeconds(8), Duration.ofSeconds(60));
    }

    @Test
    void twoHundredSlowSendersDoNotStopAHealthyOneAndAreClosed() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try (RunningServer server = RunningServer.start(config -> config.withLimits(impatient()))) {
            server.create("plant");
            for (int i = 0; i < SLOW; i++) {
                Socket socket = server.connect();
                slow.add(socket);
                String head = server.head(
                        "POST", "/models/plant/samples", "Content-Type: application/json", "Content-Length: 1000");
                // A third stops within the head, a third within the body, a third says nothing.
                String sent = i % 3 == 0 ? head.substring(0, 40) : i % 3 == 1 ? head + "{\"x\":" : "";
                socket.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
            }
            for (int i = 0; i < 5; i++) {
                server.post("/models/plant/samples", "{\"x\":[0.1],\"y\":[0.2]}")
                        .is(200);
            }
            // All of them are closed by the server in the end, those within the body with an answer.
            for (int i = 0; i < SLOW; i++) {
                byte[] rest = slow.get(i).getInputStream().readAllBytes();
                if (i % 3 == 1) {
                    assertThat(new String(rest, StandardCharsets.UTF_8)).contains(" 408 ");
                }
            }
            server.get("/models/plant").is(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aHeadThatTricklesInIsCutEvenThoughBytesKeepComing() throws Exception {
        try (RunningServer server = RunningServer.start(config -> config.withLimits(impatient()));
                Socket socket = server.connect()) {
            socket.setSoTimeout(100);
            byte[] head = ("GET /health HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\nX-Slow: "
                            + "a".repeat(10_000))
                    .getBytes(StandardCharsets.UTF_8);
            boolean closed = false;
            // One byte every tenth of a second would take a quarter of an hour.
            for (int i = 0; i < 600 && !closed; i++) {
                try {
                    socket.getOutputStream().write(head[i]);
                    closed = socket.getInputStream().read() < 0;
                } catch (java.net.SocketTimeoutException e) {
                    // Still open.
                } catch (IOException e) {
                    closed = true;
                }
            }
            assertThat(closed).isTrue();
        }
    }
}
