package io.koopstream.server.http;

import io.koopstream.forecast.PathForecast;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.LearningCurve;
import io.koopstream.learner.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.server.engine.LiveModel;
import io.koopstream.server.engine.ModelView;
import io.koopstream.server.engine.ModelView.Regularised;
import io.koopstream.server.engine.Regularisation;
import io.koopstream.server.http.ApiError.Code;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.EigenpairTrust;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.theory.Condition;
import io.koopstream.theory.ConvergenceTheory;
import io.koopstream.theory.Mixing;
import io.koopstream.theory.MixingEstimate;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What a model answers, as documents to be written in JSON. Everything comes from one view, so its parts fit together. */
final class ModelAnswers {

    /** The seed of the clustering: the same question about the same view has the same answer. */
    private static final long SEED = 1;

    /** Bounds of the theory are checked up to so many samples. */
    private static final int LONGEST_THEORY = 1_000_000;

    /** Spread of the band around a forecast, in standard deviations. */
    private static final double BAND = 2;

    /** As many sets as the gap of the spectrum says. */
    static final int BY_THE_GAP = 0;

    private ModelAnswers() {}

    /** Everything about a model that needs no computing. */
    static Map<String, Object> info(LiveModel model, ModelView view) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("name", model.name());
        info.put("phase", view.phase().name());
        info.put("version", view.version());
        info.put("samples", view.samples());
        info.put("received", view.received());
        LiveModel.Counts counts = model.counts();
        info.put("waiting", counts.waiting());
        info.put("duplicates", counts.duplicates());
        info.put("rejected", counts.rejected());
        info.put("unlearnable", view.unlearnable());
        info.put("dictionary", view.dictionarySize());
        info.put("dimension", view.dimension());
        info.put("stateDimension", view.stateDimension());
        info.put("names", names(view));
        info.put("delays", view.settings().delays());
        info.put("stride", view.settings().stride());
        info.put("dt", view.settings().dt());
        info.put("method", view.settings().method().method());
        info.put("kernel", kernel(view));
        info.put("settings", explained(view.explained()));
        info.put("given", view.settings().given());
        info.put("warnings", view.warnings());
        info.put("oneStepError", view.oneStepError());
        info.put("warmUp", view.settings().warmUp());
        info.put("heldOut", view.heldOut());
        info.put("lambda", lambdas(view));
        info.put("drift", drift(view.driftEvents()));
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

    private static Map<String, Object> lambdas(ModelView view) {
        Map<String, Object> lambdas = new LinkedHashMap<>();
        lambdas.put("spectrum", orNull(view.spectrumLambda()));
        lambdas.put("forecast", orNull(view.forecastLambda()));
        return lambdas;
    }

    private static Object orNull(OptionalDouble value) {
        return value.isPresent() ? (Object) value.getAsDouble() : null;
    }

    private static List<String> names(ModelView view) {
        return view.stateDimension() == 0
                ? view.settings().names()
                : view.labels().coordinates(view.stateDimension());
    }

    private static String kernel(ModelView view) {
        return view.explained().stream()
                .filter(setting -> setting.name().equals("kernel"))
                .map(Explained::value)
                .findFirst()
                .orElse(view.settings().method().given().get("kernel"));
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

    /** Changes of the dynamics, oldest first. */
    static List<Object> drift(List<DriftEvent> events) {
        List<Object> list = new ArrayList<>();
        for (DriftEvent event : events) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("sample", event.sample());
            entry.put("since", event.since());
            entry.put("errorBefore", event.errorBefore());
            entry.put("errorAfter", event.errorAfter());
            entry.put("score", event.score());
            list.add(entry);
        }
        return list;
    }

