package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of the Python estimator, scikit-learn's own checks among them, and installs its wheel, as a Python user would. */
@Needs(Program.PYTHON)
class PythonKoopmanTest {

    private static final Path CLIENT = Path.of("..", "clients", "python").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    @Needs(Program.SKLEARN)
    void theEstimatorDoesWhatScikitLearnPandasAndPeopleExpect() throws Exception {
        String python = Program.SKLEARN.command();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String said = run(
                CLIENT,
                Map.of("PYTHONPATH", "src", "KOOPSTREAM_JARS", classPath),
                List.of(python, "-m", "unittest", "-v", "tests.test_koopman"));
        assertThat(said).contains("\nOK").doesNotContain("skipped");
    }

    @Test
    void anyEnvironmentIsRecordedLearnedAndControlled() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String said = run(
                CLIENT,
                Map.of("PYTHONPATH", "src", "KOOPSTREAM_JARS", classPath),
                List.of(Program.PYTHON.command(), "-m", "unittest", "-v", "tests.test_control"));
        assertThat(said).contains("\nOK").doesNotContain("skipped");
    }

    @Test
    void theWheelHoldsThePackageAndTheJars() throws Exception {
        Path jars = Files.createDirectory(folder.resolve("jars"));
        Files.writeString(jars.resolve("koopstream-cli.jar"), "as good as a jar");
        Map<String, String> environment = Map.of("KOOPSTREAM_JARS", jars.toString());
        List<String> build = List.of(
                Program.PYTHON.command(),
                CLIENT.resolve("backend").resolve("koopstream_wheel.py").toString(),
                "one");
        String name = run(folder, environment, build).strip();
        Path wheel = folder.resolve("one").resolve(name);
        byte[] first = Files.readAllBytes(wheel);
        run(folder, environment, build);
        assertThat(Files.readAllBytes(wheel)).isEqualTo(first);
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            assertThat(zip.stream().map(Object::toString))
                    .contains("koopstream/koopman.py", "koopstream/jars/koopstream-cli.jar", "koopstream/py.typed");
        }
        assertThat(run(
                        folder,
                        Map.of("PYTHONPATH", wheel.toString()),
                        List.of(Program.PYTHON.command(), "-c", "import koopstream; print(koopstream.__file__)")))
                .contains(name);
    }

    private String run(Path where, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(20, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }
}
