package io.koopstream.cli.shell;

import io.koopstream.InvalidSampleException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.ColumnOptions;
import io.koopstream.io.samples.ProjectedReader;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Projection;
import io.koopstream.rows.Trajectories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Opens data for commands, and reads it with bad rows skipped where that was asked for. */
public final class Data {

    private static final int MAX_REPORTED = 5;
    /** So many bad rows before any good one are no accident. */
    private static final int MAX_BAD_AT_START = 20;

    private final Console console;
    private final ColumnOptions options;
    private final boolean skipBad;
    /** What was told about columns. */
    private final Set<String> notes = new HashSet<>();

    private long good;
    private long skipped;

    /** Data read as the options say. */
    public Data(Console console, RowOptions options) {
        this(console, options, options.skipBad());
    }

    /**
     * @param options what was said about columns
     * @param skipBad whether rows that cannot be used are skipped and counted
     */
    public Data(Console console, DataOptions options, boolean skipBad) {
        this.console = console;
        this.options = options.columns();
        this.skipBad = skipBad;
    }

    /** Opens a file, or standard input for "-". */
    public SampleReader open(Path file) throws IOException {
        return open(file, options);
    }

    /** Opens a file whose columns are to be as they come, these last. */
    public SampleReader openWithLast(Path file, List<String> last) throws IOException {
        SampleReader reader = open(file);
        List<String> names = new ArrayList<>(reader.names());
        boolean known = !last.isEmpty() && options.names().isEmpty() && names.removeAll(last);
        names.addAll(last);
        if (!known
                || Output.isStandard(file)
                || names.equals(reader.names())
                || names.size() != reader.names().size()) {
            return reader;
        }
        reader.close();
        return SampleReaders.open(file, options.withColumns(names));
    }

    /** Opens a file in which some columns are actions. */
    public SampleReader openWithActions(Path file, Set<String> actions) throws IOException {
        return open(file, options.withActions(actions));
    }

    /** Opens a file whose columns are to be these, in this order, if it has them all. */
    public SampleReader open(Path file, List<String> names) throws IOException {
        return open(file, options.preferring(names));
    }

    /** Opens data of a model: its columns, in its order, if it has them all. */
    public SampleReader open(Path file, Model model) throws IOException {
        return projected(
                open(file, model.observed(), model.labels()), model.learned().projection());
    }

