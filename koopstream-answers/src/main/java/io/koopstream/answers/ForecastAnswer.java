package io.koopstream.answers;

import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.Peak;
import io.koopstream.io.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows expected after a start.
 *
 * @param of which model it is about
 * @param terms on which it was made
 * @param path what is expected
 * @param modes where the futures of a column gather in more than one place, at some steps of a long forecast; empty for means alone
 */
public record ForecastAnswer(Version of, Terms terms, Path path, List<Modes> modes) {

    /** Steps at which futures are looked at for more than one mode. */
    private static final int MODE_STEPS = 20;

    /**
     * Terms of a forecast.
     *
     * @param steps how many
     * @param mode {@code path}, {@code operator} or {@code auto}
     * @param lambda the regularisation that was used
     * @param rank the rank that was used
     * @param dt how long a step lasts; NaN when nobody knows
     * @param timeUnit what times are counted in
     * @param names of what is forecast
     * @param levels of the quantiles
     * @param inputs of each column that drives the others {@code given} where its coming values are known, {@code forecast} where they are forecast with the
     *     rest and bands hold what that misses; empty where there are none
     */
    @SuppressWarnings("ArrayRecordComponent") // made here and read once
    public record Terms(
            int steps,
            String mode,
            double lambda,
            int rank,
            double dt,
            String timeUnit,
            List<String> names,
            double[] levels,
            Map<String, String> inputs)
            implements Json.Part {}

    /**
     * A forecast; the first index of arrays is the step, of quantiles the level.
     *
     * @param from the state at the start; null where states are made of logarithms, differences or the calendar
     * @param time of the row after which it starts; NaN when unknown
     * @param times of its rows as the data writes them; null when unknown
     * @param known share of the start that the model knows, from 0 to 1
     * @param warning why not to trust it; null where nothing speaks against it
     * @param start the row after which it starts
     * @param mean expected values
     * @param quantiles of every level
     * @param band where the quantiles come from
     * @param knownOnTheWay how well the states on the way are known
     * @param madeOf the share of each member at every step
     * @param judged earlier forecasts that were judged one step ahead; null where none were
     */
    @SuppressWarnings("ArrayRecordComponent") // made here and read once
    public record Path(
            double[] from,
            double time,
            List<String> times,
            double known,
            String warning,
            double[] start,
            double[][] mean,
            double[][][] quantiles,
            String band,
            double[] knownOnTheWay,
            Map<String, double[]> madeOf,
            Long judged)
            implements Json.Part {}

    /**
     * Places where the futures of a column gather.
     *
     * @param step from 1
     * @param coordinate from 0
     * @param values the places
     * @param masses the share of the futures at each
     */
    @SuppressWarnings("ArrayRecordComponent") // made here and read once
    public record Modes(int step, int coordinate, double[] values, double[] masses) {}

    /** Quantiles of all levels at all steps. */
    static double[][][] quantiles(Forecast forecast, double[] levels) {
        double[][][] quantiles = new double[levels.length][forecast.steps()][forecast.dimension()];
        for (int q = 0; q < levels.length; q++) {
            double level = levels[q];
            for (int s = 0; s < forecast.steps(); s++) {
                int step = s + 1;
                Arrays.setAll(quantiles[q][s], c -> forecast.quantile(step, c, level));
            }
        }
        return quantiles;
    }

    /** The share of each member at every step. */
    static Map<String, double[]> madeOf(Forecast forecast) {
        Map<String, double[]> shares = new LinkedHashMap<>();
        for (int s = 0; s < forecast.steps(); s++) {
            int at = s;
            forecast.madeOf(s + 1)
                    .forEach((member, share) ->
                            shares.computeIfAbsent(member.text(), text -> new double[forecast.steps()])[at] = share);
        }
        return shares;
    }

    /** The modes of a forecast with bands. */
    static List<Modes> modes(Forecast forecast) {
        List<Modes> list = new ArrayList<>();
        int every = Math.max(1, forecast.steps() / MODE_STEPS);
        for (int s = 1; s <= forecast.steps(); s++) {
            for (int c = 0; (s % every == 0 || s == forecast.steps()) && c < forecast.dimension(); c++) {
                List<Peak> peaks = forecast.modes(s, c);
                if (peaks.size() > 1) {
                    list.add(new Modes(
                            s,
                            c,
                            peaks.stream().mapToDouble(Peak::value).toArray(),
                            peaks.stream().mapToDouble(Peak::mass).toArray()));
                }
            }
        }
        return list;
    }
}
