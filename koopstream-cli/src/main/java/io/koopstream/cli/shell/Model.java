package io.koopstream.cli.shell;

import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.LearnedModel.Regularised;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.StreamFacts;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.internal.text.Decimals;
import io.koopstream.io.Json;
import io.koopstream.io.ModelFile;
import io.koopstream.io.ModelFormatException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import io.koopstream.score.Scorer;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.RecordFollower;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A model file as the commands see it: what was learned, and the operator that is to answer. */
public final class Model {

    private final StoredModel stored;
    private final LearnedModel learned;
    private final Regularisation wish;

    private Model(StoredModel stored, AnswerOptions options, TrustRule rule) {
        this.stored = stored;
        this.learned = LearnedModel.of(stored, rule);
        this.wish = options.wish(learned);
    }

    /** A model that answers with its own settings. */
    public static Model read(Path file) {
        return read(file, new AnswerOptions());
    }

    /** A model whose operator answers as the options say. */
    public static Model read(Path file, AnswerOptions options) {
        return read(file, options, TrustRule.stochastic());
    }

    /** A model whose eigenvalues are trusted by a rule. */
    public static Model read(Path file, AnswerOptions options, TrustRule rule) {
        return new Model(ModelFile.load(file), options, rule);
    }

    /** What was learned, to which questions are put. */
    public LearnedModel learned() {
        return learned;
    }

    /** The ridge and the rank with which it is to answer. */
    public Regularisation wish() {
        return wish;
    }

    /** The operator that answers for spectra, with its ridge and rank. */
    public Regularised regularised() {
        return learned.forSpectra(wish);
    }

    /** The operator that answers for spectra. */
    public KoopmanOperator operator() {
        return regularised().operator();
    }

    /** Coordinates of a state, delays included. */
    public int dimension() {
        return learned.dimension();
    }

    /** Names of the coordinates of a state. */
    public List<String> names() {
        return labels().coordinates(dimension());
    }

    /** Names of the columns that it was learned from. */
    public List<String> observed() {
        return learned.names();
    }

    /** What its coordinates are. */
    public StateLabels labels() {
        return learned.labels();
    }

    /** What scores rows: with the past of the stream that learned it where rows were scored, with the residuals of held-out pairs otherwise. */
    public Scorer scorer(double alarmRate) {
        Scorer known = past().map(LearningStreamState::scorer).orElse(null);
        return known != null && known.isReady()
                ? known.copy(alarmRate)
                : Scorer.of(
                        learned.settled(),
                        labels().preparation().dimension(observed().size()),
                        alarmRate);
    }

    /** The stream beside the model; empty where there is none, or one of an earlier version: the model itself serves. */
    private Optional<LearningStreamState> past() {
        try {
            return stored.stream();
        } catch (ModelFormatException e) {
            return Optional.empty();
        }
    }

    /** Carries its record of forecasts on over later rows; empty where there is none, and where options ask for another ridge than was judged. */
    public Optional<RecordFollower> follower() {
        return wish().equals(Regularisation.USUAL) ? past().flatMap(RecordFollower::of) : Optional.empty();
    }

    /** The stream that learned it, to begin a forecast where it ended; empty when the file does not hold it. */
    public Optional<LearningStreamState> stream() {
        return stored.stream();
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

    /** Errors and coverage of the forecasts made while it learned; null where none were judged. */
    public ForecastRecord record() {
        return learned.facts().flatMap(StreamFacts::record).orElse(null);
    }

    /** A value of a description as text. */
    public static String text(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
        if (value instanceof Record record) {
            return Json.members(record).entrySet().stream()
                    .map(one -> one.getKey() + " " + text(one.getValue()))
                    .collect(Collectors.joining(", "));
        }
        return value instanceof Double number ? Decimals.text(number) : String.valueOf(value);
    }
}