    private static Map<String, Object> start(ModelView view) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("version", view.version());
        answer.put("samples", view.samples());
        return answer;
    }

    private static void requireLearned(ModelView view) {
        if (view.state().isEmpty()) {
            throw new ApiError(
                    Code.NOT_READY,
                    "nothing is learned yet: " + view.version() + " pairs have come; send more samples, and ask again");
        }
    }

    private static KoopmanOperator learned(ModelView view) {
        requireLearned(view);
        return kept(view.forSpectra(Regularisation.USUAL)).operator();
    }

    private static Regularised forecasting(ModelView view, Regularisation wish) {
        requireLearned(view);
        return kept(view.forForecasts(wish));
    }

    private static Regularised kept(Regularised learned) {
        if (learned.operator().dictionarySize() == 0) {
            throw new ApiError(Code.NOT_READY, "nothing was kept yet; send more samples, and ask again");
        }
        return learned;
    }

    /** The leading eigenvalues with what is known about them. */
    static Map<String, Object> spectrum(ModelView view, int k, double dt, Regularisation wish) {
        requireLearned(view);
        Regularised learned = kept(view.forSpectra(wish));
        Spectrum spectrum = view.spectrum(learned, k);
        TrustReport trust = view.trust(learned, spectrum).orElse(null);
        double[] timescales = spectrum.timescales(dt);
        double[] frequencies = spectrum.frequencies(dt);
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count(spectrum, k); i++) {
            Complex value = spectrum.eigenvalue(i);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("re", value.re());
            entry.put("im", value.im());
            entry.put("modulus", value.modulus());
            entry.put("timescale", timescales[i]);
            entry.put("frequency", frequencies[i]);
            EigenpairTrust pair = trust == null ? null : trust.pair(i);
            entry.put("residual", pair == null ? null : (Object) pair.residual());
            entry.put("noise", pair == null ? null : (Object) pair.noise());
            entry.put("bias", pair == null ? null : (Object) pair.bias());
            entry.put("standardError", pair == null ? null : (Object) pair.spread());
            entry.put("trusted", pair == null ? null : (Object) !pair.spurious());
            entry.put("reason", pair == null ? unjudged(view) : String.join("; ", pair.reasons()));
            list.add(entry);
        }
        Map<String, Object> answer = start(view);
        answer.put("dt", dt);
        answer.put("lambda", learned.lambda());
        answer.put("rank", learned.rank());
        answer.put("heldOut", view.heldOut());
        answer.put("eigenvalues", list);
        return answer;
    }

    private static String unjudged(ModelView view) {
        return view.state().orElseThrow() instanceof SogdState
                ? "sogd learns every pair and keeps none aside to judge on"
                : "too few pairs were kept aside to judge on";
    }

    /** So many of the pairs of a spectrum, and one more where that would cut a conjugate pair in two. */
    private static int count(Spectrum spectrum, int k) {
        int count = Math.min(k, spectrum.size());
        boolean cut = count < spectrum.size() && spectrum.eigenvalue(count - 1).im() > 0;
        return cut ? count + 1 : count;
    }

    /** An eigenfunction on a grid. */
    static Map<String, Object> eigenfunction(ModelView view, Question question, int index, int mostPoints) {
        KoopmanOperator operator = learned(view);
        StateGrid grid = new StateGrid(question, operator.inputPoints(), 60, mostPoints);
        double[][] points = grid.points();
        Spectrum spectrum = view.spectrum(index + 1);
        if (index >= spectrum.size()) {
            throw Question.bad("index", "there are " + spectrum.size() + " eigenfunctions, counted from 0");
        }
        double[] re = new double[points.length];
        double[] im = new double[points.length];
        double[] coverage = new double[points.length];
        view.compute(() -> {
            Complex[][] values = spectrum.eigenfunctions(points);
            for (int i = 0; i < points.length; i++) {
                re[i] = values[i][index].re();
                im[i] = values[i][index].im();
                coverage[i] = operator.coverage(points[i]);
            }
            return null;
        });
        Map<String, Object> answer = onGrid(view, operator, grid);
        answer.put("index", index);
        answer.put("eigenvalue", complex(spectrum.eigenvalue(index)));
        answer.put("re", grid.rows(re));
        answer.put("im", grid.rows(im));
        answer.put("coverage", grid.rows(coverage));
        return answer;
    }

    private static Map<String, Object> complex(Complex value) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("re", value.re());
        entry.put("im", value.im());
        return entry;
    }

    private static Map<String, Object> onGrid(ModelView view, KoopmanOperator operator, StateGrid grid) {
        List<String> names = names(view);
        Map<String, Object> answer = start(view);
        answer.put("x", grid.xAxis());
        answer.put("y", grid.yAxis() < 0 ? null : (Object) grid.yAxis());
        answer.put("xName", names.get(grid.xAxis()));
        answer.put("yName", grid.yAxis() < 0 ? null : names.get(grid.yAxis()));
        answer.put("at", grid.base());
        answer.put("xs", grid.xs());
        answer.put("ys", grid.ys());
        answer.put("dictionary", grid.projected(operator.inputPoints()));
        return answer;
    }

    /** Eigenfunctions at given points. */
    static Map<String, Object> eigenfunctions(ModelView view, double[][] points, int k) {
        learned(view);
        Spectrum spectrum = view.spectrum(k);
        int count = count(spectrum, k);
        double[][] re = new double[points.length][count];
        double[][] im = new double[points.length][count];
        Complex[][] values = view.compute(() -> spectrum.eigenfunctions(points));
        List<Object> eigenvalues = new ArrayList<>();
        for (int j = 0; j < count; j++) {
            eigenvalues.add(complex(spectrum.eigenvalue(j)));
            for (int i = 0; i < points.length; i++) {
                re[i][j] = values[i][j].re();
                im[i][j] = values[i][j].im();
            }
        }
        Map<String, Object> answer = start(view);
        answer.put("eigenvalues", eigenvalues);
        answer.put("re", re);
        answer.put("im", im);
        return answer;
    }

    /** Sets that the process seldom leaves, on a grid. */
    static Map<String, Object> sets(ModelView view, Question question, int k, int mostPoints) {
        KoopmanOperator operator = learned(view);
        StateGrid grid = new StateGrid(question, operator.inputPoints(), 60, mostPoints);
        double[][] points = grid.points();
        Map<String, Object> answer = onGrid(view, operator, grid);
        double[][] kept = operator.inputPoints();
        MetastableSets sets = view.compute(() ->
                k == BY_THE_GAP ? MetastableSets.byGap(operator, kept, SEED) : MetastableSets.of(operator, k, SEED));
        int[] sizes = new int[sets.count()];
        int[] labels = view.compute(() -> {
            for (int set : sets.assign(kept)) {
                if (set >= 0) {
                    sizes[set]++;
                }
            }
            return sets.assign(points);
        });
        answer.put("k", sets.count());
        answer.put("labels", grid.rows(labels));
        answer.put("sizes", sizes);
        return answer;
    }

    /** E[x⁺ | x] of every point. */
    static Map<String, Object> predict(ModelView view, double[][] points) {
        KoopmanOperator operator = forecasting(view, Regularisation.USUAL).operator();
        double[][] next = new double[points.length][];
        view.compute(() -> {
            for (int i = 0; i < points.length; i++) {
                next[i] = operator.predict(points[i]);
            }
            return null;
        });
        Map<String, Object> answer = start(view);
        answer.put("next", next);
        return answer;
    }

    /** The expected path from a state, with its spread. */
    static Map<String, Object> forecast(ModelView view, double[] from, int steps, Regularisation wish) {
        Regularised learned = forecasting(view, wish);
        PathForecast forecast = view.compute(() -> PathForecast.of(learned.operator(), from, steps));
        double[][] mean = new double[steps][];
        double[][] std = new double[steps][];
        double[][] low = new double[steps][from.length];
        double[][] high = new double[steps][from.length];
        for (int s = 0; s < steps; s++) {
            mean[s] = forecast.mean(s + 1);
            std[s] = forecast.spread(s + 1);
            for (int c = 0; c < from.length; c++) {
                low[s][c] = mean[s][c] - BAND * std[s][c];
                high[s][c] = mean[s][c] + BAND * std[s][c];
            }
        }
        Map<String, Object> answer = start(view);
        answer.put("steps", steps);
        answer.put("lambda", learned.lambda());
        answer.put("rank", learned.rank());
        answer.put("dt", view.settings().dt());
        answer.put("names", names(view));
        answer.put("from", from);
        answer.put("mean", mean);
        answer.put("std", std);
        answer.put("low", low);
        answer.put("high", high);
        return answer;
    }

    /** The weights with which values at the kept outputs make an expectation. */
    static Map<String, Object> weights(ModelView view, double[] from) {
        KoopmanOperator operator = forecasting(view, Regularisation.USUAL).operator();
        double[] weights = view.compute(() -> operator.weights(from));
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        Map<String, Object> answer = start(view);
        answer.put("weights", weights);
        answer.put("sum", sum);
        answer.put("states", operator.outputPoints());
        return answer;
    }

    /** The learning curve. */
    static Map<String, Object> error(ModelView view) {
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
    static Map<String, Object> driftEvents(ModelView view) {
        Map<String, Object> answer = start(view);
        answer.put("watching", view.settings().drift());
        answer.put("events", drift(view.driftEvents()));
        return answer;
    }

    /** What the paper's theory says about the settings, in words with numbers. */
    static Map<String, Object> theory(ModelView view) {
        KoopmanOperator operator = learned(view);
        Spectrum spectrum = view.spectrum(2);
        Mixing mixing = null;
        Map<String, Object> answer = start(view);
        try {
            MixingEstimate estimate = MixingEstimate.of(spectrum);
            mixing = estimate.assuming(1);
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("rate", estimate.rate());
            found.put("relaxationSteps", estimate.relaxationSteps());
            found.put("note", "read off the learned spectrum with factor R = 1: an estimate, no guarantee");
            answer.put("mixing", found);
        } catch (io.koopstream.InvalidQueryException e) {
            answer.put("mixing", Map.of("note", e.getMessage()));
        }
        answer.put("norm", operator.norm());
        List<Object> checks = new ArrayList<>();
        if (view.state().orElseThrow() instanceof SogdState state) {
            int horizon = (int) Math.max(2, Math.min(LONGEST_THEORY, view.samples()));
            Mixing known = mixing;
            ConvergenceTheory theory =
                    view.compute(() -> ConvergenceTheory.of(state.config(), known, operator.norm(), horizon));
            for (Condition condition : theory.conditions()) {
                checks.add(check(condition.statement(), condition.holds(), condition.reason()));
            }
        } else {
            double bound = operator.domain().kernel().bound();
            checks.add(check("Assumption 1", Double.isFinite(bound), "the kernel is bounded: sup k(x,x) = " + bound));
            checks.add(
                    check(
                            "Least squares",
                            true,
                            "the exact minimiser on the dictionary: no step size, so the paper's conditions on steps do not apply"));
            long removals = operator.pruning().removals() + operator.pruning().refusals();
            checks.add(check(
                    "Dictionary",
                    removals == 0,
                    removals == 0
                            ? "never full: every sample beyond epsilon of it was kept"
                            : "full: " + operator.pruning().removals() + " kept samples made room, "
                                    + operator.pruning().refusals() + " were refused"));
        }
        answer.put("checks", checks);
        return answer;
    }

    private static Map<String, Object> check(String statement, boolean holds, String reason) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("statement", statement);
        entry.put("holds", holds);
        entry.put("reason", reason);
        return entry;
    }
}
