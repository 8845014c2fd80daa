package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.rows.Preparation;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * The expected observations after a start, how far they may be off, and how well the states on the way are known. What was done to observations before they
 * were learned is undone where the forecast is one of {@link ObservedForecaster}, and functions of the observation stand after its coordinates. Steps are
 * counted from 1, coordinates from 0. Immutable; any number of threads may ask at once.
 */
public final class Forecast {

    /** Source of the bands. */
    public enum BandSource {
        /** The errors of earlier forecasts, each judged before its target was learned. */
        RECORD,
        /** Paths simulated with what one step misses: nothing says how far they may be trusted. */
        PATHS,
        /** The distribution on kept points whose embedding is nearest to the operator's: without held-out pairs nothing says how true it is. */
        OPERATOR,
        /** There is none: it was not asked for, or nothing is known. Quantiles and spreads are NaN. */
        UNKNOWN
    }

    /** The 90 % quantile of the standard normal distribution. */
    private static final double NORMAL_90 = 1.2815515655446004;

    /** Share of the Koopman members from which on they decide: more than all others together. */
    private static final double MIN_KERNEL_SHARE = 0.5;

    /** Null where the start is refused. */
    private final double[][] mean;

    private final double[] known;
    /** Null without simulated paths. */
    private final Forecaster.Lazy<SimulatedPaths> paths;
    /** Null where the record plays no part. */
    private final Judged judged;
    /** Null unless the operator gives the band. */
    private final StateDistribution[] distributions;

    private final Units units;

    /**
     * Part of a record in this forecast.
     *
     * @param members from the start
     * @param shares of the members, by step and coordinate
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Judged(ForecastRecord.Members members, double[][][] shares) {}

    /**
     * Units in which levels are read.
     *
     * @param preparation that is undone
     * @param observed coordinates of an observation
     * @param shown those of them that are asked for, the first ones: inputs are not
     * @param observables functions of an observation
     * @param start levels of the start
     * @param times of the steps
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Units(
            Preparation preparation,
            int observed,
            int shown,
            List<ToDoubleFunction<double[]>> observables,
            double[] start,
            IntToDoubleFunction times) {

        /** Levels as they are. */
        static Units of(double[] start) {
            return new Units(Preparation.NONE, start.length, start.length, List.of(), start, step -> Double.NaN);
        }

        /** Coordinates that are asked for, and functions after them. */
        int dimension() {
            return shown + observables.size();
        }

        /** What is asked for of an observation, then functions of it. */
        double[] values(double[] levels) {
            double[] values = new double[observed];
            Arrays.setAll(values, c -> preparation.value(c, levels[c]));
            double[] all = Arrays.copyOf(Arrays.copyOf(values, shown), dimension());
            for (int i = shown; i < all.length; i++) {
                all[i] = observables.get(i - shown).applyAsDouble(values);
            }
            return all;
        }

