package io.koopstream.io.samples;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A reader that makes its rows of those of another, which answers everything else. */
abstract class WrappedReader implements SampleReader {

    /** The other reader. */
    final SampleReader rows;

    WrappedReader(SampleReader rows) {
        this.rows = rows;
    }

    @Override
    public String source() {
        return rows.source();
    }

    @Override
    public List<String> names() {
        return rows.names();
    }

    @Override
    public List<TableColumn> columns() {
        return rows.columns();
    }

    @Override
    public boolean isPairs() {
        return rows.isPairs();
    }

    @Override
    public Optional<TimeStyle> timeStyle() {
        return rows.timeStyle();
    }

    @Override
    public List<String> notes() {
        return rows.notes();
    }

    @Override
    public double share() {
        return rows.share();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
