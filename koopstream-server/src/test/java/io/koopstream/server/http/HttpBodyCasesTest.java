package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.http.RunningServer.Answer;
import io.koopstream.server.http.guard.HttpLimits;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of {@link HostileCases}: bodies, and more of everything than there is room for. */
class HttpBodyCasesTest extends HostileCases {

    @Test
    void case09BodyTooLarge() throws IOException {
        int limit = HttpLimits.usual().body();
        String sample = "{\"x\":[0.1,0.2],\"y\":[0.3,0.4]}";
        samples(" ".repeat(limit - sample.length()) + sample).is(200);
        samples(" ".repeat(limit - sample.length() + 1) + sample).isError(413, "TOO_LARGE");
        // Refused by its length alone, before a byte of it is sent.
        server.raw(server.head(
                        "POST",
                        "/models/plant/samples",
                        "Content-Type: application/json",
                        "Content-Length: 99999999999"))
                .isError(413, "TOO_LARGE");
        int most = HttpLimits.usual().batch();
        samples("{\"states\":[" + "[0,0],".repeat(most - 1) + "[0,0]]}").is(200);
        samples("{\"states\":[" + "[0,0],".repeat(most) + "[0,0]]}").isError(413, "TOO_LARGE");
    }

    @Test
    void case10ChunkedBodyTooLarge() throws IOException {
        StringBuilder text = new StringBuilder(server.head(
                "POST", "/models/plant/samples", "Content-Type: application/json", "Transfer-Encoding: chunked"));
        String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
        text.append(chunk.repeat(17)).append("0\r\n\r\n");
        server.raw(text.toString()).isError(413, "TOO_LARGE");
    }

    @Test
    void case25JsonTooDeep() throws IOException {
        server.post("/models", "{\"name\":\"deep\",\"settings\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}")
                .isError(400, "BAD_JSON");
        // The object itself is one level.
        int most = HttpLimits.usual().jsonDepth();
        server.post("/models", "{\"settings\":" + "[".repeat(most - 1) + "]".repeat(most - 1) + "}")
                .isError(400, "BAD_NAME");
        server.post("/models", "{\"settings\":" + "[".repeat(most) + "]".repeat(most) + "}")
                .isError(400, "BAD_JSON");
    }

    @Test
    void case26NumberTooLong() throws IOException {
        samples("{\"x\":[" + "1".repeat(10_000) + "],\"y\":[1]}").isError(400, "BAD_JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e200", "null", "\"1\"", "true", "[1]"})
    void case27NumbersThatAreNone(String number) throws IOException {
        samples("{\"x\":[0.1," + number + "],\"y\":[0.3,0.4]}").isError(422, "BAD_SAMPLE");
        samples("{\"x\":[0.1,0.2],\"y\":[0.3," + number + "]}").isError(422, "BAD_SAMPLE");
        server.post("/models/plant/forecast", "{\"from\":[0.1," + number + "]}").isError(422, "BAD_QUERY");
    }

    @Test
    void case28DuplicateKey() throws IOException {
        samples("{\"x\":[0.1,0.2],\"x\":[0.1,0.2],\"y\":[0.3,0.4]}").isError(400, "BAD_JSON");
        server.post("/models", "{\"name\":\"a\",\"name\":\"b\"}").isError(400, "BAD_JSON");
    }

