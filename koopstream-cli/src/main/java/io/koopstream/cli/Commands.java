package io.koopstream.cli;

import io.koopstream.cli.ask.CompareCommand;
import io.koopstream.cli.ask.EigenfunctionsCommand;
import io.koopstream.cli.ask.ExportCommand;
import io.koopstream.cli.ask.ForecastCommand;
import io.koopstream.cli.ask.InfoCommand;
import io.koopstream.cli.ask.ModesCommand;
import io.koopstream.cli.ask.SetsCommand;
import io.koopstream.cli.ask.SpectrumCommand;
import io.koopstream.cli.control.ControlCommand;
import io.koopstream.cli.demo.DemoCommand;
import io.koopstream.cli.demo.ReproduceCommand;
import io.koopstream.cli.keep.BackupCommand;
import io.koopstream.cli.keep.CheckCommand;
import io.koopstream.cli.keep.RepairCommand;
import io.koopstream.cli.keep.RestoreCommand;
import io.koopstream.cli.learn.BacktestCommand;
import io.koopstream.cli.learn.LearnCommand;
import io.koopstream.cli.learn.LookCommand;
import io.koopstream.cli.learn.ScoreCommand;
import io.koopstream.cli.learn.SimulateCommand;
import io.koopstream.cli.learn.TheoryCommand;
import io.koopstream.cli.serve.FlinkCommand;
import io.koopstream.cli.serve.ServeCommand;
import io.koopstream.cli.shell.Console;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands below {@code koop}. Describing all of them with all of their options takes longer than most of them run, so only those that a run
 * may need are described in full; of the others the name and the line in {@code koop --help}.
 */
final class Commands {

    /** Its script is made of every option of every command. */
    private static final String COMPLETION = "completion";

    /** A command: its name, its description, and how it is made. */
    private record One(String name, Class<?> type, Function<Console, CommandLine> made) {}

    /** In the order of {@code koop --help}. */
    private static final List<One> ALL = List.of(
            new One("demo", DemoCommand.class, console -> new DemoCommand().line(console)),
            new One("simulate", SimulateCommand.class, console -> new SimulateCommand().line(console)),
            new One("look", LookCommand.class, console -> new LookCommand().line(console)),
            new One("learn", LearnCommand.class, console -> new LearnCommand().line(console)),
            new One("info", InfoCommand.class, console -> new InfoCommand().line(console)),
            new One("export", ExportCommand.class, console -> new ExportCommand().line(console)),
            new One("spectrum", SpectrumCommand.class, console -> new SpectrumCommand().line(console)),
            new One("compare", CompareCommand.class, console -> new CompareCommand().line(console)),
            new One(
                    "eigenfunctions",
                    EigenfunctionsCommand.class,
                    console -> new EigenfunctionsCommand().line(console)),
            new One("modes", ModesCommand.class, console -> new ModesCommand().line(console)),
            new One("sets", SetsCommand.class, console -> new SetsCommand().line(console)),
            new One("theory", TheoryCommand.class, console -> new TheoryCommand().line(console)),
            new One("forecast", ForecastCommand.class, console -> new ForecastCommand().line(console)),
            new One("backtest", BacktestCommand.class, console -> new BacktestCommand().line(console)),
            new One("score", ScoreCommand.class, console -> new ScoreCommand().line(console)),
            new One("control", ControlCommand.class, ControlCommand::line),
            new One("reproduce", ReproduceCommand.class, console -> new ReproduceCommand().line(console)),
            new One("flink", FlinkCommand.class, FlinkCommand::line),
            new One("serve", ServeCommand.class, console -> new ServeCommand().line(console)),
            new One("check", CheckCommand.class, console -> new CheckCommand().line(console)),
            new One("repair", RepairCommand.class, console -> new RepairCommand().line(console)),
            new One("backup", BackupCommand.class, console -> new BackupCommand().line(console)),
            new One("restore", RestoreCommand.class, console -> new RestoreCommand().line(console)),
            new One(COMPLETION, CompletionCommand.class, console -> new CompletionCommand().line(console)));

    /** In the order of {@code koop --help}. */
    static final List<String> NAMES = ALL.stream().map(One::name).toList();

    private Commands() {}

    private static One one(String name) {
        return ALL.get(NAMES.indexOf(name));
    }

    /** Adds what these arguments can ask for. */
    static void addTo(CommandLine line, Console console, String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        if (NAMES.contains(first) && !first.equals(COMPLETION)) {
            line.addSubcommand(first, full(first, console));
            return;
        }
        List<String> words = Arrays.asList(arguments);
        boolean all = words.contains(COMPLETION);
        for (String name : NAMES) {
            line.addSubcommand(name, all || words.contains(name) ? full(name, console) : listed(name));
        }
    }

    /** The command as it runs. */
    static CommandLine full(String name, Console console) {
        return one(name).made.apply(console);
    }

    /** Its name and its line in the list of commands. */
    static CommandSpec listed(String name) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage()
                .description(one(name).type.getAnnotation(Command.class).description());
        return spec;
    }
}
