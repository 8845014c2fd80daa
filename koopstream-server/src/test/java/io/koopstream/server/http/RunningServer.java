package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The real server on a free port, and requests to it byte by byte over a socket: also those that a decent client would not send. */
final class RunningServer implements AutoCloseable {

    static final String TOKEN = "test-token-0123456789";
    private static final int PATIENCE_MILLIS = 30_000;

    private final Path folder;
    private final KoopServer server;

    private RunningServer(Path folder, KoopServer server) {
        this.folder = folder;
        this.server = server;
    }

    static RunningServer start() throws IOException {
        return start(config -> config);
    }

    static RunningServer start(UnaryOperator<ServerConfig> change) throws IOException {
        Path folder = Files.createTempDirectory("koop-server-test");
        ServerConfig config = ServerConfig.in(folder.resolve("data"))
                .withPort(0)
                .withToken(AccessToken.of(TOKEN))
                .withEngine(EngineConfig.defaults().with(Durability.OS));
        return new RunningServer(folder, KoopServer.start(change.apply(config)));
    }

    /** An answer: status, headers with small names, body. */
    record Answer(int status, Map<String, String> headers, String body) {

        Map<String, Object> json() {
            return new JsonInput(HttpLimits.usual())
                    .object(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> error() {
            return (Map<String, Object>) json().get("error");
        }

        /** An error in our form that tells nothing about the inside. */
        Answer isError(int expected, String code) {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(headers.get("content-type")).startsWith("application/json");
            assertThat(headers.get("x-content-type-options")).isEqualTo("nosniff");
            assertThat(error().get("code")).isEqualTo(code);
            assertThat((String) error().get("message")).isNotBlank();
            assertThat(body)
                    .doesNotContain("Exception")
                    .doesNotContain("\\tat ")
                    .doesNotContain("io.koopstream")
                    .doesNotContain("org.eclipse")
                    .doesNotContain(System.getProperty("java.io.tmpdir"))
                    .doesNotContain(System.getProperty("user.dir"));
            return this;
        }

        Answer is(int expected) {
            assertThat(status).as(body).isEqualTo(expected);
            return this;
        }
    }

    Path data() {
        return folder.resolve("data");
    }

    KoopServer server() {
        return server;
    }

    int port() {
        return server.port();
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** A request with host and token, and what else is given, each header a line. */
    String head(String method, String path, String... headers) {
        StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port()
                + "\r\nAuthorization: Bearer " + TOKEN + "\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    /** Sends bytes as they are and reads one answer. */
    Answer raw(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return read(new BufferedInputStream(socket.getInputStream()));
        }
    }

    Answer raw(String text) throws IOException {
        return raw(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Answer get(String path, String... headers) throws IOException {
        return raw(head("GET", path, headers));
    }

    Answer delete(String path) throws IOException {
        return raw(head("DELETE", path));
    }

    Answer post(String path, String json) throws IOException {
        return post(path, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    Answer post(String path, String type, byte[] body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Content-Type: " + type);
        all.add("Content-Length: " + body.length);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head("POST", path, all.toArray(String[]::new)).getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        return raw(bytes.toByteArray());
    }

    /** A model with a given kernel, so that it learns from the first pair on. */
    void create(String name) throws IOException {
        post("/models", "{\"name\":\"" + name + "\",\"settings\":{\"kernel\":\"gaussian(0.5)\",\"dt\":0.1}}")
                .is(201);
    }

    static Answer read(InputStream in) throws IOException {
        String status = line(in);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + "\n" + b);
        }
        byte[] body;
        if (headers.containsKey("content-length")) {
            body = in.readNBytes(Integer.parseInt(headers.get("content-length")));
        } else if ("chunked".equals(headers.get("transfer-encoding"))) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
                all.writeBytes(in.readNBytes(size));
                line(in);
            }
            body = all.toByteArray();
        } else {
            body = new byte[0];
        }
        return new Answer(Integer.parseInt(status.split(" ", 3)[1]), headers, new String(body, StandardCharsets.UTF_8));
    }

    static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended after '" + line.toString(StandardCharsets.UTF_8) + "'");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
