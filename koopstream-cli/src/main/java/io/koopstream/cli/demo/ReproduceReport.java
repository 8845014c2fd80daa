package io.koopstream.cli.demo;

import io.koopstream.cli.reproduce.Experiment;
import io.koopstream.cli.reproduce.Finding;
import io.koopstream.cli.reproduce.Findings;
import io.koopstream.cli.shell.Html;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an experiment found, as JSON and as one HTML file with its pictures inside. */
final class ReproduceReport {

    private ReproduceReport() {}

    static Map<String, Object> json(Experiment experiment, Findings findings) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("experiment", experiment.name());
        result.put("title", experiment.title());
        result.put("settings", findings.settings());
        List<Map<String, Object>> figures = new ArrayList<>();
        for (Finding finding : findings.figures()) {
            Map<String, Object> figure = new LinkedHashMap<>();
            figure.put("quantity", finding.quantity());
            figure.put("ours", finding.ours());
            figure.put("paper", finding.paper());
            if (!finding.target().isEmpty()) {
                figure.put("target", finding.target());
                figure.put("met", finding.met());
            }
            figures.add(figure);
        }
        result.put("figures", figures);
        result.put("remarks", findings.remarks());
        result.put("data", findings.data());
        return result;
    }

    static void write(Path folder, Experiment experiment, Findings findings) throws IOException {
        StringBuilder html = new StringBuilder(Html.top(experiment.title()));
        html.append("<h2>Ours beside the paper's</h2>").append(table(findings));
        for (Findings.Picture picture : findings.pictures()) {
            Html.figure(html, Files.readString(folder.resolve(picture.name() + ".svg")), picture.caption());
        }
        html.append("<h2>Remarks</h2>");
        for (String remark : findings.remarks()) {
            html.append("<p>").append(Html.escaped(remark)).append("</p>");
        }
        html.append("<h2>Settings</h2><table>");
        findings.settings().forEach((name, value) -> row(html, "td", name, value));
        html.append("</table></body></html>\n");
        Files.writeString(folder.resolve("report.html"), html);
    }

    /** The first page of several experiments, which leads to the reports of each. */
    static void writeIndex(Path folder, Map<Experiment, Findings> all) throws IOException {
        StringBuilder html = new StringBuilder(Html.top("The paper's experiments"));
        all.forEach((experiment, findings) -> html.append("<h2><a href=\"")
                .append(experiment.name())
                .append("/report.html\">")
                .append(Html.escaped(experiment.title()))
                .append("</a></h2>")
                .append(table(findings)));
        Files.writeString(folder.resolve("report.html"), html.append("</body></html>\n"));
    }

    private static String table(Findings findings) {
        StringBuilder html = new StringBuilder("<table>");
        row(html, "th", "quantity", "ours", "paper", "target");
        for (Finding finding : findings.figures()) {
            row(html, "td", finding.quantity(), number(finding.ours()), finding.paper(), verdict(finding));
        }
        return html.append("</table>").toString();
    }

    static String verdict(Finding finding) {
        return finding.target().isEmpty() ? "" : finding.target() + (finding.met() ? ": met" : ": MISSED");
    }

    private static void row(StringBuilder html, String cell, String... values) {
        html.append("<tr>");
        for (String value : values) {
            html.append('<').append(cell).append('>');
            html.append(Html.escaped(value)).append("</").append(cell).append('>');
        }
        html.append("</tr>");
    }

    /** Counts as counts, others with four digits. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.4g", value);
    }
}
