package io.koopstream.cli.demo;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.KoopCommand;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.OutputFolder;
import io.koopstream.cli.shell.SeedOption;
import io.koopstream.io.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code koop demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Simulates a system with four wells, learns it from the stream, compares the spectrum with the exact one, writes pictures.",
        footer = {"", "Example:  koop demo -o pictures --seed 7"})
public final class DemoCommand extends KoopCommand {

    /** Tells a later run that the folder is its own. */
    private static final String MARKER = "demo.json";

    @Mixin
    private Output output;

    @Mixin
    private SeedOption seed;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            defaultValue = "koop-demo",
            description = "folder for the pictures (default: ${DEFAULT-VALUE})")
    private Path folder;

    @Option(
            names = "--samples",
            paramLabel = "N",
            defaultValue = "200000",
            description = "transitions to learn from (default: ${DEFAULT-VALUE})")
    private int samples;

    @Override
    protected void answer() throws Exception {
        if (samples < Demo.MIN_SAMPLES) {
            throw CommandFailure.data(
                    "--samples " + samples + ": the demo needs at least " + Demo.MIN_SAMPLES + " to show anything");
        }
        OutputFolder.prepare(folder, MARKER, output.force());
        Demo demo = new Demo(console, seed.seed(), samples);
        demo.learn();
        Path model = folder.resolve(DemoPictures.MODEL);
        demo.save(model);
        DemoPictures.write(demo, folder);
        String results = Json.text(demo.results(folder));
        Files.writeString(folder.resolve(MARKER), results);
        if (output.json()) {
            console.out().print(results);
        } else {
            demo.printTable();
            console.say("");
            console.say("Pictures (PNG and SVG) in %s:", folder);
            for (String[] picture : DemoPictures.CONTENTS) {
                console.say("  %-22s %s", picture[0] + ".png", picture[1]);
            }
            console.say("  %-22s %s", DemoPictures.MODEL, "the learned model");
            console.say("");
            console.say("Try next:");
            for (String line : demo.next(model)) {
                console.say("  " + line);
            }
        }
    }
}
