package io.koopstream.cli.learn;

import io.koopstream.KoopstreamException;
import io.koopstream.answers.Clock;
import io.koopstream.answers.LearnedModel;
import io.koopstream.change.DriftEvent;
import io.koopstream.cli.ask.EigenfunctionMaps;
import io.koopstream.cli.ask.EigenvalueTable;
import io.koopstream.cli.ask.ForecastStarts;
import io.koopstream.cli.ask.SetTable;
import io.koopstream.cli.plot.AccuracyPlot;
import io.koopstream.cli.plot.Figure;
import io.koopstream.cli.plot.ForecastPlot;
import io.koopstream.cli.plot.LambdaPlot;
import io.koopstream.cli.plot.LearningPlot;
import io.koopstream.cli.plot.PlanePlot;
import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.cli.shell.AccuracyTable;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Html;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.tuning.ChosenSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was learned, as one HTML file with its pictures inside: no script, no other file, nothing from the network. */
final class Report {

    private static final int MAPS = 3;
    private static final int FORECAST_STEPS = 50;

    /** What the numbers of a run are called for people. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("samples", "pairs learned from"),
            Map.entry("dictionary", "states kept in the dictionary"),
            Map.entry("seconds", "seconds that learning took"),
            Map.entry("samplesPerSecond", "pairs per second"),
            Map.entry("removals", "kept states replaced by better ones"),
            Map.entry("refusals", "new states that a full dictionary turned away"),
            Map.entry("errorBound", "bound on the error made by the full dictionary"),
            Map.entry("norm", "norm of the operator (Hilbert–Schmidt)"),
            Map.entry("oneStepError", "one-step error (1: nothing known)"),
            Map.entry("rows", "rows read"),
            Map.entry("skipped", "rows that could not be used"),
            Map.entry("missing", "rows with missing values"),
            Map.entry("filled", "of them filled in"),
            Map.entry("dt", "time between rows"),
            Map.entry("timeUnit", "unit of that time"),
            Map.entry("gaps", "gaps between rows"),
            Map.entry("late", "late rows, skipped"),
            Map.entry("duplicates", "duplicate rows, skipped"),
            Map.entry("method", "learning method"),
            Map.entry("kernel", "kernel"),
            Map.entry("names", "coordinates of a state"),
            Map.entry("heldOut", "held-out pairs"),
            Map.entry("delays", "earlier rows that are part of a state"),
            Map.entry("lambdaForSpectrum", "regularisation for spectra"),
            Map.entry("lambdaForForecast", "regularisation for forecasts"),
            Map.entry("forecastErrorOverPersistence", "error one step ahead, relative to \"no change\""),
            Map.entry("vamp2", "VAMP-2 score"),
            Map.entry("vampE", "VAMP-E score"),
            Map.entry("model", "model file"));

    private Report() {}

    /**
     * What a report is about.
     *
     * @param training what was learned
     * @param reader from where
     * @param learned what questions are put to
     * @param spectrum its leading eigenvalues
     * @param table with what is known about them
     * @param choice which ridge serves which question; null for sogd
     * @param conclusion what was found
     * @param clock what a step lasts
     * @param model the file that was written
     */
    record Content(
            Training training,
            SampleReader reader,
            LearnedModel learned,
            Spectrum spectrum,
            EigenvalueTable table,
            LambdaChoice choice,
            Conclusion conclusion,
            Clock clock,
            Path model) {}

    /** @param result the numbers of the run */
    static void write(Path file, Content content, Map<String, Object> result) throws IOException {
        Training training = content.training();
        SampleReader reader = content.reader();
        KoopmanOperator operator = training.snapshot();
        Spectrum spectrum = content.spectrum();
        StringBuilder html = new StringBuilder();
        html.append(Html.top("Koopman model of " + reader.source()));
        html.append("<p><strong>")
                .append(Html.escaped(content.conclusion().sentence()))
                .append("</strong></p>");
        html.append(String.format(
                Locale.ROOT,
                "<p>Learned from %,d transitions of states with %d coordinates (%s%s). The dictionary keeps %,d"
                        + " states.</p>",
                training.samples(),
                content.learned().dimension(),
                Html.escaped(String.join(", ", content.learned().coordinates())),
                content.learned().labels().delays() > 0 ? ", with earlier rows" : "",
                training.snapshot().dictionarySize()));
        html.append(warnings(content, result));
        addSets(html, content);
        addForecast(html, content);
        html.append("<h2>Spectrum</h2>").append(content.table().html());
        boolean judged = content.conclusion().isJudged();
        if (judged) {
            html.append(String.format(
                    Locale.ROOT,
                    "<p>Validated on %,d held-out pairs. Residual: how far f(x⁺) is from λ f(x), of which one part is"
                            + " the system's own noise and the other, the bias, the model's error. Std. error: standard"
                            + " error of the eigenvalue.</p>",
                    training.heldOut()));
        }
        figure(
                html,
                SpectrumPlot.of(
                        spectrum.eigenvalues(),
                        content.table().residuals(),
                        null,
                        content.table().flags()),
                content.table().reasons().isEmpty()
                        ? "Eigenvalues and the unit circle."
                        : "Eigenvalues and the unit circle; crosses mark those that may be spurious.");
        int last = Math.min(MAPS, spectrum.size() - 1);
        if (last >= 1) {
            figure(
                    html,
                    EigenfunctionMaps.of(operator, spectrum, region(content), 1, last, new double[0][]),
                    "Eigenfunctions after the first; dots are kept samples, grey is where nothing was learned.");
        }
        html.append("<h2>Learning</h2>");
        if (LearningPlot.canShow(training.curve())) {
            figure(
                    html,
                    LearningPlot.of(training.curve()),
                    "Size of the dictionary, and error of predictions before learning (1: nothing known).");
        }
        if (content.choice() != null && content.choice().isChosen()) {
            figure(
                    html,
                    LambdaPlot.of(content.choice()),
                    String.format(
                            Locale.ROOT,
                            "Errors on held-out pairs over the regularisation lambda. Forecasts use %s, spectra %s.",
                            Numbers.shortest(content.choice().forecast()),
                            Numbers.shortest(content.choice().spectrum())));
        }
        html.append("<h2>Settings</h2><table><tr><th>setting</th><th>value</th><th>why</th></tr>");
        for (ChosenSettings.Explained setting : training.stream().explained()) {
            html.append("<tr><td>")
                    .append(Html.escaped(setting.name()))
                    .append("</td><td>")
                    .append(Html.escaped(setting.value()))
                    .append("</td><td>")
                    .append(Html.escaped(setting.reason()))
                    .append("</td></tr>");
        }
        html.append("</table><h2>Numbers</h2><table>");
        result.forEach((name, value) -> html.append("<tr><td>")
                .append(Html.escaped(WORDS.getOrDefault(name, name)))
                .append("</td><td>")
                .append(Html.escaped(
                        value instanceof Double number
                                ? String.format(Locale.ROOT, "%.4g", number)
                                : Model.text(value)))
                .append("</td></tr>"));
        html.append("</table></body></html>\n");
        try (AtomicFile place = AtomicFile.begin(file)) {
            Files.writeString(place.path(), html);
            place.commit();
        }
    }

