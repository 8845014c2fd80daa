package io.koopstream.server.http.ask;

import io.koopstream.answers.ChangeEvent;
import io.koopstream.answers.Clock;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.ModelInfo;
import io.koopstream.answers.ScoreRow;
import io.koopstream.answers.StreamFacts;
import io.koopstream.answers.Version;
import io.koopstream.change.LearningCurve.Reading;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ScoreBoard;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Answers that a model of the server gives without computing. */
public final class ModelAnswers {

    /**
     * A model of the server: the facts that every model has, and those of one that is served.
     *
     * @param model facts that a file would have too
     * @param name its name
     * @param received items accepted and applied
     * @param waiting items in the queue
     * @param resent items that came again
     * @param rejected items that were refused
     * @param given settings as they were given
     * @param lost acknowledged batches that are lost
     * @param warnings what the settings do not promise, and what is lost
     * @param streams numbers expected next
     * @param health whether it learns
     * @param durability when an acknowledgement is given
     */
    public record Served(
            ModelInfo model,
            String name,
            long received,
            long waiting,
            long resent,
            long rejected,
            Map<String, String> given,
            long lost,
            List<String> warnings,
            List<ModelView.StreamInfo> streams,
            Health health,
            String durability) {}

    /** Whether a model learns: RUNNING, TROUBLED or FAILED, and why. */
    public record Health(String state, String reason) {}

    /** The learning curve. */
    public record Errors(Version of, double oneStepError, Curve curve) {}

    /** Readings along the stream: how many pairs had come, the running mean of the error, and how many samples were kept. */
    public record Curve(List<Long> samples, List<Double> error, List<Integer> dictionary) {}

    /** Changes of the dynamics, oldest first, and whether anybody watches for them. */
    public record Drift(Version of, boolean watching, List<ChangeEvent> events) {}

    /** Scores of the newest rows, and of those with which an alarm began. */
    public record Scores(
            Version of,
            List<String> names,
            double alarmRate,
            long alarmed,
            long judged,
            long heldBack,
            List<ScoreRow> rows,
            List<ScoreRow> alarms) {}

    private ModelAnswers() {}

    static Version version(ModelView view) {
        return view.ifLearned().map(LearnedModel::version).orElse(new Version(view.version(), 0));
    }

    /** Everything about a model that needs no computing. */
    public static Served info(LiveModel model, ModelView view) {
        LiveModel.Counts counts = model.counts();
        List<String> warnings = new ArrayList<>(view.facts().warnings());
        if (model.lost() > 0) {
            warnings.add(model.lost() + " acknowledged batches are lost; the model continues without them");
        }
        return new Served(
                view.ifLearned().map(ModelInfo::of).orElseGet(() -> unlearned(view)),
                model.name(),
                view.received(),
                counts.waiting(),
                counts.duplicates(),
                counts.rejected(),
                view.settings().given(),
                model.lost(),
                warnings,
                view.streams(),
                new Health(model.health().state().name(), model.health().reason()),
                model.durability().name().toLowerCase(Locale.ROOT));
    }

    private static ModelInfo unlearned(ModelView view) {
        StreamFacts facts = view.facts();
        return ModelInfo.of(
                version(view),
                view.dictionarySize(),
                view.stateDimension(),
                view.names(),
                view.labels(),
                view.settings().stream().method().toString(),
                facts.explained().stream()
                        .filter(setting -> setting.name().equals("kernel"))
                        .map(Explained::value)
                        .findFirst()
                        .orElse(view.settings().given().get("kernel")),
                facts.explained(),
                ModelInfo.Lambdas.NONE,
                0,
                facts);
    }

    /** A clock in the units of the data. */
    public static Clock clock(ModelView view) {
        return Clock.of(view.labels().time(), null);
    }

    /** The learning curve. */
    public static Errors error(ModelView view) {
        List<Long> samples = new ArrayList<>();
        List<Double> error = new ArrayList<>();
        List<Integer> dictionary = new ArrayList<>();
        for (Reading point : view.facts().curve()) {
            samples.add(point.pairs());
            error.add(point.error());
            dictionary.add(point.dictionary());
        }
        return new Errors(version(view), view.facts().oneStepError(), new Curve(samples, error, dictionary));
    }

    /** Changes of the dynamics. */
    public static Drift drift(ModelView view) {
        return new Drift(
                version(view),
                view.settings().stream().drift(),
                ChangeEvent.of(view.facts().driftEvents(), view.names(), clock(view)));
    }

    /** The scores of a view, or the refusal of a model that has none. */
    public static ScoreBoard.Facts requireScores(ModelView view) {
        return view.scores()
                .orElseThrow(() -> new ApiError(
                        Code.BAD_QUERY,
                        "this model does not score its rows: create one with the setting \"scores\": true"));
    }

    /** The newest rows after one, and the newest alarms. */
    public static Scores scores(ModelView view, long since) {
        ScoreBoard.Facts facts = requireScores(view);
        return new Scores(
                version(view),
                view.names(),
                view.settings().stream().alarmRate(),
                facts.alarmed(),
                facts.judged(),
                facts.heldBack(),
                facts.after(since),
                facts.alarms());
    }
}
