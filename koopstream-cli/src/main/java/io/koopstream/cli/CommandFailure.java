package io.koopstream.cli;

/** Ends a command with one line on standard error and an exit code. */
final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Options that do not go together. */
    static CommandFailure usage(String message) {
        return new CommandFailure(Exit.WRONG_USAGE, message);
    }

    /** Data or a setting that cannot be used. */
    static CommandFailure data(String message) {
        return new CommandFailure(Exit.BAD_DATA, message);
    }

    /** A file that cannot be read or written. */
    static CommandFailure file(String message) {
        return new CommandFailure(Exit.FILE_TROUBLE, message);
    }

    /** Nobody reads the output any more: ends at once and without a word. */
    static CommandFailure quiet() {
        return new CommandFailure(Exit.FINE, "");
    }

    int exitCode() {
        return exitCode;
    }
}
