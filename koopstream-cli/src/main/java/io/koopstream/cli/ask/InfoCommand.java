package io.koopstream.cli.ask;

import io.koopstream.answers.StoredInfo;
import io.koopstream.cli.shell.AccuracyTable;
import io.koopstream.cli.shell.JsonOption;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Model;
import io.koopstream.io.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code koop info}. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        description = "Describes a model file.",
        footer = {"", "Example:  koop info wells.safetensors"})
public final class InfoCommand extends KoopCommand {

    /** What has lines of its own below. */
    private static final Set<String> LISTS = Set.of("settings", "method", "kernel", "warnings", "drift", "forecasts");

    @Mixin
    private JsonOption output;

    @Parameters(paramLabel = "MODEL", description = "model file")
    private Path file;

    @Override
    protected void answer() {
        Model model = Model.read(file);
        StoredInfo info = StoredInfo.of(model.learned(), file.toString(), model.wish());
        if (output.json()) {
            console.json(info);
            return;
        }
        Map<String, Object> facts = Json.members(info);
        LISTS.forEach(facts::remove);
        facts.remove("projection", null);
        facts.forEach(this::line);
        info.model().settings().forEach(setting -> line(setting.name(), setting.value()));
        info.warnings().forEach(warning -> line("warning", warning));
        AccuracyTable accuracy = new AccuracyTable(model.record());
        if (!accuracy.isEmpty()) {
            accuracy.print(console, model.learned().clock());
        }
    }

    private void line(String name, Object value) {
        console.say("%-17s %s", name, Model.text(value));
    }
}
