package io.koopstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root finds its build from any folder and through symbolic links, and starts Java from an archive where it can. */
@Timeout(1800)
class KoopScriptTest {

    @TempDir
    Path folder;

    @Test
    @Needs(Program.BASH)
    void runsFromElsewhereThroughALink() throws IOException, InterruptedException {
        assumeTrue(
                Files.isDirectory(Repository.root().resolve("koopstream-cli/target/lib")),
                "skipped: the command is not packaged in this build");
        Path link =
                Files.createSymbolicLink(folder.resolve("k"), Repository.root().resolve("koop"));

        assertThat(run(0, link.toString(), "--version")).startsWith("koop ");
        assertThat(run(2, link.toString())).isEmpty();
        assertThat(run(4, link.toString(), "info", "none")).isEmpty();
    }

    /** Java says nothing about a method that does not exist: after a renaming the flag would do nothing. */
    @Test
    void theMethodsThatStayCallsExist() throws IOException {
        Path options = Repository.root().resolve("koopstream-cli/src/main/resources/io/koopstream/cli/java.options");
        String prefix = "-XX:CompileCommand=dontinline,io.koopstream.";
        List<String> names = Files.readAllLines(options).stream()
                .filter(line -> line.startsWith(prefix) && !line.contains("*"))
                .map(line -> line.substring(prefix.length()))
                .toList();
        assertThat(names).hasSizeGreaterThan(10);
        for (String name : names) {
            String[] parts = name.split("::", 2);
            String file = "src/main/java/io/koopstream/" + parts[0].replace('.', '/') + ".java";
            Path core = Repository.root().resolve("koopstream-core").resolve(file);
            Path source = Files.exists(core)
                    ? core
                    : Repository.root().resolve("koopstream-stream").resolve(file);
            assertThat(Files.readString(source)).as(name).contains(" " + parts[1] + "(");
        }
    }

    /** Two first uses at once, then a use of what they made, then one of what is left after it was damaged. */
    @Test
    @Needs(Program.BASH)
    void startsFromAnArchiveAndWithoutIt() throws IOException, InterruptedException {
        Path koop = installation();
        Process one = start(koop, "", "--version");
        Process two = start(koop, "", "info", "none");
        assertThat(text(one.getInputStream())).startsWith("koop ");
        assertThat(text(one.getErrorStream())).isEmpty();
        assertThat(text(two.getErrorStream()))
                .startsWith("koop: cannot read model file none")
                .hasLineCount(1);
        assertThat(one.waitFor()).isZero();
        assertThat(two.waitFor()).isEqualTo(4);

        Path start = folder.resolve("koopstream-cli/target/start");
        List<Path> archives = endingIn(start, ".jsa");
        assertThat(archives).hasSize(1);
        assertThat(endingIn(start, "")).as("nothing else is left behind").hasSizeLessThanOrEqualTo(3);
        assumeTrue(Files.size(archives.get(0)) > 0, "skipped: this Java makes no archives");
        assertThat(sourceOfCommandLine(koop, "--help")).contains("shared objects file");
        assertThat(sourceOfCommandLine(koop, "simulate", "ou", "-o", "ou.npy")).contains("shared objects file");

        FileTime made = Files.getLastModifiedTime(archives.get(0));
        Files.delete(archives.get(0));
        Files.write(archives.get(0), new byte[100_000]);
        assertThat(sourceOfCommandLine(koop, "--help")).contains("picocli");

        // Not from these jars: made again.
        Files.setLastModifiedTime(archives.get(0), FileTime.fromMillis(0));
        assertThat(sourceOfCommandLine(koop, "--help")).contains("shared objects file");
        assertThat(Files.getLastModifiedTime(archives.get(0))).isGreaterThan(made);
    }

    @Test
    @Needs(Program.BASH)
    void startsWhereNothingCanBeWritten() throws IOException, InterruptedException {
        Path koop = installation();
        // Not a folder, which stops the superuser too.
        Files.createFile(folder.resolve("koopstream-cli/target/start"));
        Process process = start(koop, "", "--version");
        assertThat(text(process.getInputStream())).startsWith("koop ");
        assertThat(text(process.getErrorStream())).isEmpty();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    @Needs(Program.BASH)
    void aSignalReachesTheCommand() throws IOException, InterruptedException {
        Path koop = installation();
        Files.createFile(folder.resolve("koopstream-cli/target/start"));
        Process process =
                start(koop, "", "learn", "-", "-o", "m.safetensors", "--kernel", "gaussian(1)", "--every", "100");
        try (Writer in = process.outputWriter(StandardCharsets.UTF_8);
                BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            in.write("x\n");
            for (int i = 0; i < 251; i++) {
                in.write(Math.sin(0.1 * i) + "\n");
            }
            in.flush();
            StringBuilder said = new StringBuilder();
            for (String line = err.readLine(); line != null; line = err.readLine()) {
                said.append(line).append('\n');
                if (line.startsWith("200 samples saved")) {
                    new ProcessBuilder("kill", "-TERM", Long.toString(process.pid()))
                            .start()
                            .waitFor();
                }
            }
            assertThat(said).contains("interrupted; ").doesNotContain("WARNING");
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor()).isEqualTo(143);
        assertThat(folder.resolve("m.safetensors")).isNotEmptyFile();
    }

    /** The script with the packaged command of this build, in a folder of its own. */
    private Path installation() throws IOException {
        Path packaged = Repository.root().resolve("koopstream-cli/target");
        assumeTrue(Files.isDirectory(packaged.resolve("lib")), "skipped: the command is not packaged in this build");
        Path target = Files.createDirectories(folder.resolve("koopstream-cli/target"));
        Files.createSymbolicLink(target.resolve("lib"), packaged.resolve("lib"));
        for (Path jar : endingIn(packaged, ".jar")) {
            Files.copy(jar, target.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
        return Files.copy(
                Repository.root().resolve("koop"), folder.resolve("koop"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static List<Path> endingIn(Path where, String ending) throws IOException {
        try (Stream<Path> files = Files.list(where)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    /** Runs the command, which must say nothing it would not say otherwise, and returns where Java says it took a class of picocli from. */
    private String sourceOfCommandLine(Path koop, String... words) throws IOException, InterruptedException {
        Path log = folder.resolve("classes.txt");
        Process process = start(koop, "-Xlog:class+load:file=classes.txt", words);
        assertThat(text(process.getInputStream())).doesNotContain("[warning]").doesNotContain("[error]");
        assertThat(text(process.getErrorStream()))
                .doesNotContainIgnoringCase("warning")
                .doesNotContain("archive");
        assertThat(process.waitFor()).isZero();
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains(" picocli.CommandLine source: "))
                .map(line -> line.replaceAll(".* source: ", ""))
                .findFirst()
                .orElseThrow();
    }

    private Process start(Path koop, String javaOptions, String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(koop.toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("KOOP_JAVA_OPTIONS", javaOptions);
        return builder.start();
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    private String run(int expected, String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(words))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(expected);
        return out;
    }
}
