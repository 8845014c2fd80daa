package io.koopstream.cli.shell;

import picocli.CommandLine.Option;

/** {@code --seed}, for commands that draw random numbers. */
public final class SeedOption {

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "random seed; default: ${DEFAULT-VALUE}")
    private long seed;

    /** The seed. */
    public long seed() {
        return seed;
    }
}
