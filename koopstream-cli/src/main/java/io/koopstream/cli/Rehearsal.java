package io.koopstream.cli;

import io.koopstream.cli.shell.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the common commands once, on a little data and in silence, so that Java can note which classes they load. The {@code koop} script keeps
 * these classes in an archive from which later runs start faster; what the commands do does not depend on it.
 */
final class Rehearsal {

    private Rehearsal() {}

    /** Runs in an empty folder, which is left with files in it. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        String table = folder.resolve("states.csv").toString();
        String array = folder.resolve("states.npy").toString();
        String model = folder.resolve("model.safetensors").toString();
        try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            Console console = new Console(InputStream.nullInputStream(), nowhere, nowhere, false);
            String[][] scenes = {
                {"--help"},
                {"--version"},
                {"no-such-command"},
                {"simulate", "ou", "--trajectories", "4", "--steps", "40", "-o", table},
                {"simulate", "ou", "--trajectories", "4", "--steps", "40", "-o", array},
                {"learn", array, "-o", model},
                {"learn", table, "-o", model, "--force", "--kernel", "gaussian(1)", "--json"},
                {"info", model},
                {"spectrum", model},
                {"forecast", model, "--from", "0.5,0.5", "--steps", "3"},
            };
            for (String[] scene : scenes) {
                // A scene that fails has loaded classes too; whether commands work is for tests to say.
                Koop.run(console, scene);
            }
        }
    }
}
