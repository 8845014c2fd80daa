package io.koopstream.server.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.answers.RowCounts;
import io.koopstream.io.Storage;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.rows.Observation;
import io.koopstream.server.durable.Durability;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.engine.ModelView;
import io.koopstream.stream.LearningStream;
import io.koopstream.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources beside HTTP, each with the real engine. */
@Timeout(1800)
class FeedsTest {

    @TempDir
    Path folder;

    private LiveModels open() {
        return LiveModels.open(
                folder.resolve("data"), EngineConfig.defaults().with(Durability.OS), Storage.DISK, Clock.systemUTC());
    }

    private static ModelSettings plantSettings() {
        return ModelSettings.of(Map.of("kernel", "gaussian(1)"), List.of("a"));
    }

    private static LiveModel plant(LiveModels models) {
        return models.find("plant").orElseGet(() -> models.create("plant", plantSettings()));
    }

    private FileTail tail(LiveModels models, Path file) {
        return FileTail.start(new FeedTarget(models, "plant", ColumnOptions.NONE), file, folder.resolve("bookmarks"));
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Waits until so many rows are learned, and looks a little longer whether there are more. */
    private static LiveModel after(LiveModel model, long rows) throws Exception {
        model.viewAfter(rows).get(20, TimeUnit.MINUTES);
        assertThat(model.view().received()).isEqualTo(rows);
        return model;
    }

    @Test
    void aFileThatGrowsIsLearnedRowByRowOverARestartOnceEach() throws Exception {
        Path file = folder.resolve("plant.csv");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            append(file, "a\n0.1\n0.2\n0.3\n");
            after(model, 3);
            append(file, "0.4\n0.");
            after(model, 4);
            // The rest of a row that was half written.
            append(file, "5\n");
            after(model, 5);
            assertThat(model.view().version()).as("pairs").isEqualTo(4);
            tail.close();
        }
        append(file, "0.6\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            assertThat(model.view().received()).isEqualTo(5);
            FileTail tail = tail(models, file);
            append(file, "0.7\n");
            after(model, 7);
            assertThat(model.view().version())
                    .as("pairs go on over the restart")
                    .isEqualTo(6);
            assertThat(model.counts().duplicates()).isZero();
            tail.close();
        }
    }

    @Test
    void aRotatedFileIsReadToItsEndAndTheNewOneFromItsStart() throws Exception {
        Path file = folder.resolve("plant.csv");
        append(file, "a\n1\n2\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            after(model, 2);
            Path old = folder.resolve("plant.csv.1");
            Files.move(file, old, StandardCopyOption.ATOMIC_MOVE);
            append(old, "3\n");
            append(file, "a\n10\n11\n");
            after(model, 5);
            // Pairs: 1-2, 2-3 and 10-11, none from one file to the other.
            assertThat(model.view().version()).isEqualTo(3);
            tail.close();
        }
        append(file, "12\n");
        try (LiveModels models = open()) {
            FileTail tail = tail(models, file);
            after(plant(models), 6);
            tail.close();
        }
    }

    @Test
    void aFileThatWasCutAndWrittenAnewIsReadFromItsStart() throws Exception {
        Path file = folder.resolve("plant.csv");
        append(file, "a\n1\n2\n3\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            after(model, 3);
            Files.writeString(file, "a\n4\n");
            after(model, 4);
            // As long as before, so that only its beginning tells.
            Files.writeString(file, "a\n5\n6\n7\n");
            after(model, 7);
            tail.close();
        }
    }

    @Test
    void badRowsAreCountedAndInterruptTheirTrajectory() throws Exception {
        Path file = folder.resolve("plant.csv");
        append(file, "trajectory,step,a\n1,0,1\n1,1,2\n1,2,x\n1,3,4\n1,4,5\n2,0,1\n2,2,3\n2,3,4\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            after(model, 8);
            // Pairs: (1,2) of 1, (4,5) of 1, (3,4) of 2.
            assertThat(model.view().version()).isEqualTo(3);
            assertThat(model.view().facts().rows()).isEqualTo(new RowCounts(8, 1, 0, 0, 0, 1, 0, 0));
            tail.close();
        }
    }

