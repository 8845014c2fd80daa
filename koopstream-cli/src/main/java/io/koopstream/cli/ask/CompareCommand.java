package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.Eigenvalue;
import io.koopstream.answers.SpectrumAnswer;
import io.koopstream.cli.plot.SpectrumPlot;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.StepOption;
import io.koopstream.spectrum.Complex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = "Compares two models of a system: which eigenvalues moved, and by how many standard errors.",
        footer = {
            "",
            "Example:  koop compare january.safetensors today.safetensors -k 6 --plot moved.png",
            "Each eigenvalue of the first model is compared with the nearest one of the second, at most 0.3 away; of a complex pair",
            "only the upper one is shown. Eigenvalue 1 belongs to the constants and is in every model. Standard errors come from the held-out",
            "pairs; a change of more than 3 of them counts as moved."
        })
public final class CompareCommand extends KoopCommand {

    /** Eigenvalues that are farther apart are of other modes. */
    private static final double FAR = 0.3;

    /** So near to one it is that of the constants, which every model has. */
    private static final double TRIVIAL = 1e-3;

    /** Standard errors beyond which an eigenvalue counts as moved. */
    private static final double MOVED = 3;

    @Parameters(index = "0", paramLabel = "MODEL", description = "first model, e.g. an older one")
    private Path first;

    @Parameters(index = "1", paramLabel = "MODEL", description = "second model, e.g. today's")
    private Path second;

    @Option(
            names = "-k",
            paramLabel = "K",
            defaultValue = "" + EigenvalueTable.USUAL_SIZE,
            description = "how many eigenvalues of each; default: ${DEFAULT-VALUE}")
    private int count;

    @Mixin
    private PlotOption plot;

    @Mixin
    private StepOption step;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    /** The leading eigenvalues of a model in the upper half of the plane, with standard errors where they are known. */
    private static final class Side {
        private final Complex[] all;
        private final List<Eigenvalue> values;
        private final Clock clock;

        Side(Model model, int count, StepOption step) {
            clock = step.clock(model);
            List<Eigenvalue> found = SpectrumAnswer.of(model.learned(), count, clock, model.wish(), null)
                    .eigenvalues();
            all = found.stream().map(Eigenvalue::value).toArray(Complex[]::new);
            values = found.stream().filter(value -> value.im() >= 0).toList();
        }

        /** A number among them. */
        Complex number(int k) {
            return values.get(k).value();
        }

        /** How long a mode lasts. */
        double timescale(int k) {
            return values.get(k).timescale();
        }

        double period(int k) {
            return 1 / values.get(k).frequency();
        }
    }

    /** An eigenvalue of the first model and the one of the second that is compared with it. */
    private record Match(int before, int after, double distance, double errors) {

        boolean moved() {
            return errors > MOVED;
        }
    }

    @Override
    protected void answer() throws IOException {
        output.requirePicture(plot.file());
        Model before = Model.read(first, answers);
        Model after = Model.read(second, answers);
        Side one = new Side(before, count, step);
        Side other = new Side(after, count, step);
        if (Math.abs(one.clock.dt() - other.clock.dt()) > 1e-6 * one.clock.dt()
                || one.clock.isDated() != other.clock.isDated()) {
            throw CommandFailure.data(
                    "a step of " + first + " lasts " + step(one.clock) + ", one of " + second + " "
                            + step(other.clock)
                            + ": their eigenvalues cannot be compared; learn both from rows at the same interval, or set it with --dt");
        }
        List<Match> matches = match(one, other);
        if (plot.isGiven()) {
            SpectrumPlot.of(one.all, other.all, "first model", "second model").write(plot.file());
        }
        if (output.json()) {
            console.json(document(one, other, matches, before, after));
            return;
        }
        console.say("   before                after                 moved by   std. errors   time scale             "
                + "period");
        for (Match match : matches) {
            console.say(String.format(
                    Locale.ROOT,
                    "   %-20s  %-20s  %8.4f   %11s   %-20s   %s",
                    Numbers.complex(one.number(match.before)),
                    Numbers.complex(other.number(match.after)),
                    match.distance,
                    Double.isNaN(match.errors) ? "-" : String.format(Locale.ROOT, "%.1f", match.errors),
                    lasts(one, match.before) + " -> " + lasts(other, match.after),
                    comesRound(one, match.before) + " -> " + comesRound(other, match.after)));
        }
        sayAlone("first", unmatched(one, matches.stream().map(Match::before).toList()));
        sayAlone("second", unmatched(other, matches.stream().map(Match::after).toList()));
        if (!before.observed().equals(after.observed())) {
            console.say(
                    "The models have different columns: %s, and %s.",
                    String.join(", ", before.observed()), String.join(", ", after.observed()));
        }
        console.say("%s", sentence(one, other, matches));
        plot.say(console);
    }

