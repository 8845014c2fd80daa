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
    /** For each coordinate which further output of the paths it is; -1 for those of the observation itself. */
    private final int[] output;

    private final double[] start;
    private final double[][] mean;
    private final int observed;
    private final IntToDoubleFunction times;

    ObservedForecast(
            Forecast forecast,
            Preparation preparation,
            double[] level,
            int[] summed,
            List<ToDoubleFunction<double[]>> observables,
            IntToDoubleFunction times) {
        this.forecast = forecast;
        this.preparation = preparation;
        this.observed = level.length;
        this.times = times;
        this.output = new int[observed + observables.size()];
        Arrays.fill(output, -1);
        for (int i = 0; i < summed.length; i++) {
            output[summed[i]] = i;
        }
        for (int i = 0; i < observables.size(); i++) {
            output[observed + i] = summed.length + i;
        }
        this.start = new double[output.length];
        for (int c = 0; c < observed; c++) {
            start[c] = preparation.value(c, level[c]);
        }
        double[] values = Arrays.copyOf(start, observed);
        for (int i = 0; i < observables.size(); i++) {
            start[observed + i] = observables.get(i).applyAsDouble(values);
        }
        this.mean = means(level, observables);
    }

    private double[][] means(double[] start, List<ToDoubleFunction<double[]>> observables) {
        double[] level = start.clone();
        double[][] means = new double[steps()][];
        for (int s = 0; s < means.length; s++) {
            double[] values = new double[observed];
            preparation.undo(forecast.mean(s + 1), level, values);
            means[s] = Arrays.copyOf(values, output.length);
            for (int i = 0; i < observables.size(); i++) {
                means[s][observed + i] = observables.get(i).applyAsDouble(values);
            }
            for (int c = 0; c < output.length; c++) {
                double expected = output[c] < 0 ? Double.NaN : forecast.outputMean(s + 1, output[c]);
                // Without simulated paths: sums and functions of what is expected.
                means[s][c] = Double.isNaN(expected) ? means[s][c] : expected;
            }
        }
        return means;
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
        return output.length;
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
        return output[coordinate] >= 0
                ? forecast.outputQuantile(step, output[coordinate], p)
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
        return output[coordinate] >= 0
                ? forecast.outputModes(step, output[coordinate])
                : forecast.modes(step, coordinate).stream()
                        .map(peak -> new Peak(preparation.value(coordinate, peak.value()), peak.mass()))
                        .toList();
    }
}
