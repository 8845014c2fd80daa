package io.koopstream.server.engine;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.io.EncodableText;
import io.koopstream.rows.Observation;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Samples sent at once: pairs (x, x⁺), successive states of a trajectory, or rows of a source with their places. All of them are accepted or none.
 * Immutable by convention.
 */
public final class Batch {

    /** The stream of those who give none. */
    public static final String NO_STREAM = "";

    /** The most characters in the name of a stream. */
    public static final int MAX_STREAM_NAME = 128;

    /** What the items of a batch are. */
    public enum Kind {
        /** Each item is a state and its successor, x then x⁺. */
        PAIRS,
        /** Each item is a state; each follows the one before it, over the ends of batches too. */
        STATES,
        /**
         * Each item is a row of a source as it was found, a state or a pair, with its trajectory, step and time where it has them, or one that could
         * not be read. What cannot be learned from is accepted too, and counted.
         */
        ROWS
    }

    /** What a log record begins with, by kind. */
    private static final List<Kind> CODES = List.of(Kind.STATES, Kind.PAIRS, Kind.ROWS);

    private final String stream;
    private final long first;
    private final Kind kind;
    private final boolean newTrajectory;
    private final double[] values;
    private final int columns;
    /** Those of {@link Kind#ROWS}; null otherwise. */
    private final Places places;

    private Batch(
            String stream, long first, Kind kind, boolean newTrajectory, double[] values, int columns, Places places) {
        this.stream = stream;
        this.first = first;
        this.kind = kind;
        this.newTrajectory = newTrajectory;
        this.values = values;
        this.columns = columns;
        this.places = places;
    }

    /**
     * Pairs in one array, which is taken over.
     *
     * @param dimension coordinates of a state
     * @param values pair by pair, x then x⁺
     */
    public static Batch pairs(int dimension, double[] values) {
        return of(Kind.PAIRS, false, 2L * dimension, values, null);
    }

