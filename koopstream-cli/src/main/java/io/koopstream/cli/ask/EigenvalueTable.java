package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.Eigenvalue;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Html;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.spectrum.Complex;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Eigenvalues with what is known about them, for people and reports. One that is not to be trusted is flagged, never left out. */
public final class EigenvalueTable {

    /** Eigenvalues that are shown when nobody says how many. */
    public static final int USUAL_SIZE = 6;

    private final List<Eigenvalue> values;
    private final Clock clock;

    /** @param values at least one */
    public EigenvalueTable(List<Eigenvalue> values, Clock clock) {
        this.values = values;
        this.clock = clock;
    }

    private boolean isJudged() {
        return values.get(0).isJudged();
    }

    /** A frequency as a number, or of dated rows the time until a mode comes round. */
    private String frequency(Eigenvalue value) {
        return clock.isDated()
                ? clock.duration(1 / Math.abs(value.frequency()))
                : String.format(Locale.ROOT, "%.4f", value.frequency());
    }

    /** The numbers themselves. */
    public Complex[] numbers() {
        return values.stream().map(Eigenvalue::value).toArray(Complex[]::new);
    }

    /** The residual of every eigenvalue; null where none could be validated. */
    public double[] residuals() {
        return isJudged() ? values.stream().mapToDouble(Eigenvalue::residual).toArray() : null;
    }

    /** Which may be spurious. */
    public boolean[] flags() {
        boolean[] flags = new boolean[values.size()];
        for (int k = 0; k < flags.length; k++) {
            flags[k] = values.get(k).isSpurious();
        }
        return flags;
    }

    /** Prints the table, with the reasons for what is flagged below it. */
    public void print(Console console) {
        console.say("   k   eigenvalue            modulus   time scale   "
                + (clock.isDated() ? "   period" : "frequency") + "   residual"
                + (isJudged() ? "     bias   std. error" : ""));
        for (int k = 0; k < values.size(); k++) {
            Eigenvalue value = values.get(k);
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "  %2d   %-20s %8.4f %12s %11s   %8s",
                    k + 1,
                    Numbers.complex(value.value()),
                    value.modulus(),
                    clock.duration(value.timescale()),
                    frequency(value),
                    isJudged() ? String.format(Locale.ROOT, "%.1e", value.residual()) : "-"));
            if (isJudged()) {
                line.append(String.format(Locale.ROOT, " %8.4f %12s", value.bias(), standardError(value)));
                line.append(value.isSpurious() ? "  spurious?" : "");
            }
            console.say(line.toString());
        }
        reasons().forEach(console::say);
    }

    /** Why eigenvalues are flagged, one line each. */
    public List<String> reasons() {
        List<String> lines = new ArrayList<>();
        for (int k = 0; k < values.size(); k++) {
            if (values.get(k).isSpurious()) {
                lines.add("Eigenvalue " + (k + 1) + " may be spurious: "
                        + String.join("; ", values.get(k).reasons()) + ".");
            }
        }
        return lines;
    }

    private static String standardError(Eigenvalue value) {
        return Double.isNaN(value.standardError()) ? "-" : String.format(Locale.ROOT, "%.4f", value.standardError());
    }

    /** The table of a report. */
    public String html() {
        StringBuilder html = new StringBuilder("<table><tr><th>k</th><th>eigenvalue</th><th>modulus</th><th>time scale"
                + (clock.isDated() ? "</th><th>period</th>" : " (" + clock.unit() + ")</th>"));
        html.append(
                isJudged()
                        ? "<th>residual</th><th>of it noise</th><th>of it bias</th><th>std. error</th><th></th></tr>"
                        : "</tr>");
        for (int k = 0; k < values.size(); k++) {
            Eigenvalue value = values.get(k);
            html.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%d</td><td>%s</td><td>%.4f</td><td>%s</td>%s",
                    k + 1,
                    Numbers.complex(value.value()),
                    value.modulus(),
                    clock.duration(value.timescale()),
                    clock.isDated() ? "<td>" + frequency(value) + "</td>" : ""));
            if (isJudged()) {
                html.append(String.format(
                        Locale.ROOT,
                        "<td>%.4f</td><td>%.4f</td><td>%.4f</td><td>%s</td><td>%s</td>",
                        value.residual(),
                        value.noise(),
                        value.bias(),
                        standardError(value),
                        value.isSpurious() ? "spurious? " + Html.escaped(String.join("; ", value.reasons())) : ""));
            }
            html.append("</tr>");
        }
        return html.append("</table>").toString();
    }
}
