package io.koopstream.forecast;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Paths of levels from one start with residuals drawn at every step, for what needs a distribution: futures that split, and formulas. Immutable. */
final class SimulatedPaths {

    /** Central probability at which paths are made as wide as the record says. */
    private static final double LEVEL = 0.8;

    /** For each step and coordinate the values, ascending. */
    private final double[][][] values;

    private final double[][][] outputs;
    private final boolean[][] splits;

    /**
     * Simulates.
     *
     * @param history observations up to the start
     * @param level of the start
     * @param units with the functions that are read off the levels of a path
     * @param mean the announced means, around which these are read
     * @param judged says how wide paths must be for these; null to take them as they are
     */
    SimulatedPaths(
            Forecaster by,
            double[][] history,
            double[] level,
            ForecastRequest request,
            Forecast.Units units,
            double[][] mean,
            Forecast.Judged judged) {
        int n = request.paths();
        int steps = request.steps();
        int extra = units.observables().size();
        values = new double[steps][by.observed()][n];
        outputs = new double[steps][extra][n];
        splits = new boolean[steps][by.observed()];
        PathBlock block = by.block(PathBlock.repeated(history, n));
        SplittableRandom[] random = PathBlock.generators(request.seed(), n);
        Residuals drawn = by.residuals();
        double[][] places = new double[n][];
        Arrays.fill(places, level);
        for (int s = 0; s < steps; s++) {
            block.step(drawn.needsExact(), drawn, random, request.known());
            for (int p = 0; p < n; p++) {
                double[] before = places[p];
                places[p] = block.newest(p).clone();
                by.layout().sum(places[p], before);
                for (int c = 0; c < places[p].length; c++) {
                    values[s][c][p] = places[p][c];
                }
            }
            for (int c = 0; c < values[s].length; c++) {
                Arrays.sort(values[s][c]);
                splits[s][c] = Peak.of(values[s][c]).size() > 1;
            }
            double[][] moved = new double[extra > 0 ? n : 0][];
            Arrays.setAll(moved, p -> places[p].clone());
            for (int c = 0; c < values[s].length && extra > 0; c++) {
                move(moved, c, s, mean[s], judged == null ? null : judged.members());
            }
            for (int p = 0; p < moved.length; p++) {
                request.known().fill(s + 1, moved[p]);
                double[] numbers = units.outputs(moved[p]);
                for (int i = 0; i < extra; i++) {
                    outputs[s][i][p] = numbers[i];
                }
            }
            for (double[] sample : outputs[s]) {
                Arrays.sort(sample);
            }
        }
    }

    /** Puts the paths around the announced mean, as wide as the record says. */
    private void move(double[][] places, int c, int s, double[] mean, ForecastRecord.Members judged) {
        double[] sorted = values[s][c];
        double middle = Arrays.stream(sorted).average().orElseThrow();
        double own = Forecast.interpolated(sorted, 0.5 + LEVEL / 2) - Forecast.interpolated(sorted, 0.5 - LEVEL / 2);
        double wanted = judged == null || c >= judged.coordinates() || splits[s][c]
                ? Double.NaN
                : 2 * judged.width(s + 1, LEVEL, c);
        double factor = wanted > 0 && own > 0 ? wanted / own : 1;
        double centre = Double.isFinite(mean[c]) ? mean[c] : middle;
        for (double[] place : places) {
            place[c] = centre + factor * (place[c] - middle);
        }
    }

    double[] values(int s, int c) {
        return values[s][c];
    }

    double[] outputs(int s, int i) {
        return outputs[s][i];
    }

    boolean splits(int s, int c) {
        return splits[s][c];
    }
}
