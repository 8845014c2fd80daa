package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.http.RunningServer.Answer;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import io.koopstream.spectrum.Spectrum;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a user does, against the real server: create, send in every form, ask everything, listen, stop and start. */
@Timeout(120)
class ServerFlowTest {

    private static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        server = RunningServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    /** A noisy rotation towards the origin. */
    static double[][] path(int steps, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] path = new double[steps][];
        double[] state = {1, 0};
        for (int t = 0; t < steps; t++) {
            path[t] = state;
            state = new double[] {
                0.9 * (0.8 * state[0] - 0.6 * state[1]) + 0.2 * (random.nextDouble() - 0.5),
                0.9 * (0.6 * state[0] + 0.8 * state[1]) + 0.2 * (random.nextDouble() - 0.5)
            };
        }
        return path;
    }

    static String json(double[][] rows) {
        StringBuilder text = new StringBuilder("[");
        for (double[] row : rows) {
            text.append(text.length() > 1 ? "," : "")
                    .append('[')
                    .append(row[0])
                    .append(',')
                    .append(row[1])
                    .append(']');
        }
        return text.append(']').toString();
    }

    private static ModelView view(String name) {
        return server.server().models().find(name).orElseThrow().view();
    }

    static double number(Object value) {
        return (Double) value;
    }

    @Test
    @SuppressWarnings("unchecked")
    void aReaderSaysWithWhichRidgeAndRankIsAnswered() throws Exception {
        server.create("tuned");
        server.post("/models/tuned/samples", "{\"states\":" + json(path(1500, 5)) + "}")
                .is(200);
        Map<String, Object> fresh =
                server.get("/models/tuned?after=1500").is(200).json();
        assertThat((Map<String, Object>) fresh.get("lambda"))
                .as("nobody has asked yet")
                .containsEntry("spectrum", null)
                .containsEntry("forecast", null);
        Map<String, Object> usual = server.get("/models/tuned/spectrum").is(200).json();
        int kept = view("tuned").dictionarySize();
        assertThat(number(usual.get("rank"))).isEqualTo(kept);
        assertThat(number(usual.get("heldOut")))
                .isEqualTo((double) view("tuned").heldOut())
                .isPositive();

        String question = "{\"from\":[1,0],\"steps\":2}";
        Map<String, Object> path =
                server.post("/models/tuned/forecast", question).is(200).json();
        Map<String, Object> known = server.get("/models/tuned").is(200).json();
        assertThat((Map<String, Object>) known.get("lambda"))
                .containsEntry("spectrum", usual.get("lambda"))
                .containsEntry("forecast", path.get("lambda"));

        Map<String, Object> same =
                server.get("/models/tuned/spectrum?lambda=auto").is(200).json();
        assertThat(same.get("eigenvalues")).as("nothing else was chosen").isEqualTo(usual.get("eigenvalues"));
        Map<String, Object> given = server.get("/models/tuned/spectrum?lambda=0.5&rank=3&k=9")
                .is(200)
                .json();
        assertThat(number(given.get("lambda"))).isEqualTo(0.5);
        assertThat(number(given.get("rank"))).isEqualTo(3);
        assertThat((List<?>) given.get("eigenvalues"))
                .as("no more than the rank")
                .hasSize(3);
        assertThat(given.get("eigenvalues")).asString().contains("standardError=null", "trusted=");
        Map<String, Object> chosen =
                server.get("/models/tuned/spectrum?rank=auto").is(200).json();
        assertThat(number(chosen.get("rank"))).isBetween(1.0, (double) kept);
        Map<String, Object> pulled = server.post("/models/tuned/forecast?lambda=0.5&rank=3", question)
                .is(200)
                .json();
        assertThat(number(pulled.get("lambda"))).isEqualTo(0.5);
        assertThat(pulled.get("mean")).isNotEqualTo(path.get("mean"));
    }

    @Test
    void ridgesAndRanksThatCannotBeAreRefused() throws Exception {
        server.create("untuned");
        server.post("/models/untuned/samples", "{\"states\":" + json(path(100, 6)) + "}")
                .is(200);
        server.get("/models/untuned?after=100").is(200);
        for (String wrong : List.of("lambda=0", "lambda=-1", "lambda=much", "rank=0", "rank=1.5", "rank=100000")) {
            server.get("/models/untuned/spectrum?" + wrong).isError(422, "BAD_QUERY");
        }
        server.post("/models", "{\"name\":\"descent\",\"settings\":{\"method\":\"sogd\",\"kernel\":\"gaussian(1)\"}}")
                .is(201);
        server.post("/models/descent/samples", "{\"states\":" + json(path(100, 6)) + "}")
                .is(200);
        server.get("/models/descent?after=100").is(200);
        for (String wish : List.of("lambda=auto", "lambda=0.1", "rank=2", "rank=auto")) {
            RunningServer.Answer refused =
                    server.get("/models/descent/spectrum?" + wish).isError(422, "BAD_QUERY");
            assertThat(refused.body()).contains("learn with least-squares");
            server.post("/models/descent/forecast?" + wish, "{\"from\":[1,0]}").isError(422, "BAD_QUERY");
        }
        Map<String, Object> plain =
                server.get("/models/descent/spectrum").is(200).json();
        assertThat(number(plain.get("lambda"))).isPositive();
        assertThat(number(plain.get("heldOut"))).isZero();
        assertThat(plain.get("eigenvalues")).asString().contains("holds none out");
    }

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
            server.server().models().find(name).orElseThrow().viewAfter(rows).get(60, TimeUnit.SECONDS);
            String digest = view(name).model().state().digest();
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
                .get(30, TimeUnit.SECONDS);
        List<String> received = new ArrayList<>();
        for (String frame : frames) {
            socket.sendText(frame, true).get(30, TimeUnit.SECONDS);
            received.add(answers.poll(30, TimeUnit.SECONDS));
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(30, TimeUnit.SECONDS);
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
            server.server().models().find("arriving").orElseThrow().viewAfter(2).get(30, TimeUnit.SECONDS);
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
                        .get(30, TimeUnit.SECONDS)
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

    @Test
    void answersAreThoseOfTheLibrary() throws Exception {
        server.create("asked");
        server.post("/models/asked/samples", "{\"states\":" + json(path(2_000, 2)) + "}")
                .is(200);
        server.get("/models/asked?after=2000").is(200);
        ModelView view = view("asked");
        KoopmanOperator operator = view.operator().orElseThrow();
        // The state is the same one: another ridge serves forecasts.
        KoopmanOperator forecaster =
                view.state().orElseThrow().forecastOperator().asKoopman();
        double[] from = {0.3, -0.2};

        Map<String, Object> spectrum =
                server.get("/models/asked/spectrum?k=3&dt=0.5").is(200).json();
        Spectrum expected = Spectrum.leading(operator, 8);
        List<?> eigenvalues = (List<?>) spectrum.get("eigenvalues");
        assertThat(eigenvalues).hasSizeBetween(3, 4);
        for (int k = 0; k < eigenvalues.size(); k++) {
            Map<?, ?> value = (Map<?, ?>) eigenvalues.get(k);
            assertThat(number(value.get("re"))).isEqualTo(expected.eigenvalue(k).re());
            assertThat(number(value.get("im"))).isEqualTo(expected.eigenvalue(k).im());
            assertThat(value.get("trusted")).isEqualTo(((List<?>) value.get("reasons")).isEmpty());
        }
        Map<String, Object> next = server.post("/models/asked/predict", "{\"points\":[[0.3,-0.2]]}")
                .is(200)
                .json();
        Forecaster one = Forecaster.of(view.state().orElseThrow());
        assertThat(numbers(((List<?>) next.get("next")).get(0)))
                .containsExactly(one.forecast(from, ForecastRequest.of(1)).mean(1));
        assertThat(numbers(next.get("known"))).containsExactly(one.known(from));
        Map<String, Object> weights = server.post("/models/asked/weights", "{\"from\":[0.3,-0.2]}")
                .is(200)
                .json();
        assertThat(numbers(weights.get("weights"))).containsExactly(forecaster.weights(from));
        Map<String, Object> forecast = server.post("/models/asked/forecast", "{\"from\":[0.3,-0.2],\"steps\":5}")
                .is(200)
                .json();
        assertThat((List<?>) forecast.get("mean")).hasSize(5);
        assertThat(numbers(((List<?>) forecast.get("mean")).get(0))[0])
                .isCloseTo(0.9 * (0.8 * 0.3 + 0.6 * 0.2), within(0.1));
        Map<String, Object> grid = server.get("/models/asked/eigenfunctions?index=1&nx=7&ny=5&bounds=-1,1,-0.5,0.5")
                .is(200)
                .json();
        assertThat((List<?>) grid.get("re")).hasSize(5);
        double[] row = numbers(((List<?>) grid.get("re")).get(2));
        assertThat(row).hasSize(7);
        assertThat(row[3]).isEqualTo(expected.eigenfunctions(new double[][] {{0, 0}})[0][1].re());
        Map<String, Object> sets =
                server.get("/models/asked/sets?k=2&nx=6&ny=6").is(200).json();
        assertThat((List<?>) sets.get("labels")).hasSize(6);
        assertThat((List<?>) server.get("/models/asked/theory").is(200).json().get("checks"))
                .isNotEmpty();

        server.post("/models/asked/predict", "{\"points\":[[0.3]]}").isError(422, "BAD_QUERY");
        server.post("/models/asked/forecast", "{\"from\":[0.3,0],\"steps\":0}").isError(422, "BAD_QUERY");
        server.post("/models/asked/forecast", "{\"from\":[0.3,0],\"steps\":100001}")
                .isError(422, "BAD_QUERY");
        server.get("/models/asked/eigenfunctions?nx=300&ny=300").isError(422, "BAD_QUERY");
        server.get("/models/asked/eigenfunctions?index=199").isError(422, "BAD_QUERY");
        server.get("/models/asked/eigenfunctions?x=0&y=0").isError(422, "BAD_QUERY");
    }

    static double[] numbers(Object list) {
        return ((List<?>) list).stream().mapToDouble(value -> (Double) value).toArray();
    }

    @Test
    void theModelFileAndTheArraysCanBeTakenAway() throws Exception {
        server.create("taken");
        server.post("/models/taken/samples", "{\"states\":" + json(path(500, 3)) + "}")
                .is(200);
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<byte[]> file = download(client, "/models/taken/model?after=500");
        LearnerState state = ModelFile.decode(file.body());
        assertThat(state.digest()).isEqualTo(view("taken").model().state().digest());
        assertThat(file.headers().firstValue("content-disposition").orElse("")).contains("taken.safetensors");

        List<String> names = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(
                download(client, "/models/taken/export").body()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
                assertThat(zip.readAllBytes()).isNotEmpty();
            }
        }
        assertThat(names)
                .containsExactly("x.npy", "x_next.npy", "L.npy", "L_next.npy", "M.npy", "A.npy", "config.json");
    }

    private static HttpResponse<byte[]> download(HttpClient client, String path) throws Exception {
        HttpResponse<byte[]> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .header("Authorization", "Bearer " + RunningServer.TOKEN)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer;
    }

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
                            .get(30, TimeUnit.SECONDS);
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

    @Test
    void whatWasAcknowledgedIsThereAfterARestart(@TempDir Path folder) throws Exception {
        ServerConfig config = ServerConfig.in(folder.resolve("data"))
                .withPort(0)
                .withToken(AccessToken.of(RunningServer.TOKEN))
                .withEngine(EngineConfig.defaults().with(Durability.FSYNC));
        String digest;
        try (KoopServer first = KoopServer.start(config)) {
            send(first, "/models", "{\"name\":\"kept\",\"settings\":{\"kernel\":\"gaussian(0.5)\"}}", 201);
            send(
                    first,
                    "/models/kept/samples",
                    "{\"stream\":\"s\",\"first\":0,\"states\":" + json(path(300, 7)) + "}",
                    200);
            digest = first.models()
                    .find("kept")
                    .orElseThrow()
                    .viewAfter(300)
                    .get(30, TimeUnit.SECONDS)
                    .model()
                    .state()
                    .digest();
        }
        try (KoopServer second = KoopServer.start(config)) {
            assertThat(second.models()
                            .find("kept")
                            .orElseThrow()
                            .view()
                            .model()
                            .state()
                            .digest())
                    .isEqualTo(digest);
            String again = send(
                    second, "/models/kept/samples", "{\"stream\":\"s\",\"first\":299,\"states\":[[0.5,0.5]]}", 409);
            assertThat(again).contains("CONFLICT");
        }
    }

    private static String send(KoopServer to, String path, String json, int expected) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(to.url() + path))
                                .header("Authorization", "Bearer " + RunningServer.TOKEN)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(json))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
        return answer.body();
    }

    @Test
    void metricsCountWhatCame() throws Exception {
        server.create("measured");
        server.post("/models/measured/samples", "{\"stream\":\"s\",\"first\":0,\"states\":[[1],[2],[3]]}")
                .is(200);
        server.post("/models/measured/samples", "{\"stream\":\"s\",\"first\":0,\"states\":[[1],[2],[3]]}")
                .is(200);
        server.post("/models/measured/samples", "{\"states\":[[1e999]]}").is(422);
        server.get("/models/measured?after=3").is(200);
        String text = server.get("/metrics").is(200).body();
        assertThat(text)
                .contains("koopstream_samples_received_total{model=\"measured\"} 7.0")
                .contains("koopstream_samples_accepted_total{model=\"measured\"} 3.0")
                .contains("koopstream_samples_duplicates_total{model=\"measured\"} 3.0")
                .contains("koopstream_samples_rejected_total{model=\"measured\"} 1.0")
                .contains("koopstream_model_queue{model=\"measured\"} 0.0")
                .containsPattern("koopstream_model_update_seconds\\{model=\"measured\"} \\d.*[1-9]")
                .containsPattern("koopstream_model_log_seconds\\{model=\"measured\"} \\d.*[1-9]")
                .contains("koopstream_model_snapshot_age_seconds{model=\"measured\"} NaN")
                .contains("koopstream_http_seconds_count{")
                .contains("route=\"/models/{name}/samples\"")
                .doesNotContain(RunningServer.TOKEN);
        server.delete("/models/measured").is(204);
        assertThat(server.get("/metrics").is(200).body()).doesNotContain("model=\"measured\"");
    }
}
