package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.http.RunningServer.Answer;
import io.koopstream.server.http.guard.HttpLimits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Samples in every form a client may send them, against the real server. */
class ServerIngestTest extends ServedModels {

    @Test
    void theSameSamplesInEveryFormGiveTheSameModelBitForBit() throws Exception {
        double[][] path = path(400, 1);
        String[] names = {"as-states", "as-pairs", "as-xy", "as-lines", "as-packed", "as-line-pairs", "over-socket"};
        for (String name : names) {
            server.create(name);
        }
        server.post("/models/as-states/samples", "{\"stream\":\"s\",\"first\":0,\"states\":" + json(path) + "}")
                .is(200);
        StringBuilder pairs = new StringBuilder();
        StringBuilder lines = new StringBuilder();
        StringBuilder pairLines = new StringBuilder();
        ByteBuffer packed = ByteBuffer.allocate(path.length * 16).order(ByteOrder.LITTLE_ENDIAN);
        for (int t = 0; t < path.length; t++) {
            String state = "[" + path[t][0] + "," + path[t][1] + "]";
            lines.append("{\"state\":").append(state).append("}\n");
            packed.putDouble(path[t][0]).putDouble(path[t][1]);
            if (t > 0) {
                String before = "[" + path[t - 1][0] + "," + path[t - 1][1] + "]";
                pairs.append(pairs.length() > 0 ? "," : "").append("[" + before + "," + state + "]");
                pairLines.append("{\"x\":" + before + ",\"y\":" + state + "}\n");
            }
        }
        double[][] x = java.util.Arrays.copyOf(path, 399);
        double[][] y = java.util.Arrays.copyOfRange(path, 1, 400);
        server.post("/models/as-pairs/samples", "{\"pairs\":[" + pairs + "]}").is(200);
        server.post("/models/as-xy/samples", "{\"x\":" + json(x) + ",\"y\":" + json(y) + "}")
                .is(200);
        server.post(
                        "/models/as-lines/samples?stream=s&first=0",
                        "application/x-ndjson",
                        lines.toString().getBytes(StandardCharsets.UTF_8))
                .is(200);
        server.post(
                        "/models/as-line-pairs/samples",
                        "application/x-ndjson",
                        pairLines.toString().getBytes(StandardCharsets.UTF_8))
                .is(200);
        Answer ack = server.post(
                        "/models/as-packed/samples?kind=states&dimension=2&stream=s&first=0",
                        "application/octet-stream",
                        packed.array())
                .is(200);
        assertThat(ack.json())
                .containsEntry("accepted", 400.0)
                .containsEntry("next", 400.0)
                .containsEntry("duplicates", 0.0)
                .containsEntry("durability", "os");
        List<String> answers = overSocket(
                "over-socket",
                "{\"id\":\"b1\",\"stream\":\"s\",\"first\":0,\"states\":" + json(path) + "}",
                "{\"id\":7}");
        assertThat(answers.get(0)).contains("\"id\":\"b1\"").contains("\"accepted\":400");
        assertThat(answers.get(1))
                .contains("\"id\":\"7\"")
                .contains("BAD_REQUEST")
                .contains("\"status\":400");

        String expected = null;
        for (String name : names) {
            long rows = name.contains("pairs") || name.contains("xy") ? 399 : 400;
            server.server().models().find(name).orElseThrow().viewAfter(rows).get(20, TimeUnit.MINUTES);
            String digest = view(name).learned().stored().state().digest();
            expected = expected == null ? digest : expected;
            assertThat(digest).as(name).isEqualTo(expected);
        }
    }