    private void sayAlone(String which, List<Complex> values) {
        if (!values.isEmpty()) {
            console.say(
                    "Only among those of the %s model: %s.",
                    which, values.stream().map(Numbers::complex).collect(Collectors.joining(", ")));
        }
    }

    private static String step(Clock clock) {
        return clock.isDated() ? clock.duration(clock.dt()) : Double.toString(clock.dt());
    }

    private static String lasts(Side side, int k) {
        return side.clock.duration(side.timescale(k));
    }

    private static String comesRound(Side side, int k) {
        return side.values.get(k).im() > 0 ? side.clock.duration(side.period(k)) : "-";
    }

    private static boolean isTrivial(Complex value) {
        return Math.hypot(value.re() - 1, value.im()) < TRIVIAL;
    }

    /** Nearest first; no eigenvalue is compared twice. */
    private static List<Match> match(Side one, Side other) {
        List<Match> all = new ArrayList<>();
        for (int i = 0; i < one.values.size(); i++) {
            for (int j = 0; j < other.values.size(); j++) {
                double distance = Math.hypot(
                        one.values.get(i).re() - other.values.get(j).re(),
                        one.values.get(i).im() - other.values.get(j).im());
                double error = Math.hypot(
                        one.values.get(i).standardError(), other.values.get(j).standardError());
                boolean trivial = isTrivial(one.number(i)) && isTrivial(other.number(j));
                if (distance <= FAR) {
                    all.add(new Match(i, j, distance, error > 0 && !trivial ? distance / error : Double.NaN));
                }
            }
        }
        all.sort((a, b) -> Double.compare(a.distance, b.distance));
        List<Match> matches = new ArrayList<>();
        for (Match match : all) {
            if (matches.stream().noneMatch(known -> known.before == match.before || known.after == match.after)) {
                matches.add(match);
            }
        }
        matches.sort((a, b) -> Integer.compare(a.before, b.before));
        return matches;
    }

    private static String sentence(Side one, Side other, List<Match> matches) {
        if (matches.stream().allMatch(match -> Double.isNaN(match.errors))) {
            return "Whether this is chance cannot be said: standard errors need held-out pairs, so least-squares models learned with --holdout.";
        }
        List<Match> moved = matches.stream().filter(Match::moved).toList();
        if (moved.isEmpty()) {
            return String.format(
                    Locale.ROOT,
                    "No eigenvalue moved by more than %.0f standard errors: the models agree as far as the data can tell.",
                    MOVED);
        }
        Match most =
                moved.stream().max((a, b) -> Double.compare(a.errors, b.errors)).orElseThrow();
        return String.format(
                Locale.ROOT,
                "%d of %d eigenvalues moved by more than %.0f standard errors, most of all %s, now %s (%.1f): its time scale was %s and is %s%s.",
                moved.size(),
                matches.size(),
                MOVED,
                Numbers.complex(one.number(most.before)),
                Numbers.complex(other.number(most.after)),
                most.errors,
                lasts(one, most.before),
                lasts(other, most.after),
                one.values.get(most.before).im() > 0
                                && other.values.get(most.after).im() > 0
                        ? ", its period was " + comesRound(one, most.before) + " and is "
                                + comesRound(other, most.after)
                        : "");
    }

    private Map<String, Object> document(Side one, Side other, List<Match> matches, Model before, Model after) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("models", List.of(first.toString(), second.toString()));
        result.put("columns", List.of(before.observed(), after.observed()));
        result.put("dt", one.clock.dt());
        result.put("timeUnit", one.clock.timeUnit());
        result.put(
                "eigenvalues",
                matches.stream().map(match -> entry(one, other, match)).toList());
        result.put(
                "onlyInFirst",
                points(unmatched(one, matches.stream().map(Match::before).toList())));
        result.put(
                "onlyInSecond",
                points(unmatched(other, matches.stream().map(Match::after).toList())));
        result.put("sentence", sentence(one, other, matches));
        return result;
    }

    private static Map<String, Object> entry(Side one, Side other, Match match) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("before", point(one.number(match.before)));
        entry.put("after", point(other.number(match.after)));
        entry.put("distance", match.distance);
        entry.put("standardErrors", match.errors);
        entry.put("moved", Double.isNaN(match.errors) ? null : match.moved());
        entry.put("timescales", new double[] {one.timescale(match.before), other.timescale(match.after)});
        entry.put("periods", new double[] {one.period(match.before), other.period(match.after)});
        return entry;
    }

    private static List<double[]> points(List<Complex> values) {
        return values.stream().map(CompareCommand::point).toList();
    }

    private static double[] point(Complex value) {
        return new double[] {value.re(), value.im()};
    }

    private static List<Complex> unmatched(Side side, List<Integer> taken) {
        return IntStream.range(0, side.values.size())
                .filter(k -> !taken.contains(k))
                .mapToObj(side::number)
                .toList();
    }
}
