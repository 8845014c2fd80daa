package io.koopstream.flink.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.InvalidQueryException;
import io.koopstream.io.ModelFile;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that comes, is replaced and goes while a function runs. */
class SqlModelsTest {

    @TempDir
    private Path folder;

    private static void write(Path file, int dimension) {
        LearningStream stream = LearningStream.of(StreamConfig.parse(Map.of("kernel", "gaussian(1)")), dimension);
        for (int t = 0; t < 50; t++) {
            double[] x = new double[dimension];
            x[0] = Math.sin(0.3 * t);
            stream.accept(Observation.of(null, x));
        }
        ModelFile.write(file, stream.learner().orElseThrow().state());
    }

    private static boolean takes(SqlModels.Opened model, int dimension) {
        try {
            model.requireDimension(new double[dimension]);
            return true;
        } catch (InvalidQueryException e) {
            return false;
        }
    }

    @Test
    void aModelIsWhatItsFileIs() throws Exception {
        AtomicLong clock = new AtomicLong(-5);
        SimpleCounter missing = new SimpleCounter();
        SqlModels models = new SqlModels(clock::get, missing);
        Path file = folder.resolve("model.safetensors");
        String path = file.toUri().toString();
        assertThat(models.at(path)).isNull();
        write(file, 1);
        assertThat(models.at(path)).as("not looked for with every row").isNull();
        assertThat(missing.getCount()).isEqualTo(2);

        clock.addAndGet(SqlModels.LOOK_NANOS);
        SqlModels.Opened first = models.at(path);
        assertThat(takes(first, 1)).isTrue();
        clock.addAndGet(SqlModels.LOOK_NANOS);
        assertThat(models.at(path)).as("the same file is not read again").isSameAs(first);
        write(file, 2);
        assertThat(models.at(path)).isSameAs(first);
        clock.addAndGet(SqlModels.LOOK_NANOS);
        assertThat(takes(models.at(path), 2)).as("the new file").isTrue();
        Files.delete(file);
        clock.addAndGet(SqlModels.LOOK_NANOS);
        assertThat(models.at(path)).isNull();
        assertThat(missing.getCount()).isEqualTo(3);
    }
}
