package io.koopstream.cli.learn;

import io.koopstream.cli.plot.BacktestPlot;
import io.koopstream.cli.shell.Clock;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.Progress;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.forecast.Backtest;
import io.koopstream.forecast.BacktestReport;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.ObservedForecast;
import io.koopstream.forecast.ObservedForecaster;
import io.koopstream.forecast.Start;
import io.koopstream.io.Json;
import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.MaxGap;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop backtest}. */
@Command(
        name = "backtest",
        mixinStandardHelpOptions = true,
        description = "Measures how good forecasts of this data would have been, compared with simple baselines.",
        footer = {
            "",
            "Example:  koop backtest load.csv --horizons 1,24,168 --plot backtest.png",
            "A model learns the first part of the rows, then forecasts from origins that move through the rest and keeps learning as it goes;",
            "with --rolling the origins begin after a tenth of the rows. Errors are root mean squares relative to the standard deviation of the",
            "first part (--rolling: of all rows). Baselines: persistence (the last row), seasonal (the row one period earlier, if there is a",
            "period), autoregression (ridge regression on past rows, fitted to all rows before, ten times along the way).",
            "Coverage: the share of observed values within the 80 and 95 %% bands. Models with --log, --difference and --calendar are evaluated",
            "in the units of the data. Of several trajectories (--group) each is forecast from its own rows, and errors are pooled."
        })
public final class BacktestCommand implements Callable<Integer> {

    private static final double TRAIN = 0.67;
    private static final double ROLLING = 0.1;
    private static final int[] HORIZONS = {1, 10, 24, 96};
    /** From fewer origins nothing can be said about a horizon that nobody asked for. */
    private static final int MIN_ORIGINS = 10;

    private final Console console;

    @Parameters(paramLabel = "DATA", description = "data file, or '-' for standard input")
    private Path data;

    @Option(
            names = "--horizons",
            paramLabel = "H,I",
            split = ",",
            description = "steps ahead; default: those of 1,10,24,96 that leave " + MIN_ORIGINS + " origins")
    private int[] horizons;

    @ArgGroup
    private FirstPart first = new FirstPart();

    /** What is learned before the first origin. */
    static final class FirstPart {
        @Option(
                names = "--train",
                paramLabel = "SHARE",
                description = "share of the rows learned before the first origin; default: " + TRAIN)
        private Double train;

        @Option(
                names = "--rolling",
                description = "start after a tenth of the rows instead, and evaluate on all the others")
        private boolean rolling;
    }

    @Option(
            names = "--origins",
            paramLabel = "N",
            defaultValue = "250",
            description =
                    "number of forecast origins, spread evenly over the remaining rows; default: ${DEFAULT-VALUE}")
    private int origins;

    @Mixin
    private PlotOption plot;

    @Mixin
    private RowOptions columns;

    private final LearnOptions options = new LearnOptions();

    @Mixin
    private Output output;

    private BacktestCommand(Console console) {
        this.console = console;
    }

    /** The command that answers on this console. */
    public static CommandLine line(Console console) {
        BacktestCommand command = new BacktestCommand(console);
        return command.options.addTo(new CommandLine(command));
    }

    @Override
    public Integer call() throws IOException {
        output.requirePicture(plot.file());
        if (horizons != null && Arrays.stream(horizons).anyMatch(steps -> steps < 1)) {
            throw CommandFailure.usage("--horizons: expected numbers of steps from 1, e.g. 1,10,24,96");
        }
        double train = first.train == null ? TRAIN : first.train;
        if (!(train > 0 && train < 1)) {
            throw CommandFailure.usage("--train " + train + ": expected a share between 0 and 1, e.g. 0.67");
        }
        Series series = read();
        StreamConfig settings = series.settings;
        requireTimes(settings, series);
        List<double[][]> rows = series.runs.stream()
                .map(run -> run.stream().map(Observation::values).toArray(double[][]::new))
                .toList();
        int[] firsts = rows.stream()
                .mapToInt(run -> trained(run.length, rows.size(), train))
                .toArray();
        int trained = Arrays.stream(firsts).sum();
        Learned learned = new Learned(settings, series);
        BacktestReport report = Backtest.run(rows, firsts, first.rolling, origins, horizons(rows, firsts), learned);
        learned.done();
        if (plot.isGiven()) {
            BacktestPlot.of(report, series.clock.dtInUnits(), series.clock.unit())
                    .write(plot.file());
        }
        if (output.json()) {
            console.out().print(Json.text(document(report, series, trained, first.rolling, learned)));
        } else {
            print(report, series, trained, learned);
        }
        return Exit.OK;
    }

