package io.koopstream.cli.reproduce;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * How an experiment is to be run.
 *
 * @param folder where its figures go; exists
 * @param seed of everything random
 * @param reduced whether to run the small version, which shows the same quantities in seconds
 * @param progress takes one line at a time on what is being done
 */
public record ExperimentRun(Path folder, long seed, boolean reduced, Consumer<String> progress) {}
