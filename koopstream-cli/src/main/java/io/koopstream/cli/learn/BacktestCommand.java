package io.koopstream.cli.learn;

import io.koopstream.answers.Clock;
import io.koopstream.answers.Horizon;
import io.koopstream.cli.plot.AccuracyPlot;
import io.koopstream.cli.shell.AccuracyTable;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.PlotOption;
import io.koopstream.cli.shell.Progress;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.forecast.ForecastRecord;
import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Outcome;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code koop backtest}. */
@Command(
        name = "backtest",
        mixinStandardHelpOptions = true,
        description = "Measures how good forecasts of this data would have been, compared with simple baselines.",
        footer = {
            "",
            "Example:  koop backtest load.csv --horizons 1,24,168 --plot backtest.png",
            "One pass over the rows, as 'koop learn' makes it: forecasts are made along the way and judged when their targets come, before these",
            "are learned. Settings that are not given are chosen from the first third of the rows, 2,000 at most. Errors are root mean squares",
            "relative to the standard deviation of the rows; later targets count more, because the model learns as it goes. Baselines: the last",
            "row, the row one period earlier (if there is a period), linear regression on past rows. Coverage: the share of observed values",
            "within the 80 and 95 %% bands. Columns with --difference are judged by their levels, columns with --log by their logarithms. Several",
            "trajectories (--group) and stretches between gaps are each forecast from their own rows."
        })
public final class BacktestCommand extends KoopCommand {

    /** Share of the rows from which settings are chosen at most: most of the rows must judge what was chosen without them. */
    private static final int CHOOSING = 3;

    @Parameters(paramLabel = "DATA", description = "data file, or '-' for standard input")
    private Path data;

    @Mixin
    private PlotOption plot;

    @Mixin
    private RowOptions columns;

    private final LearnOptions options = new LearnOptions();

    @Mixin
    private Output output;

    @Override
    public CommandLine line(Console to) {
        return options.addTo(super.line(to));
    }

    @Override
    protected void answer() throws IOException {
        output.requirePicture(plot.file());
        Data reading = new Data(console, columns);
        List<Observation> rows = new ArrayList<>();
        try (SampleReader reader = reading.openWithLast(data, options.inputs())) {
            if (reader.isPairs()) {
                throw CommandFailure.data(reader.source() + ": rows are pairs; a backtest needs rows in their order");
            }
            reading.forEachRow(
                    reader,
                    StateLabels.of(List.of()),
                    (sample, outcome, trajectories) ->
                            rows.add(sample.observation().copy()),
                    () -> rows.add(Observation.unreadable(null)));
            LearningStream stream = LearningStream.of(
                    settings(reader.names(), rows.size()), reader.names().size());
            learn(stream, rows, reader.source());
            Clock clock = Clock.of(reader, stream.trajectories().interval());
            answer(stream, rows.size(), clock, reader.names());
        }
    }

    private StreamConfig settings(List<String> names, int rows) {
        StreamConfig given = options.config(names);
        if (!given.isLeastSquares()) {
            throw CommandFailure.usage(
                    "--method sogd: a model of its operator alone has no forecasts to judge;" + " use least-squares");
        }
        int most = Math.max(3, Math.min(given.warmUp(), rows / CHOOSING));
        return given.choosesKernel() && !given.has(StreamOption.WARM_UP)
                ? given.toBuilder().set(StreamOption.WARM_UP, most).build()
                : given;
    }

    private void learn(LearningStream stream, List<Observation> rows, String source) {
        Progress progress = new Progress(console, System::nanoTime);
        for (int i = 0; i < rows.size(); i++) {
            Outcome outcome = stream.accept(rows.get(i));
            if (outcome.kind() == Outcome.Kind.REFUSED) {
                throw CommandFailure.data(source + ": row " + (i + 1) + ": " + outcome.message());
            }
            progress.at(
                    (i + 1.0) / rows.size(),
                    stream.pairs(),
                    stream.learner().map(learner -> learner.dictionarySize()).orElse(0),
                    stream.watch().curve().error());
        }
        stream.endWarmUp();
        progress.done(
                1,
                stream.pairs(),
                stream.learner().map(learner -> learner.dictionarySize()).orElse(0),
                stream.watch().curve().error());
    }

    private void answer(LearningStream stream, int rows, Clock clock, List<String> names) throws IOException {
        ForecastRecord record = stream.record()
                .orElseThrow(
                        () -> CommandFailure.data(rows + " rows, none of which follows another: nothing to judge"));
        AccuracyTable table = new AccuracyTable(
                record,
                stream.settings().horizons().isEmpty()
                        ? null
                        : stream.settings().horizons());
        if (table.isEmpty()) {
            throw CommandFailure.data(rows + " rows give " + record.judged(0) + " forecasts to judge; at least "
                    + Horizon.MIN_TARGETS + " are needed");
        }
        if (plot.isGiven()) {
            AccuracyPlot.of(table.judged(), clock.dtInUnits(), clock.unit()).write(plot.file());
        }
        int kept = stream.learner().orElseThrow().dictionarySize();
        if (output.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("rows", rows);
            document.put("pairs", stream.pairs());
            document.put("period", record.period());
            document.put("delays", stream.delays());
            document.put("dictionary", kept);
            document.put("names", names);
            document.put("dt", clock.dt());
            document.put("timeUnit", clock.timeUnit());
            document.put("horizons", Horizon.of(record));
            document.put("verdict", table.verdict());
            console.json(document);
            return;
        }
        console.say(
                "%s, %,d of them follow another; the model keeps %s of %s each%s.",
                Numbers.counted(rows, "row"),
                stream.pairs(),
                Numbers.counted(kept, "state"),
                Numbers.counted(stream.delays() + 1, "row"),
                record.period() > 0 ? "; the data repeat after " + record.period() + " rows" : "");
        table.print(console, clock);
        console.say("%s", table.verdict());
        plot.say(console);
    }
}
