package io.koopstream.cli.reproduce;

import java.io.IOException;

/** An experiment of the paper, run by {@code koop reproduce NAME}. Its arithmetic lives below the command line; it draws and words. */
public interface Experiment {

    /** The word on the command line, e.g. {@code fourwell}. */
    String name();

    /** What it shows, in one line. */
    String title();

    /** Runs it, leaves its figures in the folder and returns what was found. A function of the run's seed and size alone. */
    Findings run(ExperimentRun run) throws IOException;
}
