package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.Koop;
import io.koopstream.cli.shell.Console;
import io.koopstream.flink.KoopmanModel;
import io.koopstream.flink.LearnSettings;
import io.koopstream.flink.SampleEvent;
import io.koopstream.io.ModelFile;
import io.koopstream.io.Storage;
import io.koopstream.io.StreamFile;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.learner.LearnerState;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.feed.FeedTarget;
import io.koopstream.server.feed.FileTail;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One awkward file through the command, the server and Flink's model: one model, bit for bit. */
class ThreeDoorsTest {

    private static final int ROWS = 1500;

    @TempDir
    private Path folder;

    static List<Map<String, String>> words() {
        return List.of(
                Map.of("kernel", "gaussian(0.7)", "epsilon", "0.2"),
                Map.of("kernel", "gaussian(1.5)", "delays", "2", "driftDiscount", "0.1"),
                Map.of("method", "sogd", "kernel", "gaussian(0.7)"),
                Map.of("warmUp", "400"));
    }

    /** Three trajectories in turns, with late, repeated, missing, unreadable and ragged rows. */
    private static String awkward() {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder text = new StringBuilder("trajectory,step,a,b\n");
        double[][] states = {{1, 0}, {0, 1}, {-1, 0.5}};
        int[] steps = new int[3];
        for (int row = 0; row < ROWS; row++) {
            int who = random.nextInt(3);
            double[] x = states[who];
            double turned = 0.96 * (0.88 * x[0] - 0.48 * x[1]) + random.nextDouble(-0.1, 0.1);
            x[1] = 0.96 * (0.48 * x[0] + 0.88 * x[1]) + random.nextDouble(-0.1, 0.1);
            x[0] = turned;
            int trouble = random.nextInt(60);
            steps[who] += trouble == 0 ? 3 : trouble == 1 ? 0 : 1;
            int step = trouble == 2 ? steps[who] - 5 : steps[who];
            String second = trouble == 3 ? "oops" : trouble == 4 ? "NaN" : Double.toString(x[1]);
            text.append(String.format(Locale.ROOT, "t%d,%d,%s,%s%n", who, step, x[0], second));
            if (trouble == 5) {
                text.append("t0,1\n");
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("words")
    void oneFileGivesOneModelWhoeverReadsIt(Map<String, String> words) throws Exception {
        Path file = Files.writeString(folder.resolve("awkward.csv"), awkward());
        LearningStreamState command = command(file, words);
        LearningStreamState flink = flink(file, words);
        assertThat(StreamFile.digest(flink)).isEqualTo(StreamFile.digest(command));
        assertThat(command.counts().unreadable()).isPositive();
        assertThat(command.trajectories().gaps()).isPositive();
        assertThat(command.trajectories().late()).isPositive();
        assertThat(command.trajectories().duplicates()).isPositive();
        assertThat(server(file, words, command.counts().observations()).digest())
                .isEqualTo(command.learner().digest());
    }

    private LearningStreamState command(Path file, Map<String, String> words) {
        Path model = folder.resolve("command.safetensors");
        List<String> line = new ArrayList<>(List.of("learn", file.toString(), "-o", model.toString(), "--skip-bad"));
        words.forEach((word, value) -> {
            line.add("--" + word.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
            line.add(value);
        });
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = new Console(new ByteArrayInputStream(new byte[0]), to, to, false);
        assertThat(Koop.run(console, line.toArray(String[]::new)))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        return ModelFile.load(model).stream().orElseThrow();
    }

    private LearnerState server(Path file, Map<String, String> words, long rows) throws Exception {
        try (LiveModels models = LiveModels.open(
                folder.resolve("data"), EngineConfig.defaults().with(Durability.OS), Storage.DISK, Clock.systemUTC())) {
            LiveModel model = models.create("m", ModelSettings.of(words, List.of("a", "b")));
            FileTail tail =
                    FileTail.start(new FeedTarget(models, "m", ColumnOptions.NONE), file, folder.resolve("bookmarks"));
            try {
                model.viewAfter(rows).get(120, TimeUnit.SECONDS);
                assertThat(model.view().rows().rows()).isEqualTo(rows);
                return model.view().state().orElseThrow();
            } finally {
                tail.close();
            }
        }
    }

    private static LearningStreamState flink(Path file, Map<String, String> words) throws IOException {
        KoopmanModel model = KoopmanModel.start(LearnSettings.of(StreamSettings.of(words), 2)
                .names(List.of("a", "b"))
                .build());
        try (SampleReader reader = SampleReaders.open(file)) {
            Sample sample = new Sample();
            boolean more = true;
            while (more) {
                SampleEvent event = null;
                try {
                    more = reader.read(sample);
                    if (more) {
                        event = SampleEvent.atStep(
                                "k",
                                sample.trajectory(),
                                sample.step(),
                                sample.state().clone());
                    }
                } catch (BadRowException e) {
                    event = SampleEvent.unreadable("k", e.trajectory());
                }
                if (event != null) {
                    model.accept("k", event, true);
                }
            }
        }
        return model.stream();
    }
}
