package io.koopstream.stream;

import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.KnownAhead;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import java.util.function.Supplier;

/** Gives the rows of a stream to its record of forecasts, with what the calendar says of the rows to come. One thread. */
final class RecordKeeper {

    private final Preparation preparation;
    private final MaxGap maxGap;
    private final int dimension;

    /** @param dimension coordinates of an observation as it came */
    RecordKeeper(Preparation preparation, MaxGap maxGap, int dimension) {
        this.preparation = preparation;
        this.maxGap = maxGap;
        this.dimension = dimension;
    }

    /**
     * Judges earlier forecasts by the state that an observation completed, and opens new ones.
     *
     * @param from the state before; null where the state is the first of a stretch
     * @param to null where the observation completed no state
     * @param interval time of a step; NaN when unknown
     */
    void add(
            ForecastRecord record,
            Observation observation,
            double[] from,
            double[] to,
            double interval,
            Supplier<LeastSquaresState> learner) {
        if (to == null) {
            return;
        }
        KnownAhead ahead = knownAhead(observation.time(), interval);
        String name = observation.trajectory();
        double[] level = level(observation, to);
        if (observation.isPair()) {
            record.begin(name, from, from, ahead, learner);
            record.advance(name, to, to, ahead, learner);
        } else if (from != null) {
            record.advance(name, to, level, ahead, learner);
        } else {
            record.begin(name, to, level, ahead, learner);
        }
    }

    /** Takes the rows without judging anything by them: a model that has learned them would be judged too well. */
    void recall(ForecastRecord record, Observation observation, double[] from, double[] to) {
        if (to != null) {
            record.recall(observation.trajectory(), to, level(observation, to), from == null);
        }
    }

    private double[] level(Observation observation, double[] to) {
        return preparation.isNone() ? to : preparation.level(observation.values());
    }

    /** The calendar of the rows to come; null where there is one but no times. */
    private KnownAhead knownAhead(double time, double interval) {
        if (!preparation.hasCalendar()) {
            return KnownAhead.NOTHING;
        }
        return Double.isFinite(time) && Double.isFinite(interval)
                ? (step, row) -> preparation.putCalendar(maxGap.after(time, interval, step), row, dimension)
                : null;
    }
}
