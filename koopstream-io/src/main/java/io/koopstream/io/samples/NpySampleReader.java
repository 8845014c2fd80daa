package io.koopstream.io.samples;

import java.io.IOException;
import java.util.List;

/** Arrays as samples: every array holds trajectories, or two arrays of one shape hold explicit pairs. */
final class NpySampleReader extends RowReader {

    private final List<NpyArray> arrays;
    private final NpyArray next;
    private final AutoCloseable alsoClosed;
    private final long total;
    private int array;
    private long trajectory;
    private long row;
    private long done;

    private NpySampleReader(String source, List<NpyArray> arrays, NpyArray next, AutoCloseable alsoClosed) {
        super(source);
        this.arrays = List.copyOf(arrays);
        this.next = next;
        this.alsoClosed = alsoClosed;
        describe(RowRoles.numbered(arrays.get(0).columns()), next != null);
        this.total = arrays.stream().mapToLong(a -> a.trajectories() * a.rows()).sum();
        for (NpyArray other : arrays) {
            if (other.columns() != arrays.get(0).columns()) {
                throw new SampleFormatException(
                        source,
                        "holds states of " + arrays.get(0).columns() + " and of " + other.columns() + " coordinates");
            }
        }
    }

    /**
     * Trajectories from arrays, one after another.
     *
     * @param alsoClosed closed after the arrays, e.g. to remove temporary files
     */
    static NpySampleReader trajectories(String source, List<NpyArray> arrays, AutoCloseable alsoClosed) {
        return new NpySampleReader(source, arrays, null, alsoClosed);
    }

    /** Pairs of rows of two arrays. */
    static NpySampleReader pairs(String source, NpyArray states, NpyArray next, AutoCloseable alsoClosed) {
        if (states.columns() != next.columns()
                || states.rows() != next.rows()
                || states.trajectories() != next.trajectories()) {
            throw new SampleFormatException(
                    source,
                    "states have shape (" + states.trajectories() + ", " + states.rows() + ", " + states.columns()
                            + "), next states (" + next.trajectories() + ", " + next.rows() + ", " + next.columns()
                            + "); they must agree row by row");
        }
        return new NpySampleReader(source, List.of(states), next, alsoClosed);
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
        into.begin(done, from.columns(), next != null);
        from.row(trajectory, row, into.state());
        if (next != null) {
            next.row(trajectory, row, into.next());
        }
        // One trajectory alone may go on from another file.
        if (row == 0 && (from.trajectories() > 1 || arrays.size() > 1)) {
            into.setFirst();
        }
        row++;
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
