package io.koopstream.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of the Python client as a Python user would: the model files against the library, the client against a server. */
@Needs(Program.PYTHON)
class PythonClientTest {

    private static final Path CLIENT = Path.of("..", "clients", "python");

    @TempDir
    private Path folder;

    @Test
    void modelFilesGiveTheSameAnswersInPython() throws Exception {
        PythonFixtures.write(folder);
        assertThat(unittest("test_model", Map.of("KOOPSTREAM_FIXTURES", folder.toString())))
                .contains("OK")
                .doesNotContain("skipped");
    }

    @Test
    void theClientWorksAgainstARealServer() throws Exception {
        try (KoopServer server =
                KoopServer.start(ServerConfig.in(folder.resolve("models")).withPort(0))) {
            assertThat(unittest("test_client", Map.of("KOOPSTREAM_URL", server.pageUrl())))
                    .contains("OK")
                    .doesNotContain("skipped");
        }
    }

    private String unittest(String module, Map<String, String> environment) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Program.PYTHON.command(), "-m", "unittest", "-v", "tests." + module));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(CLIENT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PYTHONPATH", "src");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(20, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }
}
