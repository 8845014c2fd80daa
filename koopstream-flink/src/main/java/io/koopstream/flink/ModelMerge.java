package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.Averaging;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.OperatorAverage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * How the models of the parts become one. Nothing depends on Flink: a plain loop over the same parts gives the same bits.
 *
 * <p>Statistics of least squares on one dictionary add up, exactly up to the rounding of sums in the order of the parts, and what the parts
 * held out judges the sum. Operators on
 * different dictionaries are averaged, weighted by their samples, and re-sparsified within a budget.
 */
public final class ModelMerge implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Whether statistics are added; operators are averaged otherwise. */
    private final boolean exact;

    private final double budget;

    private ModelMerge(boolean exact, double budget) {
        this.exact = exact;
        this.budget = budget;
    }

    /** Adds the statistics of least squares; all parts must have started from the {@code dictionaryOnly()} of one state. */
    public static ModelMerge statistics() {
        return new ModelMerge(true, 0);
    }

    /**
     * Averages operators, whatever their dictionaries.
     *
     * @param budget the largest Hilbert–Schmidt distance of the result from the full average, >= 0; 0 keeps every point
     */
    public static ModelMerge operators(double budget) {
        InvalidConfigException.requireNonNegative("budget", budget, "a Hilbert-Schmidt distance; 0 keeps every point");
        return new ModelMerge(false, budget);
    }

    /**
     * The merged model.
     *
     * @param parts in the order of the partitions, at least one; taken one by one where that is possible
     * @throws io.koopstream.KoopstreamException if they do not go together
     */
    public StoredModel merge(Iterator<StoredModel> parts) {
        return exact ? sum(parts) : average(parts);
    }

    private static StoredModel sum(Iterator<StoredModel> parts) {
        StateLabels[] labels = new StateLabels[1];
        LeastSquaresState sum = LeastSquaresState.merged(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return parts.hasNext();
            }

            @Override
            public LeastSquaresState next() {
                StoredModel part = parts.next();
                labels[0] = labels[0] == null ? part.labels() : labels[0];
                return statistics(part);
            }
        });
        return new StoredModel(sum, labels[0]);
    }

    private static LeastSquaresState statistics(StoredModel part) {
        if (part.state() instanceof LeastSquaresState statistics) {
            return statistics;
        }
        throw new InvalidConfigException(
                "merge", "statistics", "the parts were learned with sogd: average their operators");
    }

    private StoredModel average(Iterator<StoredModel> parts) {
        List<KoopmanOperator> operators = new ArrayList<>();
        StateLabels labels = null;
        LearnerState last = null;
        while (parts.hasNext()) {
            StoredModel part = parts.next();
            labels = labels == null ? part.labels() : labels;
            last = part.state();
            operators.add(part.state().operator().asKoopman());
        }
        double[] weights =
                operators.stream().mapToDouble(KoopmanOperator::samples).toArray();
        OperatorAverage average = OperatorAverage.of(operators, weights, budget);
        return new StoredModel(toGoOn(last, average), labels);
    }

    /** With the settings of the parts where Algorithm 1 can go on with them. */
    private static SogdState toGoOn(LearnerState part, OperatorAverage average) {
        if (!(part instanceof SogdState sogd)) {
            return SogdState.holding(average.operator());
        }
        SogdConfig config = sogd.config();
        return SogdState.startingAt(
                config.toBuilder()
                        .averaging(Averaging.none())
                        .maxDictionary(Math.max(
                                config.maxDictionary(), average.operator().dictionarySize()))
                        .build(),
                average.operator());
    }
}
