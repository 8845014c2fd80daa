package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.OperatorAverage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * How the models of the parts become one. Nothing depends on Flink: a plain loop over the same parts gives the same bits.
 *
 * <p>Statistics of least squares on one dictionary add up, exactly up to the rounding of sums in the order of the parts, and what the parts
 * held out judges the sum. Operators on
 * different dictionaries are averaged, weighted by their samples, and re-sparsified within a budget.
 */
public final class ModelMerge implements Serializable {

    private static final long serialVersionUID = 2L;

    /** Whether statistics are added; operators are averaged otherwise. */
    private final boolean exact;

    private final double budget;
    /** Through which the dictionary comes back; null when it does not grow. */
    private final ModelExchange exchange;

    private final int maxDictionary;

    private ModelMerge(boolean exact, double budget, ModelExchange exchange, int maxDictionary) {
        this.exact = exact;
        this.budget = budget;
        this.exchange = exchange;
        this.maxDictionary = maxDictionary;
    }

    /** Adds the statistics of least squares; all parts must have started from the {@code dictionaryOnly()} of one state. */
    public static ModelMerge statistics() {
        return new ModelMerge(true, 0, null, Integer.MAX_VALUE);
    }

    /**
     * Adds the statistics of least squares on a dictionary that grows: parts propose the states that theirs misses, the last stage admits them in the order of
     * the parts, and what it has admitted, with the model of the whole, comes back through the exchange. Parts start from nothing, or from the
     * {@code emptiedToGrow()} of one state; predictions are those of the whole.
     *
     * @param exchange seen by all tasks, for this job alone
     * @param maxDictionary the most points to agree on, >= 1; the learners themselves have no limit
     */
    public static ModelMerge growing(ModelExchange exchange, int maxDictionary) {
        if (maxDictionary < 1) {
            throw new InvalidConfigException("maxDictionary", maxDictionary, "must be >= 1 point");
        }
        return new ModelMerge(true, 0, exchange, maxDictionary);
    }

    /** Whether statistics are added, so that parts need only tell what they have added. */
    boolean addsStatistics() {
        return exact;
    }

    Optional<ModelExchange> exchange() {
        return Optional.ofNullable(exchange);
    }

    int maxDictionary() {
        return maxDictionary;
    }

    /** Refuses settings with which statistics would not add up. */
    void requireFitting(LeastSquaresConfig config) {
        boolean fixed = config.hasFixedDictionary();
        if (exchange == null && !fixed) {
            throw new InvalidConfigException(
                    "dictionary",
                    null,
                    "is missing: statistics add on one dictionary. Start all parts from the dictionaryOnly() of one"
                            + " state, or let it grow through an exchange");
        }
        if (exchange != null && (fixed || config.maxDictionary() != DictionaryCap.NONE)) {
            throw new InvalidConfigException(
                    "dictionary",
                    fixed ? "fixed" : "at most " + config.maxDictionary() + " points in every part",
                    "parts propose what they keep: let them keep it, and give the limit to the exchange");
        }
    }

    /** What the parts of a stream start from, where statistics are added. */
    static LeastSquaresState start(LearnSettings settings) {
        return statistics(KoopmanModel.start(settings).stored());
    }

    /**
     * Averages operators, whatever their dictionaries.
     *
     * @param budget the largest Hilbert–Schmidt distance of the result from the full average, >= 0; 0 keeps every point
     */
    public static ModelMerge operators(double budget) {
        InvalidConfigException.requireNonNegative("budget", budget, "a Hilbert-Schmidt distance; 0 keeps every point");
        return new ModelMerge(false, budget, null, Integer.MAX_VALUE);
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

    private StoredModel sum(Iterator<StoredModel> parts) {
        if (exchange != null) {
            List<StoredModel> all = new ArrayList<>();
            parts.forEachRemaining(all::add);
            return new StoredModel(
                    LeastSquaresState.united(
                            all.stream().map(ModelMerge::statistics).toList(), maxDictionary),
                    all.get(0).labels());
        }
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
