package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.io.Json;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StoredModel;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.http.guard.AccessToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One file learned by the command and by a server: whoever asks, an answer has the same bytes. */
class OneDialectTest {

    private static final String TOKEN = "test-token-0123456789";

    /** Rows and how they are learned. */
    private record Case(String name, Map<String, String> settings, boolean isDated, String from) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("least squares", Map.of("kernel", "gaussian(0.7)"), false, "[0.5,0.1]"),
                new Case("algorithm 1", Map.of("method", "sogd", "kernel", "gaussian(0.7)"), false, "[0.5,0.1]"),
                new Case("delays", Map.of("kernel", "gaussian(1)", "delays", "2"), true, "[0.5,0.1,0.4,0.2,0.3,0.3]"),
                new Case("inputs", Map.of("kernel", "gaussian(1)", "inputs", "2"), true, null),
                new Case("chosen settings", Map.of("warmUp", "300", "difference", "all"), true, null));
    }

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @MethodSource("cases")
    void theCommandAnswersAsTheServer(Case one) throws Exception {
        Path data = Files.writeString(folder.resolve("rows.csv"), rows(one.isDated));
        Path file = folder.resolve("rows.safetensors");
        List<Object> learn = new ArrayList<>(List.of("learn", data, "-o", file));
        one.settings.forEach((name, value) -> {
            learn.add("--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
            learn.add(name.equals("inputs") ? "b" : value);
        });
        command(learn.toArray());
        StoredModel stored = ModelFile.load(file);
        Map<String, Object> settings = new LinkedHashMap<>(one.settings);
        settings.put("names", List.of("a", "b"));
        settings.put("timeStyle", stored.labels().time().style());
        ServerConfig config = ServerConfig.in(folder.resolve("data"))
                .withPort(0)
                .withToken(AccessToken.of(TOKEN))
                .withEngine(EngineConfig.defaults().with(Durability.OS));
        try (KoopServer server = KoopServer.start(config)) {
            String models = "http://127.0.0.1:" + server.port() + "/models";
            post(models, "application/json", Json.text(Map.of("name", "m", "settings", settings)));
            String model = models + "/m";
            post(model + "/samples", "text/csv", Files.readString(data));
            long rows = stored.stream().orElseThrow().counts().observations();

            assertThat(command("spectrum", file, "-k", 3, "--json"))
                    .isEqualTo(get(model + "/spectrum?k=3&after=" + rows));
            assertThat(command("spectrum", file, "-k", 5, "--dt", 7, "--json"))
                    .isEqualTo(get(model + "/spectrum?k=5&dt=7"));
            if (!one.settings.containsKey("method")) {
                assertThat(command("spectrum", file, "--lambda", 0.01, "--rank", 6, "--json"))
                        .isEqualTo(get(model + "/spectrum?lambda=0.01&rank=6"));
            }
            assertThat(command("theory", file, "--json")).isEqualTo(get(model + "/theory"));
            assertThat(command("sets", file, "-k", 2, "--json")).isEqualTo(get(model + "/sets?k=2&grid=false"));
            assertThat(command("forecast", file, "--steps", 5, "--json"))
                    .isEqualTo(post(model + "/forecast", "application/json", "{\"steps\":5}"));
            assertThat(command("forecast", file, "--steps", 30, "--quantiles", "0.5", "--mode", "operator", "--json"))
                    .isEqualTo(post(
                            model + "/forecast?quantiles=0.5&mode=operator", "application/json", "{\"steps\":30}"));
            if (one.settings.containsKey("inputs")) {
                Path future = Files.writeString(folder.resolve("future.csv"), "b\n0.25\n-0.5\n");
                String given = command("forecast", file, "--future", future, "--json");
                assertThat(given)
                        .isEqualTo(post(model + "/forecast", "application/json", "{\"future\":[[0.25],[-0.5]]}"))
                        .contains("\"steps\":2,", "\"names\":[\"a\"]", "\"inputs\":{\"b\":\"given\"}");
                assertThat(command("forecast", file, "--steps", 5, "--json"))
                        .contains("\"inputs\":{\"b\":\"forecast\"}");
            }
            if (one.from != null) {
                assertThat(command(
                                "forecast",
                                file,
                                "--from",
                                one.from.substring(1, one.from.length() - 1),
                                "--steps",
                                3,
                                "--anyway",
                                "--json"))
                        .isEqualTo(post(
                                model + "/forecast?anyway=true",
                                "application/json",
                                "{\"from\":" + one.from + ",\"steps\":3}"));
            }
            String info = command("info", file, "--json");
            assertThat(info).contains("\"names\":[\"a\",\"b\"]");
            assertThat(get(model))
                    .as("what a file and a server know alike")
                    .startsWith(info.substring(0, info.indexOf(",\"file\":")) + ",\"name\":\"m\",");
        }
    }

    /** A noisy rotation, an hour from row to row. */
    private static String rows(boolean dated) {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder text = new StringBuilder(dated ? "time,a,b\n" : "a,b\n");
        LocalDateTime time = LocalDateTime.of(2026, 1, 1, 0, 0);
        double[] x = {1, 0};
        for (int i = 0; i < 900; i++) {
            text.append(dated ? time.plusHours(i) + ":00," : "").append(x[0] + "," + x[1] + "\n");
            x = new double[] {
                0.95 * (0.8 * x[0] - 0.6 * x[1]) + random.nextDouble(-0.2, 0.2),
                0.95 * (0.6 * x[0] + 0.8 * x[1]) + random.nextDouble(-0.2, 0.2)
            };
        }
        return text.toString();
    }

    /** The answer of a command, without the line break after it. */
    private static String command(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        return run.out().strip();
    }

    private String get(String address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address)));
    }

    private String post(String address, String type, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body)));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer =
                client.send(request.header("Authorization", "Bearer " + TOKEN).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
        return answer.body();
    }
}
