package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.engine.Batch;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Events of models, and clients that do not read them, against the real server. */
class ServerEventsTest extends ServedModels {

    @Test
    void eventsFollowTheModelUntilItIsDeleted() throws Exception {
        server.create("watched");
        server.post("/models/watched/samples", "{\"states\":" + json(path(300, 4)) + "}")
                .is(200);
        try (Socket socket = server.connect()) {
            socket.getOutputStream()
                    .write(server.head("GET", "/models/watched/events").getBytes(StandardCharsets.UTF_8));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            long most = 0;
            boolean sent = false;
            for (String line = next(in, "data: "); most < 600; line = next(in, "data: ")) {
                Map<String, Object> state = new JsonInput(HttpLimits.usual())
                        .object(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)));
                Map<?, ?> info = (Map<?, ?>) state.get("info");
                long received = (long) number(info.get("received"));
                assertThat(received).isGreaterThanOrEqualTo(most);
                most = received;
                if (most == 300 && !sent) {
                    sent = true;
                    assertThat((List<?>) state.get("recent")).isNotEmpty();
                    server.post("/models/watched/samples", "{\"states\":" + json(path(300, 5)) + "}")
                            .is(200);
                }
            }
            server.delete("/models/watched").is(204);
            assertThat(next(in, "event: deleted")).isEmpty();
        }
    }

    /** The rest of the next line that begins so. */
    private static String next(InputStream in, String start) throws IOException {
        String line = RunningServer.line(in);
        while (!line.startsWith(start)) {
            line = RunningServer.line(in);
        }
        return line.substring(start.length());
    }

    @Test
    void aClientOfEventsThatDoesNotReadIsDroppedAndTheOthersGoOn() throws Exception {
        int wide = 16;
        Duration patience = Duration.ofMillis(500);
        try (RunningServer quick = RunningServer.start(config -> config.withLimits(
                HttpLimits.usual().withTimes(Duration.ofSeconds(30), patience, Duration.ofSeconds(30))))) {
            quick.post("/models", "{\"name\":\"busy\",\"settings\":{\"kernel\":\"gaussian(1)\",\"maxDictionary\":10}}")
                    .is(201);
            var model = quick.server().models().find("busy").orElseThrow();
            try (Socket deaf = new Socket();
                    Socket socket = quick.connect()) {
                deaf.setReceiveBufferSize(1_024);
                deaf.connect(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), quick.server().port()));
                deaf.getOutputStream()
                        .write(quick.head("GET", "/models/busy/events").getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream()
                        .write(quick.head("GET", "/models/busy/events").getBytes(StandardCharsets.UTF_8));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                next(in, "event: state");
                SplittableRandom random = new SplittableRandom(6);
                // Every event is about 150 kB; what the system buffers for the deaf one is full after some of them.
                int events = 0;
                boolean both = false;
                boolean dropped = false;
                while (!dropped && events < 500) {
                    model.submit(Batch.states(
                                    wide, random.doubles(500L * wide, -1, 1).toArray(), true))
                            .get(20, TimeUnit.MINUTES);
                    next(in, "event: state");
                    events++;
                    String metrics = quick.get("/metrics").is(200).body();
                    both |= metrics.contains("koopstream_events_clients 2.0");
                    dropped = both && metrics.contains("koopstream_events_clients 1.0");
                }
                assertThat(both).isTrue();
                assertThat(dropped).as("dropped after %d events", events).isTrue();
                next(in, "event: state");
            }
        }
    }
}
