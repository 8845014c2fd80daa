package io.koopstream.flink;

import io.koopstream.InvalidQueryException;
import io.koopstream.KoopstreamException;
import io.koopstream.flink.RejectedSample.Reason;
import io.koopstream.operator.KoopmanOperator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Answers records from published models. Operators are made from the parts in the state when first asked, and kept while their version
 * is the newest: they are immutable, so keeping them is safe, unlike keeping what the state hands out.
 */
final class Predictor {

    /** Operators kept by one task. */
    private static final int MAX_OPERATORS = 1000;

    private final int steps;
    private final Map<String, Served> served = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Served> eldest) {
            return size() > MAX_OPERATORS;
        }
    };

    private record Served(long version, KoopmanOperator operator) {}

    Predictor(int steps) {
        this.steps = steps;
    }

    /**
     * Answers one record.
     *
     * @param model the newest complete model; null when there is none
     */
    void answer(
            String key,
            SampleEvent event,
            ModelParts model,
            Consumer<Prediction> answers,
            Consumer<RejectedSample> rejections) {
        if (event == null || event.state == null) {
            rejections.accept(RejectedSample.of(key, event, Reason.NULL, "the record or its state is missing"));
            return;
        }
        if (model == null) {
            rejections.accept(
                    RejectedSample.of(key, event, Reason.NO_MODEL, "key " + key + " has no model yet; ask later"));
            return;
        }
        try {
            answers.accept(predict(event, model.version, operator(model)));
        } catch (InvalidQueryException e) {
            rejections.accept(RejectedSample.of(key, event, Reason.NO_ANSWER, e.getMessage()));
        } catch (KoopstreamException e) {
            rejections.accept(RejectedSample.of(key, event, Reason.BAD_MODEL, e.getMessage()));
        }
    }

    private Prediction predict(SampleEvent event, long version, KoopmanOperator operator) {
        Prediction prediction = new Prediction();
        prediction.key = event.key;
        prediction.trajectory = event.trajectory;
        prediction.step = event.step;
        prediction.time = event.time;
        prediction.version = version;
        prediction.path = operator.forecast(event.state, steps);
        prediction.coverage = operator.coverage(event.state);
        return prediction;
    }

    private KoopmanOperator operator(ModelParts model) {
        Served known = served.get(model.key);
        if (known == null || known.version() != model.version) {
            known = new Served(
                    model.version, model.model().state().forecastOperator().asKoopman());
            served.put(model.key, known);
        }
        return known.operator();
    }
}
