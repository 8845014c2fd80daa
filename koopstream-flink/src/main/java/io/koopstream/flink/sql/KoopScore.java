package io.koopstream.flink.sql;

import io.koopstream.score.Score;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.types.Row;

/**
 * {@code KOOP_SCORE(model, state, next)}: how unusual a step from one state to the next is by a published model. {@code p} is the share of the
 * model's held-out steps whose residual is as large, {@code score} a tenth for every factor of ten in it, {@code known} how well the model knows
 * the next state. A function of the model and its arguments alone, unlike the scores of a stream, which weigh what came before; null where an
 * argument is not known, where nothing can be told, and where there is no model at the path, which is counted.
 */
public final class KoopScore extends ScalarFunction {

    private static final long serialVersionUID = 1L;

    private transient SqlModels models;

    /** For Flink. */
    public KoopScore() {}

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
     * The score of a step.
     *
     * @param model the path of a model file
     * @param state with delays the delay vector, newest observation first
     * @param next the state one step later
     */
    @DataTypeHint("ROW<score DOUBLE, p DOUBLE, known DOUBLE>")
    public Row eval(String model, Double[] state, Double[] next) {
        double[] from = SqlModels.state(state);
        double[] to = SqlModels.state(next);
        if (model == null || from == null || to == null) {
            return null;
        }
        SqlModels.Opened opened = models.at(model);
        if (opened == null) {
            return null;
        }
        Score score = opened.requireDimension(from).requireDimension(to).score(from, to);
        return Row.of(told(score.score()), told(score.p()), told(score.known()));
    }

    private static Double told(double number) {
        return Double.isNaN(number) ? null : (Double) number;
    }
}
