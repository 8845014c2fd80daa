package io.koopstream.cli;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code koop completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that completes koop's commands and options in bash and zsh.",
        footer = {"", "Example:  source <(koop completion)"})
final class CompletionCommand implements Callable<Integer> {

    private final Console console;

    @Spec
    private CommandSpec spec;

    CompletionCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        console.out().print(AutoComplete.bash("koop", spec.root().commandLine()));
        return Exit.FINE;
    }
}
