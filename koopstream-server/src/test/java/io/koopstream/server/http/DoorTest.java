package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.KoopServer;
import io.koopstream.server.LostBatch;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.engine.MemoryBudget;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.http.RunningServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in with what, and what is said to those who are not. */
@Timeout(1800)
class DoorTest {

    private static RunningServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = RunningServer.start();
        server.create("plant");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static String cookie(RunningServer of) throws IOException {
        return of.raw("GET /?token=" + RunningServer.TOKEN + " HTTP/1.1\r\nHost: localhost:" + of.port() + "\r\n\r\n")
                .is(303)
                .headers()
                .get("set-cookie")
                .split(";", 2)[0];
    }

    private static Answer withCookie(RunningServer of, String cookie) throws IOException {
        return of.raw("GET /models HTTP/1.1\r\nHost: localhost:" + of.port() + "\r\nCookie: " + cookie + "\r\n\r\n");
    }

    @Test
    void theCookieIsNotTheTokenAndOpensThisServerAlone() throws IOException {
        String cookie = cookie(server);
        assertThat(cookie).doesNotContain(RunningServer.TOKEN);
        withCookie(server, cookie).is(200);
        String value = cookie.substring(cookie.indexOf('=') + 1);
        // Neither the token as a cookie nor the cookie as a token.
        withCookie(server, "koop-" + server.port() + "=" + RunningServer.TOKEN).isError(401, "UNAUTHORIZED");
        server.raw("GET /models HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\nAuthorization: Bearer " + value
                        + "\r\n\r\n")
                .isError(401, "UNAUTHORIZED");
        // Later ends and other signatures are nobody's.
        long end = Long.parseLong(value.substring(0, value.indexOf('.')));
        for (String forged : List.of(
                (end + 1) + value.substring(value.indexOf('.')),
                value.substring(0, value.length() - 1) + (value.endsWith("0") ? "1" : "0"),
                "1" + value.substring(value.indexOf('.')),
                ".",
                "x.y")) {
            withCookie(server, "koop-" + server.port() + "=" + forged).isError(401, "UNAUTHORIZED");
        }
        try (RunningServer other = RunningServer.start()) {
            // The same token, another folder: a browser would send the cookie there too.
            withCookie(other, "koop-" + other.port() + "=" + value).isError(401, "UNAUTHORIZED");
        }
    }

