package io.koopstream.cli.shell;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/** A command of {@code koop}: its options, and its answer on a console. */
public abstract class KoopCommand implements Callable<Integer> {

    /** Where it answers. */
    protected Console console;

    /** The command with its options, which answers on this console. */
    public CommandLine line(Console to) {
        console = to;
        return new CommandLine(this);
    }

    /** Answers; a command whose answer decides the exit code overrides {@link #call} instead. */
    protected void answer() throws Exception {}

    @Override
    public Integer call() throws Exception {
        answer();
        return Exit.OK;
    }
}
