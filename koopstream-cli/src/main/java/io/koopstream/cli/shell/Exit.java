package io.koopstream.cli.shell;

/** The exit codes scripts rely on. */
public final class Exit {

    /** The command did what was asked. */
    public static final int OK = 0;
    /** Options that are unknown or do not go together. */
    public static final int WRONG_USAGE = 2;
    /** Data or a setting that cannot be used. */
    public static final int BAD_DATA = 3;
    /** A file that cannot be read or written. */
    public static final int IO_ERROR = 4;
    /** A defect of the program itself: never expected, and never confused with the others. */
    public static final int DEFECT = 70;

    private Exit() {}
}
