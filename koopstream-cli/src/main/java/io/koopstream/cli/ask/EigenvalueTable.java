package io.koopstream.cli.ask;

import io.koopstream.cli.shell.Clock;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Html;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustReport.Eigenpair;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Eigenvalues with what is known about them, for people, programs and reports. A pair that is not to be trusted is flagged, never left out. */
public final class EigenvalueTable {

    /** Eigenvalues that are shown when nobody says how many. */
    public static final int USUAL_SIZE = 6;

    private final Spectrum spectrum;
    private final TrustReport trust;
    private final double[] timescales;
    private final double[] frequencies;
    private final Clock clock;

    /** @param trust how far each can be trusted, or null when nothing was held out to tell */
    public EigenvalueTable(Spectrum spectrum, TrustReport trust, Clock clock) {
        this.spectrum = spectrum;
        this.trust = trust;
        this.clock = clock;
        this.timescales = spectrum.timescales(clock.dt());
        this.frequencies = spectrum.frequencies(clock.dt());
    }

    /** A frequency as a number, or of dated rows the time until a mode comes round. */
    private String frequency(int k) {
        return clock.isDated()
                ? clock.duration(1 / Math.abs(frequencies[k]))
                : String.format(Locale.ROOT, "%.4f", frequencies[k]);
    }

    /** On held-out pairs; NaN when there are none. */
    double residual(int k) {
        return trust == null ? Double.NaN : trust.pair(k).residual();
    }

    /** The residual of every pair, in the order of the spectrum. */
    public double[] residuals() {
        double[] residuals = new double[spectrum.size()];
        for (int k = 0; k < residuals.length; k++) {
            residuals[k] = residual(k);
        }
        return residuals;
    }

    /** Which pairs may be spurious. */
    public boolean[] flags() {
        boolean[] flags = new boolean[spectrum.size()];
        for (int k = 0; k < flags.length; k++) {
            flags[k] = trust != null && trust.pair(k).spurious();
        }
        return flags;
    }

    /** Prints the table, with the reasons for what is flagged below it. */
    public void print(Console console) {
        console.say("   k   eigenvalue            modulus   time scale   "
                + (clock.isDated() ? "   period" : "frequency") + "   residual"
                + (trust == null ? "" : "     bias   std. error"));
        for (int k = 0; k < spectrum.size(); k++) {
            Complex value = spectrum.eigenvalue(k);
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "  %2d   %-20s %8.4f %12s %11s   %8s",
                    k + 1,
                    Numbers.complex(value),
                    value.modulus(),
                    clock.duration(timescales[k]),
                    frequency(k),
                    trust == null ? "-" : String.format(Locale.ROOT, "%.1e", residual(k))));
            if (trust != null) {
                line.append(
                        String.format(Locale.ROOT, " %8.4f %12s", trust.pair(k).bias(), standardError(k)));
                line.append(trust.pair(k).spurious() ? "  spurious?" : "");
            }
            console.say(line.toString());
        }
        reasons().forEach(console::say);
    }

    /** Why pairs are flagged, one line each. */
    public List<String> reasons() {
        List<String> lines = new ArrayList<>();
        for (int k = 0; trust != null && k < spectrum.size(); k++) {
            if (trust.pair(k).spurious()) {
                lines.add("Eigenvalue " + (k + 1) + " may be spurious: "
                        + String.join("; ", trust.pair(k).reasons()) + ".");
            }
        }
        return lines;
    }

    private String standardError(int k) {
        double error = trust.pair(k).standardError();
        return Double.isNaN(error) ? "-" : String.format(Locale.ROOT, "%.4f", error);
    }

    /** One object per eigenvalue. */
    public List<Object> json() {
        List<Object> list = new ArrayList<>();
        for (int k = 0; k < spectrum.size(); k++) {
            Complex value = spectrum.eigenvalue(k);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("re", value.re());
            entry.put("im", value.im());
            entry.put("modulus", value.modulus());
            entry.put("timescale", timescales[k]);
            entry.put("frequency", frequencies[k]);
            entry.put("residual", residual(k));
            if (trust != null) {
                Eigenpair pair = trust.pair(k);
                entry.put("noise", pair.noise());
                entry.put("bias", pair.bias());
                entry.put("standardError", pair.standardError());
                entry.put("trusted", !pair.spurious());
                entry.put("reasons", pair.reasons());
            }
            list.add(entry);
        }
        return list;
    }

    /** The table of a report. */
    public String html() {
        StringBuilder html = new StringBuilder("<table><tr><th>k</th><th>eigenvalue</th><th>modulus</th><th>time scale"
                + (clock.isDated() ? "</th><th>period</th>" : " (" + clock.unit() + ")</th>"));
        html.append(
                trust == null
                        ? "</tr>"
                        : "<th>residual</th><th>of it noise</th><th>of it bias</th><th>std. error</th><th></th></tr>");
        for (int k = 0; k < spectrum.size(); k++) {
            Complex value = spectrum.eigenvalue(k);
            html.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%d</td><td>%s</td><td>%.4f</td><td>%s</td>%s",
                    k + 1,
                    Numbers.complex(value),
                    value.modulus(),
                    clock.duration(timescales[k]),
                    clock.isDated() ? "<td>" + frequency(k) + "</td>" : ""));
            if (trust != null) {
                Eigenpair pair = trust.pair(k);
                html.append(String.format(
                        Locale.ROOT,
                        "<td>%.4f</td><td>%.4f</td><td>%.4f</td><td>%s</td><td>%s</td>",
                        pair.residual(),
                        pair.noise(),
                        pair.bias(),
                        standardError(k),
                        pair.spurious() ? "spurious? " + Html.escaped(String.join("; ", pair.reasons())) : ""));
            }
            html.append("</tr>");
        }
        return html.append("</table>").toString();
    }
}
