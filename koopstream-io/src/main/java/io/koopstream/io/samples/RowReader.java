package io.koopstream.io.samples;

import java.util.List;

/** What all readers answer alike: where the rows come from, and what they hold. */
abstract class RowReader implements SampleReader {

    final String source;
    private List<String> names = List.of();
    private boolean pairs;

    RowReader(String source) {
        this.source = source;
    }

    /** Called once, when the reader knows what a row holds. */
    final void describe(List<String> coordinateNames, boolean rowsArePairs) {
        names = List.copyOf(coordinateNames);
        pairs = rowsArePairs;
    }

    @Override
    public final String source() {
        return source;
    }

    @Override
    public final List<String> names() {
        return names;
    }

    @Override
    public final boolean isPairs() {
        return pairs;
    }
}
