package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.Observation;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;
import io.koopstream.stream.LearningStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions as SQL calls them, compared with the model asked directly. */
class SqlFunctionsTest {

    @TempDir
    static Path folder;

    private static LearnerState state;
    private static String model;
    private static TableEnvironment tables;

    @BeforeAll
    static void learn() {
        LearningStream stream = LearningStream.of(Streams.words("kernel", "gaussian(0.5)"), 2);
        for (long n = 0; n < 1500; n++) {
            SampleEvent event = Streams.event(n, 1);
            stream.accept(Observation.of(event.trajectory, event.state));
        }
        state = stream.learner().orElseThrow().state();
        Path file = folder.resolve("model.safetensors");
        ModelFile.write(file, state);
        model = file.toUri().toString();
        tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        tables.executeSql("CREATE FUNCTION KOOP_FORECAST AS 'io.koopstream.flink.sql.KoopForecast'");
        tables.executeSql("CREATE FUNCTION KOOP_SCORE AS 'io.koopstream.flink.sql.KoopScore'");
    }

    private static List<Row> rows(String query) throws Exception {
        List<Row> rows = new ArrayList<>();
        CloseableIterator<Row> all = tables.executeSql(query).collect();
        try {
            all.forEachRemaining(rows::add);
        } finally {
            all.close();
        }
        return rows;
    }

    private static String array(double[] x) {
        return "ARRAY[CAST(" + x[0] + " AS DOUBLE), CAST(" + x[1] + " AS DOUBLE)]";
    }

    @Test
    void forecastsAreRowsWithBands() throws Exception {
        double[] start = Streams.state(0, 3, 10);
        List<Row> rows = rows("SELECT w.name, f.* FROM (VALUES ('a', " + array(start)
                + "), ('b', ARRAY[CAST(NULL AS DOUBLE), 1.0E0]), ('c', ARRAY[1.0E6, 1.0E6])) AS w(name, x),"
                + " LATERAL TABLE(KOOP_FORECAST('" + model + "', 3, w.x)) AS f");
        Forecast direct = Forecaster.of(state, DelayLayout.none(2)).forecast(start, ForecastRequest.of(3));
        // A state with an unknown number, and one that the model does not know, have no forecast.
        assertThat(rows).hasSize(3);
        for (int step = 1; step <= 3; step++) {
            Row row = rows.get(step - 1);
            double[] mean = direct.mean(step);
            assertThat(row.getField("name")).isEqualTo("a");
            assertThat(row.getField("step")).isEqualTo(step);
            assertThat((Double[]) row.getField("expected")).containsExactly(mean[0], mean[1]);
            assertThat((Double[]) row.getField("low"))
                    .containsExactly(direct.quantile(step, 0, 0.05), direct.quantile(step, 1, 0.05));
            assertThat((Double[]) row.getField("high"))
                    .containsExactly(direct.quantile(step, 0, 0.95), direct.quantile(step, 1, 0.95));
            assertThat(row.getField("known")).isEqualTo(direct.known(step));
        }
    }

    @Test
    void scoresAreFunctionsOfTheirArguments() throws Exception {
        double[] x = Streams.state(0, 3, 10);
        double[] usual = Streams.state(0, 3, 11);
        double[] odd = {x[0] + 3, x[1] - 3};
        List<Row> rows = rows("SELECT name, s.score, s.p, s.known FROM (SELECT name, KOOP_SCORE('" + model
                + "', x, y) AS s FROM (VALUES ('odd', " + array(x) + ", " + array(odd) + "), ('usual', " + array(x)
                + ", "
                + array(usual) + "), ('odd', " + array(x) + ", " + array(odd)
                + "), ('none', CAST(NULL AS ARRAY<DOUBLE>), "
                + array(x) + ")) AS w(name, x, y))");
        Score direct = Scorer.of(state, 2, 1e-4).score(null, x, usual);
        Score unusual = Scorer.of(state, 2, 1e-4).score(null, x, odd);
        assertThat(unusual.p()).isLessThan(0.03).isLessThan(direct.p());
        assertThat(rows)
                .containsExactlyInAnyOrder(
                        row("odd", unusual),
                        row("odd", unusual),
                        row("usual", direct),
                        Row.of("none", null, null, null));
    }

    private static Row row(String name, Score score) {
        return Row.of(name, -StrictMath.log10(score.p()) / 10, score.p(), score.known());
    }

    @Test
    void wrongQueriesSayWhatIsWrong() throws IOException {
        assertThatThrownBy(() -> rows("SELECT KOOP_SCORE('" + model + "', ARRAY[1.0E0], ARRAY[1.0E0])"))
                .hasStackTraceContaining("a state of this model has 2 numbers, 1 are given");
        Path noModel = Files.writeString(folder.resolve("no-model"), "text");
        assertThatThrownBy(() -> rows("SELECT KOOP_SCORE('" + noModel.toUri() + "', ARRAY[1.0E0], ARRAY[1.0E0])"))
                .hasStackTraceContaining("ModelFormatException");
    }

    /** It may come later; a query that runs for months must not end for it. */
    @Test
    void aModelThatIsMissingHasNoAnswer() throws Exception {
        String none = folder.resolve("none").toUri().toString();
        assertThat(rows("SELECT KOOP_SCORE('" + none + "', ARRAY[1.0E0], ARRAY[1.0E0])"))
                .containsExactly(Row.of((Object) null));
        assertThat(rows("SELECT f.* FROM (VALUES (1)) AS w(n), LATERAL TABLE(KOOP_FORECAST('" + none
                        + "', 3, ARRAY[1.0E0])) AS f"))
                .isEmpty();
    }
}