    private static void addSets(StringBuilder html, Content content) throws IOException {
        if (content.conclusion().sets().isEmpty()) {
            return;
        }
        MetastableSets sets = content.conclusion().sets().orElseThrow();
        html.append("<h2>Metastable sets</h2>")
                .append(SetTable.html(
                        content.conclusion().facts(), content.learned().coordinates(), content.clock()))
                .append("<p>Population: the share of time spent in a set in the long run. Mean exit time: until the"
                        + " process settles in another.</p>");
        Slice slice = region(content);
        figure(
                html,
                PlanePlot.sets(
                        slice,
                        sets.count(),
                        sets.assign(slice.points()),
                        content.training().snapshot().inputPoints(),
                        new double[0][]),
                "States of one colour belong to one set; dots are kept samples.");
    }

    private static Slice region(Content content) {
        return EigenfunctionMaps.region(
                content.training().snapshot().inputPoints(),
                0,
                1,
                content.training().names());
    }

    private static void addForecast(StringBuilder html, Content content) throws IOException {
        html.append("<h2>Forecast</h2>");
        try {
            Model model = Model.read(content.model());
            Clock clock = content.clock();
            ForecastStarts.Begun start = ForecastStarts.end(model);
            Forecast forecast = model.learned()
                    .forecaster(model.wish(), clock.interval())
                    .forecast(start.place(), ForecastRequest.of(FORECAST_STEPS), List.of());
            figure(
                    html,
                    ForecastPlot.of(forecast, clock, model.observed(), start.past(), new double[0][][]),
                    "The " + FORECAST_STEPS
                            + " steps after the last row; the line is the expected value, the bands hold 50, 80 and 95"
                            + " % of the possible futures.");
            AccuracyTable accuracy = new AccuracyTable(model.record());
            if (!accuracy.isEmpty()) {
                figure(
                        html,
                        AccuracyPlot.of(accuracy.judged(), clock.dtInUnits(), clock.unit()),
                        "How far forecasts have been off, each judged before its target was learned. "
                                + accuracy.verdict());
            }
        } catch (KoopstreamException | CommandFailure e) {
            html.append("<p>None: ").append(Html.escaped(e.getMessage())).append(".</p>");
        }
    }

    private static String warnings(Content content, Map<String, Object> result) {
        Training training = content.training();
        Spectrum spectrum = content.spectrum();
        List<String> found = new ArrayList<>(training.stream().warnings());
        List<String> names = content.reader().names();
        for (DriftEvent event : training.stream().watch().events()) {
            found.add(event.sentence(names, content.clock()::at));
        }
        if (spectrum.eigenvalue(0).modulus() > 1.01) {
            found.add("the largest eigenvalue lies outside the unit circle: the model grows without bound over many"
                    + " steps; more data, a larger lambda or another kernel may help");
        }
        if (training.curve().error()
                > 0.9 * Math.sqrt(training.snapshot().codomain().kernel().bound())) {
            found.add("predictions are hardly better than none: the kernel may be too narrow for this data, or there is"
                    + " too little of it");
        }
        if (training.snapshot().dictionarySize() > training.samples() / 2) {
            found.add("most samples were kept: the kernel may be too narrow, or epsilon too small");
        }
        Pruning pruning = training.snapshot().pruning();
        if (pruning.refusals() > 0) {
            found.add("the dictionary was full: " + Model.pruned(pruning)
                    + "; a larger --max-dictionary or --epsilon, or a wider kernel, avoids it");
        }
        if ((long) result.get("skipped") > 0) {
            found.add(Numbers.counted((long) result.get("skipped"), "row") + " could not be used and were skipped");
        }
        if ((long) result.get("gaps") > 0) {
            found.add(
                    Numbers.counted((long) result.get("gaps"), "gap") + " between rows, across which no pair was made");
        }
        StringBuilder html = new StringBuilder();
        found.forEach(text -> html.append("<p><strong>Note:</strong> ")
                .append(Html.escaped(text))
                .append(".</p>"));
        return html.toString();
    }

    private static void figure(StringBuilder html, Figure figure, String caption) throws IOException {
        Html.figure(html, figure.svg(), caption);
    }
}
