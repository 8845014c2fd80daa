package io.koopstream.lab.accuracy;

import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Trajectories;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.RecordFollower;
import io.koopstream.stream.StreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Forecasts with automatic settings on a panel of series, learned on the first four fifths, with the record carried on over the rest: error over the better
 * of persistence and a ridge autoregression, whichever that turned out to be, and what 80 and 95 % bands held, at 1, 10, 24 and 96 rows.
 *
 * <p>Arguments: files of numbers separated by commas, one row a line, without a header; {@code lab/src/main/R/panel.R} writes those of R. And {@code walks:N}:
 * forty random walks of N rows. No forecast of a walk beats its last row, so the ratio of persistence itself, in the last line, is what chance in a short test
 * period and the better of two rivals in hindsight leave to be reached.
 */
public final class PanelStudy {

    private static final int[] HORIZONS = {1, 10, 24, 96};
    private static final int ORIGINS = 300;
    private static final int MIN_ORIGINS = 10;
    private static final int RIVAL_LAGS = 24;
    private static final String WALKS = "walks:";
    private static final int WALKS_COUNT = 40;
    private static final long FIRST_SEED = 1000;

    private PanelStudy() {}

    /** Prints a line for every series, then means: geometric of the ratios, arithmetic of the coverages; and the ratios of persistence. */
    public static void main(String[] arguments) throws IOException {
        double[][] sums = new double[HORIZONS.length][5];
        for (Map.Entry<String, double[][]> series : series(arguments).entrySet()) {
            double[][] result = of(series.getValue());
            StringBuilder line = new StringBuilder(
                    String.format(Locale.ROOT, "%-32s %6d", series.getKey(), series.getValue().length));
            for (int i = 0; i < HORIZONS.length; i++) {
                boolean judged = !Double.isNaN(result[i][0]);
                line.append(judged ? cell(result[i][0], result[i][1], result[i][2]) : "                   -");
                if (judged) {
                    sums[i][0] += StrictMath.log(result[i][0]);
                    sums[i][1] += result[i][1];
                    sums[i][2] += result[i][2];
                    sums[i][3]++;
                    sums[i][4] += StrictMath.log(result[i][3]);
                }
            }
            System.out.println(line);
        }
        StringBuilder mean = new StringBuilder(String.format(Locale.ROOT, "%-39s", "mean"));
        StringBuilder persistence = new StringBuilder(String.format(Locale.ROOT, "%-39s", "persistence"));
        for (double[] sum : sums) {
            mean.append(cell(StrictMath.exp(sum[0] / sum[3]), sum[1] / sum[3], sum[2] / sum[3]));
            persistence.append(String.format(Locale.ROOT, "   %5.2f            ", StrictMath.exp(sum[4] / sum[3])));
        }
        System.out.println(mean);
        System.out.println(persistence.toString().stripTrailing());
    }

    private static Map<String, double[][]> series(String[] arguments) throws IOException {
        Map<String, double[][]> series = new LinkedHashMap<>();
        for (String argument : arguments) {
            if (argument.startsWith(WALKS)) {
                int rows = Integer.parseInt(argument.substring(WALKS.length()));
                for (long seed = FIRST_SEED; seed < FIRST_SEED + WALKS_COUNT; seed++) {
                    series.put("walk " + seed, walk(rows, seed));
                }
            } else {
                Path file = Path.of(argument);
                series.put(file.getFileName().toString(), read(file));
            }
        }
        return series;
    }

    private static double[][] read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> Arrays.stream(line.split(",", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toArray(double[][]::new);
    }

    private static double[][] walk(int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] walk = new double[rows][1];
        for (int t = 1; t < rows; t++) {
            walk[t][0] = walk[t - 1][0] + random.nextGaussian();
        }
        return walk;
    }

    private static String cell(double ratio, double held80, double held95) {
        return String.format(Locale.ROOT, "   %5.2f (%.2f %.2f)", ratio, held80, held95);
    }

