package io.koopstream.answers;

import io.koopstream.answers.ForecastAnswer.Path;
import io.koopstream.answers.ForecastAnswer.Terms;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Forecasts of a model on the same terms, from any number of starts. Any thread. */
public final class Forecasts {

    private final LearnedModel model;
    private final ForecastRequest request;
    private final Clock clock;
    private final List<ToDoubleFunction<double[]>> observables;
    private final ObservedForecaster forecaster;
    private final Terms terms;
    /** Null where inputs are forecast with the rest. */
    private final FutureInputs future;

    /** Forecasts of the columns of a model. */
    public Forecasts(LearnedModel model, ForecastRequest request, double[] levels, Clock clock, Regularisation wish) {
        this(model, request, levels, clock, wish, List.of(), List.of(), null);
    }

    /**
     * Forecasts of the columns and of functions of them.
     *
     * @param levels of the quantiles; none for means alone
     * @param clock how long a step lasts
     * @param texts names of the functions
     * @param observables functions of a row
     * @param future inputs of the rows to come; null where they are forecast with the rest
     */
    public Forecasts(
            LearnedModel model,
            ForecastRequest request,
            double[] levels,
            Clock clock,
            Regularisation wish,
            List<String> texts,
            List<ToDoubleFunction<double[]>> observables,
            FutureInputs future) {
        this.model = model;
        this.request = request;
        this.clock = clock;
        this.observables = observables;
        this.future = future;
        this.forecaster = model.forecaster(wish, clock.interval());
        Forecaster by = forecaster.forecaster();
        // What is chosen for forecasts is the forecaster's own: an operator would only be computed to be asked.
        boolean own = wish.equals(Regularisation.USUAL) && by.lambda().isPresent();
        Regularised learned = own ? null : model.forForecasts(wish);
        List<String> names = new ArrayList<>(model.driven());
        names.addAll(texts);
        Map<String, String> inputs = new LinkedHashMap<>();
        model.inputs().forEach(name -> inputs.put(name, future == null ? "forecast" : "given"));
        this.terms = new Terms(
                request.steps(),
                request.mode().name().toLowerCase(Locale.ROOT),
                own ? by.lambda().getAsDouble() : learned.lambda(),
                own ? by.dictionarySize() : learned.rank(),
                clock.interval(),
                clock.timeUnit(),
                List.copyOf(names),
                levels,
                inputs);
    }

    private Forecasts(Forecasts other, ObservedForecaster forecaster) {
        model = other.model;
        request = other.request;
        clock = other.clock;
        observables = other.observables;
        terms = other.terms;
        future = other.future;
        this.forecaster = forecaster;
    }

    /** These forecasts with another record of the model's stream, which says of what forecasts are made and how far they may be off. */
    public Forecasts judgedBy(ForecastRecord record) {
        return new Forecasts(this, forecaster.judgedBy(record));
    }

    /** The terms. */
    public Terms terms() {
        return terms;
    }

    /** The forecast after a start, from which any quantile can be read. */
    public Forecast forecast(Start start) {
        ForecastRequest asked =
                future == null ? request : request.given(future.after(start, model, clock, request.steps()));
        return model.compute(() -> forecaster.forecast(start, asked, observables));
    }

    /** The forecast from a start. */
    public Path path(Start start) {
        Forecast forecast = forecast(start);
        return model.compute(() -> path(start, forecast));
    }

    /** Forecasts from many starts as one answer. */
    public ForecastBatch batch(List<ForecastBatch.Started> forecasts) {
        return new ForecastBatch(model.version(), terms, forecasts);
    }

    /** The whole answer after a start. */
    public ForecastAnswer answer(Start start) {
        Forecast forecast = forecast(start);
        return model.compute(() -> new ForecastAnswer(
                model.version(),
                terms,
                path(start, forecast),
                terms.levels().length == 0 ? List.of() : ForecastAnswer.modes(forecast)));
    }

    private Path path(Start start, Forecast forecast) {
        Forecaster by = forecaster.forecaster();
        int steps = forecast.steps();
        double[][] mean = new double[steps][];
        double[] known = new double[steps];
        for (int s = 0; s < steps; s++) {
            mean[s] = forecast.mean(s + 1);
            known[s] = forecast.known(s + 1);
        }
        return new Path(
                model.labels().preparation().isNone()
                        ? by.layout().state(start.history().toArray(double[][]::new))
                        : null,
                start.time(),
                Double.isNaN(forecast.time(1))
                        ? null
                        : IntStream.rangeClosed(1, steps)
                                .mapToObj(s -> clock.at(forecast.time(s)))
                                .toList(),
                forecast.known(0),
                warning(forecast.known(0)),
                forecast.start(),
                mean,
                ForecastAnswer.quantiles(forecast, terms.levels()),
                forecast.bandSource().name(),
                known,
                ForecastAnswer.madeOf(forecast),
                by.record().map(record -> record.judged(0)).orElse(null));
    }

    private static String warning(double known) {
        return known < Forecaster.WARN_BELOW
                ? String.format(
                        Locale.ROOT,
                        "the model knows only %.0f %% of the start: do not trust this forecast",
                        100 * known)
                : null;
    }
}
