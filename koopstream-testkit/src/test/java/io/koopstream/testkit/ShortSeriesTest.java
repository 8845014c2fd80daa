package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRecord.Accuracy;
import io.koopstream.forecast.ForecastRecord.Member;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Forecasts of series of some hundred rows, with automatic settings. */
class ShortSeriesTest {

    private static final List<Integer> HORIZONS = List.of(1, 12, 24);

    /** Months with a trend, a season and noise. */
    private static double[][] months(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[n][1];
        for (int t = 0; t < n; t++) {
            rows[t][0] = 100 + 0.5 * t + 20 * Math.sin(2 * Math.PI * t / 12) + 3 * random.nextGaussian();
        }
        return rows;
    }

    private static double[][] walk(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[n][1];
        for (int t = 1; t < n; t++) {
            rows[t][0] = rows[t - 1][0] + random.nextGaussian();
        }
        return rows;
    }

    private static LearningStream learned(double[][] rows) {
        LearningStream stream = LearningStream.of(StreamConfig.defaults(), 1);
        for (double[] row : rows) {
            stream.accept(Observation.of("", row));
        }
        stream.endWarmUp();
        return stream;
    }

    /** What the record says of the horizons. */
    private static double[] ratios(double[][] rows, ToDoubleFunction<Accuracy> ratio) {
        ForecastRecord record = learned(rows).record().orElseThrow();
        return IntStream.range(0, record.horizons().length)
                .mapToObj(record::accuracy)
                .filter(one -> HORIZONS.contains(one.horizon()))
                .mapToDouble(ratio)
                .toArray();
    }

    /** Whether the errors of forecasts over those of rivals are below a limit on average over seeds. */
    private static void assertBelow(double limit, int seeds, LongFunction<double[]> ratios) {
        double[] product = {1, 1, 1};
        for (long seed = 1; seed <= seeds; seed++) {
            double[] ratio = ratios.apply(seed);
            Arrays.setAll(product, h -> product[h] * ratio[h]);
        }
        for (int h = 0; h < HORIZONS.size(); h++) {
            assertThat(Math.pow(product[h], 1.0 / seeds))
                    .as("%d steps ahead", HORIZONS.get(h))
                    .isLessThan(limit);
        }
    }

    @Test
    void tenYearsOfMonthsAreForecastAboutAsWellAsByTheBestBaseline() {
        assertBelow(1.2, 4, seed -> ratios(months(200, seed), Accuracy::ratio));
    }

    @Test
    void shortRandomWalksAreForecastByTheirLastValue() {
        assertBelow(1.1, 6, seed -> ratios(walk(330, seed), one -> one.error() / one.least(Member.LAST_ROW)));
    }

    @Test
    void aStreamRemembersMoreRowsThanAStateHasAndGoesOnWithThemFromItsState() {
        double[][] rows = months(150, 7);
        LearningStream stream = learned(rows);
        List<double[]> history = stream.trajectories().newest().orElseThrow().recent();
        assertThat(history).hasSize(64);
        assertThat(history.get(63)).containsExactly(rows[149]);
        assertThat(history.get(0)).containsExactly(rows[149 - 63]);
        LearningStream again = LearningStream.resume(stream.state());
        assertThat(again.trajectories().newest().orElseThrow().recent().stream()
                        .map(row -> row[0])
                        .toList())
                .isEqualTo(history.stream().map(row -> row[0]).toList());
    }
}
