package io.koopstream.cli;

import io.koopstream.cli.shell.KoopCommand;
import java.nio.file.Path;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code koop completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that completes koop's commands, options, names and files in bash, zsh or fish.",
        footer = {
            "",
            "Example:  source <(koop completion)                in bash and zsh",
            "          koop completion fish | source            in fish"
        })
final class CompletionCommand extends KoopCommand {

    /** A shell whose language the script is in. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "SHELL",
            defaultValue = "bash",
            description = "bash, zsh or fish; default: ${DEFAULT-VALUE}")
    private Shell shell;

    @Spec
    private CommandSpec spec;

    @Override
    protected void answer() {
        CommandLine koop = spec.root().commandLine();
        console.out().print(shell == Shell.FISH ? fish(koop) : AutoComplete.bash("koop", koop));
    }

    private static String fish(CommandLine koop) {
        StringBuilder script = new StringBuilder("complete -c koop -f\n");
        for (Map.Entry<String, CommandLine> command : koop.getSubcommands().entrySet()) {
            CommandSpec described = command.getValue().getCommandSpec();
            script.append("complete -c koop -n __fish_use_subcommand -a ")
                    .append(command.getKey())
                    .append(" -d ")
                    .append(quoted(described.usageMessage().description()))
                    .append('\n');
            describe(script, command.getKey(), described);
        }
        return script.toString();
    }

    private static void describe(StringBuilder script, String path, CommandSpec command) {
        String seen = "complete -c koop -n '__fish_seen_subcommand_from " + path + "'";
        for (OptionSpec option : command.options()) {
            script.append(seen);
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            script.append(option.arity().max() > 0 ? " -r" + values(option) : "")
                    .append(" -d ")
                    .append(quoted(option.description()))
                    .append('\n');
        }
        for (ArgSpec argument : command.positionalParameters()) {
            script.append(seen).append(values(argument)).append('\n');
        }
        command.subcommands().forEach((name, below) -> {
            script.append(seen)
                    .append(" -a ")
                    .append(name)
                    .append(" -d ")
                    .append(quoted(below.getCommandSpec().usageMessage().description()))
                    .append('\n');
            describe(script, name, below.getCommandSpec());
        });
    }

    /** What may stand in the place of a value: one of a list, or a file. */
    private static String values(ArgSpec argument) {
        if (argument.completionCandidates() != null) {
            return " -a '" + String.join(" ", argument.completionCandidates()) + "'";
        }
        return argument.type() == Path.class ? " -F" : "";
    }

    private static String quoted(String... description) {
        String first = description.length == 0 ? "" : description[0];
        return "'" + first.replace("\\", "\\\\").replace("'", "\\'").replace("%%", "%") + "'";
    }
}