    private static List<String> overSocket(String name, String... frames) throws Exception {
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Authorization", "Bearer " + RunningServer.TOKEN)
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port() + "/models/" + name + "/ingest"),
                        new WebSocket.Listener() {
                            private final StringBuilder text = new StringBuilder();

                            @Override
                            public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                                text.append(data);
                                if (last) {
                                    answers.add(text.toString());
                                    text.setLength(0);
                                }
                                from.request(1);
                                return null;
                            }
                        })
                .get(20, TimeUnit.MINUTES);
        List<String> received = new ArrayList<>();
        for (String frame : frames) {
            socket.sendText(frame, true).get(20, TimeUnit.MINUTES);
            received.add(answers.poll(20, TimeUnit.MINUTES));
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(20, TimeUnit.MINUTES);
        return received;
    }

    @Test
    void aSocketIsRefusedLikeAnyOtherCall() throws IOException {
        server.create("guarded");
        String[] upgrade = {
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        };
        String open = "GET /models/guarded/ingest HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\n"
                + String.join("\r\n", upgrade) + "\r\n";
        server.raw(open + "\r\n").isError(401, "UNAUTHORIZED");
        server.raw(open + "Authorization: Bearer " + RunningServer.TOKEN + "\r\nOrigin: http://evil.example\r\n\r\n")
                .isError(403, "FORBIDDEN_ORIGIN");
        server.get("/models/nobody/ingest", upgrade).isError(404, "UNKNOWN_MODEL");
        server.get("/models/guarded/ingest", upgrade).is(101);
    }

    @Test
    void sendingAgainIsHarmlessAndWrongNumbersAreToldApart() throws IOException {
        server.create("numbered");
        String path = "/models/numbered/samples";
        server.post(path, "{\"stream\":\"s\",\"first\":5,\"states\":[[1],[2],[3]]}")
                .is(200);
        Answer again = server.post(path, "{\"stream\":\"s\",\"first\":5,\"states\":[[1],[2],[3]]}")
                .is(200);
        assertThat(again.json())
                .containsEntry("accepted", 0.0)
                .containsEntry("duplicates", 3.0)
                .containsEntry("next", 8.0);
        Answer overlap = server.post(path, "{\"stream\":\"s\",\"first\":7,\"states\":[[3],[4]]}")
                .is(200);
        assertThat(overlap.json()).containsEntry("accepted", 1.0).containsEntry("duplicates", 1.0);
        Answer gap = server.post(path, "{\"stream\":\"s\",\"first\":20,\"states\":[[9]]}")
                .isError(409, "GAP");
        assertThat(gap.error()).containsEntry("expected", 9.0).containsEntry("given", 20.0);
        server.post(path, "{\"stream\":\"s\",\"first\":6,\"states\":[[99]]}").isError(409, "CONFLICT");
        server.post(path, "{\"stream\":\"s\",\"first\":0,\"states\":[[0]]}").isError(409, "TOO_OLD");
    }

    @Test
    void linesAreLearnedAsTheyArrive() throws Exception {
        server.create("arriving");
        try (Socket socket = server.connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(server.head(
                            "POST",
                            "/models/arriving/samples?stream=s&first=0",
                            "Content-Type: application/x-ndjson",
                            "Transfer-Encoding: chunked")
                    .getBytes(StandardCharsets.UTF_8));
            chunk(out, "{\"state\":[0.1]}\n{\"state\":[0.2]}\n{\"sta");
            // The request is far from its end, and two of its lines are learned.
            server.server().models().find("arriving").orElseThrow().viewAfter(2).get(20, TimeUnit.MINUTES);
            chunk(out, "te\":[0.3]}\n{\"state\":[0.4],\"trajectory\":\"b\"}\n{\"state\":[0.5],\"trajectory\":\"b\"}");
            chunk(out, "");
            Answer answer = RunningServer.read(new BufferedInputStream(socket.getInputStream()));
            assertThat(answer.is(200).json()).containsEntry("accepted", 5.0).containsEntry("next", 5.0);
        }
        assertThat(server.server()
                        .models()
                        .find("arriving")
                        .orElseThrow()
                        .viewAfter(5)
                        .get(20, TimeUnit.MINUTES)
                        .version())
                .isPositive();
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        out.write((Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Test
    void aBadLineSaysWhereAndWhatWasAcceptedBefore() throws IOException {
        server.create("broken");
        byte[] body = "{\"state\":[0.1]}\n{\"state\":[0.2]}\n{\"state\":[\"x\"]}\n".getBytes(StandardCharsets.UTF_8);
        Answer answer = server.post("/models/broken/samples", "application/x-ndjson", body)
                .isError(422, "BAD_SAMPLE");
        assertThat(answer.error()).containsEntry("line", 3.0);
        assertThat(number(answer.error().get("accepted"))).isIn(0.0, 2.0);
        byte[] blank = "{\"state\":[0.1]}\n\n \n{\"state\":[0.2]}\n".getBytes(StandardCharsets.UTF_8);
        answer = server.post("/models/broken/samples", "application/x-ndjson", blank)
                .isError(422, "BAD_SAMPLE");
        assertThat(answer.error()).containsEntry("line", 2.0);
        byte[] blankAtTheEnd = "{\"state\":[0.1]}\r\n\r\n\n".getBytes(StandardCharsets.UTF_8);
        server.post("/models/broken/samples", "application/x-ndjson", blankAtTheEnd)
                .is(200);
        server.post("/models/broken/samples", "application/x-ndjson", "{]\n".getBytes(StandardCharsets.UTF_8))
                .isError(400, "BAD_JSON");
        server.post("/models/broken/samples", "application/x-ndjson", new byte[0])
                .isError(400, "BAD_REQUEST");
        server.post("/models/broken/samples?kind=states&dimension=1", "application/octet-stream", new byte[9])
                .isError(400, "BAD_REQUEST");
        server.post("/models/broken/samples?kind=states", "application/octet-stream", new byte[8])
                .isError(422, "BAD_QUERY");
        byte[] longLine =
                ("{\"state\":[" + " ".repeat(HttpLimits.usual().line()) + "0.1]}\n").getBytes(StandardCharsets.UTF_8);
        server.post("/models/broken/samples", "application/x-ndjson", longLine).isError(413, "TOO_LARGE");
    }
}
