package io.koopstream.cli.learn;

import io.koopstream.cli.shell.Choices;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.io.NpyWriter;
import io.koopstream.io.samples.TableWriter;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.BenchmarkSystems;
import io.koopstream.systems.TrajectoryStreams;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop simulate}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Simulates trajectories of a built-in system into a file.",
        footer = {
            "",
            "Example:  koop simulate fourwell --trajectories 200 --steps 500 --seed 1 -o wells.csv",
            "The file's name says its format: .csv, .npy (trajectories, steps + 1, d) or .parquet; '-' is CSV on standard output."
        })
public final class SimulateCommand extends KoopCommand {

    @Parameters(
            arity = "0..1",
            paramLabel = "SYSTEM",
            completionCandidates = Choices.Systems.class,
            description = "which system; --list shows them")
    private String name;

    @Option(names = "--list", description = "list the systems and exit")
    private boolean list;

    @Option(
            names = "--trajectories",
            paramLabel = "N",
            defaultValue = "100",
            description = "number of trajectories; default: ${DEFAULT-VALUE}")
    private int trajectories;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "500",
            description = "steps per trajectory; default: ${DEFAULT-VALUE}")
    private int steps;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "file to write")
    private Path file;

    @Mixin
    private SeedOption seed;

    @Mixin
    private Output output;

    @Override
    protected void answer() throws IOException {
        if (list) {
            list();
            return;
        }
        if (name == null) {
            throw CommandFailure.usage("no system given: 'koop simulate --list' shows them");
        }
        if (file == null) {
            throw CommandFailure.usage("no output file given: add -o FILE.csv, -o FILE.npy or -o FILE.parquet");
        }
        Output.requireAtLeastOne("--trajectories", trajectories);
        Output.requireAtLeastOne("--steps", steps);
        BenchmarkSystem system = BenchmarkSystems.of(name);
        output.requireFree(file);
        if (Output.endsWith(file, ".npy")) {
            writeArray(system);
        } else {
            writeTable(system);
        }
        long rows = (long) trajectories * (steps + 1);
        if (output.json() && !Output.isStandard(file)) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("system", system.id());
            result.put("trajectories", trajectories);
            result.put("steps", steps);
            result.put("seed", seed.seed());
            result.put("rows", rows);
            result.put("dt", system.dt());
            result.put("file", file.toString());
            console.json(result);
        } else {
            console.tell(
                    "%s: %,d trajectories of %,d steps (%,d rows), %s, dt = %s",
                    file, trajectories, steps, rows, system.id(), system.dt());
        }
    }

    private void list() {
        List<Object> systems = new ArrayList<>();
        for (BenchmarkSystem system : BenchmarkSystems.all()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("id", system.id());
            entry.put("dimension", system.dimension());
            entry.put("dt", system.dt());
            entry.put("coordinates", system.coordinateNames());
            entry.put("description", system.description());
            systems.add(entry);
            if (!output.json()) {
                console.say(
                        "%-22s d = %d  dt = %-6s %s",
                        system.id(), system.dimension(), system.dt(), system.description());
            }
        }
        if (output.json()) {
            console.json(Map.of("systems", systems));
        }
    }

    private void writeArray(BenchmarkSystem system) throws IOException {
        try (NpyWriter writer = new NpyWriter(file, NpyWriter.Kind.REAL, steps + 1L, system.dimension())) {
            simulate(system, (trajectory, step, state) -> writer.write(state));
            writer.commit();
        }
    }

    private void writeTable(BenchmarkSystem system) throws IOException {
        List<String> names = new ArrayList<>(List.of("trajectory", "step", "time"));
        names.addAll(system.coordinateNames());
        try (TableWriter writer = Output.table(console, file, names, 2)) {
            double[] row = new double[names.size()];
            simulate(system, (trajectory, step, state) -> {
                row[0] = trajectory;
                row[1] = step;
                row[2] = time(step, system.dt());
                System.arraycopy(state, 0, row, 3, state.length);
                writer.row(row);
                if (Output.isStandard(file) && step == 0) {
                    requireListener();
                }
            });
            writer.commit();
        }
    }

    /** Without the digits that rounding adds: 0.3 and not 0.30000000000000004. */
    private static double time(int step, double dt) {
        return BigDecimal.valueOf(dt).multiply(BigDecimal.valueOf(step)).doubleValue();
    }

    /** Nobody reads on, as when the output goes to {@code head}: there is nothing left to do. */
    private void requireListener() {
        if (console.out().checkError()) {
            throw CommandFailure.quiet();
        }
    }

    /** States one by one, so that memory does not grow with the number of steps. */
    private void simulate(BenchmarkSystem system, StateWriter writer) throws IOException {
        for (int i = 0; i < trajectories; i++) {
            UniformRandomProvider random = TrajectoryStreams.of(seed.seed(), i);
            double[] state = system.initialState(random);
            writer.write(i, 0, state);
            for (int s = 1; s <= steps; s++) {
                system.step(state, random);
                writer.write(i, s, state);
            }
        }
    }

    private interface StateWriter {
        void write(int trajectory, int step, double[] state) throws IOException;
    }
}
