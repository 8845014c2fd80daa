package io.koopstream.cli.serve;

import io.koopstream.cli.shell.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code koop flink}: beyond one machine. */
@Command(
        name = "flink",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Many streams, or one very large one, learned on an Apache Flink cluster with Kafka.",
        footer = {"", "Start with:  koop flink try", "The job, its settings and its promises: docs/flink-job.md"})
public final class FlinkCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** The command with its own commands below it. */
    public static CommandLine line(Console console) {
        CommandLine line = new CommandLine(new FlinkCommand());
        line.addSubcommand(new FlinkTryCommand().line(console));
        return line;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "no command given: 'koop flink try' is a tour");
    }
}