    /** Number of rows of a trajectory that are learned before the first origin; of a single one enough to learn anything. */
    private int trained(int rows, int trajectories, double train) {
        if (trajectories > 1) {
            return (int) ((first.rolling ? ROLLING : train) * rows);
        }
        return first.rolling
                ? Backtest.rollingFrom(rows)
                : Math.max((int) (train * rows), first.train == null ? Math.min(rows, Backtest.MIN_TRAINED) : 0);
    }

    /** Steps ahead, ascending: those asked for, or those that the rows to judge on allow, one step at least. */
    private int[] horizons(List<double[][]> rows, int[] trained) {
        return horizons != null
                ? Arrays.stream(horizons).sorted().toArray()
                : Arrays.stream(HORIZONS)
                        .filter(steps -> steps == 1
                                || IntStream.range(0, trained.length)
                                                .map(s -> Math.max(0, rows.get(s).length - trained[s] - steps))
                                                .sum()
                                        >= MIN_ORIGINS)
                        .toArray();
    }

    /** Rows that follow each other: the longest stretch of every trajectory. */
    private record Series(
            List<String> names, List<List<Observation>> runs, long all, Clock clock, StreamConfig settings) {

        int judged() {
            return runs.stream().mapToInt(List::size).sum();
        }
    }

    private static void requireTimes(StreamConfig settings, Series series) {
        boolean timed = series.clock.isTold()
                && series.runs.stream().flatMap(List::stream).allMatch(row -> Double.isFinite(row.time()));
        if (settings.preparation().hasCalendar() && !timed) {
            throw CommandFailure.usage("--calendar: the rows have no times; name the column with --time");
        }
    }

    private Series read() throws IOException {
        Data reading = new Data(console, columns);
        List<Observation> all = new ArrayList<>();
        double[] interval = {Double.NaN};
        try (SampleReader reader = reading.open(data)) {
            if (reader.isPairs()) {
                throw CommandFailure.data(reader.source() + ": rows are pairs; a backtest needs rows in their order");
            }
            reading.forEachRow(
                    reader,
                    StateLabels.of(List.of()),
                    (sample, outcome, trajectories) -> {
                        all.add(sample.observation().copy());
                        interval[0] = trajectories.interval();
                    },
                    () -> all.add(Observation.unreadable(null)));
            StreamConfig settings = settings(reader.names(), all, interval[0]);
            Clock clock = Clock.of(reader, interval[0]);
            return new Series(reader.names(), longest(all, settings, reader.names()), all.size(), clock, settings);
        }
    }

    /** What was said, and that rows of working days follow each other where that was left open. */
    private StreamConfig settings(List<String> names, List<Observation> rows, double interval) {
        StreamConfig given = options.config(names);
        MaxGap found = MaxGap.of(rows, interval);
        return found.isNone() || given.has(StreamOption.MAX_GAP)
                ? given
                : given.toBuilder().maxGap(found).build();
    }

    private static List<List<Observation>> longest(List<Observation> rows, StreamConfig settings, List<String> names) {
        Trajectories trajectories = new Trajectories(
                Preparation.NONE,
                names.size(),
                null,
                0,
                1,
                settings.interval(),
                settings.maxGap(),
                settings.openTrajectories());
        Map<String, List<Observation>> longest = new LinkedHashMap<>();
        Map<String, List<Observation>> runs = new HashMap<>();
        for (Observation row : rows) {
            Outcome outcome = trajectories.next(row);
            String name = row.trajectory() == null ? "" : row.trajectory();
            if (outcome.from() == null) {
                runs.remove(name);
            }
            if (outcome.to() != null) {
                List<Observation> run = runs.computeIfAbsent(name, key -> new ArrayList<>());
                run.add(Observation.at(name, Double.NaN, row.time(), row.values()));
                longest.merge(name, run, (old, now) -> now.size() > old.size() ? now : old);
            }
        }
        return List.copyOf(longest.values());
    }

    /** A stream that learns on while the origin moves. */
    private final class Learned implements Backtest.Model {
        private final LearningStream stream;
        private final Series series;
        private final Progress progress = new Progress(console, System::nanoTime);
        private final int[] next;
        private final int all;
        private int learned;
        private int current;
        private ObservedForecaster forecaster;

        Learned(StreamConfig settings, Series series) {
            this.stream = LearningStream.of(settings, series.names.size());
            this.series = series;
            this.next = new int[series.runs.size()];
            this.all = series.judged();
        }

        @Override
        public void turnTo(int run) {
            current = run;
        }

        @Override
        public void learn(double[] observation) {
            Observation row = series.runs.get(current).get(next[current]++);
            // Only a calendar asks for times; the rows follow each other, whatever these say.
            stream.accept(series.clock.isDated() ? row : Observation.of(row.trajectory(), observation));
            progress.at(
                    (double) ++learned / all,
                    stream.pairs(),
                    stream.learner().map(learner -> learner.dictionarySize()).orElse(0),
                    stream.watch().curve().error());
        }