    /** Blank lines are rows that somebody meant to write; a value outside the kernel's domain does not stop the source. */
    @Test
    void blankLinesAndRowsThatCannotBeLearnedInterruptAndAreCounted() throws Exception {
        Path file = folder.resolve("plant.csv");
        append(file, "a\n1\n2\n\n3\n4\n1e300\n5\n6\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            after(model, 8);
            // 1-2, 3-4, 5-6.
            assertThat(model.view().version()).isEqualTo(3);
            assertThat(model.view().facts().rows()).isEqualTo(new RowCounts(8, 0, 0, 0, 1, 1, 0, 0));
            tail.close();
        }
    }

    /** Interleaved trajectories with a bad row among them and a restart anywhere make the state of a plain stream. */
    @Test
    void interleavedTrajectoriesGoOnOverARestart() throws Exception {
        List<String> lines =
                List.of("u,0.1", "v,1", "u,0.2", "w,x", "v,2", "", "u,0.3", "u,0.4", "v,3", "u,0.5", "v,4");
        Path file = folder.resolve("plant.csv");
        append(file, "trajectory,a\n");
        for (int i = 0; i < lines.size(); i++) {
            append(file, lines.get(i) + "\n");
            try (LiveModels models = open()) {
                plant(models);
                FileTail tail = tail(models, file);
                // A blank line is a row only once another one follows it.
                after(plant(models), lines.get(i).isEmpty() ? i : i + 1);
                tail.close();
            }
        }
        try (LiveModels models = open()) {
            ModelView view = plant(models).view();
            String stream = view.streams().get(0).name();
            LearningStream plain = LearningStream.of(plantSettings().stream());
            for (String line : lines) {
                String[] cells = line.split(",", 2);
                plain.accept(
                        line.isEmpty()
                                ? Observation.unreadable(null)
                                : line.equals("w,x")
                                        ? Observation.unreadable(stream + "/w")
                                        : Observation.of(stream + "/" + cells[0], Double.parseDouble(cells[1])));
            }
            assertThat(view.facts().rows()).isEqualTo(new RowCounts(11, 0, 0, 0, 0, 2, 0, 0));
            // u: 0.1-0.2, 0.3-0.4, 0.4-0.5; v: 1-2, 3-4.
            assertThat(view.version()).isEqualTo(5);
            assertThat(view.state().orElseThrow().digest())
                    .isEqualTo(plain.learner().orElseThrow().state().digest());
        }
    }

    /** Older releases gave no numbers to rows that could not be read. */
    @Test
    void aBookmarkOfAnOlderReleaseIsGoneOnWith() throws Exception {
        Path file = folder.resolve("plant.csv");
        append(file, "a\nx\n1\ny\n2\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            after(model, 4);
            tail.close();
        }
        Path bookmark;
        try (var files = Files.list(folder.resolve("bookmarks"))) {
            bookmark = files.findFirst().orElseThrow();
        }
        String[] words = Files.readString(bookmark).strip().split(" ", 3);
        // As if the two good rows had been numbers 2 and 3 of the stream.
        Files.writeString(bookmark, words[0] + " 2\n");
        append(file, "3\n");
        for (int restart = 0; restart < 2; restart++) {
            try (LiveModels models = open()) {
                FileTail tail = tail(models, file);
                after(plant(models), 5);
                assertThat(plant(models).view().recentStates()).isEqualTo(new double[][] {{1}, {2}, {3}});
                tail.close();
            }
            assertThat(Files.readString(bookmark).strip()).isEqualTo(words[0] + " 0 every-row");
        }
    }

