package io.koopstream.cli.ask;

import io.koopstream.InvalidQueryException;
import io.koopstream.answers.Clock;
import io.koopstream.answers.ForecastAnswer;
import io.koopstream.answers.ForecastBatch;
import io.koopstream.answers.Forecasts;
import io.koopstream.answers.FutureInputs;
import io.koopstream.cli.plot.ForecastPlot;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.cli.shell.StepOption;
import io.koopstream.control.Formula;
import io.koopstream.forecast.Forecast.BandSource;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Mode;
import io.koopstream.forecast.Start;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Projection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop forecast}. */
@Command(
        name = "forecast",
        mixinStandardHelpOptions = true,
        description = "Forecasts the rows after one start or many: expected values with error bands.",
        footer = {
            "",
            "Example:  koop forecast load.safetensors --steps 24",
            "          koop forecast wells.safetensors --from 0.3,-1.5 --plot forecast.png",
            "          koop forecast load.safetensors --data new.csv --every 24 --steps 96 -o forecasts.csv",
            "Without --from and --data the forecast starts after the last row that was learned. Tables have one row per start and step:",
            "time, trajectory (if there are any), row, step, known, means, and for every quantile the means' columns with _q0.1 and so on",
            "appended. NPY: (1 + quantiles, starts, steps, d), means first. Numbers are in the units of the data. Of a model with a projection",
            "files hold the means of all columns; --from takes coordinates. 'known' says how well the",
            "model knows the state, 0 to 1: do not trust forecasts below 0.5; below 0.1 there is none unless you add --anyway."
        })
public final class ForecastCommand extends KoopCommand {

    private static final int MAX_COLUMNS_SHOWN = 8;

    /** Of the model that answers; null where it learned columns. */
    private Projection projection;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Mixin
    private SeedOption seed;

    @Mixin
    private PlotOption plot;

    @Mixin
    private StepOption step;

    @Mixin
    private ForecastStarts starts;

