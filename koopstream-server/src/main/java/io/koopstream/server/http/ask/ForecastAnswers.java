package io.koopstream.server.http.ask;

import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.server.engine.Regularisation;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import java.util.Map;

/** What a model expects of the states to come. */
public final class ForecastAnswers {

    /** Level of the lower end of the band around a forecast: it holds 95 %. */
    private static final double LOW = 0.025;

    private ForecastAnswers() {}

    private static Regularised forecasting(ModelView view, Regularisation wish) {
        ModelAnswers.requireLearned(view);
        return ModelAnswers.kept(view.forForecasts(wish));
    }

    /** E[x⁺ | x] of every point. */
    public static Map<String, Object> predict(ModelView view, double[][] points) {
        KoopmanOperator operator = forecasting(view, Regularisation.USUAL).operator();
        double[][] next = new double[points.length][];
        view.compute(() -> {
            for (int i = 0; i < points.length; i++) {
                next[i] = operator.predict(points[i]);
            }
            return null;
        });
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("next", next);
        return answer;
    }

    /** The expected observations after a state, with a band and with how well the states on the way are known. */
    public static Map<String, Object> forecast(ModelView view, double[] from, int steps, Regularisation wish) {
        if (!view.settings().stream().preparation().isNone()) {
            throw new ApiError(
                    Code.BAD_REQUEST,
                    "this model learns logarithms, differences or the calendar, which a state alone does not undo: download it and use koop forecast --data");
        }
        Regularised learned = forecasting(view, wish);
        Forecaster forecaster = view.forecaster(wish);
        Forecast forecast = view.compute(() -> forecaster.forecast(from, ForecastRequest.of(steps)));
        double[][] mean = new double[steps][];
        double[][] std = new double[steps][];
        double[] known = new double[steps];
        for (int s = 0; s < steps; s++) {
            mean[s] = forecast.mean(s + 1);
            std[s] = forecast.spread(s + 1);
            known[s] = forecast.known(s + 1);
        }
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("steps", steps);
        answer.put("lambda", learned.lambda());
        answer.put("rank", learned.rank());
        answer.put("dt", view.labels().time().interval());
        answer.put("names", ModelAnswers.names(view).subList(0, view.dimension()));
        answer.put("from", from);
        answer.put("mean", mean);
        answer.put("std", std);
        answer.put("low", forecast.quantiles(LOW));
        answer.put("high", forecast.quantiles(1 - LOW));
        answer.put("band", forecast.bandSource().name());
        answer.put("known", forecast.known(0));
        answer.put("knownOnTheWay", known);
        return answer;
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
