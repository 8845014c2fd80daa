package io.koopstream.server.http.ingest;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.server.engine.BatchRows;
import java.io.IOException;

/** Rows of a table as batches, with the trajectory, step and time they have; one that cannot be read is counted, and nothing pairs across it. */
final class TableBatches {

    private final SampleReader reader;
    private final int most;
    private final String stream;
    private final boolean newTrajectory;
    private final IngestStream out;
    private long next;
    private long unreadable;
    private String firstProblem = "";
    private boolean named;

    TableBatches(SampleReader reader, int most, String stream, long first, boolean newTrajectory, IngestStream out) {
        this.reader = reader;
        this.most = most;
        this.stream = stream;
        this.next = first;
        this.newTrajectory = newTrajectory;
        this.out = out;
    }

    /** Rows that could not be read. */
    long unreadable() {
        return unreadable;
    }

    /** What was wrong with the first of them. */
    String firstProblem() {
        return firstProblem;
    }

    /** Sends all rows on. */
    void send() throws IOException {
        Sample sample = new Sample();
        BatchRows rows = newRows();
        boolean fresh = newTrajectory;
        boolean more = true;
        while (more) {
            try {
                more = reader.read(sample);
                if (more) {
                    add(rows, sample, fresh);
                    fresh = false;
                }
            } catch (BadRowException e) {
                firstProblem = unreadable++ == 0 ? e.getMessage() : firstProblem;
                if (e.trajectory() == null && named) {
                    rows.addUnreadableAnywhere();
                } else {
                    rows.addUnreadable(e.trajectory());
                }
            }
            if (rows.size() == most || (!more && rows.size() > 0)) {
                out.send(SampleBody.placed(rows.batch(), stream, next));
                next = next < 0 ? next : next + rows.size();
                rows = newRows();
            }
        }
    }

    private BatchRows newRows() {
        return new BatchRows(reader.names().size(), reader.isPairs());
    }

    private void add(BatchRows rows, Sample sample, boolean fresh) {
        named |= sample.trajectory() != null;
        if (reader.isPairs()) {
            rows.addPair(sample.state(), sample.next());
        } else {
            rows.add(sample.trajectory(), sample.step(), sample.time(), sample.state(), fresh);
        }
    }
}
