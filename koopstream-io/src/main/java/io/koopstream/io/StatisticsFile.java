package io.koopstream.io;

import io.koopstream.KoopstreamException;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Points;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.learner.leastsquares.LeastSquaresState.StoredSums;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.learner.leastsquares.StatisticsGroup;
import io.koopstream.learner.leastsquares.StatisticsSum;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What parts of one stream tell each other, as bytes: of S its lower half, of T and V all. Whatever bytes are read, the result was checked or is a
 * {@link ModelFormatException}. docs/formats.md has the layout.
 */
public final class StatisticsFile {

    private static final int MAGIC = 0x4b535355;
    private static final int VERSION = 2;
    /** Without what followed held-out runs; still read. */
    private static final int OLDEST = 1;

    private static final int NEWS = 1;
    private static final int TELLER = 2;
    private static final int GROUP = 3;

    private ByteBuffer bytes;
    private int version = VERSION;

    private StatisticsFile(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    private static StatisticsFile writer(int kind, long expected) {
        StatisticsFile file = new StatisticsFile(ByteBuffer.allocate((int) Math.min(expected + 256, 1 << 30)));
        file.integer(MAGIC);
        file.integer(VERSION);
        file.integer(kind);
        return file;
    }

    private byte[] written() {
        byte[] all = new byte[bytes.position()];
        bytes.flip().get(all);
        return all;
    }

    /** News as bytes. */
    public static byte[] encode(StatisticsDelta news) {
        StatisticsFile to = writer(NEWS, size(news.added()) + size(news.held()) + size(news.proposals()));
        to.whole(news.epoch());
        to.whole(news.pairs());
        to.sum(news.added());
        to.held(news.held());
        to.bases(news.bases());
        to.points(news.proposals());
        return to.written();
    }

    /** The news in these bytes. */
    public static StatisticsDelta decodeNews(byte[] bytes) {
        return read(bytes, NEWS, from -> {
            long epoch = from.whole();
            long pairs = from.whole();
            return new StatisticsDelta(epoch, pairs, from.sum(), from.held(), from.bases(), from.points());
        });
    }

    /** Who tells, as bytes. */
    public static byte[] encode(DeltaSender teller) {
        StatisticsFile to = writer(TELLER, size(teller.told()));
        to.whole(teller.epoch());
        to.integer(teller.agreed());
        to.integer(teller.proposed());
        to.sum(teller.told());
        return to.written();
    }

    /** The teller in these bytes. */
    public static DeltaSender decodeTeller(byte[] bytes) {
        return read(bytes, TELLER, from -> {
            long epoch = from.whole();
            int agreed = from.count(Integer.MAX_VALUE);
            int proposed = from.count(Integer.MAX_VALUE);
            return new DeltaSender(epoch, agreed, proposed, from.sum());
        });
    }

    /** A group as bytes. */
    public static byte[] encode(StatisticsGroup group) {
        StatisticsFile to = writer(GROUP, group.since() == null ? 0 : size(group.since()));
        to.whole(group.epoch());
        to.integer(group.since() == null ? 0 : 1);
        if (group.since() != null) {
            to.sum(group.since());
        }
        to.bases(group.bases());
        Map<Integer, StatisticsGroup.Member> members = group.members();
        to.integer(members.size());
        members.forEach((part, member) -> {
            to.integer(part);
            to.whole(member.epoch());
            to.whole(member.pairs());
            to.held(member.held());
            to.points(member.proposals());
        });
        return to.written();
    }

    /** The group in these bytes. */
    public static StatisticsGroup decodeGroup(byte[] bytes) {
        return read(bytes, GROUP, from -> {
            long epoch = from.whole();
            StatisticsSum since = from.count(1) == 0 ? null : from.sum();
            NavigableMap<Integer, Long> bases = from.bases();
            NavigableMap<Integer, StatisticsGroup.Member> members = new TreeMap<>();
            for (int i = from.count(Integer.MAX_VALUE); i > 0; i--) {
                int part = from.bytes.getInt();
                long told = from.whole();
                long pairs = from.whole();
                members.put(part, new StatisticsGroup.Member(told, pairs, from.held(), from.points()));
            }
            return StatisticsGroup.restore(epoch, members, since, bases);
        });
    }

    /** What reads one kind of contents. */
    private interface Contents<T> {
        T of(StatisticsFile from);
    }

    private static <T> T read(byte[] bytes, int kind, Contents<T> contents) {
        StatisticsFile from = new StatisticsFile(ByteBuffer.wrap(bytes));
        try {
            if (from.bytes.getInt() != MAGIC) {
                throw fault(Reason.FOREIGN, "statistics of a part", "other bytes", null);
            }
            from.version = from.bytes.getInt();
            if (from.version < OLDEST || from.version > VERSION) {
                throw fault(
                        from.version > VERSION ? Reason.TOO_NEW : Reason.TOO_OLD,
                        "version " + VERSION,
                        "version " + from.version,
                        null);
            }
            int found = from.bytes.getInt();
            if (found != kind) {
                throw fault(Reason.FOREIGN, "statistics of kind " + kind, "kind " + found, null);
            }
            T result = contents.of(from);
            if (from.bytes.hasRemaining()) {
                throw fault(Reason.TRAILING_BYTES, "the end", from.bytes.remaining() + " more bytes", null);
            }
            return result;
        } catch (BufferUnderflowException e) {
            throw fault(Reason.TRUNCATED, "more bytes", "the end", e);
        } catch (ModelFormatException e) {
            throw e;
        } catch (KoopstreamException e) {
            throw fault(Reason.BAD_SETTING, "statistics that add up", e.getMessage(), e);
        }
    }

    private static ModelFormatException fault(Reason reason, String expected, String found, Exception cause) {
        return new ModelFormatException(reason, "statistics", -1, expected, found, cause);
    }

    private static long size(StatisticsSum sum) {
        long m = sum.points();
        return Double.BYTES
                * (m * (m + 1) / 2 + m * m + (m + 1) * (sum.stored().squares().rows() + 1L) + 8);
    }

    private static long size(HoldOut held) {
        double[][] rows = held.inputs();
        double[][] after = held.after();
        return 40
                + (rows.length == 0 ? 0 : Double.BYTES * (2L * rows[0].length + 1) * rows.length)
                + (after.length == 0 ? 0 : Double.BYTES * (after[0].length + 1L) * after.length);
    }

    private static long size(Points points) {
        return 8 + (long) Double.BYTES * points.size() * points.dimension();
    }

    private ByteBuffer room(long more) {
        if (bytes.remaining() < more) {
            long needed = Math.max(bytes.position() + more, 2L * bytes.capacity());
            if (bytes.position() + more > Integer.MAX_VALUE - 8) {
                throw fault(Reason.BAD_SETTING, "at most 2 GB", needed + " bytes", null);
            }
            bytes = ByteBuffer.allocate((int) Math.min(needed, Integer.MAX_VALUE - 8))
                    .put(bytes.flip());
        }
        return bytes;
    }

    private void integer(int value) {
        room(Integer.BYTES).putInt(value);
    }

    private void whole(long value) {
        room(Long.BYTES).putLong(value);
    }

    private void numbers(double[] values, int from, int to) {
        ByteBuffer target = room((long) Double.BYTES * (to - from));
        target.asDoubleBuffer().put(values, from, to - from);
        target.position(target.position() + Double.BYTES * (to - from));
    }

    private void number(double value) {
        room(Double.BYTES).putDouble(value);
    }

    private void sum(StatisticsSum sum) {
        StoredSums stored = sum.stored();
        Counters counters = sum.counters();
        int m = sum.points();
        int d = stored.squares().rows();
        integer(m);
        integer(d);
        whole(counters.samples());
        whole(counters.dependents());
        whole(counters.removals());
        whole(counters.refusals());
        number(counters.loss());
        number(stored.weight());
        for (int j = 0; j < m; j++) {
            numbers(stored.input().column(j), j, m);
        }
        columns(stored.cross());
        columns(stored.increments());
        columns(stored.squares());
    }

    private void columns(Matrix matrix) {
        for (int j = 0; j < matrix.columns(); j++) {
            numbers(matrix.column(j), 0, matrix.rows());
        }
    }

    private void held(HoldOut held) {
        whole(held.seen());
        whole(held.offered());
        double[][] x = held.inputs();
        double[][] xNext = held.outputs();
        long[] runs = held.runNumbers();
        integer(x.length);
        integer(x.length == 0 ? 0 : x[0].length);
        for (int i = 0; i < x.length; i++) {
            numbers(x[i], 0, x[i].length);
            numbers(xNext[i], 0, xNext[i].length);
            whole(runs[i]);
        }
        double[][] after = held.after();
        long[] followed = held.afterRuns();
        integer(after.length);
        integer(after.length == 0 ? 0 : after[0].length);
        for (int i = 0; i < after.length; i++) {
            numbers(after[i], 0, after[i].length);
            whole(followed[i]);
        }
    }

    private void bases(NavigableMap<Integer, Long> bases) {
        integer(bases.size());
        bases.forEach((points, print) -> {
            integer(points);
            whole(print);
        });
    }

    private NavigableMap<Integer, Long> bases() {
        NavigableMap<Integer, Long> bases = new TreeMap<>();
        for (int i = count(bytes.remaining()); i > 0; i--) {
            int points = count(Integer.MAX_VALUE);
            bases.put(points, whole());
        }
        return bases;
    }

    private void points(Points points) {
        integer(points.dimension());
        integer(points.size());
        for (int c = 0; c < points.dimension(); c++) {
            numbers(points.coordinate(c), 0, points.size());
        }
    }

    private long whole() {
        return bytes.getLong();
    }

    /** A count, refused when it cannot be; nothing is made of it before there are bytes enough. */
    private int count(int most) {
        int count = bytes.getInt();
        if (count < 0 || count > most) {
            throw fault(Reason.BAD_SETTING, "a count up to " + most, Integer.toString(count), null);
        }
        return count;
    }

    private double[] numbers(int count) {
        if (bytes.remaining() / Double.BYTES < count) {
            throw new BufferUnderflowException();
        }
        double[] values = new double[count];
        bytes.asDoubleBuffer().get(values);
        bytes.position(bytes.position() + Double.BYTES * count);
        return values;
    }

    private StatisticsSum sum() {
        int m = count(bytes.remaining() / Double.BYTES);
        int d = count(bytes.remaining() / Double.BYTES);
        Counters counters = new Counters(whole(), whole(), whole(), whole(), bytes.getDouble());
        double weight = bytes.getDouble();
        if (bytes.remaining() / Double.BYTES < (long) m * (m + 1) / 2 + (long) m * m) {
            throw new BufferUnderflowException();
        }
        Matrix input = new Matrix(m, m);
        for (int j = 0; j < m; j++) {
            System.arraycopy(numbers(m - j), 0, input.column(j), j, m - j);
        }
        input.mirrorLower();
        return StatisticsSum.restore(
                new StoredSums(weight, input, matrix(m, m), matrix(m, d + 1), matrix(d, 1)), counters);
    }

    private Matrix matrix(int rows, int columns) {
        if (bytes.remaining() / Double.BYTES < (long) rows * columns) {
            throw new BufferUnderflowException();
        }
        double[][] all = new double[columns][];
        for (int j = 0; j < columns; j++) {
            all[j] = numbers(rows);
        }
        return Matrix.ofColumns(all, rows);
    }

    private HoldOut held() {
        long seen = whole();
        long offered = whole();
        int pairs = count(bytes.remaining() / Double.BYTES);
        int dimension = count(bytes.remaining() / Double.BYTES);
        Points x = new Points(dimension);
        Points xNext = new Points(dimension);
        long[] runs = new long[pairs];
        for (int i = 0; i < pairs; i++) {
            x.add(numbers(dimension));
            xNext.add(numbers(dimension));
            runs[i] = whole();
        }
        HoldOut held = HoldOut.of(seen, offered, x, xNext, runs);
        if (version == OLDEST) {
            return held;
        }
        long[] followed = new long[count(bytes.remaining() / Long.BYTES)];
        int observed = count(bytes.remaining() / Double.BYTES);
        Points after = new Points(observed);
        for (int i = 0; i < followed.length; i++) {
            after.add(numbers(observed));
            followed[i] = whole();
        }
        return held.following(after, followed);
    }

    private Points points() {
        int dimension = count(bytes.remaining());
        int size = count(bytes.remaining());
        if (bytes.remaining() / Double.BYTES < (long) dimension * size) {
            throw new BufferUnderflowException();
        }
        double[][] rows = new double[size][dimension];
        for (int c = 0; c < dimension; c++) {
            double[] coordinate = numbers(size);
            for (int i = 0; i < size; i++) {
                rows[i][c] = coordinate[i];
            }
        }
        return Points.of(dimension, rows);
    }
}
