package io.koopstream.forecast;

/** Forecasts from many starts; NaN from those that were refused. Immutable. */
public final class BatchForecast {

    private final double[][][] means;
    private final double[][][][] quantiles;
    private final double[] known;
    private final int refused;

    /** Takes over its arguments: means [start][step][coordinate], quantiles the same for each level. */
    BatchForecast(double[][][] means, double[][][][] quantiles, double[] known, int refused) {
        this.means = means;
        this.quantiles = quantiles;
        this.known = known;
        this.refused = refused;
    }

    /** The expected observations after a start, [step][coordinate], for reading. */
    public double[][] means(int start) {
        return means[start];
    }

    /** The quantiles of a level, counted in the order asked for, after a start: [step][coordinate], for reading. */
    public double[][] quantiles(int level, int start) {
        return quantiles[level][start];
    }

    /** Knownness of a start, see {@link Forecaster#REFUSE_BELOW}. */
    public double known(int start) {
        return known[start];
    }

    /** Number of refused starts. */
    public int refused() {
        return refused;
    }
}
