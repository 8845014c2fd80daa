package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.http.RunningServer.Answer;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of {@link HostileCases}: who asks, and the head of a request. */
class HttpCasesTest extends HostileCases {

    @Test
    void case01NoToken() throws IOException {
        server.raw(local("GET", "/models")).isError(401, "UNAUTHORIZED");
        server.raw(local("GET", "/")).isError(401, "UNAUTHORIZED");
        server.raw(local("GET", "/metrics")).isError(401, "UNAUTHORIZED");
        assertThat(server.raw(local("GET", "/models")).headers().get("www-authenticate"))
                .startsWith("Bearer");
        server.raw(local("GET", "/health")).is(200);
        server.raw(local("GET", "/ready")).is(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer wrong",
                "Authorization: Bearer ",
                "Authorization: Basic dGVzdDp0ZXN0",
                "Authorization: Bearer test-token-012345678",
                "Authorization: Bearer test-token-01234567890",
                "Cookie: koop=test-token-0123456789"
            })
    void case02WrongToken(String header) throws IOException {
        server.raw(local("GET", "/models", header)).isError(401, "UNAUTHORIZED");
    }

    @Test
    void theTokenInTheAddressBecomesACookieAndLeavesTheAddress() throws IOException {
        Answer redirect =
                server.raw(local("GET", "/?token=" + RunningServer.TOKEN)).is(303);

        assertThat(redirect.headers().get("location"))
                .doesNotContain(RunningServer.TOKEN)
                .endsWith("/");
        assertThat(redirect.headers().get("set-cookie"))
                .startsWith("koop-" + server.port() + "=")
                .contains("HttpOnly")
                .contains("SameSite=Strict");
        String cookie = redirect.headers().get("set-cookie").split(";", 2)[0];
        Answer page = server.raw(local("GET", "/", "Cookie: " + cookie)).is(200);
        assertThat(page.headers().get("content-security-policy"))
                .contains("default-src 'self'")
                .contains("frame-ancestors 'none'");
        assertThat(page.headers().get("cache-control")).isEqualTo("no-store");
        server.raw(local("GET", "/?token=wrong")).isError(401, "UNAUTHORIZED");
        server.raw(local("GET", "/models?token=" + RunningServer.TOKEN)).isError(401, "UNAUTHORIZED");
    }

    @Test
    void case03ForeignHost() throws IOException {
        for (String host : List.of("evil.example", "evil.example:" + server.port(), "localhost:1", "localhost")) {
            server.raw("GET /models HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + RunningServer.TOKEN
                            + "\r\n\r\n")
                    .isError(421, "WRONG_HOST");
        }
        server.raw("GET /models HTTP/1.1\r\nHost: [::1]:" + server.port() + "\r\nAuthorization: Bearer "
                        + RunningServer.TOKEN + "\r\n\r\n")
                .is(200);
    }

    @Test
    void case04MissingHost() throws IOException {
        server.raw("GET /models HTTP/1.1\r\nAuthorization: Bearer " + RunningServer.TOKEN + "\r\n\r\n")
                .isError(400, "BAD_REQUEST");
        server.raw("GET /models HTTP/1.0\r\nAuthorization: Bearer " + RunningServer.TOKEN + "\r\n\r\n")
                .isError(400, "BAD_REQUEST");
    }

    @Test
    void case05ForeignOrigin() throws IOException {
        server.get("/models", "Origin: http://evil.example").isError(403, "FORBIDDEN_ORIGIN");
        server.get("/models/plant/events", "Origin: https://localhost.evil.example")
                .isError(403, "FORBIDDEN_ORIGIN");
        server.get("/models", "Origin: http://localhost:" + server.port()).is(200);
    }

    @Test
    void case06OriginNull() throws IOException {
        server.get("/models", "Origin: null").isError(403, "FORBIDDEN_ORIGIN");
    }

    @Test
    void case07Preflight() throws IOException {
        Answer answer = server.raw(local(
                        "OPTIONS", "/models", "Origin: http://evil.example", "Access-Control-Request-Method: POST"))
                .isError(403, "FORBIDDEN_ORIGIN");
        assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control-"));
    }

    @Test
    void case08CrossSiteForm() throws IOException {
        for (String type :
                List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")) {
            server.post("/models", type, "{\"name\":\"evil\"}".getBytes(StandardCharsets.UTF_8))
                    .isError(415, "UNSUPPORTED_TYPE");
            server.post("/models/plant/samples", type, "{\"x\":[1],\"y\":[1]}".getBytes(StandardCharsets.UTF_8))
                    .isError(415, "UNSUPPORTED_TYPE");
        }
    }

    @Test
    void case11BadContentLength() throws IOException {
        for (String bad :
                List.of("Content-Length: -1", "Content-Length: x", "Content-Length: 5\r\nContent-Length: 6")) {
            server.raw(server.head("POST", "/models", "Content-Type: application/json", bad) + "{}")
                    .isError(400, "BAD_REQUEST");
        }
    }

    @Test
    void case12LengthAndChunked() throws IOException {
        server.raw(server.head(
                                "POST",
                                "/models",
                                "Content-Type: application/json",
                                "Content-Length: 4",
                                "Transfer-Encoding: chunked")
                        + "0\r\n\r\n")
                .isError(400, "BAD_REQUEST");
    }

