package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Preparation;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Forecasts in the units of the data: what was done to observations before they were learned is undone, what the calendar says of the coming steps is
 * put in, and functions of the observation can be asked for. Immutable; any number of threads may ask at once.
 */
public final class ObservedForecaster {

    private final Forecaster forecaster;
    private final Preparation preparation;
    private final double interval;
    private final MaxGap maxGap;
    private final int observed;

    /** @param interval time of a step; NaN when unknown */
    public ObservedForecaster(Forecaster forecaster, Preparation preparation, double interval) {
        this(forecaster, preparation, interval, MaxGap.NONE);
    }

    /** A forecaster of observations between which there may be gaps, as over weekends. */
    public ObservedForecaster(Forecaster forecaster, Preparation preparation, double interval, MaxGap maxGap) {
        this.forecaster = forecaster;
        this.preparation = preparation;
        this.interval = interval;
        this.maxGap = maxGap;
        this.observed = preparation.observed(forecaster.layout().observed());
    }

    /** The same with another record, see {@link Forecaster#judgedBy}. */
    public ObservedForecaster judgedBy(ForecastRecord judged) {
        return new ObservedForecaster(forecaster.judgedBy(judged), preparation, interval, maxGap);
    }

    /** Forecaster of the prepared observations. */
    public Forecaster forecaster() {
        return forecaster;
    }

    /** Coordinates of an observation that are forecast, in the units of the data: inputs are not. */
    public int dimension() {
        return observed - preparation.inputs();
    }

    /**
     * The forecast from a start.
     *
     * @param observables functions of the observation in the units of the data, which stand after its coordinates in the answer
     * @throws InvalidQueryException if the start is none, or too little is known of it
     */
    public Forecast forecast(Start start, ForecastRequest request, List<ToDoubleFunction<double[]>> observables) {
        Forecast.Units units = new Forecast.Units(
                preparation, observed, dimension(), observables, start.levels(), step -> time(start.time(), step));
        return forecaster.forecast(start.rows(), units, request.knowing(knownAhead(start.time(), request.known())));
    }

    private double time(double start, int step) {
        return maxGap.after(start, interval, step);
    }

    private KnownAhead knownAhead(double time, KnownAhead given) {
        if (!preparation.hasCalendar()) {
            return given;
        }
        if (!Double.isFinite(time) || Double.isNaN(interval)) {
            throw new InvalidQueryException(
                    "the calendar is part of the state: a forecast needs the time of its start and of a step");
        }
        return (step, observation) -> {
            given.fill(step, observation);
            preparation.putCalendar(time(time, step), observation, observed);
        };
    }
}
