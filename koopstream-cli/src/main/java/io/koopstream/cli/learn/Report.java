package io.koopstream.cli.learn;

import io.koopstream.cli.ask.EigenfunctionMaps;
import io.koopstream.cli.ask.EigenvalueTable;
import io.koopstream.cli.plot.Figure;
import io.koopstream.cli.plot.LambdaPlot;
import io.koopstream.cli.plot.LearningPlot;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.cli.shell.Html;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.io.AtomicFile;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.learner.LambdaChoice;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.Pruning;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.DriftEvent;
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

    private Report() {}

    /**
     * What a report is about.
     *
     * @param training what was learned
     * @param reader from where
     * @param spectrum its leading eigenvalues
     * @param table with what is known about them
     * @param choice which ridge serves which question; null for sogd
     */
    record Content(
            Training training, SampleReader reader, Spectrum spectrum, EigenvalueTable table, LambdaChoice choice) {}

    /** @param result the numbers of the run */
    static void write(Path file, Content content, Map<String, Object> result) throws IOException {
        Training training = content.training();
        SampleReader reader = content.reader();
        KoopmanOperator operator = training.snapshot();
        Spectrum spectrum = content.spectrum();
        StringBuilder html = new StringBuilder();
        html.append(Html.top("Koopman model of " + reader.source()));
        html.append(String.format(
                Locale.ROOT,
                "<p>Learned from %,d transitions of states with %d coordinates (%s). The dictionary keeps %,d states.</p>",
                training.samples(),
                training.names().size(),
                Html.escaped(String.join(", ", training.names())),
                training.snapshot().dictionarySize()));
        html.append(warnings(content, result));
        html.append("<h2>Spectrum</h2>").append(content.table().html());
        if (training.heldOut() > 0) {
            html.append(String.format(
                    Locale.ROOT,
                    "<p>Judged on pairs that were kept aside, %,d in all. Residual: how far f(x⁺) is from λ f(x), of which one part is"
                            + " the system's own noise and the other, the bias, the model's error. Std. error: standard error of the"
                            + " eigenvalue.</p>",
                    training.heldOut()));
        }
        boolean judged = training.heldOut() > 0;
        figure(
                html,
                SpectrumPlot.of(
                        spectrum.eigenvalues(),
                        judged ? content.table().residuals() : null,
                        null,
                        content.table().flags()),
                content.table().reasons().isEmpty()
                        ? "Eigenvalues and the unit circle."
                        : "Eigenvalues and the unit circle; crosses mark those that may be spurious.");
        int last = Math.min(MAPS, spectrum.size() - 1);
        if (last >= 1) {
            figure(
                    html,
                    EigenfunctionMaps.of(
                            operator,
                            spectrum,
                            EigenfunctionMaps.region(operator.inputPoints(), 0, 1, training.names()),
                            1,
                            last,
                            new double[0][]),
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
                            "Errors on the pairs kept aside over the ridge lambda. Forecasts use %s, spectra %s.",
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
                .append(Html.escaped(name))
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

    private static String warnings(Content content, Map<String, Object> result) {
        Training training = content.training();
        Spectrum spectrum = content.spectrum();
        List<String> found = new ArrayList<>(training.stream().warnings());
        Drifts drifts = new Drifts(content.reader());
        for (DriftEvent event : training.stream().watch().events()) {
            found.add(drifts.sentence(event));
        }
        if (spectrum.eigenvalue(0).modulus() > 1.01) {
            found.add(
                    "the largest eigenvalue lies outside the unit circle: the model grows without bound over many steps;"
                            + " more data, a larger lambda or another kernel may help");
        }
        if (training.curve().error()
                > 0.9 * Math.sqrt(training.snapshot().codomain().kernel().bound())) {
            found.add(
                    "predictions are hardly better than none: the kernel may be too narrow for this data, or there is too little of it");
        }
        if (training.snapshot().dictionarySize() > training.samples() / 2) {
            found.add("most samples were kept: the kernel may be too narrow, or epsilon too small");
        }
        Pruning pruning = training.snapshot().pruning();
        if (pruning.removals() + pruning.refusals() > 0) {
            found.add("the dictionary was full: " + Model.pruned(pruning)
                    + "; a larger --max-dictionary or --epsilon, or a wider kernel, avoids it");
        }
        if ((long) result.get("skipped") > 0) {
            found.add(result.get("skipped") + " rows could not be used and were skipped");
        }
        if ((long) result.get("gaps") > 0) {
            found.add(result.get("gaps") + " rows did not follow the one before: no pair was made across them");
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
