package io.koopstream.forecast;

import io.koopstream.rows.Preparation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

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

    ObservedForecast(
            Forecast forecast,
            Preparation preparation,
            double[] level,
            List<ToDoubleFunction<double[]>> observables,
            IntToDoubleFunction times) {
        this.forecast = forecast;
        this.preparation = preparation;
        this.observed = level.length;
        this.times = times;
        this.start = values(level, observables);
        this.mean = new double[forecast.steps()][];
        for (int s = 0; s < mean.length; s++) {
            mean[s] = values(forecast.mean(s + 1), observables);
            for (int i = 0; i < observables.size(); i++) {
                double expected = forecast.outputMean(s + 1, i);
                // Without simulated paths: functions of what is expected.
                mean[s][observed + i] = Double.isNaN(expected) ? mean[s][observed + i] : expected;
            }
        }
    }

    /** An observation in the units of the data, then functions of it. */
    private double[] values(double[] level, List<ToDoubleFunction<double[]>> observables) {
        double[] values = new double[observed];
        Arrays.setAll(values, c -> preparation.value(c, level[c]));
        double[] all = Arrays.copyOf(values, observed + observables.size());
        for (int i = 0; i < observables.size(); i++) {
            all[observed + i] = observables.get(i).applyAsDouble(values);
        }
        return all;
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
