package io.koopstream.cli;

import io.koopstream.cli.ask.CompareCommand;
import io.koopstream.cli.ask.EigenfunctionsCommand;
import io.koopstream.cli.ask.ExportCommand;
import io.koopstream.cli.ask.ForecastCommand;
import io.koopstream.cli.ask.InfoCommand;
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
import io.koopstream.cli.serve.FlinkCommand;
import io.koopstream.cli.serve.ServeCommand;
import io.koopstream.cli.shell.Console;
import java.util.Arrays;
import java.util.List;
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

    /** In the order of {@code koop --help}. */
    static final List<String> NAMES = List.of(
            "demo",
            "simulate",
            "look",
            "learn",
            "info",
            "export",
            "spectrum",
            "compare",
            "eigenfunctions",
            "sets",
            "forecast",
            "backtest",
            "score",
            "control",
            "reproduce",
            "flink",
            "serve",
            "check",
            "repair",
            "backup",
            "restore",
            COMPLETION);

    private Commands() {}

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
        return switch (name) {
            case "demo" -> new CommandLine(new DemoCommand(console));
            case "simulate" -> new CommandLine(new SimulateCommand(console));
            case "look" -> new CommandLine(new LookCommand(console));
            case "learn" -> LearnCommand.line(console);
            case "info" -> new CommandLine(new InfoCommand(console));
            case "export" -> new CommandLine(new ExportCommand(console));
            case "spectrum" -> new CommandLine(new SpectrumCommand(console));
            case "compare" -> new CommandLine(new CompareCommand(console));
            case "eigenfunctions" -> new CommandLine(new EigenfunctionsCommand(console));
            case "sets" -> new CommandLine(new SetsCommand(console));
            case "forecast" -> new CommandLine(new ForecastCommand(console));
            case "backtest" -> BacktestCommand.line(console);
            case "score" -> new CommandLine(new ScoreCommand(console));
            case "control" -> ControlCommand.line(console);
            case "reproduce" -> new CommandLine(new ReproduceCommand(console));
            case "flink" -> FlinkCommand.line(console);
            case "serve" -> new CommandLine(new ServeCommand(console));
            case "check" -> new CommandLine(new CheckCommand(console));
            case "repair" -> new CommandLine(new RepairCommand(console));
            case "backup" -> new CommandLine(new BackupCommand(console));
            case "restore" -> new CommandLine(new RestoreCommand(console));
            case COMPLETION -> new CommandLine(new CompletionCommand(console));
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Its name and its line in the list of commands. */
    static CommandSpec listed(String name) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage().description(type(name).getAnnotation(Command.class).description());
        return spec;
    }

    private static Class<?> type(String name) {
        return switch (name) {
            case "demo" -> DemoCommand.class;
            case "simulate" -> SimulateCommand.class;
            case "look" -> LookCommand.class;
            case "learn" -> LearnCommand.class;
            case "info" -> InfoCommand.class;
            case "export" -> ExportCommand.class;
            case "spectrum" -> SpectrumCommand.class;
            case "compare" -> CompareCommand.class;
            case "eigenfunctions" -> EigenfunctionsCommand.class;
            case "sets" -> SetsCommand.class;
            case "forecast" -> ForecastCommand.class;
            case "backtest" -> BacktestCommand.class;
            case "score" -> ScoreCommand.class;
            case "control" -> ControlCommand.class;
            case "reproduce" -> ReproduceCommand.class;
            case "flink" -> FlinkCommand.class;
            case "serve" -> ServeCommand.class;
            case "check" -> CheckCommand.class;
            case "repair" -> RepairCommand.class;
            case "backup" -> BackupCommand.class;
            case "restore" -> RestoreCommand.class;
            case COMPLETION -> CompletionCommand.class;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
