package io.koopstream.server.http.ask;

import io.koopstream.answers.ForecastAnswer;
import io.koopstream.answers.Forecasts;
import io.koopstream.answers.FutureInputs;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.NotReadyException;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.Version;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Start;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.Arrays;
import java.util.List;

/** What a model expects of the states to come. */
public final class ForecastAnswers {

    /** Numbers behind the bands of one answer at most, 40 MB of them. */
    private static final long MAX_NUMBERS = 5_000_000;

    /** The rows expected one step after points, and how well each point is known; NaN where that is too little, unless it is asked for. */
    @SuppressWarnings("ArrayRecordComponent") // made here and written once
    public record Prediction(Version of, double[][] next, double[] known) {}

    /** Weights with which values at the kept outputs make an expectation. */
    @SuppressWarnings("ArrayRecordComponent") // made here and written once
    public record Weights(Version of, double[] weights, double sum, double[][] states) {}

    private ForecastAnswers() {}

    /** The expected observation after every point. */
    public static Prediction predict(ModelView view, double[][] points, boolean anyway) {
        LearnedModel model = view.learned();
        requirePlain(view);
        Forecaster forecaster =
                model.forecaster(Regularisation.USUAL, Double.NaN).forecaster();
        ForecastRequest request = ForecastRequest.of(1).paths(0, 1);
        List<Forecast> forecasts =
                model.compute(() -> forecaster.forecasts(points, anyway ? request.fromAnywhere() : request));
        double[][] next = new double[points.length][];
        double[] known = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            next[i] = forecasts.get(i).mean(1);
            known[i] = forecasts.get(i).known(0);
        }
        return new Prediction(model.version(), next, known);
    }

    /** Inputs of the rows to come, from a question; null where it has none. */
    public static double[][] future(ModelView view, Object value) {
        int inputs = view.preparation().inputs();
        if (value != null && inputs == 0) {
            throw Question.bad("future", "the model has no inputs; set inputs where it is created, or leave this out");
        }
        return value == null ? null : PointsInput.rows("future", value, inputs, ForecastRequest.MAX_STEPS);
    }

    private static void requirePlain(ModelView view) {
        if (!view.preparation().isNone()) {
            throw new ApiError(
                    Code.BAD_REQUEST,
                    "this model learns logarithms, differences or the calendar, which a state alone does not determine; leave out 'from' to start after the newest row");
        }
    }

    /**
     * The expected observations after a state, with quantiles and with how well the states on the way are known.
     *
     * @param from null for the newest row
     * @param future inputs of the rows to come, one row per step; null where they are forecast with the rest
     */
    public static ForecastAnswer forecast(
            ModelView view,
            double[] from,
            ForecastRequest request,
            double[] levels,
            Regularisation wish,
            double[][] future) {
        LearnedModel model = view.learned();
        Forecasts forecasts = new Forecasts(
                model,
                request,
                levels,
                model.clock(),
                wish,
                List.of(),
                List.of(),
                future == null ? null : new FutureInputs(Arrays.asList(future)));
        long numbers = (long) request.steps()
                * view.dimension()
                * Math.max(request.paths(), forecasts.terms().rank());
        if (levels.length > 0 && numbers > MAX_NUMBERS) {
            throw Question.bad(
                    "steps",
                    "bands over " + request.steps() + " steps would need " + numbers
                            + " numbers; the limit is " + MAX_NUMBERS
                            + ": ask for fewer steps or paths, or for means alone (quantiles=none)");
        }
        return forecasts.answer(from == null ? newest(view, model.layout()) : start(view, model.layout(), from));
    }

    private static Start start(ModelView view, DelayLayout layout, double[] state) {
        requirePlain(view);
        return new Start(
                List.of(layout.history(state)),
                Arrays.stream(state, 0, view.dimension()).boxed().toList(),
                Double.NaN);
    }

    /** Where the newest trajectory stands, or the newest state where pairs come that make none. */
    private static Start newest(ModelView view, DelayLayout layout) {
        double[][] recent = view.recentStates();
        if (view.facts().newest().isEmpty()
                && recent.length > 0
                && layout.delays() == 0
                && view.preparation().isNone()) {
            return start(view, layout, recent[recent.length - 1]);
        }
        return view.facts()
                .newest()
                .orElseThrow(() -> new NotReadyException("no start: the newest trajectory has fewer than the "
                        + layout.history() + " successive rows that make a state; send more, or give 'from'"));
    }

    /** The weights with which values at the kept outputs make an expectation. */
    public static Weights weights(ModelView view, double[] from) {
        LearnedModel model = view.learned();
        KoopmanOperator operator = model.forForecasts(Regularisation.USUAL).operator();
        double[] weights = model.compute(() -> operator.weights(from));
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        return new Weights(model.version(), weights, sum, operator.outputPoints());
    }
}
