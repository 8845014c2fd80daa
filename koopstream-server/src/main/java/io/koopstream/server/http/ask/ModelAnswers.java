package io.koopstream.server.http.ask;

import io.koopstream.change.DriftEvent;
import io.koopstream.change.LearningCurve;
import io.koopstream.io.samples.TimeStyle;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.server.engine.Regularisation;
import io.koopstream.server.engine.RowCounts;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What a model says about itself without computing, as documents to be written in JSON; the other answers begin as these do. */
public final class ModelAnswers {

    private ModelAnswers() {}

    /** Everything about a model that needs no computing. */
    public static Map<String, Object> info(LiveModel model, ModelView view) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("name", model.name());
        info.put("phase", view.phase().name());
        info.put("version", view.version());
        info.put("samples", view.samples());
        info.put("received", view.received());
        LiveModel.Counts counts = model.counts();
        info.put("waiting", counts.waiting());
        info.put("resent", counts.duplicates());
        info.put("rejected", counts.rejected());
        RowCounts rows = view.rows();
        info.put("rows", rows.rows());
        info.put("gaps", rows.gaps());
        info.put("late", rows.late());
        info.put("duplicates", rows.duplicates());
        info.put("refused", rows.refused());
        info.put("unreadable", rows.unreadable());
        info.put("missing", rows.missing());
        info.put("filled", rows.filled());
        info.put("dictionary", view.dictionarySize());
        info.put("dimension", view.dimension());
        info.put("stateDimension", view.stateDimension());
        info.put("names", names(view));
        info.put("delays", view.delays());
        info.put("stride", view.stride());
        info.put("dt", view.labels().time().interval());
        info.put("timeStyle", view.labels().time().style());
        info.put("method", view.settings().stream().method().toString());
        info.put("kernel", kernel(view));
        info.put("settings", explained(view.explained()));
        info.put("given", view.settings().given());
        info.put("lost", model.lost());
        info.put("warnings", warnings(model, view));
        info.put("oneStepError", view.oneStepError());
        Map<String, Object> warmUp = new LinkedHashMap<>();
        warmUp.put("waiting", view.warmUp().waiting());
        warmUp.put("awaited", view.warmUp().awaited());
        info.put("warmUp", warmUp);
        info.put("heldOut", view.heldOut());
        info.put("lambda", lambdas(view));
        info.put("drift", drift(view));
        info.put("streams", streams(view));
        info.put(
                "health",
                Map.of(
                        "state",
                        model.health().state().name(),
                        "reason",
                        model.health().reason()));
        info.put("durability", model.durability().name().toLowerCase(Locale.ROOT));
        return info;
    }

    private static List<String> warnings(LiveModel model, ModelView view) {
        List<String> all = new ArrayList<>(view.warnings());
        if (model.lost() > 0) {
            all.add(model.lost() + " acknowledged batches are lost; the model continues without them");
        }
        return all;
    }

    private static Map<String, Object> lambdas(ModelView view) {
        Map<String, Object> lambdas = new LinkedHashMap<>();
        lambdas.put("spectrum", orNull(view.spectrumLambda()));
        lambdas.put("forecast", orNull(view.forecastLambda()));
        return lambdas;
    }

    private static Object orNull(OptionalDouble value) {
        return value.isPresent() ? (Object) value.getAsDouble() : null;
    }

    static List<String> names(ModelView view) {
        return view.stateDimension() == 0
                ? view.settings().names()
                : view.labels().coordinates(view.stateDimension());
    }

    private static String kernel(ModelView view) {
        return view.explained().stream()
                .filter(setting -> setting.name().equals("kernel"))
                .map(Explained::value)
                .findFirst()
                .orElse(view.settings().given().get("kernel"));
    }

    private static List<Object> explained(List<Explained> settings) {
        List<Object> list = new ArrayList<>();
        for (Explained setting : settings) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", setting.name());
            entry.put("value", setting.value());
            entry.put("reason", setting.reason());
            list.add(entry);
        }
        return list;
    }

    private static List<Object> streams(ModelView view) {
        List<Object> list = new ArrayList<>();
        for (ModelView.StreamInfo stream : view.streams()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", stream.name());
            entry.put("next", stream.next());
            list.add(entry);
        }
        return list;
    }

    /** What the coordinates of an observation are called. */
    public static List<String> observed(ModelView view) {
        List<String> names = names(view);
        return names.subList(0, Math.min(names.size(), view.dimension()));
    }

    /** Changes of the dynamics, oldest first. */
    private static List<Map<String, Object>> drift(ModelView view) {
        return view.driftEvents().stream().map(event -> drift(view, event)).toList();
    }

    /** A change of the dynamics, in the names and times of the data. */
    public static Map<String, Object> drift(ModelView view, DriftEvent event) {
        String style = view.labels().time().style();
        return event.document(observed(view), style.isEmpty() ? Double::toString : TimeStyle.parse(style)::format);
    }

    static Map<String, Object> start(ModelView view) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("version", view.version());
        answer.put("samples", view.samples());
        return answer;
    }

    static void requireLearned(ModelView view) {
        if (view.state().isEmpty()) {
            throw new ApiError(
                    Code.NOT_READY,
                    "nothing is learned yet: " + view.version() + " pairs received; send more samples, then ask again");
        }
    }

    static KoopmanOperator learned(ModelView view) {
        requireLearned(view);
        return kept(view.forSpectra(Regularisation.USUAL)).operator();
    }

    static Regularised kept(Regularised learned) {
        if (learned.operator().dictionarySize() == 0) {
            throw nothingKept();
        }
        return learned;
    }

    static ApiError nothingKept() {
        return new ApiError(Code.NOT_READY, "nothing was kept yet; send more samples, then ask again");
    }

    /** The learning curve. */
    public static Map<String, Object> error(ModelView view) {
        List<Object> samples = new ArrayList<>();
        List<Object> error = new ArrayList<>();
        List<Object> dictionary = new ArrayList<>();
        for (LearningCurve.Reading point : view.curve()) {
            samples.add(point.pairs());
            error.add(point.error());
            dictionary.add(point.dictionary());
        }
        Map<String, Object> answer = start(view);
        answer.put("oneStepError", view.oneStepError());
        Map<String, Object> curve = new LinkedHashMap<>();
        curve.put("samples", samples);
        curve.put("error", error);
        curve.put("dictionary", dictionary);
        answer.put("curve", curve);
        return answer;
    }

    /** Changes of the dynamics. */
    public static Map<String, Object> driftEvents(ModelView view) {
        Map<String, Object> answer = start(view);
        answer.put("watching", view.settings().stream().drift());
        answer.put("events", drift(view));
        return answer;
    }
}
