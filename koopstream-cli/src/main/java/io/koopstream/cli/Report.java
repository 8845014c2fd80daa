package io.koopstream.cli;

import io.koopstream.cli.plot.Figure;
import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.io.samples.ReplacedFile;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was learned, as one HTML file with its pictures inside: no script, no other file, nothing from the network. */
final class Report {

    private static final int EIGENVALUES = 8;
    private static final int MAPS = 3;
    /** Pictures are drawn for a printed column; on a screen there is more room. */
    private static final double SCREEN_SCALE = 1.8;

    private static final Pattern WIDTH = Pattern.compile("<svg[^>]*?\\bwidth=\"([0-9.]+)");

    private Report() {}

    /**
     * @param settings option, value, reason
     * @param result the numbers of the run
     */
    static void write(
            Path file, Training training, SampleReader reader, List<String[]> settings, Map<String, Object> result)
            throws IOException {
        KoopmanOperator operator = training.snapshot();
        Spectrum spectrum = Spectrum.leading(operator, Math.min(EIGENVALUES, operator.dictionarySize()));
        StringBuilder html = new StringBuilder();
        html.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escaped("Koopman model of " + reader.source()))
                .append(
                        "</title><style>body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}")
                .append(
                        "table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .9em;border-bottom:1px solid #ccc;")
                .append(
                        "text-align:left}figure{margin:1.5em 0}figcaption{color:#555}img{max-width:100%;height:auto}</style></head><body>");
        html.append("<h1>")
                .append(escaped("Koopman model of " + reader.source()))
                .append("</h1>");
        html.append(String.format(
                Locale.ROOT,
                "<p>Learned from %,d transitions of states with %d coordinates (%s). The dictionary keeps %,d of them.</p>",
                training.samples(),
                reader.names().size(),
                escaped(String.join(", ", reader.names())),
                training.dictionarySize()));
        html.append(warnings(training, spectrum, result));
        html.append("<h2>Spectrum</h2>").append(table(spectrum));
        figure(html, SpectrumPlot.of(spectrum.eigenvalues(), null, null), "Eigenvalues and the unit circle.");
        if (reader.names().size() >= 2) {
            Slice slice = Slice.through(
                    operator.inputPoints(),
                    0,
                    1,
                    reader.names().get(0),
                    reader.names().get(1));
            int last = Math.min(MAPS, spectrum.size() - 1);
            if (last >= 1) {
                figure(
                        html,
                        EigenfunctionMaps.of(operator, spectrum, slice, 1, last, new double[0][]),
                        "Eigenfunctions after the first; dots are kept samples, grey is where nothing was learned.");
            }
        }
        html.append("<h2>Learning</h2>");
        if (training.curve().isDrawable()) {
            figure(
                    html,
                    training.curve().figure(),
                    "Size of the dictionary, and error of predictions before learning (1: nothing known).");
        }
        html.append("<h2>Settings</h2><table><tr><th>setting</th><th>value</th><th>why</th></tr>");
        for (String[] row : settings) {
            html.append("<tr><td>")
                    .append(escaped(row[0]))
                    .append("</td><td>")
                    .append(escaped(row[1]))
                    .append("</td><td>")
                    .append(escaped(row[2]))
                    .append("</td></tr>");
        }
        html.append("</table><h2>Numbers</h2><table>");
        result.forEach((name, value) -> html.append("<tr><td>")
                .append(escaped(name))
                .append("</td><td>")
                .append(escaped(Model.text(value)))
                .append("</td></tr>"));
        html.append("</table></body></html>\n");
        try (ReplacedFile place = new ReplacedFile(file)) {
            Files.writeString(place.path(), html);
            place.commit();
        }
    }

    private static String warnings(Training training, Spectrum spectrum, Map<String, Object> result) {
        List<String> found = new ArrayList<>(training.warnings());
        if (spectrum.eigenvalue(0).modulus() > 1.01) {
            found.add(
                    "the largest eigenvalue lies outside the unit circle: the model grows without bound over many steps;"
                            + " more data, a larger lambda or another kernel may help");
        }
        if (training.curve().error()
                > 0.9 * Math.sqrt(training.output().kernel().bound())) {
            found.add(
                    "predictions are hardly better than none: the kernel may be too narrow for this data, or there is too little of it");
        }
        if (training.dictionarySize() > training.samples() / 2) {
            found.add("most samples were kept: the kernel may be too narrow, or epsilon too small");
        }
        if ((long) result.get("skipped") > 0) {
            found.add(result.get("skipped") + " rows could not be used and were skipped");
        }
        if ((long) result.get("gaps") > 0) {
            found.add(result.get("gaps") + " rows did not follow the one before: no pair was made across them");
        }
        StringBuilder html = new StringBuilder();
        found.forEach(text ->
                html.append("<p><strong>Note:</strong> ").append(escaped(text)).append(".</p>"));
        return html.toString();
    }

    private static String table(Spectrum spectrum) {
        StringBuilder html = new StringBuilder(
                "<table><tr><th>k</th><th>eigenvalue</th><th>modulus</th><th>time scale (steps)</th></tr>");
        double[] timescales = spectrum.timescales(1);
        for (int k = 0; k < spectrum.size(); k++) {
            Complex value = spectrum.eigenvalue(k);
            html.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%d</td><td>%s</td><td>%.4f</td><td>%s</td></tr>",
                    k + 1,
                    Numbers.complex(value),
                    value.modulus(),
                    Numbers.timescale(timescales[k])));
        }
        return html.append("</table>").toString();
    }

    private static void figure(StringBuilder html, Figure figure, String caption) throws IOException {
        String svg = figure.svg();
        Matcher width = WIDTH.matcher(svg);
        int shown = width.find() ? (int) (SCREEN_SCALE * Double.parseDouble(width.group(1))) : 600;
        // As an image each drawing keeps its own names: clip paths of one would otherwise cut another.
        html.append("<figure><img style=\"width:")
                .append(shown)
                .append("px\" alt=\"")
                .append(escaped(caption))
                .append("\" src=\"data:image/svg+xml;base64,")
                .append(Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)))
                .append("\"><figcaption>")
                .append(escaped(caption))
                .append("</figcaption></figure>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
