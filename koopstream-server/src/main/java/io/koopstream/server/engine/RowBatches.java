package io.koopstream.server.engine;

import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Trajectories;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows of a source as batches of one stream, every row with its place, also those that could not be read: which rows follow each other is judged by the
 * model. A batch is sent when it is full, and when it is flushed. Used by one thread.
 *
 * @param <E> what goes wrong in sending
 */
public final class RowBatches<E extends Exception> {

    /** Takes batches in their order. */
    public interface Sender<E extends Exception> {
        void send(Batch batch) throws E;
    }

    private final Sender<E> out;
    private final String stream;
    private final int dimension;
    private final boolean pairs;
    private final int most;
    /** Trajectories that were seen, those not seen for longest first. */
    private final Map<String, Boolean> known = new LinkedHashMap<>(16, 0.75f, true);

    private BatchRows rows;
    private boolean named;
    private long next;

    /**
     * @param reader says what a row holds
     * @param next the number of the first row; negative when rows have none
     * @param most rows of a batch
     */
    public RowBatches(Sender<E> out, String stream, SampleReader reader, long next, int most) {
        this.out = out;
        this.stream = stream;
        this.dimension = reader.names().size();
        this.pairs = reader.isPairs();
        this.next = next;
        this.most = most;
        this.rows = new BatchRows(dimension, pairs);
    }

    /** Takes note of the trajectory of a row, and tells whether the row is the first that is seen of it. */
    public boolean isNew(Sample sample) {
        named |= sample.trajectory() != null;
        boolean first = known.put(sample.trajectory(), true) == null;
        if (known.size() > Trajectories.DEFAULT_OPEN) {
            known.remove(known.keySet().iterator().next());
        }
        return first;
    }

    /**
     * Adds a row.
     *
     * @param first whether it is the first of its trajectory, whatever came before under that name
     */
    public void add(Sample sample, boolean first) throws E {
        named |= sample.trajectory() != null;
        if (pairs) {
            rows.addPair(sample.state(), sample.next());
        } else {
            rows.add(sample.trajectory(), sample.step(), sample.time(), sample.state(), first);
        }
        flushWhenFull();
    }

    /**
     * Adds a row that could not be read.
     *
     * @param trajectory null when it is unknown, or there is one only
     */
    public void addUnreadable(String trajectory) throws E {
        if (trajectory == null && named) {
            rows.addUnreadableAnywhere();
        } else {
            rows.addUnreadable(trajectory);
        }
        flushWhenFull();
    }

    private void flushWhenFull() throws E {
        if (rows.size() == most) {
            flush();
        }
    }

    /** The number that comes next; negative when rows have none. */
    public long next() {
        return next;
    }

    /** Sends what waits. */
    public void flush() throws E {
        if (rows.size() > 0) {
            out.send(rows.batch().placed(stream, next));
            next = next < 0 ? next : next + rows.size();
            rows = new BatchRows(dimension, pairs);
        }
    }
}
