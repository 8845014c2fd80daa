package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.testkit.Await;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code koop serve} as a process: it says where it is, serves, ends on SIGTERM with everything saved, and refuses what is not safe. */
@Timeout(1800)
class ServeCommandTest {

    private static final Pattern PAGE =
            Pattern.compile("Page: +(http://127\\.0\\.0\\.1:\\d+)/(\\?token=([0-9a-f]{32}))?");
    private static final Pattern RECEIVED = Pattern.compile("\"received\":(\\d+)");

    @TempDir
    Path folder;

    private Process start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Koop.class.getName(),
                "serve",
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("messages.txt").toFile())
                .start();
    }

    private String get(Matcher page, String path) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(page.group(1) + path))
                                .header("Authorization", "Bearer " + token())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String token() throws IOException {
        return Files.readString(folder.resolve("data").resolve("koopstream.token"))
                .strip();
    }

    private Matcher page(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String first = out.readLine();
        assertThat(first).as(Files.readString(folder.resolve("messages.txt"))).isNotNull();
        Matcher page = PAGE.matcher(first);
        assertThat(page.matches()).as(first).isTrue();
        return page;
    }

    private static long received(String info) {
        Matcher matcher = RECEIVED.matcher(info);
        assertThat(matcher.find()).as(info).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void servesEndsOnSigtermAndGoesOnWhereItWas() throws Exception {
        Process first = start("--demo", "fourwell", "--durability", "os");
        Matcher page = page(first);
        assertThat(get(page, "/health")).contains("ok");
        Await.until("200 samples", () -> received(get(page, "/models/demo-fourwell")) >= 200);
        long before = received(get(page, "/models/demo-fourwell"));
        first.destroy();
        assertThat(first.waitFor(20, TimeUnit.MINUTES)).isTrue();
        // 143: ended by SIGTERM, after the hook that saves.
        assertThat(first.exitValue()).isEqualTo(143);

        Process second = start();
        Matcher again = page(second);
        assertThat(received(get(again, "/models/demo-fourwell"))).isGreaterThanOrEqualTo(before);
        second.destroy();
        second.waitFor();
        // Made at the first start and kept since; never shown to whoever reads what is printed into a file.
        assertThat(page.group(3)).isNull();
        assertThat(again.group(3)).isNull();
        assertThat(Files.readString(folder.resolve("messages.txt"))).doesNotContain(token());
    }

    @Test
    void aTokenFromAFileIsNotPrinted() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef-secret\n");
        Process server = start("--token-file", secret.toString());
        Matcher page = page(server);
        assertThat(page.group(3)).isNull();
        server.toHandle().destroy();
        String rest = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(rest).doesNotContain("0123456789abcdef-secret");
        assertThat(Files.readString(folder.resolve("messages.txt"))).doesNotContain("0123456789abcdef-secret");
    }

    /** The server is a process of its own here; settings are chosen by each from the first rows. */
    @Test
    void aFollowedFileGivesTheModelOfTheCommandBitForBit() throws Exception {
        Path data = folder.resolve("wells.csv");
        assertThat(CommandRun.of("simulate", "fourwell", "--trajectories", 5, "--steps", 520, "-o", data)
                        .code())
                .isEqualTo(Exit.OK);
        Path model = folder.resolve("wells.safetensors");
        assertThat(CommandRun.of("learn", data, "-o", model).code()).isEqualTo(Exit.OK);
        Path arrays = folder.resolve("arrays");
        assertThat(CommandRun.of("export", model, "-o", arrays).code()).isEqualTo(Exit.OK);
        Process server = start("--durability", "os", "--tail", data.toString(), "--model", "wells");
        try {
            Matcher page = page(server);
            Await.until(
                    "all rows",
                    () -> get(page, "/models").contains("wells") && received(get(page, "/models/wells")) >= 5 * 521);
            HttpResponse<byte[]> exported = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(page.group(1) + "/models/wells/export"))
                                    .header("Authorization", "Bearer " + token())
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            int compared = 0;
            try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(exported.body()))) {
                for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                    if (entry.getName().endsWith(".npy")) {
                        assertThat(zip.readAllBytes())
                                .as(entry.getName())
                                .isEqualTo(Files.readAllBytes(arrays.resolve(entry.getName())));
                        compared++;
                    }
                }
            }
            assertThat(compared).isGreaterThanOrEqualTo(4);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    @Test
    void refusesToBeOpenToTheNetworkInClear() {
        CommandRun run = CommandRun.of("serve", "--host", "0.0.0.0", "--port", "0", "--data", folder.toString());
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).contains("--tls-proxy");
        CommandRun nameless =
                CommandRun.of("serve", "--host", "0.0.0.0", "--tls-proxy", "--port", "0", "--data", folder.toString());
        assertThat(nameless.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(nameless.err()).contains("--host-name");
    }

    @Test
    void saysWhatIsWrongWithItsOptions() throws IOException {
        String data = folder.resolve("data").toString();
        assertThat(CommandRun.of("serve", "--data", data, "--tail", "x.csv").code())
                .isEqualTo(Exit.WRONG_USAGE);
        assertThat(CommandRun.of("serve", "--data", data, "--model", "m").code())
                .isEqualTo(Exit.WRONG_USAGE);
        assertThat(CommandRun.of("serve", "--data", data, "--model", "m", "--listen", "udp:1")
                        .code())
                .isEqualTo(Exit.WRONG_USAGE);
        assertThat(CommandRun.of("serve", "--data", data, "--durability", "none")
                        .code())
                .isEqualTo(Exit.WRONG_USAGE);
        assertThat(CommandRun.of("serve", "--data", data, "--port", "70000").code())
                .isEqualTo(Exit.BAD_DATA);
        assertThat(CommandRun.of("serve", "--data", data, "--token-file", "none")
                        .code())
                .isEqualTo(Exit.IO_ERROR);
        Path weak = Files.writeString(folder.resolve("token"), "short");
        CommandRun run = CommandRun.of("serve", "--data", data, "--token-file", weak.toString());
        assertThat(run.code()).isEqualTo(Exit.BAD_DATA);
        assertThat(run.err()).doesNotContain("'short'").contains("16");
        assertThat(CommandRun.of("serve", "--data", data, "--port", "0", "--demo", "nothing")
                        .code())
                .isEqualTo(Exit.BAD_DATA);
    }
}
