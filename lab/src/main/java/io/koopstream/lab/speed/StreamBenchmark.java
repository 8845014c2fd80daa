package io.koopstream.lab.speed;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What is asked of the model of a stream: about 100 kept states in the plane. */
public class StreamBenchmark {

    static final int STARTS = 1000;
    static final int STEPS = 96;
    static final int BANDS = 50;

    private static final int LEARNED = 20_000;

    /** A model that has learned for a while, and states to go on from. */
    @State(Scope.Thread)
    public static class Load {
        private Forecaster forecaster;
        private final double[][] starts = new double[STARTS][];

        /** Learns. */
        @Setup
        public void learn() {
            SplittableRandom random = new SplittableRandom(11);
            LearningStream stream = LearningStream.of(
                    StreamConfig.parse(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.1", "drift", "false")), 2);
            double[] x = new double[2];
            for (int i = 0; i < LEARNED + STARTS; i++) {
                for (int c = 0; c < 2; c++) {
                    x[c] += 0.1 * (x[c] - x[c] * x[c] * x[c]) + 0.2 * random.nextGaussian();
                }
                if (i < LEARNED) {
                    stream.accept(Observation.of("", x.clone()));
                } else {
                    starts[i - LEARNED] = x.clone();
                }
            }
            forecaster = Forecaster.of(stream.learner().orElseThrow().state(), new DelayLayout(2, 0, 1));
        }
    }

    /** A batch of forecasts. */
    @Benchmark
    public List<Forecast> forecasts(Load load) {
        return load.forecaster.forecasts(
                load.starts, ForecastRequest.of(STEPS).paths(0, 1).fromAnywhere());
    }

    /** A smaller batch with a band, from simulated paths. */
    @Benchmark
    public double[][][] bands(Load load) {
        return load
                .forecaster
                .forecasts(
                        Arrays.copyOf(load.starts, BANDS),
                        ForecastRequest.of(STEPS).fromAnywhere())
                .stream()
                .flatMap(one -> Stream.of(one.quantiles(0.1), one.quantiles(0.9)))
                .toArray(double[][][]::new);
    }
}
