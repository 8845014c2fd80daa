package io.koopstream.lab.server;

import io.koopstream.io.Storage;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.http.guard.AccessToken;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** How soon a server serves whose logs hold much that is not learned: models whose rows a killed process had acknowledged and not learned. */
public final class UpAtOnce {

    private static final String TOKEN = "token-of-a-measurement";
    private static final int BATCH = 1_000;

    private UpAtOnce() {}

    /** @param args models and rows of each; or a step of it in a process of its own: fill or serve, folder, models, rows */
    public static void main(String[] args) throws Exception {
        if (args.length == 4) {
            int models = Integer.parseInt(args[2]);
            if (args[0].equals("fill")) {
                fill(Path.of(args[1]), models, Integer.parseInt(args[3]));
            } else {
                serve(Path.of(args[1]), models);
            }
            return;
        }
        String models = args.length > 0 ? args[0] : "50";
        String rows = args.length > 1 ? args[1] : "20000";
        Path folder = Files.createTempDirectory("koop-up").resolve("data");
        for (String step : List.of("fill", "serve")) {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--add-modules",
                            "jdk.incubator.vector",
                            "-cp",
                            System.getProperty("java.class.path"),
                            UpAtOnce.class.getName(),
                            step,
                            folder.toString(),
                            models,
                            rows)
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }

    /** Has all rows acknowledged, and dies. */
    private static void fill(Path folder, int count, int rows) {
        EngineConfig config = EngineConfig.defaults().with(Durability.OS);
        LiveModels models = LiveModels.open(folder, config, Storage.DISK, InstantSource.system());
        List<CompletableFuture<Ack>> answers = new ArrayList<>();
        long accepted = 0;
        for (int i = 0; i < count; i++) {
            LiveModel model =
                    models.create("m" + i, ModelSettings.of(Map.of("kernel", "gaussian(0.3)", "dimension", "2")));
            SplittableRandom random = new SplittableRandom(i);
            double[] state = {1, 0};
            for (int b = 0; b < rows; b += BATCH) {
                double[][] states = new double[BATCH][];
                for (int t = 0; t < BATCH; t++) {
                    double x = 0.99 * state[0] - 0.1 * state[1] + 0.1 * random.nextGaussian();
                    state = new double[] {x, 0.1 * state[0] + 0.99 * state[1]};
                    states[t] = state;
                }
                answers.add(model.submit(Batch.states(states, b == 0)));
            }
        }
        answers.forEach(CompletableFuture::join);
        long learned = models.list().stream()
                .mapToLong(model -> model.view().received())
                .sum();
        for (LiveModel model : models.list()) {
            accepted += model.counts().accepted();
        }
        System.out.printf(
                "%d rows acknowledged, %d of them learned when the process was killed, none saved%n",
                accepted, learned);
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }

    private static void say(String what) {
        long ago = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.printf("%6.2f s after the start of the process: %s%n", ago / 1e3, what);
    }

    private static void serve(Path folder, int count) throws Exception {
        ServerConfig config = ServerConfig.in(folder)
                .withPort(0)
                .withToken(AccessToken.of(TOKEN))
                .withEngine(EngineConfig.defaults().with(Durability.OS));
        KoopServer server = KoopServer.start(config);
        say("it listens");
        HttpClient client = HttpClient.newHttpClient();
        for (int i : new int[] {0, count - 1}) {
            String model = "/models/m" + i;
            ask(client, server, model, null);
            say(model + " answers, " + server.models().require("m" + i).health().reason());
            ask(client, server, model + "/samples", "{\"states\":[[1,0],[0.9,0.1]]}");
            say(model + " has accepted samples");
        }
        server.models().awaitOpened();
        say("all models answer and accept");
        Runtime.getRuntime().halt(0);
    }

    private static void ask(HttpClient client, KoopServer server, String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json");
        int status = client.send(
                        (body == null ? request : request.POST(HttpRequest.BodyPublishers.ofString(body))).build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status != 200) {
            throw new IllegalStateException(path + ": " + status);
        }
    }
}