    @Test
    void aRestartLocksNobodyOut() throws IOException {
        Path data = folder.resolve("data");
        String url;
        try (KoopServer first = KoopServer.start(ServerConfig.in(data).withPort(0))) {
            assertThat(first.hasNewToken()).isTrue();
            url = first.pageUrl();
        }
        for (String secret : List.of("koopstream.token", "koopstream.sessions")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(secret))))
                    .isEqualTo("rw-------");
        }
        try (KoopServer again = KoopServer.start(ServerConfig.in(data).withPort(0))) {
            assertThat(again.hasNewToken()).isFalse();
            assertThat(again.pageUrl().replaceFirst(".*token=", "")).isEqualTo(url.replaceFirst(".*token=", ""));
        }
    }

    @Test
    void bodiesAreUtf8() throws IOException {
        byte[] body = "{\"x\":[1,2],\"y\":[1,2]}".getBytes(StandardCharsets.UTF_8);
        String path = "/models/plant/samples";
        for (String type : List.of(
                "application/json; charset=evil",
                "application/json;charset=UTF-16",
                "application/json; charset=\"latin1\"",
                "application/json; foo=bar; CHARSET=x")) {
            server.post(path, type, body).isError(415, "UNSUPPORTED_TYPE");
        }
        server.post(path, "application/json; charset=UTF-8", body).is(200);
        server.post(path, "application/json; charset=\"utf-8\"", body).is(200);
        for (var charset : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            byte[] wide = "{\"x\":[1,2],\"y\":[1,2]}".getBytes(charset);
            server.post(path, "application/json", wide).isError(415, "UNSUPPORTED_TYPE");
            server.post(path, "application/x-ndjson", wide).isError(415, "UNSUPPORTED_TYPE");
            server.post(path, "text/csv", "a,b\n1,2\n".getBytes(charset)).isError(415, "UNSUPPORTED_TYPE");
            server.post("/models", "application/json", "{\"name\":\"wide\"}".getBytes(charset))
                    .isError(415, "UNSUPPORTED_TYPE");
        }
    }

    @Test
    void namesThatCannotBeStoredAreRefusedAtEveryDoor() throws IOException {
        server.create("names");
        String path = "/models/names/samples";
        for (String name : List.of("\\ud800", "\\ud801", "a\\udc00")) {
            server.post(path, "{\"stream\":\"" + name + "\",\"first\":0,\"x\":[1],\"y\":[1]}")
                    .isError(400, "BAD_JSON");
            server.post("/models", "{\"name\":\"n\",\"settings\":{\"names\":[\"" + name + "\"]}}")
                    .isError(400, "BAD_JSON");
        }
        byte[] line = "{\"x\":[1],\"y\":[1]}\n".getBytes(StandardCharsets.UTF_8);
        for (String name : List.of("%ff", "%fe", "%ed%a0%80", "%C0%AF", "%zz", "%f")) {
            server.post(path + "?stream=" + name, "application/x-ndjson", line).isError(400, "BAD_REQUEST");
        }
        server.post(path + "?stream=%3F", "application/x-ndjson", line).is(200);
        Answer table = server.post(
                        path,
                        "text/csv",
                        "trajectory,x1\n\u00ff,1\n\u00fe,2\nb,3\n".getBytes(StandardCharsets.ISO_8859_1))
                .is(200);
        assertThat(table.json()).containsEntry("unreadable", 2.0);
    }

    @Test
    void brokenChunksAreABadRequest() throws IOException {
        String head = server.head(
                "POST", "/models/plant/samples", "Content-Type: application/json", "Transfer-Encoding: chunked");
        for (String chunks :
                List.of("zz\r\n{}\r\n0\r\n\r\n", "5\r\n{\"x\":[1,2]", "-1\r\n\r\n", "2\r\n{}xx\r\n0\r\n\r\n")) {
            if (chunks.startsWith("5")) {
                server.raw(head + chunks + "\r\nnonsense\r\n").isError(400, "BAD_REQUEST");
            } else {
                server.raw(head + chunks).isError(400, "BAD_REQUEST");
            }
        }
    }

    @Test
    void whateverIsRefusedIsRefusedInJson() throws IOException {
        String host = "Host: localhost:" + server.port() + "\r\n";
        String token = "Authorization: Bearer " + RunningServer.TOKEN + "\r\n";
        for (String request : List.of(
                "GET /models HTTP/9.9\r\n" + host + token + "\r\n",
                "GET /models\r\n\r\n",
                "NONSENSE\r\n\r\n",
                "TRACE /models HTTP/1.1\r\n" + host + token + "\r\n",
                "BREW /models HTTP/1.1\r\n" + host + token + "\r\n",
                "PUT /models HTTP/1.1\r\n" + host + token + "\r\n",
                "PATCH /models/plant HTTP/1.1\r\n" + host + token + "\r\n",
                "OPTIONS /models HTTP/1.1\r\n" + host + token + "\r\n",
                "DELETE /models HTTP/1.1\r\n" + host + token + "\r\n",
                "GET /nothing HTTP/1.1\r\n" + host + token + "\r\n",
                "GET /models/nobody HTTP/1.1\r\n" + host + token + "\r\n",
                "GET /web/nothing.js HTTP/1.1\r\n" + host + token + "\r\n",
                "GET /models/plant/ingest HTTP/1.1\r\n" + host + token + "\r\n",
                "POST /models HTTP/1.1\r\n" + host + token + "Content-Length: x\r\n\r\n",
                "POST /models HTTP/1.1\r\n" + host + token + "Transfer-Encoding: gzip\r\n\r\n",
                "POST /models HTTP/1.1\r\n" + host + token + "Expect: nonsense\r\nContent-Length: 2\r\n\r\n{}",
                "GET /models HTTP/1.1\r\n" + host + token + "Bad Header: x\r\n\r\n",
                "GET /models HTTP/1.1\r\n" + host + token + "X: \0\r\n\r\n")) {
            Answer answer = server.raw(request);
            assertThat(answer.status()).as(request).isBetween(400, 599);
            assertThat(answer.headers().get("content-type")).as(request).startsWith("application/json");
            assertThat(answer.error()).as(request).containsKeys("code", "message");
        }
    }

    @Test
    void aQuestionToADamagedModelLeavesNoTrace() throws IOException {
        Path data = folder.resolve("damaged");
        try (KoopServer first = KoopServer.start(ServerConfig.in(data).withPort(0))) {
            first.models().create("plant", ModelSettings.of(Map.of()));
        }
        Files.write(data.resolve("plant.settings"), new byte[20]);
        Files.write(data.resolve("plant.settings-copy"), new byte[20]);
        Files.writeString(data.resolve("Notes.settings"), "a stray file is no model");
        List<LogRecord> said = new ArrayList<>();
        Handler listener = new Handler() {
            @Override
            public synchronized void publish(LogRecord one) {
                said.add(one);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        try (RunningServer again = RunningServer.start(config -> in(data, config))) {
            Logger.getLogger("io.koopstream").addHandler(listener);
            again.get("/models/plant/spectrum").isError(503, "MODEL_FAILED");
            again.post("/models/plant/samples", "{\"x\":[1],\"y\":[1]}").isError(503, "MODEL_FAILED");
            again.raw(again.head("POST", "/models/plant/resume", "Content-Length: 0"))
                    .isError(503, "MODEL_FAILED");
            assertThat(again.get("/health").is(200).json()).containsEntry("status", "degraded");
            assertThat(again.get("/models").is(200).body()).contains("\"damaged\":[\"plant\"]");
            assertThat(again.get("/metrics").is(200).body()).contains("koopstream_models_quarantined 1.0");
            again.delete("/models/plant").is(204);
            assertThat(again.get("/health").is(200).json()).containsEntry("status", "ok");
        } finally {
            Logger.getLogger("io.koopstream").removeHandler(listener);
        }
        assertThat(said).noneMatch(one -> one.getThrown() != null);
        assertThat(said)
                .filteredOn(one -> one.getLevel().intValue() >= Level.WARNING.intValue())
                .allMatch(one -> one.getMessage().contains("set aside"));
    }

    /** Bodies, models and samples that wait share one budget. */
    @Test
    void aBodyThatDoesNotFitInMemoryIsRefusedAndGivesBackWhatItTook() throws IOException {
        try (RunningServer small =
                RunningServer.start(config -> config.withEngine(config.engine().withMemoryBytes(12 << 20)))) {
            small.post(
                            "/models",
                            "{\"name\":\"plant\",\"settings\":{\"kernel\":\"gaussian(1)\",\"maxDictionary\":50,\"delays\":0}}")
                    .is(201);
            MemoryBudget memory = small.server().models().memory();
            long before = memory.used();
            String row = "[[0.25,0.5],[0.25,0.5]]," + " ".repeat(100);
            String pairs = row.repeat((int) ((memory.total() - before) / 16 / row.length()) + 1);
            small.post("/models/plant/samples", "{\"pairs\":[" + pairs + "[[0,0],[0,0]]]}")
                    .isError(503, "BUSY");
            assertThat(memory.used()).isEqualTo(before);
            small.post("/models/plant/samples", "{\"pairs\":[" + row.repeat(100) + "[[0,0],[0,0]]]}")
                    .is(200);
        }
    }

    /** What an operator has accepted to be lost is told by health, model and metrics ever after. */
    @Test
    void aLossIsToldByHealthModelAndMetrics() throws IOException {
        Path data = folder.resolve("lost");
        LostBatch.in(data);
        try (RunningServer again = RunningServer.start(config -> in(data, config))) {
            assertThat(again.get("/models/plant").is(200).body()).contains("\"lost\":1,", LostBatch.WORDS);
            assertThat(again.get("/health").is(200).body()).contains("degraded");
            assertThat(again.get("/metrics").is(200).body())
                    .containsPattern("koopstream_model_lost\\{[^}]*plant[^}]*} 1\\.0");
        }
    }

    private static ServerConfig in(Path data, ServerConfig config) {
        return new ServerConfig(
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
    void whatHasNotChangedIsNotSentAgain() throws IOException {
        server.create("still");
        StringBuilder states = new StringBuilder("[0.5]");
        for (int i = 1; i < 60; i++) {
            states.append(",[").append(Math.sin(0.4 * i)).append(']');
        }
        Answer sent = server.post("/models/still/samples", "{\"states\":[" + states + "]}")
                .is(200);
        long samples = ((Number) sent.json().get("samples")).longValue();
        server.get("/models/still/spectrum?after=" + samples).is(200);

        Answer first = server.get("/models/still/spectrum?k=3").is(200);
        String tag = first.headers().get("etag");
        assertThat(tag).startsWith("\"").endsWith("\"");
        Answer again = server.get("/models/still/spectrum?k=3", "If-None-Match: " + tag)
                .is(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().get("etag")).isEqualTo(tag);
        assertThat(server.get("/models/still/spectrum?k=3").is(200).body()).isEqualTo(first.body());
        server.get("/models/still/spectrum?k=4", "If-None-Match: " + tag).is(200);
        for (String path : List.of("sets?k=2", "error", "drift", "theory", "eigenfunctions?nx=5")) {
            String seen = server.get("/models/still/" + path).is(200).headers().get("etag");
            server.get("/models/still/" + path, "If-None-Match: " + seen).is(304);
        }

        Answer more = server.post("/models/still/samples", "{\"states\":[[0.9],[0.1],[-0.7],[0.3]]}")
                .is(200);
        long later = ((Number) more.json().get("samples")).longValue();
        server.get("/models/still/spectrum?after=" + later).is(200);
        server.get("/models/still/spectrum?k=3", "If-None-Match: " + tag).is(200);
        server.get("/models/still/spectrum?k=0").isError(422, "BAD_QUERY");
        server.get("/models/still/error?what=1").isError(422, "BAD_QUERY");
    }

    /** Behind a proxy that speaks TLS a page of this server has its scheme, its name and its port. */
    @Test
    void behindAProxyTheOriginIsThatOfTheProxy() throws IOException {
        try (RunningServer proxied = RunningServer.start(config -> behindProxy(config, "koop.example.org:8443"))) {
            String host = "Host: koop.example.org:8443\r\nAuthorization: Bearer " + RunningServer.TOKEN + "\r\n";
            String head = "GET /models HTTP/1.1\r\n" + host;
            proxied.raw(head + "\r\n").is(200);
            proxied.raw(head + "Origin: https://koop.example.org:8443\r\n\r\n").is(200);
            for (String foreign : new String[] {
                "http://koop.example.org:8443",
                "https://koop.example.org",
                "https://koop.example.org:444",
                "https://koop.example.org:8443.evil"
            }) {
                proxied.raw(head + "Origin: " + foreign + "\r\n\r\n").isError(403, "FORBIDDEN_ORIGIN");
            }
        }
    }

    private static io.koopstream.server.ServerConfig behindProxy(
            io.koopstream.server.ServerConfig config, String name) {
        return new io.koopstream.server.ServerConfig(
                config.data(),
                config.host(),
                config.port(),
                true,
                java.util.List.of(name),
                config.token(),
                config.engine(),
                config.limits().withRequestsPerSecond(2),
                null);
    }

    /** The clients of a proxy on this machine do not share one rate; without a proxy nobody is believed. */
    @Test
    void aProxySaysWhoAsks() throws IOException {
        try (RunningServer proxied = RunningServer.start(config -> behindProxy(config, "koop.example.org"))) {
            for (int i = 0; i < 10; i++) {
                proxied.get("/health", "X-Forwarded-For: 10.0.0.9, 192.0.2." + i)
                        .is(200);
            }
            int refused = 0;
            for (int i = 0; i < 200 && refused == 0; i++) {
                refused += proxied.get("/health", "X-Forwarded-For: 192.0.2." + i + ", 10.0.0.1")
                                        .status()
                                == 429
                        ? 1
                        : 0;
            }
            assertThat(refused).isPositive();
        }
        try (RunningServer open =
                RunningServer.start(config -> config.withLimits(config.limits().withRequestsPerSecond(2)))) {
            int refused = 0;
            for (int i = 0; i < 200 && refused == 0; i++) {
                refused += open.get("/health", "X-Forwarded-For: 192.0.2." + i).status() == 429 ? 1 : 0;
            }
            assertThat(refused).isPositive();
        }
    }

    @Test
    void aPersonWithoutACookieGetsAPage() throws IOException {
        try (RunningServer server = RunningServer.start()) {
            String host = "Host: localhost:" + server.port() + "\r\n";
            Answer page = server.raw("GET / HTTP/1.1\r\n" + host + "Accept: text/html,*/*;q=0.8\r\n\r\n")
                    .is(401);
            assertThat(page.headers().get("content-type")).startsWith("text/html");
            assertThat(page.body()).contains("koopstream.token").doesNotContain(RunningServer.TOKEN);
            server.raw("GET / HTTP/1.1\r\n" + host + "\r\n").isError(401, "UNAUTHORIZED");
        }
    }

    @Test
    void theDataFolderIsItsOwnersAlone() throws IOException {
        try (RunningServer server = RunningServer.start()) {
            java.nio.file.Path data = server.data();
            if (data.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                assertThat(java.nio.file.attribute.PosixFilePermissions.toString(
                                java.nio.file.Files.getPosixFilePermissions(data)))
                        .isEqualTo("rwx------");
            }
        }
    }
}
