package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Autocorrelation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What forecasts would have been worth: at origins that move through a series a model that has learned everything up to there forecasts what comes, beside
 * rivals that need no learning to speak of. A function of its arguments alone.
 */
public final class Backtest {

    /** Forecasts beside which a model is judged. */
    public enum Rival {
        /** The last observation. */
        PERSISTENCE,
        /** The observation a period ago; not there without a period. */
        SEASONAL,
        /** {@link RidgeAutoregression}, fitted to all rows before, as often as the model makes itself ready. */
        AUTOREGRESSION
    }

    /** A learner that keeps learning while the origin moves. */
    public interface Model {
        /** Selects the series that the next calls learn and forecast; a single one is number 0. */
        default void turnTo(int series) {}

        /** Learns the next observation of the series. */
        void learn(double[] observation);

        /** Makes what forecasts with all that was learned so far; called now and then, because that is costly. */
        void makeReady();

        /** Forecasts what comes after the last observation, with what was made ready last. */
        ObservedForecast forecast(int steps);
    }

    /** The fewest rows that are learned before the first origin. */
    public static final int MIN_TRAINED = 100;

    private static final int MAX_FORECASTERS = 10;
    private static final int MAX_DELAYS = 48;
    private static final int MAX_PERIOD = 1000;

    private Backtest() {}

    /**
     * Runs a model through a series.
     *
     * @param rows successive observations
     * @param trained how many are learned before the first origin, at least {@value #MIN_TRAINED}
     * @param origins how many origins, evenly spread over the rest
     * @param horizons steps ahead, ascending
     * @param model has learned nothing yet
     */
    public static BacktestReport run(double[][] rows, int trained, int origins, int[] horizons, Model model) {
        return run(List.<double[][]>of(rows), new int[] {trained}, false, origins, horizons, model);
    }

    /**
     * Runs a model through a series without a part that is only learned: origins begin after a tenth of it, at least {@value #MIN_TRAINED} rows. Errors are
     * over the standard deviation of the whole series.
     */
    public static BacktestReport rolling(double[][] rows, int origins, int[] horizons, Model model) {
        return run(List.<double[][]>of(rows), new int[] {rollingFrom(rows.length)}, true, origins, horizons, model);
    }

    /** Number of rows learned before the first origin of {@link #rolling}. */
    public static int rollingFrom(int rows) {
        return Math.max(MIN_TRAINED, rows / 10);
    }

    /**
     * Runs a model through several series: it learns the first part of each, then origins move through what is left of one after the other. Every forecast is
     * of rows of its own series; errors are pooled.
     *
     * @param trained how many rows of each are learned before the first origin, {@value #MIN_TRAINED} in all
     * @param rolling whether errors are over the standard deviation of all rows, not of those learned first
     * @param origins how many origins, in proportion to the rows that are left
     */
    public static BacktestReport run(
            List<double[][]> series, int[] trained, boolean rolling, int origins, int[] horizons, Model model) {
        int longest = horizons.length == 0 ? 0 : horizons[horizons.length - 1];
        int all = series.stream().mapToInt(rows -> rows.length).sum();
        int first = Arrays.stream(trained).sum();
        int[] rooms = IntStream.range(0, trained.length)
                .map(s -> trained[s] < 2 ? 0 : Math.max(0, series.get(s).length - trained[s] - longest))
                .toArray();
        int room = Arrays.stream(rooms).sum();
        if (first < MIN_TRAINED || longest < 1 || room < 1 || origins < 1) {
            throw new InvalidQueryException(all + " rows with " + first + " to learn and " + longest
                    + " steps ahead: need at least " + MIN_TRAINED + " to learn and some to judge on");
        }
        List<double[][]> seen = new ArrayList<>();
        for (int s = 0; s < trained.length; s++) {
            seen.add(Arrays.copyOf(series.get(s), trained[s]));
            model.turnTo(s);
            Arrays.stream(seen.get(s)).forEach(model::learn);
        }
        BacktestReport.Builder report = new BacktestReport.Builder(
                (rolling ? series : seen).stream().flatMap(Arrays::stream).toArray(double[][]::new), horizons);
        int shortest = IntStream.range(0, trained.length)
                .filter(s -> rooms[s] > 0)
                .map(s -> trained[s])
                .min()
                .orElseThrow();
        int count = Math.min(origins, room);
        RidgeAutoregression linear = null;
        int period = 0;
        SortedSet<Integer> periods = new TreeSet<>();
        int done = 0;
        long before = 0;
        for (int s = 0; s < trained.length; s++) {
            double[][] rows = series.get(s);
            int own = (int) (count * (before + rooms[s]) / room) - done;
            before += rooms[s];
            model.turnTo(s);
            for (int i = 0; i < own; i++, done++) {
                int at = trained[s] - 1 + (int) ((long) i * rooms[s] / own);
                for (int t = seen.get(s).length; t <= at; t++) {
                    model.learn(rows[t]);
                }
                seen.set(s, Arrays.copyOf(rows, at + 1));
                boolean renewed =
                        linear == null || done * MAX_FORECASTERS / count != (done - 1) * MAX_FORECASTERS / count;
                if (renewed || i == 0) {
                    period = Autocorrelation.period(seen.get(s), MAX_PERIOD);
                }
                if (renewed) {
                    model.makeReady();
                    int most = Math.min(MAX_DELAYS, (series.size() == 1 ? at + 1 : shortest) / 10);
                    linear = RidgeAutoregression.fit(seen, Math.min(Math.max(period, 24), most));
                }
                ObservedForecast forecast = model.forecast(longest);
                double[][] rival = linear.forecast(seen.get(s), longest);
                for (int h = 0; h < horizons.length; h++) {
                    int ahead = horizons[h];
                    double[] season =
                            period == 0 ? rows[at] : rows[at + ahead - (ahead + period - 1) / period * period];
                    report.add(h, forecast, rows[at + ahead], List.of(rows[at], season, rival[ahead - 1]));
                }
            }
            if (own > 0) {
                periods.add(period);
            }
        }
        return report.build(periods);
    }
}
