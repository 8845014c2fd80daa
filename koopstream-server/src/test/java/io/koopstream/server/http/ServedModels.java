package io.koopstream.server.http;

import io.koopstream.answers.Regularisation;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.Forecaster;
import io.koopstream.server.engine.ModelView;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** A real server for the tests of a class, and what they send to it and read from it. */
@Timeout(1800)
abstract class ServedModels {

    static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        server = RunningServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    /** A noisy rotation towards the origin. */
    static double[][] path(int steps, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] path = new double[steps][];
        double[] state = {1, 0};
        for (int t = 0; t < steps; t++) {
            path[t] = state;
            state = new double[] {
                0.9 * (0.8 * state[0] - 0.6 * state[1]) + 0.2 * (random.nextDouble() - 0.5),
                0.9 * (0.6 * state[0] + 0.8 * state[1]) + 0.2 * (random.nextDouble() - 0.5)
            };
        }
        return path;
    }

    static String json(double[][] rows) {
        StringBuilder text = new StringBuilder("[");
        for (double[] row : rows) {
            text.append(text.length() > 1 ? "," : "")
                    .append('[')
                    .append(row[0])
                    .append(',')
                    .append(row[1])
                    .append(']');
        }
        return text.append(']').toString();
    }

    static ModelView view(String name) {
        return server.server().models().find(name).orElseThrow().view();
    }

    /** A forecaster of the library with the state and the record that a view has. */
    static Forecaster library(ModelView view) {
        ForecastRecord record = view.learned()
                .forecaster(Regularisation.USUAL, Double.NaN)
                .forecaster()
                .record()
                .orElseThrow();
        return Forecaster.of(view.state().orElseThrow(), DelayLayout.none(view.dimension()), record);
    }

    static double number(Object value) {
        return (Double) value;
    }

    static double[] numbers(Object list) {
        return ((List<?>) list).stream().mapToDouble(value -> (Double) value).toArray();
    }
}
