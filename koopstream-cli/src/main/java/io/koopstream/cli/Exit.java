package io.koopstream.cli;

/** The exit codes scripts rely on. */
final class Exit {

    static final int FINE = 0;
    static final int WRONG_USAGE = 2;
    static final int BAD_DATA = 3;
    static final int FILE_TROUBLE = 4;
    /** A defect of the program itself: never expected, and never confused with the others. */
    static final int DEFECT = 70;

    private Exit() {}
}
