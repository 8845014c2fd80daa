package io.koopstream.answers;

import io.koopstream.io.Json;
import io.koopstream.io.StateLabels;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Facts about a model that need no computing: the beginning of every description, from whatever entry point.
 *
 * @param of which model it is about
 * @param dictionary kept samples
 * @param dimension columns that it is learned from; 0 before they are known
 * @param stateDimension coordinates of a state, delays included; 0 before they are known
 * @param names of the columns
 * @param coordinates of a state without its delays: columns, or their logarithms and differences, and the calendar
 * @param delays earlier rows that are part of a state
 * @param stride rows between them
 * @param dt how long a step lasts; NaN when nobody knows
 * @param timeUnit what times are counted in
 * @param timeStyle how times are written; empty where there are none, or they are numbers
 * @param method learning method
 * @param kernel kernel; null while it is not chosen
 * @param settings what is set, to what, and why
 * @param lambda regularisation of spectra and forecasts
 * @param heldOut pairs that learning held out
 * @param stream facts about the stream that learned it; null where a file does not hold it
 */
public record ModelInfo(
        Version of,
        int dictionary,
        int dimension,
        int stateDimension,
        List<String> names,
        List<String> coordinates,
        int delays,
        int stride,
        double dt,
        String timeUnit,
        String timeStyle,
        String method,
        String kernel,
        List<Explained> settings,
        Lambdas lambda,
        long heldOut,
        Stream stream)
        implements Json.Part {

    /**
     * Regularisation.
     *
     * @param spectrum of spectra; NaN while it is to be chosen on held-out pairs and nobody has asked for what needs it
     * @param forecast of forecasts, likewise
     */
    public record Lambdas(double spectrum, double forecast) {

        /** Nothing is learned. */
        public static final Lambdas NONE = new Lambdas(Double.NaN, Double.NaN);

        private static Lambdas of(LearnedModel model) {
            return new Lambdas(orNaN(model.spectrumLambda()), orNaN(model.forecastLambda()));
        }

        private static double orNaN(OptionalDouble value) {
            return value.orElse(Double.NaN);
        }
    }

    /**
     * Facts about a stream.
     *
     * @param phase how far it has come
     * @param counts what became of its rows
     * @param oneStepError running mean of the error of predicting pairs before they are learned; NaN before there is one
     * @param warmUp how far the choice of settings is
     * @param drift changes of the dynamics, oldest first
     */
    public record Stream(
            Phase phase, RowCounts counts, double oneStepError, StreamFacts.WarmUp warmUp, List<ChangeEvent> drift)
            implements Json.Part {

        /** Facts in the names and times of the data. */
        public static Stream of(StreamFacts facts, List<String> names, Clock clock) {
            return new Stream(
                    facts.phase(),
                    facts.rows(),
                    facts.oneStepError(),
                    facts.warmUp(),
                    ChangeEvent.of(facts.driftEvents(), names, clock));
        }
    }

    /** Keeps its own lists. */
    public ModelInfo {
        names = List.copyOf(names);
        coordinates = List.copyOf(coordinates);
        settings = List.copyOf(settings);
    }

    /** The facts about a model that has learned. */
    public static ModelInfo of(LearnedModel model) {
        StreamFacts facts = model.facts().orElse(null);
        Map<String, Object> settings = model.state().config().settings();
        return of(
                model.version(),
                model.state().dictionarySize(),
                model.dimension(),
                model.names(),
                model.labels(),
                settings.get("method").toString(),
                settings.get("kernel").toString(),
                facts != null
                        ? facts.explained()
                        : settings.entrySet().stream()
                                .map(one -> new Explained(
                                        one.getKey(), one.getValue().toString(), "as it was learned"))
                                .toList(),
                Lambdas.of(model),
                model.heldOut(),
                facts);
    }

    /** The facts about a stream that has not learned anything yet. */
    public static ModelInfo of(
            Version version,
            int dictionary,
            int stateDimension,
            List<String> names,
            StateLabels labels,
            String method,
            String kernel,
            List<Explained> settings,
            Lambdas lambda,
            long heldOut,
            StreamFacts facts) {
        Clock clock = Clock.of(labels.time(), null);
        return new ModelInfo(
                version,
                dictionary,
                stateDimension == 0 ? 0 : names.size(),
                stateDimension,
                names,
                labels.preparation().names(names),
                labels.delays(),
                labels.stride(),
                labels.time().interval(),
                clock.timeUnit(),
                labels.time().style(),
                method,
                kernel,
                settings,
                lambda,
                heldOut,
                facts == null ? null : Stream.of(facts, names, clock));
    }
}