    /** Rows as a model takes them: coordinates of its projection, if it has one. */
    public static SampleReader projected(SampleReader rows, Optional<Projection> projection) throws IOException {
        try {
            return projection.isPresent() ? new ProjectedReader(rows, projection.get()) : rows;
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    /** Opens data of a model whose columns are to be these, read as its own data were. */
    public SampleReader open(Path file, List<String> names, StateLabels labels) throws IOException {
        return open(
                file, options.preferring(names, labels.reading(), labels.time().style()));
    }

    private SampleReader open(Path file, ColumnOptions columns) throws IOException {
        SampleReader reader = Output.isStandard(file)
                ? SampleReaders.open(console.in(), "standard input", columns)
                : SampleReaders.open(file, columns);
        tellNotes(reader);
        return reader;
    }

    /** Prints what was told from the rows about columns, each line once. */
    public void tellNotes(SampleReader reader) {
        reader.notes().stream().filter(notes::add).forEach(note -> console.tell("koop: note: " + note));
    }

    /** Does what needs a good row; whether it was one. A bad one is an error unless they are skipped. */
    public boolean attempt(RowAction action) throws IOException {
        try {
            action.run();
            good++;
            return true;
        } catch (BadRowException e) {
            if (!skipBad) {
                // Of rows that are all bad, none would be left.
                throw CommandFailure.data(e.getMessage() + (good > 0 ? " (--skip-bad skips such rows)" : ""));
            }
            if (good == 0 && skipped == MAX_BAD_AT_START) {
                throw CommandFailure.data(e.getMessage() + "; so were all " + MAX_BAD_AT_START + " rows before it");
            }
            if (++skipped <= MAX_REPORTED) {
                console.tell("koop: skipped " + e.getMessage());
            }
            action.skipped(e);
            return false;
        }
    }

    /** Says how many rows were left out because they are not later than the one before. */
    public void tellLeftOut(Trajectories trajectories) {
        long leftOut = trajectories.late() + trajectories.duplicates();
        if (leftOut > 0) {
            console.tell(
                    "koop: note: %,d late or duplicate rows are left out; if there are several trajectories, name their column with --group",
                    leftOut);
        }
    }

    /** How many bad rows were skipped. */
    public long skipped() {
        return skipped;
    }

    /** Says how many rows were skipped when that was not said row by row. */
    public void reportSkipped() {
        if (skipped > MAX_REPORTED) {
            console.tell("koop: skipped %,d bad rows in all", skipped);
        }
    }

    /** Something done with a row. */
    public interface RowAction {
        /** Reads and uses one row. */
        void run() throws IOException;

        /** Called when the row was bad and was skipped. */
        default void skipped(BadRowException e) {}
    }

    /**
     * Hands every state of a file to an action, in order. Of a model with delays, rows that have too few before them are handed on as null, so
     * that there is one call per row.
     */
    public void forEachState(Path file, Model model, StateAction action) throws IOException {
        try (SampleReader reader = open(file, model)) {
            requireFitting(reader, model);
            Trajectories trajectories = trajectories(reader, model.labels());
            forEach(
                    reader,
                    sample -> place(reader, trajectories, sample).to(),
                    badRow -> trajectories.interrupt(badRow.trajectory()),
                    action);
        }
    }

    /** Hands every state of a file with these coordinates to an action, in order. */
    public void forEachState(Path file, List<String> names, StateAction action) throws IOException {
        try (SampleReader reader = open(file, names)) {
            if (reader.names().size() != names.size()) {
                throw CommandFailure.data(reader.source() + ": states have "
                        + reader.names().size() + " coordinates (" + String.join(", ", reader.names())
                        + "), expected " + String.join(", ", names));
            }
            forEach(reader, Sample::state, badRow -> {}, action);
        }
    }

    private void forEach(
            SampleReader reader,
            Function<Sample, double[]> state,
            Consumer<BadRowException> interrupted,
            StateAction action)
            throws IOException {
        Sample sample = new Sample();
        boolean[] more = {true};
        while (more[0]) {
            double[][] found = new double[1][];
            boolean good = attempt(new RowAction() {
                @Override
                public void run() throws IOException {
                    more[0] = reader.read(sample);
                    if (more[0]) {
                        found[0] = state.apply(sample);
                    }
                }

                @Override
                public void skipped(BadRowException e) {
                    interrupted.accept(e);
                }
            });
            if (good && more[0]) {
                action.accept(found[0]);
            }
        }
        tellNotes(reader);
        reportSkipped();
    }

    private static Trajectories trajectories(SampleReader reader, StateLabels labels) {
        return labels.newTrajectories(reader.names().size());
    }

    /** Puts a row in its place; one whose numbers cannot be used is a bad row. */
    private static Outcome place(SampleReader reader, Trajectories trajectories, Sample sample) {
        try {
            return trajectories.next(sample.observation());
        } catch (InvalidSampleException e) {
            throw bad(reader, sample, e.index(), e.getMessage());
        }
    }

    /**
     * The same for a command that keeps its own book of rows.
     *
     * @param onBad called before a bad row is refused
     */
    public static Outcome place(SampleReader reader, Trajectories trajectories, Sample sample, Runnable onBad) {
        try {
            return place(reader, trajectories, sample);
        } catch (BadRowException e) {
            trajectories.interrupt(e.trajectory());
            onBad.run();
            throw e;
        }
    }

    /** A row whose numbers cannot be used, with the name of the column at fault. */
    public static BadRowException bad(SampleReader reader, Sample sample, int index, String problem) {
        List<String> columns = reader.names();
        String column = index >= 0 && index < columns.size() ? columns.get(index) : null;
        return new BadRowException(
                reader.source(),
                sample.row(),
                column,
                problem,
                sample.observation().trajectory());
    }

    /** Hands every pair of states to an action, in order, paired exactly as for learning; the arrays may not be kept. */
    public void forEachPair(SampleReader reader, StateLabels labels, BiConsumer<double[], double[]> action)
            throws IOException {
        Trajectories trajectories = trajectories(reader, labels);
        forEach(
                reader,
                sample -> {
                    Outcome outcome = place(reader, trajectories, sample);
                    if (outcome.isPair()) {
                        action.accept(outcome.from(), outcome.to());
                    }
                    return null;
                },
                badRow -> trajectories.interrupt(badRow.trajectory()),
                nothing -> {});
    }

    /**
     * Hands every row to an action when it has taken its place in its trajectory, in order.
     *
     * @param skippedRow called for a row that is skipped
     */
    public void forEachRow(SampleReader reader, StateLabels labels, PlacedRowAction action, Runnable skippedRow)
            throws IOException {
        Trajectories trajectories = trajectories(reader, labels);
        forEach(
                reader,
                sample -> {
                    action.accept(sample, place(reader, trajectories, sample), trajectories);
                    return null;
                },
                badRow -> {
                    trajectories.interrupt(badRow.trajectory());
                    skippedRow.run();
                },
                nothing -> {});
        tellLeftOut(trajectories);
    }

    /** Refuses data that are not states of the model, or rows of which its states are made. */
    public void requireFitting(SampleReader reader, Model model) {
        int columns = model.observed().size();
        List<String> given = reader.names();
        if (given.size() != columns) {
            throw CommandFailure.data(reader.source() + ": states have " + given.size() + " coordinates ("
                    + String.join(", ", given) + "), the model has " + columns
                    + (model.labels().delays() > 0 ? " and delays" : ""));
        }
        List<String> known = model.observed();
        if (!model.labels().names().isEmpty() && !given.equals(known) && !given.equals(numbered(columns))) {
            console.tell(
                    "koop: note: %s has coordinates %s, the model was learned with %s; they are taken in this order",
                    reader.source(), String.join(", ", given), String.join(", ", known));
        }
    }

    /** The names of data without names. */
    public static List<String> numbered(int columns) {
        return StateLabels.NONE.coordinates(columns);
    }

    /** Something done with a row that has taken its place in its trajectory. */
    public interface PlacedRowAction {
        /** Takes the next row, with what became of it. */
        void accept(Sample sample, Outcome outcome, Trajectories trajectories);
    }

    /** Something done with a state, which must not be kept; null where a row is not enough for one. */
    public interface StateAction {
        /** Takes the state of the next row. */
        void accept(double[] state) throws IOException;
    }
}
