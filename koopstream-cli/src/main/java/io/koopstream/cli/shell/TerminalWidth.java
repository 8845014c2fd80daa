package io.koopstream.cli.shell;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/** Columns of the terminal, asked again now and then: windows are resized while a command runs. */
public final class TerminalWidth implements IntSupplier {

    private static final long PAUSE = 1_000_000_000L;

    private int columns = Console.DEFAULT_COLUMNS;
    private long asked = System.nanoTime() - PAUSE;

    @Override
    public int getAsInt() {
        long now = System.nanoTime();
        if (now - asked >= PAUSE) {
            asked = now;
            ask();
        }
        return columns;
    }

    private void ask() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            // Rows, then columns; 0 where the terminal does not know.
            int found = size.matches("\\d+ \\d{1,5}") ? Integer.parseInt(size.split(" ", 2)[1]) : 0;
            columns = found > 0 ? found : columns;
        } catch (IOException e) {
            // No terminal to ask, or nothing to ask it with: the width stays what it was.
        }
    }
}
