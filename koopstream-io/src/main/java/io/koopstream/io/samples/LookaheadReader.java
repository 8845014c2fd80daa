package io.koopstream.io.samples;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Looks at the first rows of a source before they are read, bad ones included, in their order. One thread looks and reads; another may ask
 * for what waits while the first one waits for a row.
 */
public final class LookaheadReader implements SampleReader {

    private final SampleReader reader;
    /** Samples, and exceptions of rows that were bad. */
    private final Deque<Object> waiting = new ArrayDeque<>();

    /** Nothing is read yet. */
    public LookaheadReader(SampleReader reader) {
        this.reader = reader;
    }

    /** Reads one row ahead, which may take as long as it takes to come; false when there is none. */
    public boolean lookFurther() throws IOException {
        Sample sample = new Sample();
        Object row = sample;
        try {
            if (!reader.read(sample)) {
                return false;
            }
        } catch (BadRowException e) {
            row = e;
        }
        synchronized (waiting) {
            waiting.add(row);
        }
        return true;
    }

    /** Feeds the rows that wait, bad ones as interruptions; they wait on. */
    public void feed(SampleFeeder feeder) {
        synchronized (waiting) {
            for (Object row : waiting) {
                try {
                    if (row instanceof Sample sample) {
                        feeder.accept(sample);
                    } else {
                        feeder.interrupt(((BadRowException) row).trajectory());
                    }
                } catch (BadRowException e) {
                    // Reported when the row is read; its trajectory is interrupted already.
                }
            }
        }
    }

    /** Reads a row that waits; false when none does, and nothing is read from the source. */
    public boolean readWaiting(Sample into) {
        Object row;
        synchronized (waiting) {
            row = waiting.poll();
        }
        if (row instanceof BadRowException bad) {
            throw bad;
        }
        if (row instanceof Sample sample) {
            into.copyOf(sample);
            return true;
        }
        return false;
    }

    @Override
    public String source() {
        return reader.source();
    }

    @Override
    public List<String> names() {
        return reader.names();
    }

    @Override
    public boolean isPairs() {
        return reader.isPairs();
    }

    @Override
    public double share() {
        return reader.share();
    }

    @Override
    public boolean read(Sample into) throws IOException {
        return readWaiting(into) || reader.read(into);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
