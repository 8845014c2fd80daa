package io.koopstream.cli.shell;

/** Ends a command with one line on standard error and an exit code. */
public final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Options that do not go together. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(Exit.WRONG_USAGE, message);
    }

    /** Data or a setting that cannot be used. */
    public static CommandFailure data(String message) {
        return new CommandFailure(Exit.BAD_DATA, message);
    }

    /** A file that cannot be read or written. */
    public static CommandFailure file(String message) {
        return new CommandFailure(Exit.IO_ERROR, message);
    }

    /** Nobody reads the output any more: ends at once and without a word. */
    public static CommandFailure quiet() {
        return new CommandFailure(Exit.OK, "");
    }

    /** The code that the process ends with. */
    public int exitCode() {
        return exitCode;
    }
}