    @Test
    void blankLinesInterrupt() throws Exception {
        Path file = folder.resolve("plant.csv");
        append(file, "a\n1\n2\n\n");
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            FileTail tail = tail(models, file);
            after(model, 2);
            append(file, "3\n4\n");
            after(model, 5);
            tail.close();
            LineListener listener = LineListener.start(new FeedTarget(models, "plant", ColumnOptions.NONE), 0);
            try (Socket json = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                send(json, "[5]\n[6]\n\n");
                after(model, 7);
                send(json, "[7]\n[8]\n");
                after(model, 10);
            }
            listener.close();
            // 1-2, 3-4, 5-6, 7-8.
            assertThat(model.view().version()).isEqualTo(4);
        }
        // Read again up to the blank line, and on from there.
        append(file, "\n5\n");
        try (LiveModels models = open()) {
            FileTail tail = tail(models, file);
            after(plant(models), 12);
            assertThat(plant(models).view().version()).isEqualTo(4);
            tail.close();
        }
    }

    @Test
    void aModelIsCreatedWithTheNamesOfTheColumns() throws Exception {
        Path file = folder.resolve("new.csv");
        append(file, "p,q,p_next,q_next\n1,2,3,4\n");
        try (LiveModels models = open()) {
            FileTail tail = FileTail.start(
                    new FeedTarget(models, "fresh", ColumnOptions.NONE), file, folder.resolve("bookmarks"));
            Await.until("the model", () -> models.find("fresh").isPresent());
            after(models.find("fresh").orElseThrow(), 1);
            assertThat(models.find("fresh").orElseThrow().settings().names()).containsExactly("p", "q");
            assertThat(models.find("fresh").orElseThrow().view().version())
                    .as("a pair")
                    .isEqualTo(1);
            tail.close();
        }
    }

    @Test
    void linesOverTcpAreLearnedAsTheyArrive() throws Exception {
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            LineListener listener = LineListener.start(new FeedTarget(models, "plant", ColumnOptions.NONE), 0);
            try (Socket csv = new Socket(InetAddress.getLoopbackAddress(), listener.port());
                    Socket json = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                send(csv, "a\n1\n2\n");
                after(model, 2);
                send(json, "{\"a\": 5}\n{\"a\": 6}\n");
                after(model, 4);
                send(csv, "3\nx\n4\n5\n");
                after(model, 8);
                // 1-2, 2-3, 4-5 of one sender, 5-6 of the other.
                assertThat(model.view().version()).isEqualTo(4);
            }
            listener.close();
        }
    }

    @Test
    void aBrowserThatWasSentToTheTcpPortIsRefused() throws Exception {
        try (LiveModels models = open()) {
            LiveModel model = plant(models);
            LineListener listener = LineListener.start(new FeedTarget(models, "plant", ColumnOptions.NONE), 0);
            try (Socket browser = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                send(browser, "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n1\n2\n3\n");
                browser.setSoTimeout(30_000);
                int end;
                try {
                    end = browser.getInputStream().read();
                } catch (java.net.SocketException e) {
                    // Reset, since it was closed with bytes unread.
                    end = -1;
                }
                assertThat(end).isEqualTo(-1);
            }
            assertThat(model.counts().received()).isZero();
            listener.close();
        }
    }

    private static void send(Socket socket, String lines) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(lines.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fourwell", "duffing", "pendulum", "lorenz"})
    void theSimulatorFeedsAModelOfItsOwn(String name) throws Exception {
        try (LiveModels models = open()) {
            SimulatorFeed feed = SimulatorFeed.start(models, name, 3_000);
            assertThat(feed.model().name()).isEqualTo("demo-" + name);
            assertThat(feed.model().viewAfter(2_500).get(20, TimeUnit.MINUTES).samples())
                    .isPositive();
            feed.close();
            assertThat(feed.model().view().settings().dt()).isPositive();
            assertThat(feed.model().view().learned().spectrum(2).eigenvalue(0).modulus())
                    .isBetween(0.9, 1.1);
        }
    }

    @Test
    void unknownDemosAndRatesAreRefused() {
        try (LiveModels models = open()) {
            assertThatThrownBy(() -> SimulatorFeed.start(models, "nothing", 10))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("fourwell");
            assertThatThrownBy(() -> SimulatorFeed.start(models, "fourwell", 0))
                    .isInstanceOf(InvalidConfigException.class);
        }
    }
}
