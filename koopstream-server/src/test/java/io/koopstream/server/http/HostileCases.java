package io.koopstream.server.http;

import io.koopstream.server.http.RunningServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** What a hostile or broken client may send, against the real server over raw sockets. The numbers are those of docs/security.md. */
@Timeout(1800)
abstract class HostileCases {

    static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        server = RunningServer.start();
        server.create("plant");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    static String local(String method, String path, String... headers) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\n"
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n") + "\r\n";
    }

    static Answer samples(String json) throws IOException {
        return server.post("/models/plant/samples", json);
    }
}
