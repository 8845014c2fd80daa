package io.koopstream.cli.shell;

import picocli.CommandLine.Option;

/** {@code --json}, for commands that answer programs too. */
public class JsonOption {

    @Option(names = "--json", description = "print one JSON document on standard output")
    private boolean json;

    /** Whether one JSON document is to be printed. */
    public final boolean json() {
        return json;
    }
}
