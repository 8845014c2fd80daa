package io.koopstream.io.samples;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Arrays as samples: every array holds trajectories, or two arrays of one shape hold explicit pairs. */
final class NpySampleReader extends RowReader {

    private final List<NpyArray> arrays;
    private final NpyArray next;
    private final AutoCloseable alsoClosed;
    private final long total;
    /** Columns of the arrays that make the state. */
    private final int[] picked;

    private final double[] whole;
    private int array;
    private long trajectory;
    private long row;
    private long done;

    private NpySampleReader(
            String source, ColumnOptions options, List<NpyArray> arrays, NpyArray next, AutoCloseable alsoClosed) {
        super(source);
        this.arrays = List.copyOf(arrays);
        this.next = next;
        this.alsoClosed = alsoClosed;
        List<String> own = RowRoles.numbered(arrays.get(0).columns());
        this.picked = picked(own, options);
        this.whole = new double[own.size()];
        if (!options.names().isEmpty() && options.names().size() != picked.length) {
            throw ColumnFinder.wrongNames(source, options.names(), picked.length);
        }
        describe(
                options.names().isEmpty()
                        ? IntStream.of(picked).mapToObj(own::get).toList()
                        : options.names(),
                next != null);
        this.total = arrays.stream().mapToLong(a -> a.trajectories() * a.rows()).sum();
        for (NpyArray other : arrays) {
            if (other.columns() != arrays.get(0).columns()) {
                throw new SampleFormatException(
                        source,
                        "holds states of " + arrays.get(0).columns() + " and of " + other.columns() + " coordinates");
            }
        }
    }

    private int[] picked(List<String> own, ColumnOptions options) {
        String named = options.group() != null ? options.group() : options.time();
        if (named != null && !named.equals(ColumnOptions.NO_TIME)) {
            throw new SampleFormatException(
                    source, "arrays hold the state alone: there is no column '" + named + "' for --time or --group");
        }
        if (options.columns().isEmpty() && options.ignored().isEmpty()) {
            return IntStream.range(0, own.size()).toArray();
        }
        List<String> wanted = options.columns().isEmpty() ? own : options.columns();
        for (List<String> names : List.of(wanted, options.ignored())) {
            for (String name : names) {
                if (!own.contains(name)) {
                    throw new SampleFormatException(
                            source,
                            "there is no column '" + name + "'; those of an array are called x1 to x" + own.size());
                }
            }
        }
        return wanted.stream()
                .filter(name -> !options.ignored().contains(name))
                .mapToInt(own::indexOf)
                .toArray();
    }

    /**
     * Trajectories from arrays, one after another.
     *
     * @param alsoClosed closed after the arrays, e.g. to remove temporary files
     */
    static NpySampleReader trajectories(
            String source, ColumnOptions options, List<NpyArray> arrays, AutoCloseable alsoClosed) {
        return new NpySampleReader(source, options, arrays, null, alsoClosed);
    }

    /** Pairs of rows of two arrays. */
    static NpySampleReader pairs(
            String source, ColumnOptions options, NpyArray states, NpyArray next, AutoCloseable alsoClosed) {
        if (states.columns() != next.columns()
                || states.rows() != next.rows()
                || states.trajectories() != next.trajectories()) {
            throw new SampleFormatException(
                    source,
                    "states have shape (" + states.trajectories() + ", " + states.rows() + ", " + states.columns()
                            + "), next states (" + next.trajectories() + ", " + next.rows() + ", " + next.columns()
                            + "); they must agree row by row");
        }
        return new NpySampleReader(source, options, List.of(states), next, alsoClosed);
    }

    @Override
    public double share() {
        return total == 0 ? 1 : (double) done / total;
    }

    @Override
    public boolean read(Sample into) {
        while (array < arrays.size()) {
            NpyArray from = arrays.get(array);
            if (trajectory < from.trajectories() && row < from.rows()) {
                fill(from, into);
                return true;
            }
            row = 0;
            if (++trajectory >= from.trajectories()) {
                trajectory = 0;
                array++;
            }
        }
        return false;
    }

    private void fill(NpyArray from, Sample into) {
        done++;
        into.begin(done, picked.length, next != null);
        pick(from, into.state());
        if (next != null) {
            pick(next, into.next());
        }
        // One trajectory alone may go on from another file.
        if (row == 0 && (from.trajectories() > 1 || arrays.size() > 1)) {
            into.setFirst();
        }
        row++;
    }

    private void pick(NpyArray from, double[] into) {
        from.row(trajectory, row, whole);
        for (int i = 0; i < picked.length; i++) {
            into[i] = whole[picked[i]];
        }
    }

    @Override
    public void close() throws IOException {
        for (NpyArray open : arrays) {
            open.close();
        }
        if (next != null) {
            next.close();
        }
        try {
            alsoClosed.close();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
