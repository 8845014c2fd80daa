package io.koopstream.cli.shell;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --plot}, for commands that draw their answer. */
public final class PlotOption {

    @Option(names = "--plot", paramLabel = "F", description = "also draw a picture, .png or .svg")
    private Path file;

    /** The picture to write; null for none. */
    public Path file() {
        return file;
    }

    /** Whether a picture is to be drawn. */
    public boolean isGiven() {
        return file != null;
    }

    /** Says where the picture is, if there is one. */
    public void say(Console console) {
        if (file != null) {
            console.say("Picture: %s", file);
        }
    }
}
