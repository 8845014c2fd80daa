package io.koopstream.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.server.durable.Durability;
import io.koopstream.testkit.Await;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on the real disk, killed at random moments, at chosen calls, and while they recover. */
@Needs(Program.BASH)
class KilledProcessTest {

    private static final int KILLS = Integer.getInteger("koopstream.kills", 8);
    private static final int ROUNDS_OF_POINTS = Integer.getInteger("koopstream.killPoints", 0);
    private static final int STOPS = Integer.getInteger("koopstream.stops", 1);
    private static final long STOPPED_MILLIS = Long.getLong("koopstream.stoppedMillis", 300);
    /** File handles of a process that is to run out of them. */
    private static final int HANDLES = 200;

    @TempDir
    private Path directory;

    @TempDir
    private Path outside;

    private Path output;

    private final EndlessWork work = new EndlessWork();
    private long acknowledged;
    private int inRecovery;

    @BeforeEach
    void place() {
        output = outside.resolve("said");
    }

    private Process start(Path data, Durability durability, String... point) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                KilledServer.class.getName(),
                data.toString(),
                durability.name()));
        command.addAll(List.of(point));
        if (point.length == 1) {
            command.addAll(0, List.of("sh", "-c", "ulimit -n " + HANDLES + " && exec \"$@\"", "sh"));
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Reads what a process said; the last acknowledged number counts, half a line does not. */
    private void check(String what) throws IOException {
        boolean recovered = false;
        String said = Files.readString(output, StandardCharsets.UTF_8);
        List<String> lines =
                said.substring(0, said.lastIndexOf('\n') + 1).lines().toList();
        for (String line : lines) {
            String[] words = line.strip().split(" ", -1);
            if (words[0].equals("recovered")) {
                recovered = true;
                long batches = Long.parseLong(words[1]);
                assertThat(batches).as(what).isGreaterThanOrEqualTo(acknowledged);
                assertThat(words[2]).as(what + ": " + batches + " batches").isEqualTo(work.digest(batches));
            } else if (words[0].equals("acknowledged")) {
                acknowledged = Long.parseLong(words[1]);
            }
        }
        inRecovery += recovered ? 0 : 1;
    }

    /** Waits until a process has said something. */
    private void awaitRecovery(Process process) throws Exception {
        Await.until("a word of the process", () -> Files.size(output) > 0 || !process.isAlive());
    }

    private void kill(Process process, long afterMillis, String what) throws Exception {
        if (!process.waitFor(afterMillis, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        process.waitFor();
        check(what);
    }

    @Test
    void killedAtRandomMoments() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < KILLS; i++) {
            Durability durability = i % 2 == 0 ? Durability.FSYNC : Durability.OS;
            Process process = start(directory, durability);
            // Some while they start and recover, most under load.
            if (random.nextInt(4) == 0) {
                kill(process, 100 + random.nextInt(900), "kill " + i);
            } else {
                awaitRecovery(process);
                kill(process, random.nextInt(400), "kill " + i);
            }
        }
        Process last = start(directory, Durability.FSYNC);
        awaitRecovery(last);
        kill(last, 100, "after all kills");
        System.out.println("killed " + KILLS + " processes, " + inRecovery + " before they had recovered; "
                + acknowledged + " batches acknowledged, none lost");
        assertThat(acknowledged).isPositive();
        assertThat(names().filter(name -> name.endsWith(".tmp")).count()).isLessThanOrEqualTo(1);
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void killedAtChosenCalls() throws Exception {
        String[] all = {"create", "write", "sync", "rename", "syncDirectory", "delete", "close", "list", "read"};
        String[] few = {"write", "sync", "rename", "delete"};
        SplittableRandom random = new SplittableRandom(2);
        int deaths = 0;
        int rounds = Math.max(1, ROUNDS_OF_POINTS);
        for (int round = 0; round < rounds; round++) {
            for (String kind : ROUNDS_OF_POINTS == 0 ? few : all) {
                for (String side : new String[] {"before", "after"}) {
                    if (ROUNDS_OF_POINTS == 0 && side.equals("after") != kind.equals("write")) {
                        continue;
                    }
                    String call = Integer.toString(1 + random.nextInt(kind.equals("read") ? 2 : 8));
                    Process process = start(directory, Durability.FSYNC, kind, call, side);
                    String what = side + " " + kind + " " + call;
                    kill(process, TimeUnit.MINUTES.toMillis(10), what);
                    assertThat(process.exitValue()).as("died by itself " + what).isEqualTo(1);
                    deaths++;
                }
            }
        }
        Process last = start(directory, Durability.FSYNC);
        awaitRecovery(last);
        kill(last, 100, "after all deaths");
        System.out.println(
                deaths + " processes died at chosen calls; " + acknowledged + " batches acknowledged, none lost");
    }

    private static void signal(Process process, String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).as("kill -" + name).isZero();
    }

    /** Stopped for a while and woken again, a process goes on as if nothing had been, and so does the one after it. */
    @Test
    void stoppedForAWhile() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < STOPS; i++) {
            Process process = start(directory, i % 2 == 0 ? Durability.FSYNC : Durability.OS);
            awaitRecovery(process);
            process.waitFor(100 + random.nextInt(300), TimeUnit.MILLISECONDS);
            signal(process, "STOP");
            TimeUnit.MILLISECONDS.sleep(50);
            long said = Files.size(output);
            TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
            assertThat(Files.size(output))
                    .as("nothing is said while it is stopped")
                    .isEqualTo(said);
            signal(process, "CONT");
            Await.until("another word", () -> Files.size(output) > said || !process.isAlive());
            assertThat(process.isAlive()).as("it goes on").isTrue();
            kill(process, 100, "stop " + i);
        }
        Process last = start(directory, Durability.FSYNC);
        awaitRecovery(last);
        kill(last, 100, "after all stops");
        System.out.println("stopped " + STOPS + " processes for " + STOPPED_MILLIS + " ms each; " + acknowledged
                + " batches acknowledged, none lost");
    }

    /** Without a file handle left, a process goes on or refuses in words; what it acknowledged is there. */
    @Test
    void withoutFileHandles() throws Exception {
        int refused = 0;
        for (int i = 0; i < STOPS; i++) {
            Process process = start(directory, i % 2 == 0 ? Durability.FSYNC : Durability.OS, "handles");
            Await.until(
                    "handles given back, or a refusal",
                    () -> !process.isAlive()
                            || Files.readString(output, StandardCharsets.UTF_8).contains("fed "));
            kill(process, 50, "handles " + i);
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(said).contains("starved ").containsAnyOf("fed ", "refused ");
            if (said.contains("refused ")) {
                refused++;
                assertThat(said).as("an error that says what it is").contains("refused true ");
            }
        }
        Process last = start(directory, Durability.FSYNC);
        awaitRecovery(last);
        kill(last, 100, "with handles again");
        System.out.println(STOPS + " processes without file handles, " + refused + " of which refused to go on; "
                + acknowledged + " batches acknowledged, none lost");
    }

    /** Asked to stop, a process leaves everything acknowledged in its last snapshot. */
    @Test
    void askedToStop() throws Exception {
        int stops = Math.max(1, KILLS / 8);
        for (int i = 0; i < stops; i++) {
            Process process = start(directory, Durability.OS);
            awaitRecovery(process);
            process.waitFor(100 + 50 * (i % 20), TimeUnit.MILLISECONDS);
            process.destroy();
            process.waitFor();
            check("stop " + i);
            long newest = names().filter(name -> name.contains(".snapshot."))
                    .mapToLong(name -> Long.parseLong(name.substring(name.lastIndexOf('.') + 1)))
                    .max()
                    .orElse(0);
            assertThat(newest).isGreaterThanOrEqualTo(acknowledged);
        }
    }
}