    /** By horizon the ratio, the shares of values that bands held, and the ratio of persistence; NaN where few starts leave room for it. */
    private static double[][] of(double[][] rows) {
        int learned = rows.length * 4 / 5;
        int d = rows[0].length;
        LearningStream stream = LearningStream.of(StreamConfig.defaults());
        for (int t = 0; t < learned; t++) {
            stream.accept(Observation.of("", rows[t]));
        }
        stream.endWarmUp();
        LearningStreamState state = stream.state();
        RecordFollower follower = RecordFollower.of(state).orElseThrow();
        Forecaster base = Forecaster.of(state.learner(), stream.layout(), state.record());
        Trajectories trajectories = new Trajectories(
                state.preparation(), d, null, state.delays(), state.stride(), Double.NaN, state.maxGap(), 1);
        int lags = Math.max(1, Math.min(RIVAL_LAGS, learned / 10 / d));
        RidgeAutoregression rival = RidgeAutoregression.fit(Arrays.copyOf(rows, learned), lags - 1);
        double[] units = units(rows, learned);
        int step = Math.max(1, (rows.length - learned) / ORIGINS);
        double[][] errors = new double[HORIZONS.length][3];
        double[][] held = new double[HORIZONS.length][3];
        for (int t = 0; t < rows.length - 1; t++) {
            Observation observation = Observation.of("", rows[t]);
            Outcome outcome = trajectories.next(observation);
            follower.accept(observation, outcome, Double.NaN, t < learned);
            if (t < learned - 1 || (t - learned + 1) % step != 0 || outcome.to() == null) {
                continue;
            }
            int steps = Math.min(HORIZONS[HORIZONS.length - 1], rows.length - 1 - t);
            Start start = Start.after(trajectories.open("").orElseThrow(), base.layout(), d)
                    .orElseThrow();
            Forecast forecast = new ObservedForecaster(
                            base.judgedBy(follower.record().copy()), state.preparation(), Double.NaN)
                    .forecast(start, ForecastRequest.of(steps).fromAnywhere(), List.of());
            double[][] rivals = rival.forecast(Arrays.copyOf(rows, t + 1), steps);
            for (int i = 0; i < HORIZONS.length && HORIZONS[i] <= steps; i++) {
                int h = HORIZONS[i];
                double[] truth = rows[t + h];
                double[] mean = forecast.mean(h);
                for (int c = 0; c < d; c++) {
                    errors[i][0] += square((mean[c] - truth[c]) / units[c]);
                    errors[i][1] += square((rows[t][c] - truth[c]) / units[c]);
                    errors[i][2] += square((rivals[h - 1][c] - truth[c]) / units[c]);
                    held[i][0] += isWithin(forecast, h, c, 0.1, truth[c]);
                    held[i][1] += isWithin(forecast, h, c, 0.025, truth[c]);
                    held[i][2]++;
                }
            }
        }
        double[][] result = new double[HORIZONS.length][];
        for (int i = 0; i < HORIZONS.length; i++) {
            double best = held[i][2] < MIN_ORIGINS * d ? Double.NaN : Math.min(errors[i][1], errors[i][2]);
            result[i] = new double[] {
                Math.sqrt(errors[i][0] / best),
                held[i][0] / held[i][2],
                held[i][1] / held[i][2],
                Math.sqrt(errors[i][1] / best)
            };
        }
        return result;
    }

    private static double square(double value) {
        return value * value;
    }

    private static int isWithin(Forecast forecast, int h, int c, double p, double truth) {
        return truth >= forecast.quantile(h, c, p) && truth <= forecast.quantile(h, c, 1 - p) ? 1 : 0;
    }

    /** Standard deviations of the first rows; 1 where they do not vary. */
    private static double[] units(double[][] rows, int count) {
        double[] units = new double[rows[0].length];
        for (int c = 0; c < units.length; c++) {
            int column = c;
            double[] values = Arrays.stream(rows, 0, count)
                    .mapToDouble(row -> row[column])
                    .toArray();
            double mean = Arrays.stream(values).average().orElseThrow();
            double variance =
                    Arrays.stream(values).map(v -> square(v - mean)).average().orElseThrow();
            units[c] = variance > 0 ? Math.sqrt(variance) : 1;
        }
        return units;
    }
}
