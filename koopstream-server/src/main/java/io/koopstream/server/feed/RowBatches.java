package io.koopstream.server.feed;

import io.koopstream.io.samples.RowSuccession;
import io.koopstream.io.samples.Sample;
import io.koopstream.server.engine.Ack;
import io.koopstream.server.engine.Batch;
import java.util.Arrays;

/**
 * Rows of a source as batches of one stream. A batch ends where a trajectory does, when it is full, and when the source has nothing more for
 * now. Used by one thread.
 */
final class RowBatches {

    private static final int MOST = 1_000;

    private final Submitter out;
    private final String stream;
    private final RowSuccession succession = new RowSuccession(Double.NaN);
    private double[] values = new double[256];
    private int count;
    private int rows;
    private int columns;
    private boolean pairs;
    private boolean fresh = true;
    private String trajectory;
    private double step = Double.NaN;
    private double time = Double.NaN;
    private long next;

    /** @param next the number of the first row; negative when rows have none */
    RowBatches(Submitter out, String stream, long next) {
        this.out = out;
        this.stream = stream;
        this.next = next;
    }

    /** Adds a row. */
    void add(Sample sample) throws InterruptedException {
        follow(sample);
        if (rows == MOST) {
            flush();
        }
        pairs = sample.next() != null;
        append(sample.state());
        if (pairs) {
            append(sample.next());
        }
        columns = sample.state().length;
        rows++;
    }

    /** Takes note of a row that was sent before, so that the next one follows it. */
    void skip(Sample sample) {
        try {
            follow(sample);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing waits to be sent", e);
        }
        fresh = false;
    }

    private void follow(Sample sample) throws InterruptedException {
        succession.see(sample);
        String now = sample.trajectory() == null ? "" : sample.trajectory();
        boolean follows = now.equals(trajectory) && !succession.isGap(step, time, sample);
        if (trajectory != null && !follows) {
            interrupt();
        }
        trajectory = now;
        step = sample.step();
        time = sample.time();
    }

    /** The next row does not follow the last one. */
    void interrupt() throws InterruptedException {
        flush();
        fresh = true;
    }

    private void append(double[] state) {
        if (count + state.length > values.length) {
            values = Arrays.copyOf(values, 2 * (count + state.length));
        }
        System.arraycopy(state, 0, values, count, state.length);
        count += state.length;
    }

    /** The number that comes next; negative when rows have none. */
    long next() {
        return next;
    }

    /** Sends what waits. */
    void flush() throws InterruptedException {
        if (rows == 0) {
            return;
        }
        double[] sent = Arrays.copyOf(values, count);
        Batch batch = pairs ? Batch.pairs(columns, sent) : Batch.states(columns, sent, fresh);
        Ack ack = out.send(next < 0 ? batch.onStream(stream) : batch.numbered(stream, next));
        next = next < 0 ? next : ack.next();
        fresh = false;
        count = 0;
        rows = 0;
    }
}
