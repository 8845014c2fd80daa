package io.koopstream.cli.shell;

import picocli.CommandLine.Option;

/** How data is read by commands that need every row: what columns mean, and whether bad rows are skipped. */
public final class RowOptions extends DataOptions {

    @Option(names = "--skip-bad", description = "skip and count rows that cannot be used")
    private boolean skipBad;

    /** Whether rows that cannot be used are skipped and counted. */
    public boolean skipBad() {
        return skipBad;
    }
}
