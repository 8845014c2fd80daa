package io.koopstream.flink.sql;

import io.koopstream.InvalidQueryException;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.FunctionHint;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.TableFunction;
import org.apache.flink.types.Row;

/**
 * {@code KOOP_FORECAST(model, steps, state)}: what follows a state by a published model, one row per step with its number, the expected state and
 * the ends of the band that holds 90 % of each coordinate. No rows for a state with unknown numbers, or of which the model knows too little,
 * and where there is no model at the path, which is counted.
 */
@FunctionHint(
        output =
                @DataTypeHint(
                        "ROW<step INT, expected ARRAY<DOUBLE>, low ARRAY<DOUBLE>, high ARRAY<DOUBLE>, known DOUBLE>"))
public final class KoopForecast extends TableFunction<Row> {

    private static final long serialVersionUID = 1L;
    private static final double LOW = 0.05;
    private static final double HIGH = 0.95;

    private transient SqlModels models;

    /** For Flink. */
    public KoopForecast() {}

    @Override
    public void open(FunctionContext context) {
        models = new SqlModels(context);
    }

    /** A published model is replaced now and then. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    /**
     * The rows for a state.
     *
     * @param model the path of a model file
     * @param steps how many
     * @param state with delays the delay vector, newest observation first
     */
    public void eval(String model, Integer steps, Double[] state) {
        double[] start = SqlModels.state(state);
        if (model == null || steps == null || start == null) {
            return;
        }
        SqlModels.Opened opened = models.at(model);
        if (opened == null) {
            return;
        }
        Forecaster forecaster = opened.requireDimension(start).forecaster();
        ForecastRequest request = ForecastRequest.of(steps);
        Forecast forecast;
        try {
            forecast = forecaster.forecast(start, request);
        } catch (InvalidQueryException e) {
            // Too little is known of this state: an answer of its own, and no reason to end the query.
            return;
        }
        for (int step = 1; step <= steps; step++) {
            double[] mean = forecast.mean(step);
            Double[][] row = new Double[3][mean.length];
            for (int c = 0; c < mean.length; c++) {
                row[0][c] = mean[c];
                row[1][c] = forecast.quantile(step, c, LOW);
                row[2][c] = forecast.quantile(step, c, HIGH);
            }
            collect(Row.of(step, row[0], row[1], row[2], forecast.known(step)));
        }
    }
}