    /** Steps where nothing says how many. */
    private static final int USUAL_STEPS = 20;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description =
                    "number of steps; default: " + USUAL_STEPS + ", or as many rows as FUTURE has after the start")
    private Integer steps;

    @Option(
            names = "--future",
            paramLabel = "FUTURE",
            description =
                    "coming values of the model's inputs, a row per step: the rows after the start where they are dated, else from the first row on; default: inputs are forecast from their own past")
    private Path future;

    @Option(
            names = "--quantiles",
            paramLabel = "P,Q",
            split = ",",
            description =
                    "levels of the bands, e.g. 0.025,0.1,0.9,0.975; 'none' for means only; default: 0.1,0.9, an 80 %% band")
    private List<String> quantiles = List.of("0.1", "0.9");

    @Option(
            names = "--mode",
            paramLabel = "M",
            defaultValue = "auto",
            description =
                    "path (iterated one-step regression), operator (expectations from powers of the operator) or auto (per horizon, whichever held-out data favours); default: ${DEFAULT-VALUE}")
    private String mode;

    @Option(
            names = "--paths",
            paramLabel = "N",
            defaultValue = "200",
            description = "simulated paths per band; default: ${DEFAULT-VALUE}")
    private int paths;

    @Option(names = "--anyway", description = "also forecast from starts that the model hardly knows")
    private boolean anyway;

    @Option(
            names = "--observable",
            paramLabel = "F",
            description = "also forecast a formula of the columns, e.g. 'abs(x1)'; may be repeated")
    private List<String> observables = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F",
            description = "file for the forecasts: .csv, .npy or .parquet")
    private Path result;

    @Mixin
    private RowOptions columns;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        output.requireFree(result);
        output.requirePicture(plot.file());
        double[] levels = levels();
        Model model = Model.read(file, answers);
        Clock clock = step.clock(model);
        List<ToDoubleFunction<double[]>> formulas = formulas(model.observed());
        List<String> names = new ArrayList<>(model.learned().driven());
        names.addAll(observables);
        FutureInputs inputs = future == null ? null : inputs(model);
        List<ForecastStarts.Begun> begun = starts.find(console, model, columns);
        if (inputs != null && begun.size() > 1 && !inputs.isDated()) {
            throw CommandFailure.usage("--future " + future + " has no times, so it goes with one start; there are "
                    + begun.size() + ": add a time column, or --rows N");
        }
        if (steps == null) {
            steps = inputs == null ? USUAL_STEPS : inputs.reach(begun.get(0).place(), model.learned(), clock);
        }
        ForecastRequest request = ForecastRequest.of(steps)
                .mode(mode())
                .paths(levels.length == 0 && !plot.isGiven() ? 0 : paths, seed.seed());
        Forecasts forecasts = new Forecasts(
                model.learned(),
                anyway ? request.fromAnywhere() : request,
                levels,
                clock,
                model.wish(),
                observables,
                formulas,
                inputs);
        FollowedRows followed = starts.follow(console, model, columns).orElse(null);
        projection = model.learned().projection().orElse(null);
        try (followed) {
            answer(new Batch(forecasts, begun, followed), begun, names, levels, clock);
        }
    }

    private void answer(Batch all, List<ForecastStarts.Begun> begun, List<String> names, double[] levels, Clock clock)
            throws IOException {
        boolean single = begun.size() == 1;
        Forecasts forecasts = all.ofFirst();
        if (plot.isGiven()) {
            ForecastPlot.of(
                            forecasts.forecast(begun.get(0).place()),
                            clock,
                            names,
                            begun.get(0).past(),
                            new double[0][][])
                    .write(plot.file());
        }
        if (result != null) {
            ForecastTable table = new ForecastTable(console, names, levels, clock);
            (projection == null ? table : table.lifted(projection)).write(result, begun, all::at, steps);
        }
        if (output.json()) {
            Start first = begun.get(0).place();
            console.json(single ? forecasts.answer(first) : all.answer());
        } else if (result == null) {
            if (starts.isBatch() && !single) {
                new ForecastTable(console, names, levels, clock).write(Path.of("-"), begun, all::at, steps);
            } else {
                print(forecasts.answer(begun.get(0).place()), begun.get(0), clock);
            }
        }
        if (!output.json() && result != null && !Output.isStandard(result)) {
            console.say("%,d forecasts of %,d steps: %s", begun.size() - all.refused, steps, result);
            if (projection != null) {
                console.say(
                        "Expected rows of %,d columns; bands are of coordinates: in the table without -o, and in --json.",
                        projection.dimension());
            }
        }
        if (!output.json()) {
            plot.say(console);
        }
        all.tell();
    }

    /** Forecasts of a batch that are computed at once, on all processors. */
    private static final int AT_ONCE = 32;

    /** Forecasts as they are asked for, in order; those that are refused are null, and counted. */
    private final class Batch {
        private final Forecasts forecasts;
        private final List<ForecastStarts.Begun> begun;
        /** Null where no record is carried on. */
        private final FollowedRows followed;

        private Forecasts ofFirst;
        /** What was computed ahead, from that start on: a forecast, or why there is none. */
        private Object[] ahead = {};

        private int first;
        private int refused;
        private int doubtful;
        private String why = "";

        Batch(Forecasts forecasts, List<ForecastStarts.Begun> begun, FollowedRows followed) {
            this.forecasts = forecasts;
            this.begun = begun;
            this.followed = followed;
        }

        /** What forecasts from the first start. */
        Forecasts ofFirst() throws IOException {
            ofFirst = ofFirst == null ? judged(0) : ofFirst;
            return ofFirst;
        }

        private Forecasts judged(int i) throws IOException {
            return followed == null ? forecasts : forecasts.judgedBy(followed.after(starts.known(begun.get(i))));
        }

        ForecastAnswer.Path at(int i) throws IOException {
            if (i < first || i >= first + ahead.length) {
                int end = Math.min(begun.size(), i + AT_ONCE);
                Forecasts[] by = new Forecasts[end - i];
                for (int k = i; k < end; k++) {
                    by[k - i] = k == 0 ? ofFirst() : judged(k);
                }
                ahead = IntStream.range(i, end)
                        .parallel()
                        .mapToObj(k -> tried(by[k - i], k))
                        .toArray();
                first = i;
            }
            if (ahead[i - first] instanceof ForecastAnswer.Path path) {
                doubtful += path.warning() == null ? 0 : 1;
                return path;
            }
            InvalidQueryException refusal = (InvalidQueryException) ahead[i - first];
            if (begun.size() == 1) {
                throw refusal;
            }
            refused++;
            why = refusal.getMessage();
            return null;
        }

        private Object tried(Forecasts by, int i) {
            try {
                return by.path(begun.get(i).place());
            } catch (InvalidQueryException e) {
                return e;
            }
        }

        ForecastBatch answer() throws IOException {
            List<ForecastBatch.Started> list = new ArrayList<>();
            for (int i = 0; i < begun.size(); i++) {
                ForecastAnswer.Path path = at(i);
                list.add(new ForecastBatch.Started(
                        begun.get(i).row(), begun.get(i).trajectory(), path == null ? why : null, path));
            }
            return forecasts.batch(list);
        }

        void tell() {
            if (refused > 0) {
                console.tell("koop: note: %,d starts are refused (NaN in the output): %s", refused, why);
            }
            if (doubtful > 0) {
                console.tell(
                        "koop: note: %,d starts are less than %s known: do not trust those forecasts",
                        doubtful, Forecaster.WARN_BELOW);
            }
        }
    }

    /** Rows of a file with the columns of the model's inputs. */
    private FutureInputs inputs(Model model) throws IOException {
        List<String> wanted = model.learned().inputs();
        if (wanted.isEmpty()) {
            throw CommandFailure.usage(
                    "--future " + future + ": " + file + " has no inputs; learn it with --inputs, or leave this out");
        }
        Data reading = new Data(console, columns);
        List<double[]> rows = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        try (SampleReader reader = reading.open(future, wanted, model.labels())) {
            if (!reader.names().equals(wanted)
                    && !(reader.names().size() == wanted.size()
                            && reader.names().equals(Data.numbered(wanted.size())))) {
                throw CommandFailure.data(reader.source() + ": has columns " + String.join(", ", reader.names())
                        + "; the inputs of " + file + " are " + String.join(", ", wanted));
            }
            Sample sample = new Sample();
            while (reader.read(sample)) {
                rows.add(sample.state().clone());
                times.add(sample.time());
            }
        } catch (BadRowException e) {
            throw CommandFailure.data(e.getMessage());
        }
        return new FutureInputs(
                rows, times.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private double[] levels() {
        if (quantiles.equals(List.of("none"))) {
            return new double[0];
        }
        try {
            double[] levels =
                    quantiles.stream().mapToDouble(Double::parseDouble).toArray();
            if (Arrays.stream(levels).allMatch(p -> p > 0 && p < 1)) {
                return levels;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw CommandFailure.usage("--quantiles " + String.join(",", quantiles)
                + ": expected levels between 0 and 1, e.g. 0.025,0.1,0.9,0.975, or none");
    }

    private Mode mode() {
        for (Mode one : Mode.values()) {
            if (one.name().toLowerCase(Locale.ROOT).equals(mode)) {
                return one;
            }
        }
        throw CommandFailure.usage("--mode " + mode + ": must be path, operator or auto");
    }

    private List<ToDoubleFunction<double[]>> formulas(List<String> names) {
        List<ToDoubleFunction<double[]>> formulas = new ArrayList<>();
        for (String text : observables) {
            Formula formula = Formula.parse(text, names);
            formulas.add(formula::at);
        }
        return formulas;
    }

    private void print(ForecastAnswer answer, ForecastStarts.Begun start, Clock clock) {
        ForecastAnswer.Path path = answer.path();
        double[] levels = answer.terms().levels();
        List<String> names = answer.terms().names();
        boolean timed = path.times() != null;
        if (timed) {
            console.say("After %s:", clock.at(start.place().time()));
        }
        boolean banded = levels.length > 0 && BandSource.valueOf(path.band()) != BandSource.UNKNOWN;
        double[][] low = banded ? path.quantiles()[extreme(levels, false)] : path.mean();
        double[][] high = banded ? path.quantiles()[extreme(levels, true)] : path.mean();
        int shown = Math.min(names.size(), MAX_COLUMNS_SHOWN);
        StringBuilder header = new StringBuilder(timed ? String.format(Locale.ROOT, "%-20s", "time") : "  step");
        for (int c = 0; c < shown; c++) {
            header.append(String.format(Locale.ROOT, banded ? "   %-28s" : "   %11s", names.get(c)));
        }
        console.say(header.append("   known").toString());
        List<DoubleFunction<String>> digits = IntStream.range(0, shown)
                .mapToObj(c -> digits(path.mean(), low, high, c))
                .toList();
        for (int s = 0; s < steps; s++) {
            StringBuilder line = new StringBuilder(
                    timed
                            ? String.format(Locale.ROOT, "%-20s", path.times().get(s))
                            : String.format(Locale.ROOT, "%6d", s + 1));
            for (int c = 0; c < shown; c++) {
                DoubleFunction<String> number = digits.get(c);
                line.append(String.format(Locale.ROOT, "   %11s", number.apply(path.mean()[s][c])));
                if (banded) {
                    line.append(String.format(
                            Locale.ROOT,
                            "%-17s",
                            " (" + number.apply(low[s][c]) + " to " + number.apply(high[s][c]) + ")"));
                }
            }
            console.say("%s", line.append(String.format(Locale.ROOT, "   %5.2f", path.knownOnTheWay()[s])));
        }
        explain(answer, shown);
        for (int s : steps > 1 ? new int[] {1, steps} : new int[] {1}) {
            String madeOf = madeOf(path, s);
            if (!madeOf.isEmpty()) {
                String ahead = clock.isDated() ? clock.duration(s * clock.dt()) : "step " + s;
                console.say("At %s: %s.", ahead, madeOf);
            }
        }
    }

    /** Which of the levels is the lowest, or the highest. */
    private static int extreme(double[] levels, boolean highest) {
        Comparator<Integer> order = Comparator.comparingDouble(q -> levels[q]);
        return IntStream.range(0, levels.length)
                .boxed()
                .max(highest ? order : order.reversed())
                .orElseThrow();
    }

    /** Shares of the members in words; those below half a percent are left out. */
    private static String madeOf(ForecastAnswer.Path path, int step) {
        return path.madeOf().entrySet().stream()
                .filter(entry -> entry.getValue()[step - 1] >= 0.005)
                .map(entry ->
                        String.format(Locale.ROOT, "%.0f %% %s", 100 * entry.getValue()[step - 1], entry.getKey()))
                .collect(Collectors.joining(", "));
    }

    /** As many digits as the narrowest band of a coordinate tells, for all of its steps. */
    private static DoubleFunction<String> digits(double[][] mean, double[][] low, double[][] high, int c) {
        double narrowest = Double.POSITIVE_INFINITY;
        double largest = 0;
        for (int s = 0; s < mean.length; s++) {
            double width = high[s][c] - low[s][c];
            narrowest = Math.min(narrowest, width);
            largest = Math.max(largest, Math.abs(mean[s][c]) + width);
        }
        return Numbers.digits(narrowest, largest);
    }

    private void explain(ForecastAnswer answer, int shown) {
        List<String> names = answer.terms().names();
        if (!answer.terms().inputs().isEmpty()) {
            String inputs = String.join(", ", answer.terms().inputs().keySet());
            console.say(
                    future == null
                            ? "Inputs (%s) are forecast from their own past; --future FILE brings their coming values."
                            : "Inputs (%s) are as given; bands take them for certain.",
                    inputs);
        }
        if (projection != null) {
            console.say(
                    "%s, which hold %.1f %% of the energy, of %,d columns: -o FILE writes these.",
                    Numbers.counted(projection.rank(), "coordinate"),
                    100 * (1 - projection.missed()),
                    projection.dimension());
        } else if (shown < names.size()) {
            console.say("%d more columns: -o FILE writes them all.", names.size() - shown);
        }
        switch (BandSource.valueOf(answer.path().band())) {
            case RECORD ->
                console.say(
                        "In brackets: quantiles %s, as wide as the errors of earlier forecasts.",
                        String.join(" and ", quantiles));
            case PATHS ->
                console.say(
                        "In brackets: quantiles %s of %d simulated paths; no earlier forecasts say how far to trust them.",
                        String.join(" and ", quantiles), paths);
            case OPERATOR ->
                console.say("In brackets: the operator's own distribution; no pairs were held out to calibrate it.");
            case UNKNOWN -> console.say("No bands: none were requested, or nothing is known about the errors.");
        }
        for (ForecastAnswer.Modes modes : answer.modes()) {
            if (modes.step() == steps && modes.coordinate() < shown) {
                console.say(
                        "At the last step %s has %d likely values, and the mean may lie between them: %s.",
                        names.get(modes.coordinate()),
                        modes.values().length,
                        IntStream.range(0, modes.values().length)
                                .mapToObj(i -> String.format(
                                        Locale.ROOT, "%.4g (%.0f %%)", modes.values()[i], 100 * modes.masses()[i]))
                                .collect(Collectors.joining(", ")));
            }
        }
        if (answer.path().warning() != null) {
            console.tell("koop: note: %s", answer.path().warning());
        }
    }
}
