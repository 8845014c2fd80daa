package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.SogdState;
import io.koopstream.testkit.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model is worth nothing to others if only this library reads it: thirty lines of Python do, too. */
class PythonReadsModelTest {

    @TempDir
    private Path directory;

    /** What a program prints, or why it printed nothing. */
    private String run(String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process;
        try {
            process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            return "cannot be started: " + e.getMessage();
        }
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return "took more than a minute";
        }
        return Files.readString(output, StandardCharsets.UTF_8).strip();
    }

    @Test
    void numpySeesTheGramMatrixAndTheCoefficients() throws IOException, InterruptedException {
        Programs.requirePython();

        SogdState state = ModelStates.ofUnequalSides();
        Path model = directory.resolve("model.safetensors");
        ModelFile.write(model, state);
        Path script = directory.resolve("read_model.py");
        try (InputStream stream = PythonReadsModelTest.class.getResourceAsStream("/read_model.py")) {
            Files.copy(stream, script);
        }
        double[][] w = SogdLearner.resumeTransition(state).snapshot().coefficients();
        ByteBuffer bytes = ByteBuffer.allocate(8 * w.length * w[0].length).order(ByteOrder.LITTLE_ENDIAN);
        for (double[] row : w) {
            for (double entry : row) {
                bytes.putDouble(entry);
            }
        }
        Path coefficients = directory.resolve("w.f64");
        Files.write(coefficients, bytes.array());
        assertThat(run("python3", script.toString(), model.toString(), coefficients.toString()))
                .isEqualTo("ok " + w.length + " " + w[0].length);
    }
}
