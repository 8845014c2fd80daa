package io.koopstream.cli.ask;

import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.Model;
import io.koopstream.io.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code koop info}. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        description = "Describes a model file.",
        footer = {"", "Example:  koop info wells.safetensors"})
public final class InfoCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Option(names = "--json", description = "print one JSON document on standard output")
    private boolean json;

    /** The command that answers on this console. */
    public InfoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Map<String, Object> facts = Model.read(file).description();
        if (json) {
            console.out().print(Json.text(facts));
        } else {
            facts.forEach((name, value) -> console.say("%-13s %s", name, Model.text(value)));
        }
        return Exit.FINE;
    }
}
