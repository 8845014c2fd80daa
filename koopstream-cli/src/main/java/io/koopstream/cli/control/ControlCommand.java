package io.koopstream.cli.control;

import io.koopstream.cli.shell.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code koop control}: from logged transitions to a controller. */
@Command(
        name = "control",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Learns a controller from logged transitions (state, action, next state).",
        footer = {
            "",
            "Example, from nothing to a pendulum that swings up:",
            "  koop control record Pendulum-v1 --transitions 3000 --seed 1 -o swings.csv",
            "  koop control learn swings.csv --actions torque -o swing.safetensors \\",
            "      --cost 'atan2(sin_theta,cos_theta)^2 + 0.1*theta_dot^2 + 0.001*torque^2' \\",
            "      --plot swing.png --axes 'atan2(sin_theta,cos_theta); theta_dot'",
            "  koop control decide swing.safetensors --at -1,0,0",
            "  koop control evaluate swing.safetensors --environment Pendulum-v1 --episodes 100"
        })
public final class ControlCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** The command with its own commands below it. */
    public static CommandLine line(Console console) {
        CommandLine line = new CommandLine(new ControlCommand());
        line.addSubcommand(new ControlRecordCommand(console));
        line.addSubcommand(new ControlLearnCommand(console));
        line.addSubcommand(new ControlDecideCommand(console));
        line.addSubcommand(new ControlEvaluateCommand(console));
        return line;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "no command given: record, learn, decide or evaluate; 'koop control --help' has an example");
    }
}
