package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.control.ControlSettings.Prediction;
import io.koopstream.control.ControlTask;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.control.LearnedPolicy.Decision;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.dynamics.DynamicsLearner;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.mpc.Horizon;
import io.koopstream.control.plan.GreedyPolicy;
import io.koopstream.control.plan.ValueIteration;
import io.koopstream.io.Storage;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.DataFolder;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.http.guard.AccessToken;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.ingest.JsonInput;
import io.koopstream.server.policy.PolicyFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Learned controllers over HTTP: put there, asked, wrong questions, a restart, a backup. */
@Timeout(1800)
class PolicyFlowTest {

    private static final String JSON = "application/json";
    private static final String PACKED = "application/octet-stream";

    @TempDir
    static Path shared;

    @TempDir
    Path folder;

    private static LearnedPolicy policy;
    private static byte[] file;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void learn() throws IOException {
        Pendulum pendulum = new Pendulum();
        Transitions data = Episodes.collect(pendulum, Policy.uniform(pendulum.actionSpace(), 1), 600, 1);
        ControlTask task = new ControlTask(
                pendulum.observationNames(),
                pendulum.actionNames(),
                "atan2(sin_theta,cos_theta)^2 + 0.1*theta_dot^2 + 0.001*torque^2",
                "",
                "0",
                0.95,
                pendulum.actionSpace(),
                List.of(7));
        DynamicsLearner learner = new DynamicsLearner(DynamicsConfig.guess(data, pendulum.actionSpace(), 0.05, 200));
        learner.update(data);
        policy = LearnedPolicy.plan(task, learner, Prediction.MEAN_STATE, ValueIteration.DEFAULT);
        PolicyFile.write(shared.resolve("swing.safetensors"), policy);
        file = Files.readAllBytes(shared.resolve("swing.safetensors"));
    }

    private KoopServer start() {
        return KoopServer.start(ServerConfig.in(folder.resolve("data"))
                .withPort(0)
                .withToken(AccessToken.of(RunningServer.TOKEN))
                .withEngine(EngineConfig.defaults().with(Durability.OS)));
    }

