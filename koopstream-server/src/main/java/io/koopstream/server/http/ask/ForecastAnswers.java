package io.koopstream.server.http.ask;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Peak;
import io.koopstream.forecast.Start;
import io.koopstream.forecast.UnknownStartException;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.server.engine.Regularisation;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a model expects of the states to come. */
public final class ForecastAnswers {

    /** Numbers behind the bands of one answer at most, 40 MB of them. */
    private static final long MAX_NUMBERS = 5_000_000;

    /** Steps at which it is told whether futures separate. */
    private static final int MODE_STEPS = 20;

    private ForecastAnswers() {}

    private static Regularised forecasting(ModelView view, Regularisation wish) {
        ModelAnswers.requireLearned(view);
        return ModelAnswers.kept(view.forForecasts(wish));
    }

    /** The expected observation after every point; NaN where too little is known of it, unless that is asked for. */
    public static Map<String, Object> predict(ModelView view, double[][] points, boolean anyway) {
        ModelAnswers.requireLearned(view);
        requirePlain(view);
        Forecaster forecaster = view.forecaster(Regularisation.USUAL).forecaster();
        ForecastRequest request = ForecastRequest.of(1).paths(0, 1);
        List<Forecast> forecasts =
                view.compute(() -> forecaster.forecasts(points, anyway ? request.fromAnywhere() : request));
        double[][] next = new double[points.length][];
        double[] known = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            next[i] = forecasts.get(i).mean(1);
            known[i] = forecasts.get(i).known(0);
        }
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("next", next);
        answer.put("known", known);
        return answer;
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
     */
    public static Map<String, Object> forecast(
            ModelView view, double[] from, ForecastRequest request, double[] levels, Regularisation wish) {
        ModelAnswers.requireLearned(view);
        if (view.model().state().dictionarySize() == 0) {
            throw ModelAnswers.nothingKept();
        }
        ObservedForecaster forecaster = view.forecaster(wish);
        Forecaster by = forecaster.forecaster();
        // What is chosen for forecasts is the forecaster's own: an operator would only be computed to be asked.
        boolean own = wish.equals(Regularisation.USUAL) && by.lambda().isPresent();
        Regularised learned = own ? null : forecasting(view, wish);
        int rank = own ? by.dictionarySize() : learned.rank();
        long numbers = (long) request.steps() * view.dimension() * Math.max(request.paths(), rank);
        if (levels.length > 0 && numbers > MAX_NUMBERS) {
            throw Question.bad(
                    "steps",
                    "bands over " + request.steps() + " steps would need " + numbers
                            + " numbers; the limit is " + MAX_NUMBERS
                            + ": ask for fewer steps or paths, or for means alone (quantiles=none)");
        }
        DelayLayout layout = by.layout();
        Start start = from == null ? newest(view, layout) : start(view, layout, from);
        double[] state = layout.state(start.history().toArray(double[][]::new));
        double known = view.compute(() -> by.known(state));
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("steps", request.steps());
        answer.put("mode", request.mode().name().toLowerCase(Locale.ROOT));
        answer.put("lambda", own ? by.lambda().getAsDouble() : learned.lambda());
        answer.put("rank", rank);
        answer.put("dt", view.labels().time().interval());
        answer.put("names", ModelAnswers.observed(view));
        answer.put("from", view.preparation().isNone() ? state : null);
        answer.put("time", start.time());
        answer.put("known", known);
        answer.put("warning", warning(known));
        try {
            view.compute(() -> {
                put(answer, forecaster.forecast(start, request, List.of()), levels);
                return null;
            });
        } catch (UnknownStartException e) {
            throw new ApiError(
                            Code.UNKNOWN_STATE,
                            String.format(
                                    Locale.ROOT,
                                    "only %.2g of the start is known, less than %s: nothing like it was learned; start closer to the data, or add anyway=true",
                                    known,
                                    Forecaster.REFUSE_BELOW))
                    .with("known", known);
        }
        answer.put("judged", by.record().map(record -> record.judged(0)).orElse(null));
        return answer;
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
        if (view.newest().isEmpty()
                && recent.length > 0
                && layout.delays() == 0
                && view.preparation().isNone()) {
            return start(view, layout, recent[recent.length - 1]);
        }
        return view.newest()
                .orElseThrow(() -> new ApiError(
                        Code.NOT_READY,
                        "no start: the newest trajectory has fewer than the " + layout.history()
                                + " successive rows that make a state; send more, or give 'from'"));
    }

    private static String warning(double known) {
        return known < Forecaster.WARN_BELOW
                ? String.format(
                        Locale.ROOT,
                        "the model knows only %.0f %% of the start: do not trust this forecast",
                        100 * known)
                : null;
    }

    private static void put(Map<String, Object> answer, Forecast forecast, double[] levels) {
        int steps = forecast.steps();
        double[][] mean = new double[steps][];
        double[] known = new double[steps];
        for (int s = 0; s < steps; s++) {
            mean[s] = forecast.mean(s + 1);
            known[s] = forecast.known(s + 1);
        }
        answer.put("start", forecast.start());
        answer.put("mean", mean);
        answer.put("levels", levels);
        answer.put("quantiles", quantiles(forecast, levels));
        answer.put("band", forecast.bandSource().name());
        answer.put("knownOnTheWay", known);
        answer.put("modes", levels.length == 0 ? List.of() : modes(forecast));
        answer.put("madeOf", madeOf(forecast));
    }

    /** The share of each member at every step. */
    private static Map<String, double[]> madeOf(Forecast forecast) {
        Map<String, double[]> shares = new LinkedHashMap<>();
        for (int s = 0; s < forecast.steps(); s++) {
            int at = s;
            forecast.madeOf(s + 1)
                    .forEach((member, share) ->
                            shares.computeIfAbsent(member.text(), text -> new double[forecast.steps()])[at] = share);
        }
        return shares;
    }

    private static double[][][] quantiles(Forecast forecast, double[] levels) {
        double[][][] quantiles = new double[levels.length][forecast.steps()][forecast.dimension()];
        for (int q = 0; q < levels.length; q++) {
            for (int s = 0; s < forecast.steps(); s++) {
                for (int c = 0; c < forecast.dimension(); c++) {
                    quantiles[q][s][c] = forecast.quantile(s + 1, c, levels[q]);
                }
            }
        }
        return quantiles;
    }

    /** Where the futures of a coordinate gather in more than one place, at some steps of a long forecast. */
    private static List<Object> modes(Forecast forecast) {
        List<Object> list = new ArrayList<>();
        int every = Math.max(1, forecast.steps() / MODE_STEPS);
        for (int s = every; s <= forecast.steps(); s += every) {
            for (int c = 0; c < forecast.dimension(); c++) {
                List<Peak> peaks = forecast.modes(s, c);
                if (peaks.size() > 1) {
                    Map<String, Object> entry = new LinkedHashMap<>();
                    entry.put("step", s);
                    entry.put("coordinate", c);
                    entry.put("values", peaks.stream().mapToDouble(Peak::value).toArray());
                    entry.put("masses", peaks.stream().mapToDouble(Peak::mass).toArray());
                    list.add(entry);
                }
            }
        }
        return list;
    }

    /** The weights with which values at the kept outputs make an expectation. */
    public static Map<String, Object> weights(ModelView view, double[] from) {
        KoopmanOperator operator = forecasting(view, Regularisation.USUAL).operator();
        double[] weights = view.compute(() -> operator.weights(from));
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("weights", weights);
        answer.put("sum", sum);
        answer.put("states", operator.outputPoints());
        return answer;
    }
}