    @Test
    void case29InvalidUtf8() throws IOException {
        byte[] body = "{\"stream\":\"??\",\"x\":[0.1,0.2],\"y\":[0.3,0.4]}".getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '?' ? (byte) 0xff : body[i];
        }
        server.post("/models/plant/samples", "application/json", body).isError(400, "BAD_JSON");
    }

    @Test
    void case30CompressedBody() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
            zip.write(new byte[10_000_000]);
        }
        server.post("/models/plant/samples", "application/json", bomb.toByteArray(), "Content-Encoding: gzip")
                .isError(415, "UNSUPPORTED_TYPE");
    }

    @Test
    void case31WrongContentType() throws IOException {
        byte[] body = "{\"points\":[[0,0]]}".getBytes(StandardCharsets.UTF_8);
        for (String path :
                List.of("/models", "/models/plant/samples", "/models/plant/predict", "/models/plant/forecast")) {
            server.post(path, "application/xml", body).isError(415, "UNSUPPORTED_TYPE");
        }
        server.raw(server.head("POST", "/models", "Content-Length: 2") + "{}").isError(415, "UNSUPPORTED_TYPE");
    }

    @Test
    void case32RateLimit() throws IOException {
        try (RunningServer limited = RunningServer.start(
                config -> config.withLimits(HttpLimits.usual().withRequestsPerSecond(1)))) {
            Answer refused = null;
            for (int i = 0; i < 50 && refused == null; i++) {
                Answer answer = limited.get("/health");
                refused = answer.status() == 200 ? null : answer;
            }
            assertThat(refused).isNotNull();
            refused.isError(429, "TOO_MANY_REQUESTS");
            assertThat(refused.headers().get("retry-after")).isEqualTo("1");
        }
    }

    @Test
    void case33QueueFull() throws IOException {
        EngineConfig small = new EngineConfig(Durability.OS, 1_000, 1_000_000, 64, 256, 1 << 24, 1);
        try (RunningServer busy = RunningServer.start(config -> config.withEngine(small))) {
            // Every sample is new and is kept, so that learning them takes far longer than sending one more.
            busy.post(
                            "/models",
                            "{\"name\":\"slow\",\"settings\":{\"kernel\":\"gaussian(0.1)\",\"epsilon\":1e-3,\"block\":1}}")
                    .is(201);
            LiveModel model = busy.server().models().find("slow").orElseThrow();
            SplittableRandom random = new SplittableRandom(1);
            double[] values = random.doubles(1_000L * 200, -1, 1).toArray();
            assertThat(model.submit(Batch.pairs(100, values))).isNotCompletedExceptionally();
            long accepted = model.counts().accepted();

            Answer refused = busy.post(
                            "/models/slow/samples",
                            "{\"x\":[" + "0,".repeat(99) + "0],\"y\":[" + "0,".repeat(99) + "0]}")
                    .isError(503, "BUSY");

            assertThat(Integer.parseInt(refused.headers().get("retry-after"))).isPositive();
            assertThat(model.counts().rejected()).isEqualTo(1);
            assertThat(accepted).isLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void case34TooManyEventClients() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try (RunningServer crowded = RunningServer.start()) {
            crowded.create("plant");
            for (int i = 0; i < HttpLimits.usual().eventClients(); i++) {
                Socket socket = crowded.connect();
                sockets.add(socket);
                socket.getOutputStream()
                        .write(crowded.head("GET", "/models/plant/events").getBytes(StandardCharsets.UTF_8));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                assertThat(RunningServer.line(in)).contains("200");
            }
            Answer refused = crowded.get("/models/plant/events").isError(503, "TOO_MANY_CLIENTS");
            assertThat(refused.headers().get("retry-after")).isNotNull();
            crowded.get("/models").is(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void case35HostileStreamName() throws IOException {
        server.create("hostile");
        String name = "<script>alert(1)</script>";
        server.post("/models/hostile/samples", "{\"stream\":\"" + name + "\",\"first\":0,\"x\":[1],\"y\":[1]}")
                .is(200);

        Answer info = server.get("/models/hostile?after=1").is(200);

        assertThat(info.json().get("streams").toString()).contains(name);
        assertThat(info.headers().get("content-type")).isEqualTo("application/json");
        assertThat(info.headers().get("x-content-type-options")).isEqualTo("nosniff");
        assertThat(info.headers().get("content-security-policy")).contains("default-src 'self'");
        server.post("/models/hostile/samples", "{\"stream\":\"a\\u0007b\",\"x\":[1],\"y\":[1]}")
                .isError(422, "BAD_SAMPLE");
        assertThat(server.get("/models/%3Cscript%3E").isError(400, "BAD_NAME").body())
                .contains("<script>");
    }

    @Test
    void case36ErrorsTellNothingAboutTheInside() throws IOException {
        // Every error of this class goes through Answer.isError, which looks for traces, class names and paths; here is
        // one more of each kind.
        server.post("/models", "{\"name\":\"plant\"}").isError(409, "MODEL_EXISTS");
        server.post("/models", "{\"name\":\"bad\",\"settings\":{\"lambda\":0}}").isError(422, "BAD_SETTING");
        server.post("/models", "{\"name\":\"bad\",\"settings\":{\"kernel\":\"java.lang.Runtime\"}}")
                .isError(422, "BAD_SETTING");
        server.post("/models", "{\"name\":\"bad\",\"settings\":{\"nothing\":1}}")
                .isError(422, "BAD_SETTING");
        server.post("/models", "[]").isError(400, "BAD_JSON");
        server.post("/models", "{\"name\":").isError(400, "BAD_JSON");
        server.post("/models", "{\"name\":\"x\"} {}").isError(400, "BAD_JSON");
        server.post("/models", "{\"name\":\"x\",\"what\":1}").isError(400, "BAD_REQUEST");
        samples("{}").isError(400, "BAD_REQUEST");
        samples("{\"x\":[1,2]}").isError(400, "BAD_REQUEST");
        samples("{\"what\":1}").isError(400, "BAD_REQUEST");
        samples("{\"first\":0,\"x\":[1,2],\"y\":[1,2]}").isError(422, "BAD_SAMPLE");
        samples("{\"stream\":\"s\",\"first\":-1,\"x\":[1,2],\"y\":[1,2]}").isError(400, "BAD_REQUEST");
        samples("{\"x\":[1,2,3],\"y\":[1,2,3]}").isError(422, "BAD_SAMPLE");
        samples("{\"states\":[[1,2],[1]]}").isError(422, "BAD_SAMPLE");
        server.get("/models/plant/spectrum?k=0").isError(422, "BAD_QUERY");
        server.get("/models/plant/spectrum?what=1").isError(422, "BAD_QUERY");
        server.create("empty");
        server.get("/models/empty/spectrum").isError(409, "NOT_READY");
        server.get("/models/empty/model").isError(409, "NOT_READY");
        server.post("/models/empty/predict", "{\"points\":[[0]]}").isError(409, "NOT_READY");
    }
}
