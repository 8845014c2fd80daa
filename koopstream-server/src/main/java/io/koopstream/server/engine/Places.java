package io.koopstream.server.engine;

import io.koopstream.rows.Observation;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the rows of a batch stand: trajectory, step, time, and whether they could be read at all. Immutable by convention. */
final class Places {

    /** What a row is. */
    enum Mark {
        /** A row of its trajectory. */
        ROW,
        /** The first one of its trajectory. */
        FIRST,
        /** One of its trajectory that could not be read. */
        UNREADABLE,
        /** One that could not be read, of nobody knows which trajectory. */
        UNREADABLE_ANYWHERE
    }

    /** Marks as they are stored. */
    private static final List<Mark> CODES = List.of(Mark.ROW, Mark.FIRST, Mark.UNREADABLE, Mark.UNREADABLE_ANYWHERE);

    private final boolean pairs;
    private final Mark[] marks;
    /** Names within the stream; null for the trajectory that is called as the stream. */
    private final String[] trajectories;

    private final double[] steps;
    private final double[] times;

    /**
     * Takes over its arrays.
     *
     * @param pairs whether a row is a state and its successor
     */
    Places(boolean pairs, Mark[] marks, String[] trajectories, double[] steps, double[] times) {
        this.pairs = pairs;
        this.marks = marks;
        this.trajectories = trajectories;
        this.steps = steps;
        this.times = times;
    }

    /** The names of trajectories, each once. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>(Arrays.asList(trajectories));
        names.remove(null);
        return names;
    }

    /** Whether a row is a state and its successor. */
    boolean isPairs() {
        return pairs;
    }

    /**
     * A row as the learning stream takes it.
     *
     * @param next the second state of a pair
     */
    Observation observation(int row, String stream, double[] values, double[] next) {
        String trajectory = trajectory(stream, trajectories[row]);
        Observation plain =
                pairs ? Observation.pair(values, next) : Observation.at(trajectory, steps[row], times[row], values);
        return switch (marks[row]) {
            case ROW -> plain;
            case FIRST -> plain.asFirst();
            case UNREADABLE -> Observation.unreadable(trajectory);
            case UNREADABLE_ANYWHERE -> Observation.unreadable(null);
        };
    }

    /**
     * The name of a trajectory within the model: no two of different streams have the same. A slash ends the name of the stream, so one in it is
     * written as in a JSON pointer.
     *
     * @param name within the stream; null for the trajectory that is called as the stream
     */
    static String trajectory(String stream, String name) {
        String escaped = stream.indexOf('/') < 0 && stream.indexOf('~') < 0
                ? stream
                : stream.replace("~", "~0").replace("/", "~1");
        return name == null ? escaped : escaped + "/" + name;
    }

    /** The same without its first rows. */
    Places from(int skipped) {
        int to = marks.length;
        return new Places(
                pairs,
                Arrays.copyOfRange(marks, skipped, to),
                Arrays.copyOfRange(trajectories, skipped, to),
                Arrays.copyOfRange(steps, skipped, to),
                Arrays.copyOfRange(times, skipped, to));
    }

    /** Numbers that differ between rows that stand elsewhere. */
    long[] words(int row) {
        return new long[] {
            CODES.indexOf(marks[row]),
            trajectories[row] == null ? -1 : trajectories[row].hashCode(),
            Double.doubleToLongBits(steps[row]),
            Double.doubleToLongBits(times[row])
        };
    }

    void pack(Packer out) {
        byte[] codes = new byte[marks.length];
        Map<String, Integer> names = new LinkedHashMap<>();
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) CODES.indexOf(marks[i]);
            if (trajectories[i] != null) {
                names.putIfAbsent(trajectories[i], names.size());
            }
        }
        out.put(pairs).put(ByteBuffer.wrap(codes)).put(names.size());
        names.keySet().forEach(out::put);
        if (!names.isEmpty()) {
            for (String name : trajectories) {
                out.put(name == null ? -1 : names.get(name));
            }
        }
        pack(out, steps);
        pack(out, times);
    }

    private static void pack(Packer out, double[] numbers) {
        boolean known = Arrays.stream(numbers).anyMatch(number -> !Double.isNaN(number));
        out.put(known);
        if (known) {
            out.put(numbers, 0, numbers.length);
        }
    }

    static Places unpack(Unpacker in, int rows, int columns) {
        boolean pairs = in.flag();
        if (pairs && columns % 2 != 0) {
            throw in.fault("pairs", "rows of " + columns + " numbers");
        }
        ByteBuffer codes = in.bytes(rows);
        Mark[] marks = new Mark[rows];
        for (int i = 0; i < marks.length; i++) {
            int code = codes.get(i);
            if (code < 0 || code >= CODES.size()) {
                throw in.fault("the mark of a row", Integer.toString(code));
            }
            marks[i] = CODES.get(code);
        }
        String[] names = new String[in.count(Integer.BYTES)];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.text();
        }
        String[] trajectories = new String[marks.length];
        for (int i = 0; names.length > 0 && i < trajectories.length; i++) {
            int name = in.whole();
            if (name < -1 || name >= names.length) {
                throw in.fault("one of " + names.length + " trajectories", Integer.toString(name));
            }
            trajectories[i] = name < 0 ? null : names[name];
        }
        return new Places(pairs, marks, trajectories, unpackNumbers(in, rows), unpackNumbers(in, rows));
    }

    private static double[] unpackNumbers(Unpacker in, int count) {
        if (in.flag()) {
            return in.reals(count);
        }
        double[] unknown = new double[count];
        Arrays.fill(unknown, Double.NaN);
        return unknown;
    }
}
