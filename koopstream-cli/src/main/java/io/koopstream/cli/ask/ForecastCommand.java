package io.koopstream.cli.ask;

import io.koopstream.cli.plot.ForecastPlot;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Output;
import io.koopstream.forecast.PathForecast;
import io.koopstream.io.Json;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.samples.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop forecast}. */
@Command(
        name = "forecast",
        mixinStandardHelpOptions = true,
        description = "Forecasts the path of the state from a start: expected state and spread at every step.",
        footer = {
            "",
            "Example:  koop forecast wells.safetensors --from 0.3,-1.5 --steps 20 --dt 0.1 --plot forecast.png",
            "Output: CSV or Parquet step,x1,..,x1_spread,..; NPY (2, steps, d) with means first, spreads second."
        })
public final class ForecastCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(names = "--from", required = true, paramLabel = "X", description = "the start, numbers with commas between")
    private String from;

    @Option(names = "--steps", paramLabel = "N", defaultValue = "20", description = "default: ${DEFAULT-VALUE}")
    private int steps;

    @Option(
            names = "--dt",
            paramLabel = "T",
            defaultValue = "1",
            description = "time of a step in the picture; default: ${DEFAULT-VALUE}")
    private double dt;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F",
            description = "where to write the path: .csv, .npy or .parquet")
    private Path result;

    @Option(names = "--plot", paramLabel = "F", description = "picture of the path with its spread, .png or .svg")
    private Path plot;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    /** The command that answers on this console. */
    public ForecastCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (!(dt > 0) || Double.isInfinite(dt)) {
            throw CommandFailure.data("--dt " + dt + ": must be a finite number > 0");
        }
        output.requireFree(result);
        output.requirePicture(plot);
        Model model = Model.forForecasts(file, answers);
        double[] start = start(model.dimension());
        PathForecast forecast = PathForecast.of(model.operator(), start, steps);
        if (plot != null) {
            ForecastPlot.of(start, forecast, dt, dt == 1 ? "steps" : "time", model.names(), new double[0][][])
                    .write(plot);
        }
        if (result != null) {
            write(model, forecast);
        }
        if (output.json()) {
            printJson(start, forecast);
        } else if (result == null || !Output.isStandard(result)) {
            print(model, forecast);
        }
        return Exit.FINE;
    }

    private double[] start(int dimension) {
        String[] parts = from.split(",", -1);
        if (parts.length != dimension) {
            throw CommandFailure.data(
                    "--from " + from + ": " + parts.length + " numbers, a state of this model has " + dimension);
        }
        double[] start = new double[dimension];
        for (int c = 0; c < dimension; c++) {
            try {
                start[c] = Double.parseDouble(parts[c].strip());
            } catch (NumberFormatException e) {
                throw CommandFailure.usage("--from " + from + ": '" + parts[c] + "' is not a number");
            }
        }
        return start;
    }

    private void write(Model model, PathForecast forecast) throws IOException {
        int d = model.dimension();
        if (Output.endsWith(result, ".npy")) {
            try (NpyWriter writer = new NpyWriter(result, NpyWriter.Kind.REAL, steps, d)) {
                for (int s = 1; s <= steps; s++) {
                    writer.write(forecast.mean(s));
                }
                for (int s = 1; s <= steps; s++) {
                    writer.write(forecast.spread(s));
                }
                writer.commit();
            }
            return;
        }
        List<String> names = new ArrayList<>(List.of("step"));
        names.addAll(model.names());
        model.names().forEach(name -> names.add(name + "_spread"));
        try (TableWriter writer = Output.table(console, result, names, 1)) {
            double[] row = new double[1 + 2 * d];
            for (int s = 1; s <= steps; s++) {
                row[0] = s;
                System.arraycopy(forecast.mean(s), 0, row, 1, d);
                System.arraycopy(forecast.spread(s), 0, row, 1 + d, d);
                writer.row(row);
            }
            writer.commit();
        }
    }

    private void printJson(double[] start, PathForecast forecast) {
        List<Object> path = new ArrayList<>();
        for (int s = 1; s <= steps; s++) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("step", s);
            entry.put("mean", forecast.mean(s));
            entry.put("spread", forecast.spread(s));
            path.add(entry);
        }
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("from", start);
        summary.put("path", path);
        console.out().print(Json.text(summary));
    }

    private void print(Model model, PathForecast forecast) {
        StringBuilder header = new StringBuilder("  step");
        model.names().forEach(name -> header.append(String.format(Locale.ROOT, "   %18s", name)));
        console.say(header.toString());
        for (int s = 1; s <= steps; s++) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%6d", s));
            for (int c = 0; c < model.dimension(); c++) {
                line.append(
                        String.format(Locale.ROOT, "   %8.4f +- %6.4f", forecast.mean(s)[c], forecast.spread(s)[c]));
            }
            console.say(line.toString());
        }
        if (plot != null) {
            console.say("Picture: %s", plot);
        }
    }
}