        @Override
        public void makeReady() {
            stream.endWarmUp();
            forecaster = new ObservedForecaster(
                    Forecaster.of(
                            stream.learner().orElseThrow().state(),
                            stream.layout(),
                            stream.record().orElse(null)),
                    stream.preparation(),
                    series.clock.isTold() ? series.clock.dt() : Double.NaN,
                    series.settings.maxGap());
        }

        @Override
        public ObservedForecast forecast(int steps) {
            String name = series.runs.get(current).get(0).trajectory();
            Start start = stream.trajectories()
                    .open(name)
                    .flatMap(open -> Start.after(open, stream.layout(), series.names.size()))
                    .orElseThrow(() -> CommandFailure.data("trajectory '" + name
                            + "' has fewer rows before its first origin than the " + (stream.delays() + 1)
                            + " of a state; use fewer --delays, or a larger --train"));
            return forecaster.forecast(start, ForecastRequest.of(steps).fromAnywhere(), List.of());
        }

        void done() {
            progress.done(
                    1,
                    stream.pairs(),
                    stream.learner().orElseThrow().dictionarySize(),
                    stream.watch().curve().error());
        }
    }

    private void print(BacktestReport report, Series series, int trained, Learned learned) {
        if (series.judged() < series.all) {
            console.say(
                    "Of %,d rows, the longest stretch%s without gaps or missing values is evaluated: %,d rows.",
                    series.all, series.runs.size() > 1 ? " of every trajectory" : "", series.judged());
        }
        if (series.runs.size() > 1) {
            console.say(
                    "%,d trajectories: each is forecast from its own rows, and the errors are pooled.",
                    series.runs.size());
        }
        console.say(
                "%,d rows learned before the first origin, %,d origins after it; the model keeps %,d states of %d rows each.",
                trained,
                report.origins(),
                learned.stream.learner().orElseThrow().dictionarySize(),
                learned.stream.delays() + 1);
        console.say(
                "   ahead          model   persistence   seasonal%s   autoregression   in 80 %%   in 95 %%",
                report.period() > 0 ? " (" + report.periodText() + ")" : " (-)");
        int[] steps = report.horizons();
        for (int h = 0; h < steps.length; h++) {
            console.say(
                    "%8s %14s %13.3f %12s %16.3f %9.0f %% %7.0f %%",
                    series.clock.isDated() ? series.clock.duration(steps[h] * series.clock.dt()) : steps[h],
                    String.format(Locale.ROOT, "%.3f", report.relativeError(h)),
                    report.relativeError(h, Backtest.Rival.PERSISTENCE),
                    report.period() == 0
                            ? "-"
                            : String.format(Locale.ROOT, "%.3f", report.relativeError(h, Backtest.Rival.SEASONAL)),
                    report.relativeError(h, Backtest.Rival.AUTOREGRESSION),
                    100 * report.coverage(h, 0),
                    100 * report.coverage(h, 1));
        }
        console.say(
                "Errors relative to the standard deviation of %s; --json has them per column, in its units.",
                first.rolling ? "all rows" : "the rows learned first");
        console.say("%s", report.verdict());
        plot.say(console);
    }

    private static Map<String, Object> document(
            BacktestReport report, Series series, int trained, boolean rolling, Learned learned) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rows", series.all);
        document.put("judged", series.judged());
        document.put("trajectories", series.runs.size());
        document.put("trained", trained);
        document.put("rolling", rolling);
        document.put("origins", report.origins());
        document.put("period", report.period());
        document.put("delays", learned.stream.delays());
        document.put("dictionary", learned.stream.learner().orElseThrow().dictionarySize());
        document.put("names", series.names);
        series.clock.putFacts(document);
        List<Object> horizons = new ArrayList<>();
        int[] steps = report.horizons();
        for (int h = 0; h < steps.length; h++) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("steps", steps[h]);
            entry.put("error", report.relativeError(h));
            entry.put("errors", report.errors(h));
            for (Backtest.Rival rival : Backtest.Rival.values()) {
                String name = rival.name().toLowerCase(Locale.ROOT);
                entry.put(name, report.relativeError(h, rival));
                entry.put(name + "Errors", report.errors(h, rival));
            }
            entry.put("coverage80", report.coverage(h, 0));
            entry.put("coverage95", report.coverage(h, 1));
            entry.put("intervalScore80", report.intervalScore(h, 0));
            entry.put("intervalScore95", report.intervalScore(h, 1));
            horizons.add(entry);
        }
        document.put("horizons", horizons);
        document.put("verdict", report.verdict());
        return document;
    }
}
