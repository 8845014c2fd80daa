package io.koopstream.cli.shell;

import io.koopstream.io.Json;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.IntSupplier;

/**
 * The streams of one run of the command, so that a test can give its own.
 *
 * @param in standard input
 * @param out standard output: answers only
 * @param err standard error: progress and messages
 * @param terminal whether {@code err} is a terminal, on which a line may be drawn over
 * @param width how many characters a line of the terminal has now
 * @param kept what earlier runs in the same process have read
 */
public record Console(
        InputStream in, PrintStream out, PrintStream err, boolean terminal, IntSupplier width, Kept kept) {

    /** The width of a terminal that does not say. */
    public static final int DEFAULT_COLUMNS = 80;

    /** A console of the default width. */
    public Console(InputStream in, PrintStream out, PrintStream err, boolean terminal) {
        this(in, out, err, terminal, () -> DEFAULT_COLUMNS);
    }

    /** The console of the first run. */
    public Console(InputStream in, PrintStream out, PrintStream err, boolean terminal, IntSupplier width) {
        this(in, out, err, terminal, width, new Kept());
    }

    /** The same for a later run in the same process. */
    public Console keeping(Kept earlier) {
        return new Console(in, out, err, terminal, width, earlier);
    }

    /** The same with another standard input. */
    public Console reading(InputStream other) {
        return new Console(other, out, err, terminal, width, kept);
    }

    /** The same without messages. */
    public Console quiet() {
        return new Console(in, out, new PrintStream(OutputStream.nullOutputStream()), false, width, kept);
    }

    /** One line of an answer. */
    public void say(String format, Object... arguments) {
        out.println(format(format, arguments));
    }

    /** One document, as the answer for programs. */
    public void json(Object document) {
        out.print(Json.text(document));
    }

    /** One line of a message. */
    public void tell(String format, Object... arguments) {
        err.println(format(format, arguments));
    }

    private static String format(String format, Object... arguments) {
        // Decimal points whatever the locale: the output is read by programs too.
        return arguments.length == 0 ? format : String.format(java.util.Locale.ROOT, format, arguments);
    }
}
