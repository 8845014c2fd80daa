package io.koopstream.cli;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import java.io.IOException;
import java.nio.file.Path;

/** Opens data for commands, and reads it with bad rows skipped where that was asked for. */
final class Data {

    private static final int MOST_REPORTED = 5;

    private final Console console;
    private final boolean skipBad;
    private long skipped;

    Data(Console console, boolean skipBad) {
        this.console = console;
        this.skipBad = skipBad;
    }

    SampleReader open(Path file) throws IOException {
        return Output.isStandard(file) ? SampleReaders.open(console.in(), "standard input") : SampleReaders.open(file);
    }

    /** Does what needs a good row; whether it was one. A bad one is an error unless they are skipped. */
    boolean attempt(RowAction action) throws IOException {
        try {
            action.run();
            return true;
        } catch (BadRowException e) {
            if (!skipBad) {
                throw CommandFailure.data(e.getMessage() + " (--skip-bad skips such rows)");
            }
            if (++skipped <= MOST_REPORTED) {
                console.tell("koop: skipped " + e.getMessage());
            }
            action.skipped(e);
            return false;
        }
    }

    long skipped() {
        return skipped;
    }

    /** Says how many rows were skipped when that was not said row by row. */
    void reportSkipped() {
        if (skipped > MOST_REPORTED) {
            console.tell("koop: skipped %,d bad rows in all", skipped);
        }
    }

    /** Something done with a row. */
    interface RowAction {
        void run() throws IOException;

        default void skipped(BadRowException e) {}
    }

    /** Hands every state of a file to an action, in order; the names of its coordinates are checked against the model. */
    void forEachState(Path file, int dimension, StateAction action) throws IOException {
        try (SampleReader reader = open(file)) {
            requireDimension(reader, dimension);
            Sample sample = new Sample();
            boolean[] more = {true};
            while (more[0]) {
                boolean good = attempt(() -> more[0] = reader.read(sample));
                if (good && more[0]) {
                    action.accept(sample.state());
                }
            }
        }
        reportSkipped();
    }

    static void requireDimension(SampleReader reader, int dimension) {
        if (reader.names().size() != dimension) {
            throw CommandFailure.data(
                    reader.source() + ": states have " + reader.names().size() + " coordinates ("
                            + String.join(", ", reader.names()) + "), the model has " + dimension);
        }
    }

    /** Something done with a state, which must not be kept. */
    interface StateAction {
        void accept(double[] state) throws IOException;
    }
}
