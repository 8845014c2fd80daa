package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;

/**
 * A request for a forecast.
 *
 * @param steps how far, >= 1
 * @param mode where the expected path comes from
 * @param paths how many paths are simulated for bands; 0 for none
 * @param seed of the simulation
 * @param anyway whether to answer also from starts where nothing was learned
 * @param known what is known of the coming observations
 */
public record ForecastRequest(int steps, Mode mode, int paths, long seed, boolean anyway, KnownAhead known) {

    /** The longest forecast. */
    public static final int MAX_STEPS = 100_000;

    /** Paths behind a band when nothing else is said. */
    public static final int DEFAULT_PATHS = 200;

    /** The most paths behind a band. */
    public static final int MAX_PATHS = 100_000;

    /** Refuses numbers out of range. */
    public ForecastRequest {
        if (steps < 1 || steps > MAX_STEPS) {
            throw new InvalidQueryException("steps = " + steps + ": must be from 1 to " + MAX_STEPS);
        }
        if (paths < 0 || paths == 1 || paths > MAX_PATHS) {
            throw new InvalidQueryException("paths = " + paths + ": must be 0 for no band, or from 2 to " + MAX_PATHS);
        }
    }

    /** A request for this number of steps with the usual bands. */
    public static ForecastRequest of(int steps) {
        return new ForecastRequest(steps, Mode.AUTO, DEFAULT_PATHS, 1, false, KnownAhead.NOTHING);
    }

    /** This request in another mode. */
    public ForecastRequest mode(Mode other) {
        return new ForecastRequest(steps, other, paths, seed, anyway, known);
    }

    /** This request with this number of simulated paths. */
    public ForecastRequest paths(int count, long newSeed) {
        return new ForecastRequest(steps, mode, count, newSeed, anyway, known);
    }

    /** This request from any start. */
    public ForecastRequest fromAnywhere() {
        return new ForecastRequest(steps, mode, paths, seed, true, known);
    }

    /** This request with inputs known ahead. */
    public ForecastRequest knowing(KnownAhead inputs) {
        return new ForecastRequest(steps, mode, paths, seed, anyway, inputs);
    }
}
