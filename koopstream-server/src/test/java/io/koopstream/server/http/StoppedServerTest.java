package io.koopstream.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.Storage;
import io.koopstream.server.KoopServer;
import io.koopstream.server.ServerConfig;
import io.koopstream.server.engine.EngineConfig;
import io.koopstream.server.engine.LiveModels;
import io.koopstream.server.engine.ModelSettings;
import io.koopstream.server.http.guard.AccessToken;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM for a server as a process of its own, while many read and one floods it: it ends soon, and everything acknowledged is in its folder. A proof
 * only, because it judges time: {@code lab/run durability}.
 */
@EnabledIfSystemProperty(named = "koopstream.serverStops", matches = "[1-9][0-9]*")
class StoppedServerTest {

    private static final int STOPS = Integer.getInteger("koopstream.serverStops", 0);
    private static final long MAX_MILLIS = Long.getLong("koopstream.serverStopMillis", 5_000);

    private static final int READERS = 32;
    private static final int BATCH = 2_000;

    @TempDir
    private Path folder;

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();

    /** The server; ends by a signal. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) {
            KoopServer server = KoopServer.start(
                    ServerConfig.in(Path.of(args[0])).withPort(0).withToken(AccessToken.of(RunningServer.TOKEN)));
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            if (server.models().find("m").isEmpty()) {
                server.models().create("m", ModelSettings.of(Map.of("kernel", "gaussian(1)", "dt", "0.1")));
            }
            System.out.println(server.port());
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Sends the same again and again until the server is gone, and counts what is answered with 200. */
    private static Thread sending(int port, String method, String path, String body, int each, AtomicLong count) {
        byte[] request = (method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAuthorization: Bearer "
                        + RunningServer.TOKEN + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
        Thread thread = new Thread(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                BufferedInputStream in = new BufferedInputStream(socket.getInputStream());
                while (true) {
                    socket.getOutputStream().write(request);
                    if (RunningServer.read(in).status() == 200) {
                        count.addAndGet(each);
                    }
                }
            } catch (IOException e) {
                // It is gone, as it was asked to.
            }
        });
        thread.start();
        return thread;
    }

    private static String pairs() {
        SplittableRandom random = new SplittableRandom(1);
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            double x = 4 * random.nextDouble() - 2;
            double y = 4 * random.nextDouble() - 2;
            pairs.add("[[" + x + "," + y + "],[" + 0.9 * x + "," + (0.8 * y + 0.1 * x) + "]]");
        }
        return "{\"pairs\":[" + String.join(",", pairs) + "]}";
    }

    private long millisToStop() throws Exception {
        Process process = start();
        List<Thread> threads = new ArrayList<>();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            int port = Integer.parseInt(said.readLine());
            long before = acknowledged.get();
            threads.add(sending(port, "POST", "/models/m/samples", pairs(), BATCH, acknowledged));
            for (int r = 0; r < READERS; r++) {
                threads.add(sending(port, "GET", "/models/m/spectrum?k=4", "", 1, answers));
            }
            while (acknowledged.get() < before + 10L * BATCH && process.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            long start = System.nanoTime();
            process.destroy();
            process.waitFor();
            long millis = (System.nanoTime() - start) / 1_000_000;
            for (Thread thread : threads) {
                thread.join();
            }
            return millis;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void endsSoonAndLosesNothing() throws Exception {
        long longest = 0;
        for (int i = 0; i < STOPS; i++) {
            long millis = millisToStop();
            System.out.println("server " + (i + 1) + " of " + STOPS + " ended in " + millis + " ms; " + acknowledged
                    + " samples acknowledged so far, " + answers + " answers");
            longest = Math.max(longest, millis);
            try (LiveModels models =
                    LiveModels.open(folder, EngineConfig.defaults(), Storage.DISK, Clock.systemUTC())) {
                assertThat(models.damaged()).isEmpty();
                assertThat(models.require("m").view().received()).isGreaterThanOrEqualTo(acknowledged.get());
            }
        }
        System.out.println("SIGTERM for " + STOPS + " servers with " + READERS + " readers and a flood: ended within "
                + longest + " ms; " + acknowledged + " samples acknowledged, none lost; " + answers + " answers");
        assertThat(answers.get()).isPositive();
        assertThat(longest).isLessThanOrEqualTo(MAX_MILLIS);
    }
}
