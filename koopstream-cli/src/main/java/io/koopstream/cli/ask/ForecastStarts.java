package io.koopstream.cli.ask;

import io.koopstream.answers.Clock;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.Model;
import io.koopstream.cli.shell.Numbers;
import io.koopstream.cli.shell.Output;
import io.koopstream.cli.shell.RowOptions;
import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Start;
import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Observation;
import io.koopstream.rows.Preparation;
import io.koopstream.rows.Trajectories;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.RecordFollower;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options that say where forecasts begin: a state, rows of a file, or where learning ended. */
public final class ForecastStarts {

    @Option(
            names = "--from",
            paramLabel = "X",
            description =
                    "start state: the values of the newest row, separated by commas; for a model with delays, followed by those of the rows before it, newest first; default: where learning ended")
    private String from;

    @Option(
            names = "--data",
            paramLabel = "DATA",
            description = "rows to start from; delays take their history from the rows before")
    private Path data;

    @Option(names = "--last", description = "start after the last row of every trajectory of DATA (the default)")
    private boolean last;

    @Option(names = "--every", paramLabel = "N", description = "start after every Nth row of DATA")
    private Integer every;

    @Option(
            names = "--rows",
            paramLabel = "A..B",
            description =
                    "start after these rows of DATA, counted from 1: a number, A..B, or a file with one number per line")
    private String rows;

    /**
     * One start.
     *
     * @param row of the data, from 1; 0 when it is no row of a file
     * @param trajectory to which it belongs; empty when there is one only
     * @param place where it begins
     * @param past rows up to the start without a gap, oldest first, as far as they are known
     */
    public record Begun(long row, String trajectory, Start place, List<Observation> past) {}

    /** By trajectory the row of the data at which learning ended, where the data hold it. */
    private final Map<String, Long> learnedUpTo = new HashMap<>();

    /** Empty where no record is carried on. */
    private Optional<RecordFollower> follower = Optional.empty();

    /** Standard input, which is read twice. */
    private byte[] piped;

    /** Rows before a start that are remembered for its picture. */
    private static final int PAST = 100;

    /** Whether starts come from a file. */
    boolean isBatch() {
        return data != null;
    }

