package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.cli.shell.Html;
import io.koopstream.spectrum.SetFacts;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is known about metastable sets, as cells of a table for people. */
public final class SetTable {

    /** Coordinates of a centre that a line has room for. */
    private static final int MAX_SHOWN = 8;

    private SetTable() {}

    /** The heading of the centres. */
    static String heading(List<String> names) {
        return "centre (" + String.join(", ", names.subList(0, Math.min(MAX_SHOWN, names.size()))) + ")";
    }

    static String population(SetFacts facts) {
        return Double.isNaN(facts.population()) ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * facts.population());
    }

    static String exitTime(SetFacts facts, Clock clock) {
        return Double.isNaN(facts.meanExitTime()) ? "-" : clock.duration(facts.meanExitTime());
    }

    static String centre(SetFacts facts, int coordinates) {
        return facts.centre() == null
                ? "-"
                : Arrays.stream(facts.centre())
                        .limit(Math.min(MAX_SHOWN, coordinates))
                        .mapToObj(value -> String.format(Locale.ROOT, "%.4g", value))
                        .collect(Collectors.joining(", "));
    }

    /** The table of a report. */
    public static String html(List<SetFacts> sets, List<String> names, Clock clock) {
        StringBuilder html =
                new StringBuilder("<table><tr><th>set</th><th>population</th><th>mean exit time" + clock.heading()
                        + "</th><th>"
                        + Html.escaped(heading(names)) + "</th></tr>");
        for (int set = 0; set < sets.size(); set++) {
            html.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%d</td><td>%s</td><td>%s</td><td>%s</td></tr>",
                    set + 1,
                    population(sets.get(set)),
                    exitTime(sets.get(set), clock),
                    centre(sets.get(set), names.size())));
        }
        return html.append("</table>").toString();
    }
}
