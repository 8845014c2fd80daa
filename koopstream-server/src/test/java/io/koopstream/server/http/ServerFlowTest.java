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
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.spectrum.Spectrum;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user does, against the real server: ask everything, download, stop and start. */
class ServerFlowTest extends ServedModels {

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
                .isEqualTo((double) view("tuned").learned().heldOut())
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
        Forecaster one = library(view);
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

    @Test
    void theModelFileAndTheArraysCanBeTakenAway() throws Exception {
        server.create("taken");
        server.post("/models/taken/samples", "{\"states\":" + json(path(500, 3)) + "}")
                .is(200);
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<byte[]> file = download(client, "/models/taken/model?after=500");
        LearnerState state = ModelFile.decode(file.body());
        assertThat(state.digest())
                .isEqualTo(view("taken").learned().stored().state().digest());
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
                    .get(20, TimeUnit.MINUTES)
                    .learned()
                    .stored()
                    .state()
                    .digest();
        }
        try (KoopServer second = KoopServer.start(config)) {
            assertThat(second.models()
                            .find("kept")
                            .orElseThrow()
                            .view()
                            .learned()
                            .stored()
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