        /** Functions of an observation alone. */
        double[] outputs(double[] levels) {
            return Arrays.copyOfRange(values(levels), shown, dimension());
        }
    }

    /**
     * @param mean levels of the expected observations; null from a start of which too little is known
     * @param known at the start and after every step
     * @param paths null without
     * @param judged null where the record plays no part
     * @param distributions null unless they give the band
     */
    Forecast(
            double[][] mean,
            double[] known,
            Forecaster.Lazy<SimulatedPaths> paths,
            Judged judged,
            StateDistribution[] distributions,
            Units units) {
        this.mean = mean;
        this.known = known;
        this.paths = paths;
        this.judged = judged;
        this.distributions = distributions;
        this.units = units;
    }

    /** True for a start of which too little is known: there is no answer but NaN, see {@link Forecaster#REFUSE_BELOW}. */
    public boolean isRefused() {
        return mean == null;
    }

    /** Number of steps. */
    public int steps() {
        return known.length - 1;
    }

    /** Coordinates of an observation without inputs, and functions of it after them. */
    public int dimension() {
        return units.dimension();
    }

    /** The observation at the start and functions of it. */
    public double[] start() {
        return units.values(units.start);
    }

    /** The time of a step; NaN when it is unknown. */
    public double time(int step) {
        return units.times.applyAsDouble(step);
    }

    /** The expected observation at a step, and functions: their means over simulated paths, without these functions of what is expected. */
    public double[] mean(int step) {
        int s = index(step);
        if (isRefused()) {
            double[] nothing = new double[dimension()];
            Arrays.fill(nothing, Double.NaN);
            return nothing;
        }
        double[] values = units.values(mean[s]);
        for (int i = units.shown; i < values.length && paths != null; i++) {
            values[i] = average(sample(s, i));
        }
        return values;
    }

    /** Source of the bands. */
    public BandSource bandSource() {
        if (paths == null) {
            return distributions != null ? BandSource.OPERATOR : BandSource.UNKNOWN;
        }
        return judged == null ? BandSource.PATHS : BandSource.RECORD;
    }

    /**
     * Knownness of the state, ‖β‖²/κ, from 0 (nothing like it was ever seen) to 1; see {@link Forecaster#WARN_BELOW}.
     *
     * @param step 0 for the start
     */
    public double known(int step) {
        return known[step == 0 ? 0 : index(step) + 1];
    }

    /**
     * The value that a coordinate stays below with probability {@code p}; NaN where that is unknown.
     *
     * @param p between 0 and 1, exclusive
     */
    public double quantile(int step, int coordinate, double p) {
        int s = index(step);
        if (!(p > 0 && p < 1)) {
            throw new InvalidQueryException(
                    "p = " + p + ": a quantile needs a level between 0 and 1, e.g. 0.05, 0.5, 0.95");
        }
        if (coordinate < 0 || coordinate >= dimension()) {
            throw new InvalidQueryException(
                    "coordinate " + coordinate + ": an observation has coordinates 0 to " + (dimension() - 1));
        }
        if (coordinate >= units.shown) {
            return paths == null ? Double.NaN : interpolated(sample(s, coordinate), p);
        }
        return units.preparation.value(coordinate, level(s, coordinate, p));
    }

    private double level(int s, int coordinate, double p) {
        if (distributions != null) {
            return distributions[s].quantile(coordinate, p);
        }
        if (paths == null) {
            return Double.NaN;
        }
        double width = coordinate < forecastCoordinates() && !splits(s, coordinate)
                ? judged.members.width(s + 1, Math.abs(2 * p - 1), coordinate)
                : Double.NaN;
        if (Double.isNaN(width)) {
            double[] sorted = paths.get().values(s, coordinate);
            double centre = judged != null && splits(s, coordinate) ? 0 : mean[s][coordinate] - average(sorted);
            return bounded(s, coordinate, centre + interpolated(sorted, p));
        }
        return bounded(s, coordinate, mean[s][coordinate] + (p < 0.5 ? -width : width));
    }

    /** Coordinates that the record judges: those known ahead have no band. */
    private int forecastCoordinates() {
        return judged == null ? 0 : judged.shares[0].length;
    }

    /** The members of which the means at a step are made with their shares, the largest first, on average over the coordinates; empty without a record. */
    public Map<ForecastRecord.Member, Double> madeOf(int step) {
        int s = index(step);
        Map<ForecastRecord.Member, Double> result = new LinkedHashMap<>();
        if (judged == null) {
            return result;
        }
        Map<ForecastRecord.Member, Double> all = new EnumMap<>(ForecastRecord.Member.class);
        for (ForecastRecord.Member member : ForecastRecord.Member.values()) {
            all.put(
                    member,
                    Arrays.stream(judged.shares[s])
                            .mapToDouble(member::of)
                            .average()
                            .orElse(0));
        }
        all.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.<ForecastRecord.Member, Double>comparingByValue()
                        .reversed())
                .forEach(entry -> result.put(entry.getKey(), entry.getValue()));
        return result;
    }

    /** True where the Koopman members decide, and their paths gather around several values. */
    private boolean splits(int s, int c) {
        return judged != null
                && c < forecastCoordinates()
                && kernelDecides(s, c)
                && paths.get().splits(s, c);
    }

    /** The kernel knows of nothing beyond the rows: where it decides, bands end with their range, or with the mean where that is beyond. */
    private double bounded(int s, int c, double value) {
        if (judged == null || c >= forecastCoordinates()) {
            return value;
        }
        if (kernelDecides(s, c)) {
            double expected = mean[s][c];
            return Math.max(
                    Math.min(judged.members.low(c), expected),
                    Math.min(Math.max(judged.members.high(c), expected), value));
        }
        return judged.members.low(c) >= 0 ? Math.max(0, value) : value;
    }

    private boolean kernelDecides(int s, int c) {
        return ForecastRecord.kernelShare(judged.shares[s][c]) >= MIN_KERNEL_SHARE;
    }

    private static double average(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    static double interpolated(double[] sorted, double p) {
        double place = Math.max(0.0, Math.min(sorted.length - 1.0, p * (sorted.length + 1) - 1));
        int below = (int) Math.min(sorted.length - 2.0, place);
        return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
    }

    /** A quantile of every coordinate at every step: result[s][c] for step s + 1; a band is two of these. */
    public double[][] quantiles(double p) {
        double[][] result = new double[steps()][dimension()];
        for (int s = 0; s < result.length; s++) {
            for (int c = 0; c < result[s].length; c++) {
                result[s][c] = quantile(s + 1, c, p);
            }
        }
        return result;
    }

    /** The standard deviation of every coordinate at a step, of a Gaussian with the same central 80 %; NaN where that is unknown. */
    public double[] spread(int step) {
        double[] spread = new double[dimension()];
        Arrays.setAll(spread, c -> (quantile(step, c, 0.9) - quantile(step, c, 0.1)) / (2 * NORMAL_90));
        return spread;
    }

    /** The simulated values of a coordinate at a step before what was done to it is undone, ascending, copied; empty without simulated paths. */
    public double[] samples(int step, int coordinate) {
        return paths == null ? new double[0] : sample(index(step), coordinate).clone();
    }

    private double[] sample(int s, int coordinate) {
        return coordinate < units.shown
                ? paths.get().values(s, coordinate)
                : paths.get().outputs(s, coordinate - units.shown);
    }

    /**
     * The values around which the simulated futures of a coordinate gather, ascending, with the share of the paths that each has: more than one where
     * they separate clearly. Empty without simulated paths.
     */
    public List<Peak> modes(int step, int coordinate) {
        List<Peak> peaks = paths == null ? List.of() : Peak.of(sample(index(step), coordinate));
        return coordinate >= units.shown
                ? peaks
                : peaks.stream()
                        .map(peak -> new Peak(units.preparation.value(coordinate, peak.value()), peak.mass()))
                        .toList();
    }

    private int index(int step) {
        if (step < 1 || step > steps()) {
            throw new InvalidQueryException("step " + step + ": the forecast has steps 1 to " + steps());
        }
        return step - 1;
    }
}
