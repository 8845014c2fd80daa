package io.koopstream.io.samples;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Looks at the first rows of a source before they are read, bad ones included, in their order. */
public final class LookaheadReader implements SampleReader {

    private final SampleReader reader;
    /** Samples, and exceptions of rows that were bad. */
    private final Deque<Object> waiting = new ArrayDeque<>();

    /** Reads ahead as many rows, or fewer when there are fewer. */
    public LookaheadReader(SampleReader reader, int rows) throws IOException {
        this.reader = reader;
        for (int i = 0; i < rows; i++) {
            Sample sample = new Sample();
            try {
                if (!reader.read(sample)) {
                    break;
                }
                waiting.add(sample);
            } catch (BadRowException e) {
                waiting.add(e);
            }
        }
    }

    /** The states seen ahead whose numbers are all finite, one a row. */
    public double[][] states() {
        List<double[]> states = new ArrayList<>();
        for (Object row : waiting) {
            if (row instanceof Sample sample) {
                boolean finite = true;
                for (double value : sample.state()) {
                    finite &= Double.isFinite(value);
                }
                if (finite) {
                    states.add(sample.state().clone());
                }
            }
        }
        return states.toArray(double[][]::new);
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
        Object row = waiting.poll();
        if (row instanceof BadRowException bad) {
            throw bad;
        }
        if (row instanceof Sample sample) {
            into.copyOf(sample);
            return true;
        }
        return reader.read(into);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
