package io.koopstream.cli.shell;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.internal.text.Decimals;
import io.koopstream.io.ModelFile;
import io.koopstream.io.ModelFormatException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import io.koopstream.score.Scorer;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.stream.LearningStreamState;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A model file as the commands see it: the learned operator, and what is known about how it was learned. */
public final class Model {

    private final Path file;
    private final StoredModel stored;
    private final LearnerState state;
    private final StateLabels labels;
    private final AnswerOptions.Answer answer;

    private Model(Path file, StoredModel model, AnswerOptions options, boolean forecasts) {
        this.file = file;
        this.stored = model;
        this.state = model.state().settled();
        this.labels = model.labels();
        this.answer = options.from(state, forecasts);
    }

    /** A model that answers for spectra with its own settings. */
    public static Model read(Path file) {
        return new Model(file, ModelFile.load(file), new AnswerOptions(), false);
    }

    /** A model whose operator answers for spectra as the options say. */
    public static Model read(Path file, AnswerOptions options) {
        return new Model(file, ModelFile.load(file), options, false);
    }

    /** A model whose operator serves forecasts. */
    public static Model forForecasts(Path file, AnswerOptions options) {
        return new Model(file, ModelFile.load(file), options, true);
    }

    /** The operator that answers. */
    public KoopmanOperator operator() {
        return answer.operator();
    }

    /** With which ridge and rank the operator answers. */
    public AnswerOptions.Answer answer() {
        return answer;
    }

    /** The statistics of a least-squares model. */
    public Optional<LeastSquaresState> leastSquares() {
        return state instanceof LeastSquaresState leastSquares ? Optional.of(leastSquares) : Optional.empty();
    }

    /** The pairs that learning held out, inputs and outputs; null when there are too few to judge on. */
    public double[][][] heldOut() {
        return leastSquares()
                .map(LeastSquaresState::holdOut)
                .filter(aside -> aside.size() >= TrustReport.MIN_HELD_OUT)
                .map(aside -> new double[][][] {aside.inputs(), aside.outputs()})
                .orElse(null);
    }

    /** Trust in the eigenpairs of the operator that answers, judged on pairs that it has not learned. */
    public TrustReport trust(Spectrum spectrum, double[][] x, double[][] xNext, TrustRule rule) {
        return trust(state, answer.lambda(), spectrum, x, xNext, rule);
    }

    /** Trust in the eigenpairs of a state at this ridge: one rule for a model under way and for its file. */
    public static TrustReport trust(
            LearnerState learned, double lambda, Spectrum spectrum, double[][] x, double[][] xNext, TrustRule rule) {
        // The statistics of Algorithm 1 do not add up, so nothing is known about its standard errors.
        return learned instanceof LeastSquaresState
                ? TrustReport.of(
                        spectrum,
                        EigenvalueSpread.fromHeldOut(spectrum, x, xNext, lambda, learned.samples()),
                        x,
                        xNext,
                        rule)
                : TrustReport.of(spectrum, x, xNext, rule);
    }

    /** S/n of a least-squares model; null otherwise. */
    public double[][] covariance() {
        return leastSquares().map(LeastSquaresState::meanCovariance).orElse(null);
    }

    /** Coordinates of a state, delays included. */
    public int dimension() {
        return state.input().dimension();
    }

    /** Names of the coordinates for tables and pictures. */
    public List<String> names() {
        return labels.coordinates(dimension());
    }

    /** Names of the coordinates without those of earlier rows, which come after them. */
    public static List<String> current(List<String> names) {
        return names.stream()
                .takeWhile(name -> !name.startsWith(names.get(0) + "_lag"))
                .toList();
    }

    /** Names of the coordinates of an observation, of which states are made. */
    public List<String> observed() {
        return labels.observed(dimension());
    }

    /** What scores rows: with the past of the stream that learned it where rows were scored, with the residuals of held-out pairs otherwise. */
    public Scorer scorer(double alarmRate) {
        Scorer known = past().map(LearningStreamState::scorer).orElse(null);
        return known != null && known.isReady()
                ? known.copy(alarmRate)
                : Scorer.of(state, labels.preparation().dimension(observed().size()), alarmRate);
    }

    /** The stream beside the model; empty where there is none, or one of an earlier version: the model itself serves. */
    private Optional<LearningStreamState> past() {
        try {
            return stored.stream();
        } catch (ModelFormatException e) {
            return Optional.empty();
        }
    }

    /** What forecasts observations, with its own settings or those of the options. */
    public ObservedForecaster forecaster(double interval) {
        DelayLayout layout = DelayLayout.of(labels.preparation(), observed().size(), labels.delays(), labels.stride());
        return new ObservedForecaster(
                answer.isUsual()
                        ? Forecaster.of(
                                state,
                                layout,
                                past().map(LearningStreamState::record).orElse(null))
                        : Forecaster.of(state, layout, answer.operator(), answer.lambda()),
                labels.preparation(),
                interval,
                labels.time().maxGap());
    }

    /** The stream that learned it, to begin a forecast where it ended; empty when the file does not hold it. */
    public Optional<LearningStreamState> stream() {
        return stored.stream();
    }

    /** What its coordinates are. */
    public StateLabels labels() {
        return labels;
    }

    /** Pairs that it was learned from. */
    public long samples() {
        return state.samples();
    }

    /** The settings by name, and what least squares chooses and keeps aside. */
    private Map<String, Object> settings() {
        Map<String, Object> settings = state.config().settings();
        leastSquares().ifPresent(learned -> {
            settings.put("lambdaForSpectrum", learned.spectrumLambda());
            settings.put("lambdaForForecast", learned.forecastLambda());
            settings.put("heldOut", learned.holdOut().offered());
        });
        return settings;
    }

    /** What a limit of the dictionary has cost, in words. */
    public static String pruned(Pruning pruning) {
        return String.format(
                Locale.ROOT,
                "%,d kept points were replaced by better ones, %,d new ones turned away; error bound %.2g (a sum of"
                        + " worst cases)",
                pruning.removals(),
                pruning.refusals(),
                pruning.errorBound());
    }

    /** Errors and coverage of the forecasts made while it learned. */
    public AccuracyTable accuracy() {
        return new AccuracyTable(past().map(LearningStreamState::record).orElse(null));
    }

    /** Everything to say about it in a few lines. */
    public Map<String, Object> description() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", file.toString());
        facts.put("dimension", dimension());
        facts.put("names", names());
        if (labels.delays() > 0) {
            facts.put("delays", labels.delays());
            facts.put("stride", labels.stride());
        }
        facts.put("samples", state.pairs());
        facts.put("dictionary", operator().dictionarySize());
        Pruning pruning = operator().pruning();
        facts.put("removals", pruning.removals());
        facts.put("refusals", pruning.refusals());
        facts.put("errorBound", pruning.errorBound());
        facts.put("norm", operator().norm());
        facts.put("dependents", state.dependents());
        facts.putAll(settings());
        facts.put("digest", state.digest());
        return facts;
    }

    /** A value of {@link #description()} as text. */
    public static String text(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
        return value instanceof Double number ? Decimals.text(number) : String.valueOf(value);
    }
}
