package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Autocorrelation;
import java.util.Arrays;
import java.util.List;

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
        return run(rows, trained, trained, origins, horizons, model);
    }

    /**
     * Runs a model through a series without a part that is only learned: origins begin after a tenth of it, at least {@value #MIN_TRAINED} rows. Errors are
     * over the standard deviation of the whole series.
     */
    public static BacktestReport rolling(double[][] rows, int origins, int[] horizons, Model model) {
        return run(rows, rollingFrom(rows.length), rows.length, origins, horizons, model);
    }

    /** Number of rows learned before the first origin of {@link #rolling}. */
    public static int rollingFrom(int rows) {
        return Math.max(MIN_TRAINED, rows / 10);
    }

    private static BacktestReport run(
            double[][] rows, int trained, int measured, int origins, int[] horizons, Model model) {
        int longest = horizons.length == 0 ? 0 : horizons[horizons.length - 1];
        int room = rows.length - trained - longest;
        if (trained < MIN_TRAINED || longest < 1 || room < 1 || origins < 1) {
            throw new InvalidQueryException(rows.length + " rows with " + trained + " to learn and " + longest
                    + " steps ahead: need at least " + MIN_TRAINED + " to learn and some to judge on");
        }
        BacktestReport.Builder report = new BacktestReport.Builder(Arrays.copyOf(rows, measured), horizons);
        int count = Math.min(origins, room);
        int learned = 0;
        RidgeAutoregression linear = null;
        int period = 0;
        for (int i = 0; i < count; i++) {
            int at = trained - 1 + (int) ((long) i * room / count);
            for (; learned <= at; learned++) {
                model.learn(rows[learned]);
            }
            double[][] seen = Arrays.copyOf(rows, at + 1);
            if (linear == null || i * MAX_FORECASTERS / count != (i - 1) * MAX_FORECASTERS / count) {
                model.makeReady();
                period = Autocorrelation.period(seen, MAX_PERIOD);
                linear = RidgeAutoregression.fit(
                        seen, Math.min(Math.max(period, 24), Math.min(MAX_DELAYS, seen.length / 10)));
            }
            ObservedForecast forecast = model.forecast(longest);
            double[][] rival = linear.forecast(seen, longest);
            for (int h = 0; h < horizons.length; h++) {
                int s = horizons[h];
                double[] season = period == 0 ? rows[at] : rows[at + s - (s + period - 1) / period * period];
                report.add(h, forecast, rows[at + s], List.of(rows[at], season, rival[s - 1]));
            }
        }
        return report.build(period);
    }
}
