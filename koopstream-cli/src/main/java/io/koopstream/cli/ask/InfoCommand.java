package io.koopstream.cli.ask;

import io.koopstream.cli.shell.AccuracyTable;
import io.koopstream.cli.shell.Clock;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Exit;
import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.Model;
import io.koopstream.io.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code koop info}. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        description = "Describes a model file.",
        footer = {"", "Example:  koop info wells.safetensors"})
public final class InfoCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private JsonOption output;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    /** The command that answers on this console. */
    public InfoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Model model = Model.read(file);
        Map<String, Object> facts = model.description();
        AccuracyTable accuracy = model.accuracy();
        if (output.json()) {
            facts.put("forecasts", accuracy.json());
            console.out().print(Json.text(facts));
        } else {
            facts.put("names", Model.current(model.names())); // without delays, which have a line of their own
            facts.forEach((name, value) -> console.say("%-17s %s", name, Model.text(value)));
            if (!accuracy.isEmpty()) {
                accuracy.print(console, Clock.of(model.labels().time(), null));
            }
        }
        return Exit.OK;
    }
}
