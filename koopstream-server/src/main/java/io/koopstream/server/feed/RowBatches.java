package io.koopstream.server.feed;

import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.rows.Trajectories;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import io.koopstream.server.engine.BatchRows;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows of a source as batches of one stream, every row with its place, also those that could not be read: which rows follow each other is judged by the
 * model. A batch ends when it is full, and when the source has nothing more for now. Used by one thread.
 */
final class RowBatches {

    private static final int MAX_ROWS = 1_000;

    private final Submitter out;
    private final String stream;
    private final int dimension;
    private final boolean pairs;
    /** Trajectories that were seen, those not seen for longest first: any other begins here. */
    private final Map<String, Boolean> known = new LinkedHashMap<>(16, 0.75f, true);

    private BatchRows rows;
    private boolean named;
    private long next;

    /**
     * @param reader says what a row holds
     * @param next the number of the first row; negative when rows have none
     */
    RowBatches(Submitter out, String stream, SampleReader reader, long next) {
        this.out = out;
        this.stream = stream;
        this.dimension = reader.names().size();
        this.pairs = reader.isPairs();
        this.next = next;
        this.rows = new BatchRows(dimension, pairs);
    }

    /** Adds a row. */
    void add(Sample sample) throws InterruptedException {
        boolean first = see(sample);
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
    void addUnreadable(String trajectory) throws InterruptedException {
        if (trajectory == null && named) {
            rows.addUnreadableAnywhere();
        } else {
            rows.addUnreadable(trajectory);
        }
        flushWhenFull();
    }

    /** Takes note of a row that was sent before, so that the next one follows it. */
    void skip(Sample sample) {
        see(sample);
    }

    /** Whether a row is the first of its trajectory. */
    private boolean see(Sample sample) {
        named |= sample.trajectory() != null;
        boolean first = known.put(sample.trajectory(), true) == null;
        if (known.size() > Trajectories.DEFAULT_OPEN) {
            known.remove(known.keySet().iterator().next());
        }
        return first;
    }

    private void flushWhenFull() throws InterruptedException {
        if (rows.size() == MAX_ROWS) {
            flush();
        }
    }

    /** The number that comes next; negative when rows have none. */
    long next() {
        return next;
    }

    /** Sends what waits. */
    void flush() throws InterruptedException {
        if (rows.size() == 0) {
            return;
        }
        Batch batch = rows.batch();
        Ack ack = out.send(next < 0 ? batch.onStream(stream) : batch.numbered(stream, next));
        next = next < 0 ? next : ack.next();
        rows = new BatchRows(dimension, pairs);
    }
}