    @Test
    void case13HeaderSectionTooLarge() throws IOException {
        server.get("/models", "X-Filler: " + "a".repeat(8_000)).is(200);
        server.get("/models", "X-Filler: " + "a".repeat(17_000)).isError(431, "HEADERS_TOO_LARGE");
    }

    @Test
    void case14TooManyHeaders() throws IOException {
        // Two are there already.
        List<String> headers = new ArrayList<>();
        for (int i = 0; i < 98; i++) {
            headers.add("X-H" + i + ": 1");
        }
        server.get("/models", headers.toArray(String[]::new)).is(200);
        headers.add("X-One-More: 1");
        server.get("/models", headers.toArray(String[]::new)).isError(431, "HEADERS_TOO_LARGE");
    }

    @Test
    void case15AddressTooLong() throws IOException {
        server.get("/models/plant/spectrum?k=" + "1".repeat(8_192)).isError(414, "URI_TOO_LONG");
        server.get("/" + "a".repeat(20_000)).isError(414, "URI_TOO_LONG");
        String path = "/models/plant/spectrum?k=";
        server.get(path + "1".repeat(8_192 - path.length())).isError(422, "BAD_QUERY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BREW", "TRACE", "PUT", "PATCH", "PROPFIND"})
    void case16UnknownMethod(String method) throws IOException {
        server.raw(server.head(method, "/models")).isError(405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void case16MethodThatTheAddressDoesNotTake() throws IOException {
        server.raw(server.head("DELETE", "/models")).isError(405, "METHOD_NOT_ALLOWED");
        server.raw(server.head("OPTIONS", "/models")).isError(405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void case17UnknownPath() throws IOException {
        server.get("/nothing").isError(404, "NOT_FOUND");
        server.get("/models/plant/nothing").isError(404, "NOT_FOUND");
        server.get("/models/nobody").isError(404, "UNKNOWN_MODEL");
        server.get("/web/nothing.js").isError(404, "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/web/../openapi.json",
                "/web/..",
                "/web/%2e%2e%2fopenapi.json",
                "/web/%2E%2E/etc/passwd",
                "/web/%252e%252e%252fopenapi.json",
                "/web/..%5copenapi.json",
                "/web/..\\openapi.json",
                "/web/.%2e/openapi.json",
                "/web//etc/passwd",
                "/web/index.html;x",
                "/web/.hidden.js",
                "/web/index.class",
                "/web/sub/index.html"
            })
    void cases18To21Traversal(String path) throws IOException {
        server.get(path).isError(404, "NOT_FOUND");
    }

    @Test
    void case18AboveTheRoot() throws IOException {
        // There is no such address at all, so it does not even count as one.
        server.get("/web/../../../../etc/passwd").isError(400, "BAD_REQUEST");
        server.get("/..").isError(400, "BAD_REQUEST");
        server.get("/%2e%2e/%2e%2e/etc/passwd").isError(400, "BAD_REQUEST");
    }

    @Test
    void case22NullByte() throws IOException {
        server.get("/web/index.html%00.js").isError(400, "BAD_REQUEST");
        server.get("/models/plant%00").isError(400, "BAD_REQUEST");
    }

    @Test
    void case23SymbolicLinkOutOfThePagesFolder() throws Exception {
        URL here = HttpCasesTest.class.getResource("/");
        Path folder = Files.createDirectories(Path.of(here.toURI()).resolve("io/koopstream/server/web"));
        Path real = folder.resolve("real.js");
        Path link = folder.resolve("link.js");
        Files.deleteIfExists(link);
        Path secret = Files.createTempFile("secret", ".js");
        try {
            Files.writeString(real, "1");
            Files.writeString(secret, "secret");
            Files.createSymbolicLink(link, secret);
            // A plain file beside it is served, so it is the link that is refused.
            assertThat(server.get("/web/real.js").is(200).body()).isEqualTo("1");
            server.get("/web/link.js").isError(404, "NOT_FOUND");
        } finally {
            Files.deleteIfExists(real);
            Files.deleteIfExists(link);
            Files.deleteIfExists(secret);
        }
    }

    @Test
    void case24BadModelNames() throws IOException {
        for (String name : List.of(
                "",
                "..",
                ".",
                "a/b",
                "A",
                "a_b",
                "-a",
                "a b",
                "ä",
                "x".repeat(65),
                "x".repeat(300),
                "nul",
                "com1",
                "<script>",
                "a\\u0000",
                "a\\n")) {
            server.post("/models", "{\"name\":\"" + name + "\"}").isError(400, "BAD_NAME");
        }
        server.post("/models", "{\"name\":5}").isError(400, "BAD_NAME");
        server.post("/models", "{}").isError(400, "BAD_NAME");
        server.get("/models/..%2fplant").isError(400, "BAD_NAME");
        server.get("/models/PLANT").isError(400, "BAD_NAME");
        server.get("/models/" + "x".repeat(65)).isError(400, "BAD_NAME");
        server.post("/models", "{\"name\":\"" + "x".repeat(64) + "\"}").is(201);
        server.delete("/models/" + "x".repeat(64)).is(204);
    }
}