    /** Pairs in rows, copied. */
    public static Batch pairs(double[][] x, double[][] xNext) {
        if (x.length == 0 || x.length != xNext.length) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    x.length + " inputs and " + xNext.length + " outputs: expected as many, and at least one");
        }
        double[][] rows = new double[2 * x.length][];
        for (int i = 0; i < x.length; i++) {
            rows[2 * i] = x[i];
            rows[2 * i + 1] = xNext[i];
        }
        return pairs(x[0] == null ? 0 : x[0].length, flat(rows));
    }

    /**
     * Successive states in one array, which is taken over.
     *
     * @param dimension coordinates of a state
     * @param values state by state
     * @param newTrajectory whether the first one starts a trajectory instead of going on with the one of its stream
     */
    public static Batch states(int dimension, double[] values, boolean newTrajectory) {
        return of(Kind.STATES, newTrajectory, dimension, values, null);
    }

    /** Rows with their places, both taken over; see {@link BatchRows}. */
    static Batch rows(int columns, double[] values, Places places) {
        places.names().forEach(name -> requireEncodable("a trajectory", name));
        return of(Kind.ROWS, false, columns, values, places);
    }

    /** Successive states in rows, copied. */
    public static Batch states(double[][] states, boolean newTrajectory) {
        return states(states.length == 0 || states[0] == null ? 0 : states[0].length, flat(states), newTrajectory);
    }

    private static double[] flat(double[][] rows) {
        if (rows.length == 0) {
            return new double[0];
        }
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] == null) {
                throw new InvalidSampleException(Reason.NULL, -1, "row " + i + " is null");
            }
            if (rows[i].length != rows[0].length) {
                throw new InvalidSampleException(
                        Reason.WRONG_DIMENSION,
                        -1,
                        "row " + i + " has " + rows[i].length + " coordinates, the first one " + rows[0].length);
            }
        }
        int columns = rows[0].length;
        double[] values = new double[Math.multiplyExact(rows.length, columns)];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, values, i * columns, columns);
        }
        return values;
    }

    private static Batch of(Kind kind, boolean newTrajectory, long columns, double[] values, Places places) {
        if (columns < 1 || values.length == 0 || values.length % columns != 0) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION,
                    -1,
                    values.length + " numbers for items of " + columns + ": expected whole items, and at least one");
        }
        return new Batch(NO_STREAM, -1, kind, newTrajectory, values, (int) columns, places);
    }

    /** The batch in its place of a stream; a first number that is negative is none. */
    public Batch placed(String name, long first) {
        return first >= 0 ? numbered(name, first) : name.isEmpty() ? this : onStream(name);
    }

    /** The same as part of a stream, without numbers: what was sent twice counts twice. */
    public Batch onStream(String name) {
        requireName(name);
        requireEncodable("a stream", name);
        return new Batch(name, -1, kind, newTrajectory, values, columns, places);
    }

    /**
     * The same as part of a stream with numbers: sending it again has no effect.
     *
     * @param name the stream, not empty
     * @param number of the first item, >= 0; the others follow
     */
    public Batch numbered(String name, long number) {
        requireName(name);
        requireEncodable("a stream", name);
        if (name.isEmpty()) {
            throw new InvalidSampleException(Reason.NULL, -1, "sequence numbers need a stream name");
        }
        if (number < 0 || number > Long.MAX_VALUE - size()) {
            throw new InvalidSampleException(Reason.TOO_LARGE, -1, "first = " + number + ": must be a number >= 0");
        }
        return new Batch(name, number, kind, newTrajectory, values, columns, places);
    }

    private static void requireEncodable(String what, String name) {
        String objection = EncodableText.objection(name);
        if (objection != null) {
            throw new InvalidSampleException(Reason.NULL, -1, "the name of " + what + " " + objection);
        }
    }

    private static void requireName(String name) {
        if (name == null || name.length() > MAX_STREAM_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidSampleException(
                    Reason.NULL,
                    -1,
                    "the name of a stream: expected at most " + MAX_STREAM_NAME + " characters without line breaks");
        }
    }

    /** The stream; empty when it has no name. */
    public String stream() {
        return stream;
    }

    /** The number of the first item; -1 when they have none. */
    public long first() {
        return first;
    }

    /** Whether the items have numbers. */
    public boolean isNumbered() {
        return first >= 0;
    }

    /** What the items are. */
    public Kind kind() {
        return kind;
    }

    /** Whether the first state starts a trajectory. */
    public boolean newTrajectory() {
        return newTrajectory;
    }

    /** How many items there are. */
    public int size() {
        return values.length / columns;
    }

    /** Coordinates of a state. */
    public int dimension() {
        return kind == Kind.PAIRS || (places != null && places.isPairs()) ? columns / 2 : columns;
    }

    /** Numbers of an item. */
    int columns() {
        return columns;
    }

    /**
     * An item as the learning stream takes it.
     *
     * @param x overwritten; the observation's values
     * @param xNext overwritten; the second state of a pair
     */
    Observation observation(int item, double[] x, double[] xNext) {
        System.arraycopy(values, item * columns, x, 0, x.length);
        if (columns > x.length) {
            System.arraycopy(values, item * columns + x.length, xNext, 0, x.length);
        }
        return switch (kind) {
            case PAIRS -> Observation.pair(x, xNext);
            case STATES -> {
                Observation state = Observation.of(Places.trajectory(stream, null), x);
                yield newTrajectory && item == 0 ? state.asFirst() : state;
            }
            case ROWS -> places.observation(item, stream, x, xNext);
        };
    }

    /** Bytes that it takes while it waits: its numbers, the same as they go into the log, and a hash an item. */
    long bytes() {
        return 256 + 2L * Double.BYTES * values.length + 64L * size();
    }

    /** All items, one after another; for reading. */
    double[] values() {
        return values;
    }

    /** The same without its first items. */
    Batch from(int skipped) {
        if (skipped == 0) {
            return this;
        }
        double[] rest = java.util.Arrays.copyOfRange(values, skipped * columns, values.length);
        return new Batch(
                stream,
                isNumbered() ? first + skipped : -1,
                kind,
                false,
                rest,
                columns,
                places == null ? null : places.from(skipped));
    }

    /** The hashes of its items where they have numbers, and none otherwise. */
    long[] hashesOfNumbered() {
        return isNumbered() ? hashes() : new long[0];
    }

    /** A 64-bit hash of every item, with whether it starts a trajectory and where it stands. */
    long[] hashes() {
        long[] hashes = new long[size()];
        for (int i = 0; i < hashes.length; i++) {
            long hash = (kind == Kind.PAIRS ? 1 : 2) + (newTrajectory && i == 0 ? 0x632BE59BD9B4E019L : 0L) + columns;
            for (int c = i * columns; c < (i + 1) * columns; c++) {
                hash = next(hash, Double.doubleToRawLongBits(values[c]));
            }
            if (places != null) {
                for (long word : places.words(i)) {
                    hash = next(hash, word);
                }
            }
            hashes[i] = hash;
        }
        return hashes;
    }

    private static long next(long hash, long word) {
        return mix(hash ^ word) + 0x9E3779B97F4A7C15L;
    }

    /** The output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection in which every bit matters. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The batch as the contents of a log record. */
    ByteBuffer packed() {
        Packer out = new Packer(64 + 4 * stream.length() + values.length * Double.BYTES)
                .put((byte) CODES.indexOf(kind))
                .put(newTrajectory)
                .put(stream)
                .put(first)
                .put(columns)
                .put(values.length)
                .put(values, 0, values.length);
        if (places != null) {
            places.pack(out);
        }
        return out.packed();
    }

    /** The batch in a log record. */
    static Batch unpacked(ByteBuffer bytes, String source) {
        Unpacker in = new Unpacker(bytes, source);
        int code = in.small();
        if (code >= CODES.size()) {
            throw in.fault("a kind of batch", Integer.toString(code));
        }
        Kind kind = CODES.get(code);
        boolean newTrajectory = in.flag();
        String stream = in.text();
        long first = in.number();
        int columns = in.whole();
        int count = in.count(Double.BYTES);
        if (columns < 1
                || count == 0
                || count % columns != 0
                || (kind == Kind.PAIRS && columns % 2 != 0)
                || first < -1) {
            throw in.fault("a batch", count + " numbers in rows of " + columns);
        }
        double[] values = in.reals(count);
        Places places = kind == Kind.ROWS ? Places.unpack(in, count / columns, columns) : null;
        in.requireEnd();
        try {
            requireName(stream);
        } catch (InvalidSampleException e) {
            throw new DamagedDataException(source, -1, "a batch", e.getMessage());
        }
        return new Batch(stream, first, kind, newTrajectory, values, columns, places);
    }
}