    /** The rows that starts come from, once more, with the record carried on; empty where there is no file or no record. Starts are found first. */
    Optional<FollowedRows> follow(Console console, Model model, RowOptions columns) throws IOException {
        return follower.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new FollowedRows(piped(console.quiet()), model, data, columns, follower.get(), learnedUpTo));
    }

    private Console piped(Console console) throws IOException {
        if (!Output.isStandard(data)) {
            return console;
        }
        piped = piped == null ? console.in().readAllBytes() : piped;
        return console.reading(new ByteArrayInputStream(piped));
    }

    /** The row after which all that is known of a start is known; the end of the data for the last starts of all trajectories. */
    long known(Begun start) {
        return rows == null && every == null ? Long.MAX_VALUE : start.row();
    }

    /** All starts, in the order of the data. */
    List<Begun> find(Console console, Model model, RowOptions columns) throws IOException {
        if (data == null && (last || every != null || rows != null || columns.skipBad())) {
            throw CommandFailure.usage("--last, --every, --rows and --skip-bad choose rows of a file: add --data FILE");
        }
        if ((last ? 1 : 0) + (every != null ? 1 : 0) + (rows != null ? 1 : 0) > 1) {
            throw CommandFailure.usage("--last, --every and --rows are mutually exclusive");
        }
        if (from != null && data != null) {
            throw CommandFailure.usage("--from and --data are mutually exclusive");
        }
        return from != null
                ? List.of(new Begun(0, "", given(model), List.of()))
                : data != null ? ofData(console, model, columns) : List.of(end(model));
    }

    private Start given(Model model) {
        Preparation preparation = model.labels().preparation();
        if (!Set.of("log", "inputs").containsAll(preparation.words().keySet())) {
            throw CommandFailure.usage("--from is not enough for this model, which learns "
                    + String.join(", ", model.names()) + "; use --data FILE with the rows up to the start");
        }
        String[] parts = from.split(",", -1);
        int dimension = model.dimension();
        if (parts.length != dimension) {
            throw CommandFailure.data(
                    "--from " + from + ": " + parts.length + " numbers, a state of this model has " + dimension + " ("
                            + model.names().stream().limit(12).collect(Collectors.joining(", "))
                            + (dimension > 12 ? ", ..." : "") + ")");
        }
        double[] state = new double[dimension];
        for (int c = 0; c < dimension; c++) {
            try {
                state[c] = Double.parseDouble(parts[c].strip());
            } catch (NumberFormatException e) {
                throw CommandFailure.usage("--from " + from + ": '" + parts[c] + "' is not a number");
            }
        }
        int d = model.observed().size();
        double[] prepared = new double[dimension];
        for (int k = 0; k < dimension; k += d) {
            System.arraycopy(preparation.level(Arrays.copyOfRange(state, k, k + d)), 0, prepared, k, d);
        }
        double[][] history = model.learned().layout().history(prepared);
        return new Start(List.of(history), Arrays.stream(prepared, 0, d).boxed().toList(), Double.NaN);
    }

    /** Where the stream that learned the model ended: the trajectory that was seen last. */
    public static Begun end(Model model) {
        LearningStreamState stream = model.stream()
                .filter(state -> state.trajectories() != null)
                .orElseThrow(
                        () -> CommandFailure.usage(
                                "no start: this model file does not say where learning ended; give a state with --from X, or rows with --data FILE"));
        List<Trajectories.Open> open = stream.trajectories().open();
        DelayLayout layout = model.learned().layout();
        for (int i = open.size() - 1; i >= 0; i--) {
            Optional<Start> start = Start.after(open.get(i), layout, stream.dimension());
            if (start.isPresent()) {
                return new Begun(0, open.get(i).name(), start.get(), past(model, start.get(), layout));
            }
        }
        int since = open.isEmpty() ? 0 : open.get(open.size() - 1).recent().size();
        throw CommandFailure.usage("no start: learning ended " + Numbers.counted(since, "row") + " after a gap"
                + (since == 0 ? "" : ", and a state takes more")
                + "; give a state with --from X, or rows with --data FILE");
    }

    /** The rows that learning remembers, as they came. */
    private static List<Observation> past(Model model, Start start, DelayLayout layout) {
        List<Observation> past = new ArrayList<>();
        double interval = model.labels().time().interval();
        double[][] rows = start.past(layout, model.labels().preparation());
        for (int i = 0; i < rows.length; i++) {
            past.add(Observation.at("", Double.NaN, start.time() - (rows.length - 1 - i) * interval, rows[i]));
        }
        return past;
    }

    private List<Begun> ofData(Console console, Model model, RowOptions columns) throws IOException {
        Set<Long> wanted = rows == null ? null : numbers();
        Map<String, Begun> lasts = new LinkedHashMap<>();
        Map<String, Long> sinceLast = new HashMap<>();
        // Of the first trajectory only: that of a picture.
        Deque<Observation> past = new ArrayDeque<>();
        String[] pictured = {null};
        List<Begun> found = new ArrayList<>();
        int dimension = model.observed().size();
        StateLabels labels = model.labels();
        DelayLayout layout = model.learned().layout();
        long[] row = {0};
        long[] tooShort = {0};
        follower = model.follower();
        Data reading = new Data(piped(console), columns);
        try (SampleReader reader = reading.open(data, model)) {
            reading.requireFitting(reader, model);
            reading.forEachRow(
                    reader,
                    labels,
                    (sample, outcome, trajectories) -> {
                        row[0]++;
                        if (follower.isPresent() && follower.get().endsWith(sample.observation(), outcome)) {
                            learnedUpTo.put(sample.observation().trajectory(), row[0]);
                        }
                        String name = sample.trajectory() == null ? "" : sample.trajectory();
                        Optional<Start> place = outcome.to() == null
                                ? Optional.empty()
                                : trajectories.open(name).flatMap(open -> Start.after(open, layout, dimension));
                        pictured[0] = pictured[0] == null ? name : pictured[0];
                        boolean first = name.equals(pictured[0]) && found.isEmpty();
                        if (first && place.isEmpty()) {
                            past.clear();
                        } else if (first) {
                            past.add(sample.observation().copy());
                            if (past.size() > PAST) {
                                past.remove();
                            }
                        }
                        boolean asked = wanted != null ? wanted.contains(row[0]) : every != null && row[0] % every == 0;
                        if (!asked && (every != null || wanted != null)) {
                            return;
                        }
                        if (place.isEmpty()) {
                            tooShort[0] += asked ? 1 : 0;
                            sinceLast.merge(name, 1L, Long::sum);
                            return;
                        }
                        sinceLast.remove(name);
                        Begun start = new Begun(row[0], name, place.get(), first ? List.copyOf(past) : List.of());
                        if (asked) {
                            found.add(start);
                        } else {
                            lasts.put(name, start);
                        }
                    },
                    () -> row[0]++);
        }
        if (tooShort[0] > 0) {
            console.tell(
                    "koop: note: %,d rows have too little history to start a forecast and are skipped", tooShort[0]);
        }
        lasts.values().forEach(start -> tellWhy(console, model, start, sinceLast.getOrDefault(start.trajectory(), 0L)));
        found.addAll(lasts.values());
        if (found.isEmpty()) {
            throw CommandFailure.data(data + ": no row that a forecast could start from"
                    + (wanted != null ? "; it has " + row[0] + " rows" : ""));
        }
        return found;
    }

    /** Says where a forecast starts that does not start after the last row. */
    private static void tellWhy(Console console, Model model, Begun start, long since) {
        if (since > 0) {
            double time = start.place().time();
            console.tell(
                    "koop: note: the forecast%s starts after row %,d%s: the %s behind it follow a gap, or are late or incomplete, and are too few for a state",
                    start.trajectory().isEmpty() ? "" : " of " + start.trajectory(),
                    start.row(),
                    Double.isNaN(time)
                            ? ""
                            : " (" + Clock.of(model.labels().time(), null).at(time) + ")",
                    Numbers.counted(since, "row"));
        }
    }

    private Set<Long> numbers() throws IOException {
        Set<Long> numbers = new TreeSet<>();
        String[] ends = rows.split("\\.\\.", -1);
        if (rows.matches("[0-9]+(\\.\\.[0-9]+)?")) {
            long end = Long.parseLong(ends[ends.length - 1]);
            for (long r = Long.parseLong(ends[0]); r <= end && numbers.size() <= 10_000_000; r++) {
                numbers.add(r);
            }
        } else if (Files.isRegularFile(Path.of(rows))) {
            for (String line : Files.readAllLines(Path.of(rows))) {
                if (!line.isBlank()) {
                    try {
                        numbers.add(Long.parseLong(line.strip()));
                    } catch (NumberFormatException e) {
                        throw CommandFailure.data(rows + ": '" + line + "' is not the number of a row");
                    }
                }
            }
        } else {
            throw CommandFailure.usage("--rows " + rows + ": expected a number, A..B, or a file of row numbers");
        }
        if (numbers.isEmpty()) {
            throw CommandFailure.usage("--rows " + rows + ": no rows");
        }
        return numbers;
    }
}
