package io.koopstream.bench.speed;

import io.koopstream.forecast.BatchForecast;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.Observation;
import io.koopstream.stream.StreamSettings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a stream does beside learning, and what is asked of its model: about 100 kept states in the plane. */
public class StreamBenchmark {

    static final int ROWS = 1024;
    static final int STARTS = 1000;
    static final int STEPS = 96;
    static final int BANDS = 50;

    private static final int LEARNED = 20_000;

    /** A stream that has learned for a while, and rows to go on with. */
    @State(Scope.Thread)
    public static class Load {
        /** What is asked for beside learning. */
        public enum Beside {
            /** Nothing. */
            NOTHING("drift", "false"),
            /** The usual watch over the error. */
            WATCH("drift", "true"),
            /** A score of every row. */
            SCORES("scores", "true"),
            /** The kinds of changes. */
            CHANGES("onDrift", "ignore");

            private final String word;
            private final String value;

            Beside(String word, String value) {
                this.word = word;
                this.value = value;
            }
        }

        /** What is asked for beside learning. */
        @Param("NOTHING")
        public Beside beside;

        private final double[][] rows = new double[ROWS][];
        private LearningStream stream;
        private Forecaster forecaster;
        private final double[][] starts = new double[STARTS][];

        /** Learns. */
        @Setup
        public void learn() {
            SplittableRandom random = new SplittableRandom(11);
            Map<String, String> words = new HashMap<>(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.1"));
            words.put(beside.word, beside.value);
            stream = LearningStream.of(StreamSettings.of(words), 2);
            double[] x = new double[2];
            for (int i = 0; i < LEARNED + ROWS; i++) {
                for (int c = 0; c < 2; c++) {
                    x[c] += 0.1 * (x[c] - x[c] * x[c] * x[c]) + 0.2 * random.nextGaussian();
                }
                if (i < LEARNED) {
                    stream.accept(Observation.of("", x.clone()));
                } else {
                    rows[i - LEARNED] = x.clone();
                }
            }
            forecaster = Forecaster.of(stream.learner().orElseThrow().state(), new DelayLayout(2, 0, 1));
            System.arraycopy(rows, 0, starts, 0, STARTS);
        }

        int kept() {
            return stream.learner().orElseThrow().dictionarySize();
        }
    }

    /** All rows, one after another. */
    @Benchmark
    public long rows(Load load) {
        for (double[] row : load.rows) {
            load.stream.accept(Observation.of("", row));
        }
        return load.stream.pairs();
    }

    /** A batch of forecasts. */
    @Benchmark
    public BatchForecast forecasts(Load load) {
        return load.forecaster.forecasts(load.starts, ForecastRequest.of(STEPS).fromAnywhere());
    }

    /** A smaller batch with a band, from simulated paths. */
    @Benchmark
    public BatchForecast bands(Load load) {
        return load.forecaster.forecasts(
                Arrays.copyOf(load.starts, BANDS), ForecastRequest.of(STEPS).fromAnywhere(), 0.1, 0.9);
    }
}
