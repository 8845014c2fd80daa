package io.koopstream.io;

import static io.koopstream.io.samples.TravellingWaves.COLUMNS;
import static io.koopstream.io.samples.TravellingWaves.projection;
import static io.koopstream.io.samples.TravellingWaves.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernels;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Projection;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of projected rows in files. */
class ProjectedModelTest {

    private static StoredModel model() {
        Projection projection = projection(80);
        LearningStream stream = LearningStream.of(
                StreamConfig.builder()
                        .set(StreamOption.KERNEL, Kernels.linear(1, 1e4))
                        .set(StreamOption.EPSILON, 1e-6)
                        .build(),
                4);
        for (int t = 0; t < 80; t++) {
            stream.accept(Observation.at("", Double.NaN, Double.NaN, projection.coordinates(row(t))));
        }
        return StoredModel.of(
                        stream.state(),
                        stream.learner().orElseThrow().state().settled(),
                        new StateLabels(projection.names(), 0, 1))
                .projectedBy(projection);
    }

    private static StoredModel read(byte[] bytes) throws IOException {
        return ModelFile.read(new ByteArrayInputStream(bytes), bytes.length, CustomSchedules.none());
    }

    @Test
    void aFileHoldsTheProjectionBitForBit() throws IOException {
        StoredModel model = model();
        byte[] bytes = ModelFile.encode(model);
        StoredModel read = read(bytes);
        assertThat(ModelFile.encode(read)).isEqualTo(bytes);
        assertThat(read.projection().coordinates(row(100)))
                .containsExactly(model.projection().coordinates(row(100)));
        assertThat(read.projection().lift(new double[] {1, 2, 3, 4}))
                .containsExactly(model.projection().lift(new double[] {1, 2, 3, 4}));
        assertThat(read.stream()).isPresent();
        assertThat(RawModel.parse(bytes).metadata("version")).isEqualTo("4");
        assertThat(RawModel.parse(bytes).doubles("projection_basis")).hasSize(4 * COLUMNS);
    }

    @Test
    void aModelOfColumnsHasNoneAndIsOfTheSameVersionAsBefore() {
        StoredModel model = model();
        byte[] bytes = ModelFile.encode(new StoredModel(model.state(), model.labels()));
        assertThat(RawModel.parse(bytes).metadata("version")).isEqualTo("2");
        assertThat(RawModel.parse(bytes).json()).doesNotContain("projection");
    }

    @Test
    void whatMakesUpNoProjectionIsRefused() {
        byte[] bytes = ModelFile.encode(model());
        requireRefused(RawModel.parse(bytes).put("projection_energies", 1, -1.0).sealed(), Reason.BAD_STATISTICS);
        requireRefused(RawModel.parse(bytes).put("projection_basis", 0, 7.0).sealed(), Reason.BAD_STATISTICS);
        requireRefused(
                RawModel.parse(bytes).put("projection_mean", 3, Double.NaN).sealed(), Reason.NOT_FINITE);
        requireRefused(RawModel.parse(bytes).set("projection_rows", "0").sealed(), Reason.BAD_COUNT);
        requireRefused(RawModel.parse(bytes).set("projection_columns", "25").sealed(), Reason.BAD_COUNT);
        requireRefused(RawModel.parse(bytes).set("names", "a,b,c,d").sealed(), Reason.BAD_STATISTICS);
        requireRefused(RawModel.parse(bytes).set("version", "2").sealed(), Reason.UNKNOWN_SECTION);
    }

    private static void requireRefused(byte[] bytes, Reason reason) {
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOfSatisfying(
                        ModelFormatException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }

    @Test
    void otherNamesThanThoseOfTheCoordinatesAreNotWritten() {
        StoredModel model = model();
        StoredModel misnamed = new StoredModel(model.state(), StateLabels.of(List.of("a", "b", "c", "d")))
                .projectedBy(model.projection());
        assertThatThrownBy(() -> ModelFile.encode(misnamed)).isInstanceOf(ModelFormatException.class);
    }

    @Test
    void whoeverTakesColumnsRefusesIt() {
        assertThatThrownBy(() -> model().requireColumns())
                .isInstanceOf(ModelFormatException.class)
                .hasMessageContaining("4 coordinates of 24 columns");
        StoredModel plain = new StoredModel(model().state(), StateLabels.NONE);
        assertThat(plain.requireColumns()).isSameAs(plain);
    }

    @Test
    @Needs(Program.PYTHON)
    void thePythonPackageReadsIt(@TempDir Path folder) throws IOException, InterruptedException {
        StoredModel model = model();
        Path file = folder.resolve("model.safetensors");
        ModelFile.write(file, model);
        String script =
                "import sys; sys.path.insert(0, sys.argv[1]); from koopstream import load_model; import numpy as np; "
                        + "m = load_model(sys.argv[2]); x = np.arange(24.0); "
                        + "print(*m.project(x), *m.lift(m.project(x))[:2])";
        Process process = new ProcessBuilder(
                        Program.PYTHON.command(),
                        "-c",
                        script,
                        Path.of("..", "clients", "python", "src").toString(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        double[] numbers = Arrays.stream(printed.strip().split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        double[] x = new double[COLUMNS];
        Arrays.setAll(x, c -> c);
        double[] coordinates = model.projection().coordinates(x);
        for (int j = 0; j < 4; j++) {
            assertThat(numbers[j]).isCloseTo(coordinates[j], within(1e-10));
        }
        assertThat(numbers[5]).isCloseTo(model.projection().lift(coordinates)[1], within(1e-10));
    }
}
