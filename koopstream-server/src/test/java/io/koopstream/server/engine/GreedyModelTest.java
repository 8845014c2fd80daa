package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.server.durable.Durability;
import io.koopstream.server.durable.FaultyStorage;
import io.koopstream.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that keeps more and more samples takes no memory from the others. */
class GreedyModelTest {

    private static final EngineConfig CONFIG =
            new EngineConfig(Durability.OS, 10_000, 1_000_000, 8, 8, 1 << 20, 1).withMemoryBytes(32 << 20);

    /** It keeps nearly every sample. */
    static final ModelSettings GREEDY = ModelSettings.of(
            Map.of("dimension", "1", "kernel", "gaussian(0.001)", "epsilon", "0.01", "delays", "0", "block", "16"));

    static final ModelSettings MODEST = ModelSettings.of(
            Map.of("dimension", "1", "kernel", "gaussian(0.5)", "epsilon", "0.3", "delays", "0", "block", "16"));

    private static void feed(LiveModel model, int from, int to) {
        double[][] states = TestStreams.doubleWell(to, 1);
        for (int i = from; i < to; i += 50) {
            model.submit(TestStreams.part(states, i, i + 50).numbered("s", i)).join();
        }
    }

    /** Feeds a model until it says that there is no memory for more. */
    static Health feedUntilItFails(LiveModel model) {
        try {
            for (int to = 500; to <= 5_000 && model.health().state() != Health.State.FAILED; to += 500) {
                feed(model, to - 500, to);
                model.viewAfter(to).join();
            }
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(ModelFailedException.class);
        }
        return model.health();
    }

    @Test
    void itAloneIsToldThatThereIsNoMore() {
        FaultyStorage storage = new FaultyStorage();
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            List<LiveModel> modest = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                modest.add(models.create("modest" + i, MODEST));
            }
            long before = models.memory().used();
            LiveModel greedy = models.create("greedy", GREEDY);
            Health health = feedUntilItFails(greedy);
            assertThat(health.state()).isEqualTo(Health.State.FAILED);
            assertThat(health.reason())
                    .contains("no memory for more", "maxDictionary", "-Xmx")
                    .doesNotContain("java.", "Exception", "OutOfMemoryError");
            // It answers from what it had learned.
            assertThat(greedy.view().learned().spectrum(4).size()).isGreaterThanOrEqualTo(4);
            assertThat(greedy.view().samples()).isPositive();
            for (LiveModel model : modest) {
                feed(model, 0, 3_000);
                model.viewAfter(3_000).join();
                assertThat(model.health()).isEqualTo(Health.RUNNING);
            }
            models.create("another", MODEST);
            assertThat(models.memory().used())
                    .isLessThanOrEqualTo(models.memory().total());
            models.delete("another");
            models.delete("greedy");
            assertThat(models.memory().used() - before)
                    .as("only what the modest ones have grown by")
                    .isLessThan(5 << 20);
        }
    }

    /** Nothing acknowledged is lost: with more memory it goes on from its log. */
    @Test
    void withMoreMemoryItGoesOn() {
        FaultyStorage storage = new FaultyStorage();
        long accepted;
        try (LiveModels models = Workload.open(storage, CONFIG)) {
            LiveModel greedy = models.create("greedy", GREEDY);
            assertThat(feedUntilItFails(greedy).state()).isEqualTo(Health.State.FAILED);
            accepted = greedy.startedWith() + greedy.counts().accepted();
            assertThat(greedy.view().received()).isLessThan(accepted);
        }
        try (LiveModels models = Workload.open(storage, CONFIG.withMemoryBytes(1L << 30))) {
            LiveModel greedy = models.require("greedy");
            assertThat(greedy.viewAfter(accepted).join().received()).isEqualTo(accepted);
            assertThat(greedy.health()).isEqualTo(Health.RUNNING);
        }
    }

    @Test
    void theCapThatARefusalAdvisesIsAccepted() {
        for (String tooMany : List.of("5000", "2000000000")) {
            try (LiveModels models = Workload.open(new FaultyStorage(), CONFIG)) {
                models.create("one", MODEST);
                assertThatThrownBy(() -> models.create("big", capped(tooMany)))
                        .isInstanceOfSatisfying(LimitException.class, e -> {
                            Matcher advice = Pattern.compile("maxDictionary ([0-9]+) or less")
                                    .matcher(e.getMessage());
                            assertThat(advice.find()).as(e.getMessage()).isTrue();
                            int most = Integer.parseInt(advice.group(1));
                            assertThatThrownBy(() -> models.create("more", capped("" + (most + 1))))
                                    .isInstanceOf(LimitException.class);
                            models.create("most", capped(advice.group(1)));
                        });
            }
        }
    }

    private static ModelSettings capped(String most) {
        return ModelSettings.of(
                Map.of("dimension", "2", "kernel", "gaussian(1)", "maxDictionary", most, "delays", "0"));
    }

    /** In a process of its own with 100 MB: the greedy one ends, five others go on, and nobody runs out of memory. */
    @Test
    void inASmallHeap(@TempDir Path place) throws Exception {
        Path said = place.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx100m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SmallHeap.class.getName(),
                        place.resolve("data").toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            Await.until("the end of the process", () -> !process.isAlive());
            assertThat(Files.readString(said, StandardCharsets.UTF_8))
                    .contains("greedy FAILED", "others true", "spectrum ")
                    .doesNotContain("OutOfMemoryError");
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
