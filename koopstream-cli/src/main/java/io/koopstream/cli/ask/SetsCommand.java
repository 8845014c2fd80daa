package io.koopstream.cli.ask;

import io.koopstream.cli.plot.PlanePlot;
import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.shell.AnswerOptions;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.DataOptions;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Output;
import io.koopstream.io.Json;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.spectrum.MetastableSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop sets}. */
@Command(
        name = "sets",
        mixinStandardHelpOptions = true,
        description = "Finds sets of states that the process seldom leaves.",
        footer = {
            "",
            "Example:  koop sets wells.safetensors -k 4 --plot sets.png",
            "          koop sets wells.safetensors -k 4 --at wells.csv -o sets.csv",
            "Sets are numbered from 0; -1 marks states of which nothing was learned."
        })
public final class SetsCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(names = "-k", paramLabel = "K", defaultValue = "2", description = "how many; default: ${DEFAULT-VALUE}")
    private int count;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "of the clustering; default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(names = "--at", paramLabel = "DATA", description = "states to assign to the sets")
    private Path at;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "F",
            description = "where to write the assignments: .csv, .npy (int64) or .parquet")
    private Path result;

    @Option(names = "--skip-bad", description = "skip rows of the data that cannot be used")
    private boolean skipBad;

    @Option(names = "--plot", paramLabel = "F", description = "picture of the sets, .png or .svg")
    private Path plot;

    @Mixin
    private DataOptions columns;

    @Mixin
    private SliceOptions slices;

    @Mixin
    private AnswerOptions answers;

    @Mixin
    private Output output;

    /** The command that answers on this console. */
    public SetsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (result != null && at == null) {
            throw CommandFailure.usage("-o needs --at DATA: the states to assign");
        }
        output.requireFree(result);
        output.requirePicture(plot);
        Model model = Model.read(file, answers);
        MetastableSets sets = MetastableSets.of(model.operator(), count, seed);
        long[] sizes = new long[count + 1];
        if (at == null) {
            for (int set : sets.assign(model.operator().inputPoints())) {
                sizes[set + 1]++;
            }
        } else {
            assign(model, sets, sizes);
        }
        if (plot != null) {
            Slice slice = slices.slice(model);
            PlanePlot.sets(
                            slice,
                            count,
                            sets.assign(slice.points()),
                            model.operator().inputPoints(),
                            new double[0][])
                    .write(plot);
        }
        print(sizes);
        return Exit.FINE;
    }

    private void assign(Model model, MetastableSets sets, long[] sizes) throws IOException {
        Data data = new Data(console, columns, skipBad);
        if (result == null) {
            data.forEachState(at, model, state -> sizes[set(sets, state) + 1]++);
        } else if (Output.endsWith(result, ".npy")) {
            try (NpyWriter writer = new NpyWriter(result, NpyWriter.Kind.WHOLE)) {
                data.forEachState(at, model, state -> {
                    int set = set(sets, state);
                    sizes[set + 1]++;
                    writer.write(set);
                });
                writer.commit();
            }
        } else {
            try (TableWriter writer = Output.table(console, result, List.of("set"), 1)) {
                data.forEachState(at, model, state -> {
                    int set = set(sets, state);
                    sizes[set + 1]++;
                    writer.row(set);
                });
                writer.commit();
            }
        }
    }

    /** The set of a state; none when a row is not enough for a state. */
    private static int set(MetastableSets sets, double[] state) {
        return state == null ? -1 : sets.assign(new double[][] {state})[0];
    }

    private void print(long[] sizes) {
        String what = at == null ? "kept samples" : "states of " + at;
        if (output.json()) {
            Map<String, Object> summary = new LinkedHashMap<>();
            List<Object> list = new ArrayList<>();
            for (int set = 0; set < count; set++) {
                list.add(Map.of("set", set, "states", sizes[set + 1]));
            }
            summary.put("sets", list);
            summary.put("unassigned", sizes[0]);
            summary.put("of", what);
            summary.put("file", result == null ? null : result.toString());
            summary.put("plot", plot == null ? null : plot.toString());
            console.out().print(Json.text(summary));
            return;
        }
        if (result != null && Output.isStandard(result)) {
            return;
        }
        for (int set = 0; set < count; set++) {
            console.say("set %d: %,d %s", set, sizes[set + 1], what);
        }
        if (sizes[0] > 0) {
            console.say("none: %,d (nothing was learned there)", sizes[0]);
        }
        if (plot != null) {
            console.say("Picture: %s", plot);
        }
    }
}
