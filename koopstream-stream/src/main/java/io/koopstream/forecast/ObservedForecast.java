package io.koopstream.forecast;

import io.koopstream.rows.Preparation;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * A forecast in the units of the data: the coordinates of an observation, then the functions of it that were asked for. Steps are counted from 1,
 * coordinates from 0. Immutable.
 */
public final class ObservedForecast {

    private final Forecast forecast;
    private final Preparation preparation;
    private final double[] start;
    private final double[][] mean;
    private final int observed;
    private final IntToDoubleFunction times;

    /** @param values of levels: the observation in the units of the data, then functions of it */
    ObservedForecast(
            Forecast forecast,
            Preparation preparation,
            double[] level,
            UnaryOperator<double[]> values,
            IntToDoubleFunction times) {
        this.forecast = forecast;
        this.preparation = preparation;
        this.observed = level.length;
        this.times = times;
        this.start = values.apply(level);
        this.mean = new double[forecast.steps()][];
        for (int s = 0; s < mean.length; s++) {
            mean[s] = values.apply(forecast.mean(s + 1));
            for (int i = observed; i < start.length; i++) {
                double expected = forecast.outputMean(s + 1, i - observed);
                // Without simulated paths: functions of what is expected.
                mean[s][i] = Double.isNaN(expected) ? mean[s][i] : expected;
            }
        }
    }

    /** The observation at the start and the functions of it, copied. */
    public double[] start() {
        return start.clone();
    }

    /** Number of steps. */
    public int steps() {
        return forecast.steps();
    }

    /** Coordinates, and functions after them. */
    public int dimension() {
        return start.length;
    }

    /** The time of a step; NaN when it is unknown. */
    public double time(int step) {
        return times.applyAsDouble(step);
    }

    /** Expected value at a step, copied. */
    public double[] mean(int step) {
        forecast.mean(step);
        return mean[step - 1].clone();
    }

    /** The value that a coordinate stays below with probability {@code p}; NaN where that is unknown. */
    public double quantile(int step, int coordinate, double p) {
        return coordinate >= observed
                ? forecast.outputQuantile(step, coordinate - observed, p)
                : preparation.value(coordinate, forecast.quantile(step, coordinate, p));
    }

    /** Source of the bands. */
    public Forecast.BandSource bandSource() {
        return forecast.bandSource();
    }

    /** The members of which the means at a step are made, see {@link Forecast#madeOf}. */
    public Map<ForecastRecord.Member, Double> madeOf(int step) {
        return forecast.madeOf(step);
    }

    /** Knownness of the state at a step, 0 for the start; see {@link Forecast#known}. */
    public double known(int step) {
        return forecast.known(step);
    }

    /** The values around which the futures of a coordinate gather, see {@link Forecast#modes}. */
    public List<Peak> modes(int step, int coordinate) {
        return coordinate >= observed
                ? forecast.outputModes(step, coordinate - observed)
                : forecast.modes(step, coordinate).stream()
                        .map(peak -> new Peak(preparation.value(coordinate, peak.value()), peak.mass()))
                        .toList();
    }
}
