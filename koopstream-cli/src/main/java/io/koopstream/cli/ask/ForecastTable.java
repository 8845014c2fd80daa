package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.answers.ForecastAnswer;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.rows.Projection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Forecasts in a file: a table with a row per start and step, or an array. A start that was refused has NaN. */
final class ForecastTable {

    private final Console console;
    private final List<String> names;
    private final double[] levels;
    private final Clock clock;
    /** Null where forecasts are of the columns. */
    private final Projection projection;

    /** Forecasts by the number of their start. */
    interface Paths {
        /** What is expected after start {@code i}; null where it was refused. */
        ForecastAnswer.Path at(int i) throws IOException;
    }

    ForecastTable(Console console, List<String> names, double[] levels, Clock clock) {
        this(console, names, levels, clock, null);
    }

    private ForecastTable(Console console, List<String> names, double[] levels, Clock clock, Projection projection) {
        this.console = console;
        this.names = names;
        this.levels = levels;
        this.clock = clock;
        this.projection = projection;
    }

    /** The same in the columns of the rows that were projected: expected values alone, since bands of coordinates are not those of columns. */
    ForecastTable lifted(Projection columns) {
        List<String> all = new ArrayList<>(Data.numbered(columns.dimension()));
        all.addAll(names.subList(columns.rank(), names.size()));
        return new ForecastTable(console, all, new double[0], clock, columns);
    }

    /** Expected values of a step as they are written. */
    private double[] written(double[] mean) {
        if (projection == null) {
            return mean;
        }
        double[] columns = projection.lift(Arrays.copyOf(mean, projection.rank()));
        double[] row = Arrays.copyOf(columns, names.size());
        System.arraycopy(mean, projection.rank(), row, columns.length, mean.length - projection.rank());
        return row;
    }

    /** @param forecasts what is expected after each start; null where it was refused */
    void write(Path file, List<ForecastStarts.Begun> starts, Paths forecasts, int steps) throws IOException {
        if (Output.endsWith(file, ".npy")) {
            array(file, starts.size(), forecasts, steps);
        } else {
            table(file, starts, forecasts, steps);
        }
    }

    private void table(Path file, List<ForecastStarts.Begun> starts, Paths forecasts, int steps) throws IOException {
        boolean timed =
                starts.stream().anyMatch(start -> !Double.isNaN(start.place().time()));
        boolean named = starts.stream().anyMatch(start -> !start.trajectory().isEmpty());
        List<String> texts = new ArrayList<>();
        if (timed) {
            texts.add("time");
        }
        if (named) {
            texts.add("trajectory");
        }
        List<String> numbers = new ArrayList<>(List.of("row", "step", "known"));
        numbers.addAll(names);
        for (double level : levels) {
            names.forEach(name -> numbers.add(name + "_q" + Numbers.plain(level)));
        }
        try (TableWriter writer = Output.table(console, file, texts, numbers, 2)) {
            for (int i = 0; i < starts.size(); i++) {
                ForecastStarts.Begun start = starts.get(i);
                ForecastAnswer.Path forecast = forecasts.at(i);
                for (int s = 1; s <= steps; s++) {
                    List<String> labels = new ArrayList<>();
                    if (timed) {
                        labels.add(
                                forecast == null || forecast.times() == null
                                        ? clock.at(start.place().time() + s * clock.dt())
                                        : forecast.times().get(s - 1));
                    }
                    if (named) {
                        labels.add(start.trajectory());
                    }
                    writer.row(labels, row(start.row(), s, forecast, numbers.size()));
                }
            }
            writer.commit();
        }
    }

    private double[] row(long start, int step, ForecastAnswer.Path forecast, int columns) {
        double[] row = new double[columns];
        Arrays.fill(row, Double.NaN);
        row[0] = start;
        row[1] = step;
        if (forecast != null) {
            row[2] = forecast.knownOnTheWay()[step - 1];
            int d = names.size();
            System.arraycopy(written(forecast.mean()[step - 1]), 0, row, 3, d);
            for (int q = 0; q < levels.length; q++) {
                System.arraycopy(forecast.quantiles()[q][step - 1], 0, row, 3 + (q + 1) * d, d);
            }
        }
        return row;
    }

    private void array(Path file, int starts, Paths forecasts, int steps) throws IOException {
        int d = names.size();
        // Lifted only when they are written, so that many forecasts of a wide field fit in memory.
        double[][][][] all = new double[1 + levels.length][starts][steps][];
        double[] missing = new double[d];
        Arrays.fill(missing, Double.NaN);
        for (int i = 0; i < starts; i++) {
            ForecastAnswer.Path forecast = forecasts.at(i);
            for (int s = 0; s < steps; s++) {
                for (int q = 0; q <= levels.length; q++) {
                    if (forecast == null) {
                        all[q][i][s] = missing;
                    } else {
                        all[q][i][s] = q == 0 ? forecast.mean()[s] : forecast.quantiles()[q - 1][s];
                    }
                }
            }
        }
        try (NpyWriter writer = new NpyWriter(file, NpyWriter.Kind.REAL, starts, steps, d)) {
            for (double[][][] kind : all) {
                for (double[][] start : kind) {
                    for (double[] step : start) {
                        writer.write(step == missing ? missing : written(step));
                    }
                }
            }
            writer.commit();
        }
    }
}
