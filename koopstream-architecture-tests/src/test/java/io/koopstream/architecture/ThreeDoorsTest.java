package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.answers.ScoreRow;
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
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.feed.FeedTarget;
import io.koopstream.server.feed.FileTail;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
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
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One awkward file through the command, the server and Flink's model: one model and the same scores, bit for bit. */
class ThreeDoorsTest {

    private static final int ROWS = 1500;

    @TempDir
    private Path folder;

    static List<Map<String, String>> words() {
        return List.of(
                Map.of("kernel", "gaussian(0.7)", "epsilon", "0.2"),
                Map.of("kernel", "gaussian(1.5)", "delays", "2", "driftDiscount", "0.1"),
                Map.of("method", "sogd", "kernel", "gaussian(0.7)"),
                Map.of(
                        "method",
                        "sogd",
                        "kernel",
                        "gaussian(0.7)",
                        "budget",
                        "proportional(0.3)",
                        "criterion",
                        "paper"),
                Map.of("warmUp", "400"),
                Map.of("warmUp", "400", "scores", "true", "onDrift", "ignore"),
                Map.of("kernel", "gaussian(0.7)", "scores", "true", "robust", "true"));
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
        Map<Long, String> scores = new TreeMap<>();
        LearningStreamState flink = flink(file, words, scores);
        // Streams in Flink keep no record of forecasts (decision 0061); everything else is the same bit for bit.
        assertThat(flink.record()).isNull();
        assertThat(StreamFile.digest(flink))
                .isEqualTo(StreamFile.digest(
                        LearningStream.resume(command).withoutRecord().state()));
        assertThat(command.counts().unreadable()).isPositive();
        assertThat(command.trajectories().gaps()).isPositive();
        assertThat(command.trajectories().late()).isPositive();
        assertThat(command.trajectories().duplicates()).isPositive();
        ModelView server = server(file, words, command.counts().observations());
        assertThat(server.state().orElseThrow().digest())
                .isEqualTo(command.learner().digest());
        if (words.containsKey("scores")) {
            Map<Long, String> sheet = sheet();
            assertThat(scores).hasSizeGreaterThan(1_000);
            assertThat(sheet).hasSizeGreaterThan(scores.size()).containsAllEntriesOf(scores);
            sheet.keySet().removeAll(scores.keySet());
            // Without how well the state is known there was nothing to score.
            assertThat(sheet.values()).allMatch(line -> line.split(",", 6)[4].isEmpty());
            assertThat(server.scores().orElseThrow().rows().stream().map(row -> columns(row)))
                    .containsExactlyElementsOf(scores.values());
        }
    }

    /** The lines of the command's sheet by row. */
    private Map<Long, String> sheet() throws IOException {
        Map<Long, String> lines = new TreeMap<>();
        for (String line : Files.readAllLines(folder.resolve("scores.csv"))) {
            if (!line.startsWith("row")) {
                lines.put(Long.parseLong(line.substring(0, line.indexOf(','))), line);
            }
        }
        return lines;
    }

    /** A scored row of the server as the command writes it. */
    private static String columns(ScoreRow row) {
        return line(
                row.row(),
                row.score(),
                row.p(),
                row.known(),
                row.alarm(),
                row.value(),
                row.predicted(),
                row.low(),
                row.high());
    }

    private static String line(
            long row, double score, double p, double known, int alarm, double[] value, double[]... band) {
        StringBuilder text =
                new StringBuilder(row + ",," + cell(score) + "," + cell(p) + "," + cell(known) + "," + alarm);
        for (int c = 0; c < value.length; c++) {
            text.append(',').append(value[c]);
            for (double[] part : band) {
                text.append(',').append(part == null ? "" : cell(part[c]));
            }
        }
        return text.toString();
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "" : Double.toString(value);
    }

    private LearningStreamState command(Path file, Map<String, String> words) {
        Path model = folder.resolve("command.safetensors");
        List<String> line = new ArrayList<>(List.of("learn", file.toString(), "-o", model.toString(), "--skip-bad"));
        words.forEach((word, value) -> {
            line.add("--" + word.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
            if (word.equals("scores")) {
                line.add(folder.resolve("scores.csv").toString());
            } else if (!word.equals("robust")) {
                line.add(value);
            }
        });
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = new Console(new ByteArrayInputStream(new byte[0]), to, to, false);
        assertThat(Koop.run(console, line.toArray(String[]::new)))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        return ModelFile.load(model).stream().orElseThrow();
    }

    private ModelView server(Path file, Map<String, String> words, long rows) throws Exception {
        try (LiveModels models = LiveModels.open(
                folder.resolve("data"), EngineConfig.defaults().with(Durability.OS), Storage.DISK, Clock.systemUTC())) {
            LiveModel model = models.create("m", ModelSettings.of(words, List.of("a", "b")));
            FileTail tail =
                    FileTail.start(new FeedTarget(models, "m", ColumnOptions.NONE), file, folder.resolve("bookmarks"));
            try {
                model.viewAfter(rows).get(20, TimeUnit.MINUTES);
                assertThat(model.view().facts().rows().rows()).isEqualTo(rows);
                return model.view();
            } finally {
                tail.close();
            }
        }
    }

    private static LearningStreamState flink(Path file, Map<String, String> words, Map<Long, String> scores)
            throws IOException {
        KoopmanModel model = KoopmanModel.start(LearnSettings.of(StreamConfig.parse(words), 2)
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
                    model.accept("k", event, true)
                            .scores()
                            .forEach(one -> scores.put(
                                    one.row,
                                    line(
                                            one.row,
                                            one.score,
                                            one.p,
                                            one.known,
                                            one.alarm,
                                            one.value,
                                            one.predicted,
                                            one.low,
                                            one.high)));
                }
            }
        }
        return model.stream();
    }
}
