package io.koopstream.server.durable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The log files of a model, by the number of their first record. Any thread. */
final class SegmentList {

    private final String model;
    private final TreeSet<Long> firsts;

    SegmentList(String model, Collection<Long> firsts) {
        this.model = model;
        this.firsts = new TreeSet<>(firsts);
    }

    String fileName(long first) {
        return model + String.format(Locale.ROOT, ".log.%019d", first);
    }

    synchronized void add(long first) {
        firsts.add(first);
    }

    synchronized void remove(long first) {
        firsts.remove(first);
    }

    synchronized List<Long> all() {
        return List.copyOf(firsts);
    }

    /** The file that holds a record, if any does. */
    synchronized long holding(long record) {
        Long first = firsts.floor(record);
        return first == null ? record : first;
    }

    /** The files without which everything after a record is still there. */
    synchronized List<Long> before(long record) {
        List<Long> result = new ArrayList<>();
        Long previous = null;
        for (Long first : firsts) {
            if (previous != null && first <= record + 1) {
                result.add(previous);
            }
            previous = first;
        }
        return result;
    }
}