    private Map<String, Object> ask(KoopServer server, int status, String method, String path, String type, byte[] body)
            throws IOException, InterruptedException {
        BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .header("Authorization", "Bearer " + RunningServer.TOKEN)
                        .header("Content-Type", type)
                        .method(method, publisher)
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body().isEmpty()
                ? Map.of()
                : new JsonInput(HttpLimits.usual())
                        .object(new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.UTF_8)));
    }

    private Map<String, Object> decide(KoopServer server, int status, String query, String body)
            throws IOException, InterruptedException {
        return ask(
                server, status, "POST", "/policies/swing/decide" + query, JSON, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void isError(Map<String, Object> answer, String code, String... words) {
        @SuppressWarnings("unchecked")
        Map<String, Object> error = (Map<String, Object>) answer.get("error");
        assertThat(error.get("code")).isEqualTo(code);
        assertThat((String) error.get("message")).contains(words);
    }

    @Test
    void aPolicyDecidesOverHttpAsItDoesHere() throws Exception {
        double[][] states = {{-1, 0, 0}, {1, 0, 0.5}, {0, -1, -3}, {0.6, 0.8, 2}};
        GreedyPolicy here = policy.plan().policy();
        try (KoopServer server = start()) {
            Map<String, Object> info = ask(server, 201, "PUT", "/policies/swing", PACKED, file);
            assertThat(info).containsEntry("states", List.of("cos_theta", "sin_theta", "theta_dot"));
            assertThat(info).containsEntry("low", List.of(-2.0)).containsEntry("transitions", 600.0);
            Map<String, Object> answer = decide(server, 200, "", "{\"points\":" + Arrays.deepToString(states) + "}");
            for (int i = 0; i < states.length; i++) {
                assertThat(((List<?>) answer.get("actions")).get(i)).isEqualTo(List.of(here.action(states[i])[0]));
                assertThat(((List<?>) answer.get("values")).get(i)).isEqualTo(here.value(states[i]));
                assertThat((Double) ((List<?>) answer.get("known")).get(i)).isBetween(0.9, 1.0);
            }
            assertThat(ask(server, 200, "PUT", "/policies/swing", PACKED, file)).isEqualTo(info);
            assertThat(ask(server, 200, "GET", "/policies", JSON, null))
                    .isEqualTo(Map.of("policies", List.of(info), "unreadable", List.of()));
        }
        // What was put there is there again, also beside a file that is damaged.
        Path policies = DataFolder.policies(folder.resolve("data"));
        byte[] damaged = file.clone();
        damaged[damaged.length - 1] ^= 1;
        Files.write(policies.resolve("broken.safetensors"), damaged);
        try (KoopServer server = start()) {
            assertThat(server.policies().names()).containsExactly("swing");
            assertThat(ask(server, 200, "GET", "/policies", JSON, null)).containsEntry("unreadable", List.of("broken"));
            isError(ask(server, 404, "GET", "/policies/broken", JSON, null), "UNKNOWN_POLICY", "cannot be read");
            new DataFolder(Storage.DISK, folder.resolve("data")).copyTo(folder.resolve("copy"));
            assertThat(DataFolder.policies(folder.resolve("copy")).resolve("swing.safetensors"))
                    .hasBinaryContent(file);
            ask(server, 204, "DELETE", "/policies/swing", JSON, null);
            ask(server, 204, "DELETE", "/policies/broken", JSON, null);
            isError(decide(server, 404, "", "{\"points\":[[1,0,0]]}"), "UNKNOWN_POLICY", "swing");
            assertThat(Storage.DISK.list(policies)).isEmpty();
        }
    }

    @Test
    void aHorizonFollowsTheReferenceOfTheRequestAndGoesOnFromItsPlan() throws Exception {
        Pendulum pendulum = new Pendulum();
        Transitions data = Episodes.collect(pendulum, Policy.uniform(pendulum.actionSpace(), 1), 400, 1);
        DynamicsLearner learner = new DynamicsLearner(DynamicsConfig.guess(data, pendulum.actionSpace(), 0.05, 100));
        learner.update(data);
        double none = Double.POSITIVE_INFINITY;
        Horizon horizon = new Horizon(
                8,
                1,
                List.of(0.0, 0.0, 1.0),
                1,
                List.of(0.01),
                new Box(List.of(-none, -none, -8.0), List.of(none, none, none)),
                pendulum.actionSpace());
        LearnedPolicy tracking = LearnedPolicy.track(policy.task(), learner, horizon, List.of(-1.0, 0.0, 0.0));
        Path written = folder.resolve("track.safetensors");
        PolicyFile.write(written, tracking);
        try (KoopServer server = start()) {
            Map<String, Object> info = ask(server, 201, "PUT", "/policies/swing", PACKED, Files.readAllBytes(written));
            assertThat(info).containsEntry("tracks", true);
            Decision here = tracking.decide(new double[] {-1, 0, 0}).get(0);
            Map<String, Object> answer = decide(server, 200, "", "{\"points\":[[-1,0,0]]}");
            assertThat(answer)
                    .containsEntry("actions", List.of(here.action()))
                    .containsEntry("plans", List.of(here.plan()));
            // Wanted is a speed of 2 in either direction.
            double[] pushes = new double[2];
            for (int i = 0; i < 2; i++) {
                String reference = "\"reference\":[[-1,0," + (i == 0 ? 2 : -2) + "]]";
                Map<String, Object> there = decide(server, 200, "", "{\"points\":[[-1,0,0]]," + reference + "}");
                pushes[i] = (Double) ((List<?>) ((List<?>) there.get("actions")).get(0)).get(0);
                String next = "{\"points\":[[-1,0,0.1]]," + reference + ",\"plans\":" + there.get("plans") + "}";
                assertThat((List<?>) decide(server, 200, "", next).get("actions"))
                        .hasSize(1);
            }
            assertThat(pushes[0]).isGreaterThan(1);
            assertThat(pushes[1]).isLessThan(-1);
            isError(
                    decide(server, 422, "", "{\"points\":[[-1,0,0]],\"plans\":[[[0]]]}"),
                    "BAD_QUERY",
                    "8 rows of 1 finite numbers");
            isError(
                    decide(server, 422, "", "{\"points\":[[-1,0,0]],\"reference\":[[1,0]]}"),
                    "BAD_QUERY",
                    "reference[0]",
                    "expected 3");
            ask(server, 200, "PUT", "/policies/swing", PACKED, file);
            isError(
                    decide(server, 422, "", "{\"points\":[[-1,0,0]],\"reference\":[[1,0,0]]}"),
                    "BAD_QUERY",
                    "takes no reference");
        }
    }

    @Test
    void whatIsHardlyKnownIsSaidInsteadOfAnAction() throws Exception {
        try (KoopServer server = start()) {
            ask(server, 201, "PUT", "/policies/swing", PACKED, file);
            String far = "{\"points\":[[1,0,0],[1,0,900]]}";
            Map<String, Object> answer = decide(server, 200, "", far);
            assertThat(((List<?>) answer.get("actions")).get(1)).isEqualTo(Arrays.asList((Object) null));
            assertThat(((List<?>) answer.get("values")).get(1)).isNull();
            assertThat((Double) ((List<?>) answer.get("known")).get(1)).isLessThan(1e-6);
            assertThat(((List<?>) answer.get("actions")).get(0)).isNotEqualTo(Arrays.asList((Object) null));
            assertThat((List<?>) decide(server, 200, "?anyway=true", far).get("actions"))
                    .noneMatch(Arrays.asList((Object) null)::equals);
        }
    }

    @Test
    void wrongQuestionsAndFilesAreRefusedInWords() throws Exception {
        try (KoopServer server = start()) {
            ask(server, 201, "PUT", "/policies/swing", PACKED, file);
            isError(decide(server, 422, "", "{\"points\":[[1,0]]}"), "BAD_QUERY", "has 2 coordinates", "expected 3");
            isError(decide(server, 422, "", "{\"points\":[[1,0,NaN]]}"), "BAD_QUERY", "points[0]", "coordinate 2");
            isError(decide(server, 422, "", "{\"points\":[]}"), "BAD_QUERY", "points");
            isError(decide(server, 400, "", "{\"states\":[[1,0,0]]}"), "BAD_REQUEST", "states", "points");
            isError(decide(server, 422, "?x=1", "{\"points\":[[1,0,0]]}"), "BAD_QUERY", "unknown parameter");
            byte[] cut = Arrays.copyOf(file, file.length - 8);
            isError(ask(server, 422, "PUT", "/policies/swing", PACKED, cut), "BAD_POLICY", "expected");
            isError(ask(server, 422, "PUT", "/policies/swing", PACKED, new byte[0]), "BAD_POLICY", "0 bytes");
            isError(ask(server, 415, "PUT", "/policies/swing", JSON, file), "UNSUPPORTED_TYPE", PACKED);
            isError(ask(server, 400, "PUT", "/policies/Swing", PACKED, file), "BAD_NAME", "policy name 'Swing'");
            // Nothing of this touched what was there.
            decide(server, 200, "", "{\"points\":[[1,0,0]]}");
            assertThat(server.policies().names()).isEqualTo(Set.of("swing"));
        }
    }

    @Test
    void aSmallFileThatWouldTakeAllMemoryIsRefusedBeforeItDoes() throws Exception {
        // 200,000 support points in 5 MB would need a Gram matrix of 320 GB.
        Map<String, double[][]> matrices = new java.util.LinkedHashMap<>(policy.matrices());
        matrices.put("outputs", new double[200_000][3]);
        matrices.put("values", new double[200_000][1]);
        Path hostile = folder.resolve("hostile.safetensors");
        new io.koopstream.io.TensorFile(policy.texts(), matrices).write(hostile, "koopstream-policy");
        try (KoopServer server = start()) {
            isError(
                    ask(server, 413, "PUT", "/policies/hostile", PACKED, Files.readAllBytes(hostile)),
                    "TOO_LARGE",
                    "MiB",
                    "--max-dictionary");
            long used = server.models().memory().used();
            ask(server, 201, "PUT", "/policies/swing", PACKED, file);
            assertThat(server.models().memory().used()).isGreaterThan(used);
            ask(server, 204, "DELETE", "/policies/swing", JSON, null);
            assertThat(server.models().memory().used()).isEqualTo(used);
        }
    }
}
