package io.koopstream.server.http.ask;

import io.koopstream.forecast.PathForecast;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.server.engine.Regularisation;
import java.util.Map;

/** What a model expects of the states to come. */
public final class ForecastAnswers {

    /** Spread of the band around a forecast, in standard deviations. */
    private static final double BAND = 2;

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

    /** The expected path from a state, with its spread. */
    public static Map<String, Object> forecast(ModelView view, double[] from, int steps, Regularisation wish) {
        Regularised learned = forecasting(view, wish);
        PathForecast forecast = view.compute(() -> PathForecast.of(learned.operator(), from, steps));
        double[][] mean = new double[steps][];
        double[][] std = new double[steps][];
        double[][] low = new double[steps][from.length];
        double[][] high = new double[steps][from.length];
        for (int s = 0; s < steps; s++) {
            mean[s] = forecast.mean(s + 1);
            std[s] = forecast.spread(s + 1);
            for (int c = 0; c < from.length; c++) {
                low[s][c] = mean[s][c] - BAND * std[s][c];
                high[s][c] = mean[s][c] + BAND * std[s][c];
            }
        }
        Map<String, Object> answer = ModelAnswers.start(view);
        answer.put("steps", steps);
        answer.put("lambda", learned.lambda());
        answer.put("rank", learned.rank());
        answer.put("dt", view.labels().time().interval());
        answer.put("names", ModelAnswers.names(view));
        answer.put("from", from);
        answer.put("mean", mean);
        answer.put("std", std);
        answer.put("low", low);
        answer.put("high", high);
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
