package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.learner.LearnerState;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
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
@Needs(Program.PYTHON)
class PythonReadsModelTest {

    private static final Path PACKAGE = Path.of("..", "clients", "python", "src");

    @TempDir
    private Path directory;

    @Test
    void thePythonPackageReadsAModelThatHoldsItsStream() throws IOException, InterruptedException {
        Path model = directory.resolve("model.safetensors");
        try (InputStream stream =
                PythonReadsModelTest.class.getResourceAsStream("/golden/model-v2-stream.safetensors")) {
            Files.copy(stream, model);
        }
        LearnerState state = ModelFile.read(model);
        double second =
                Spectrum.leading(state.operator().asKoopman(), 2).eigenvalue(1).re();
        String script = "import sys; sys.path.insert(0, sys.argv[1]); from koopstream import load_model; "
                + "m = load_model(sys.argv[2]); "
                + "print(m.n_samples_seen_, list(m.feature_names_in_), 'stream' in m.tensors, m.eigenvalues_[1].real)";
        String[] answer = run(Program.PYTHON.command(), "-c", script, PACKAGE.toString(), model.toString())
                .split(" ", -1);
        assertThat(answer).as(String.join(" ", answer)).hasSize(4);
        assertThat(answer[0]).isEqualTo(Long.toString(state.samples()));
        assertThat(answer[1]).isEqualTo("['population']");
        assertThat(answer[2]).isEqualTo("True");
        assertThat(Double.parseDouble(answer[3])).isCloseTo(second, within(1e-8));
    }

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

        SogdState state = ModelStates.ofUnequalSides();
        Path model = directory.resolve("model.safetensors");
        ModelFile.write(model, state);
        Path script = directory.resolve("read_model.py");
        try (InputStream stream = PythonReadsModelTest.class.getResourceAsStream("/read_model.py")) {
            Files.copy(stream, script);
        }
        double[][] w = state.resumeTransition().snapshot().coefficients();
        ByteBuffer bytes = ByteBuffer.allocate(8 * w.length * w[0].length).order(ByteOrder.LITTLE_ENDIAN);
        for (double[] row : w) {
            for (double entry : row) {
                bytes.putDouble(entry);
            }
        }
        Path coefficients = directory.resolve("w.f64");
        Files.write(coefficients, bytes.array());
        assertThat(run(Program.PYTHON.command(), script.toString(), model.toString(), coefficients.toString()))
                .isEqualTo("ok " + w.length + " " + w[0].length);
    }
}
