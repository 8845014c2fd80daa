package io.koopstream.flink;

import io.koopstream.flink.state.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** How many unreadable records of each source a key has been told of, see {@link SampleEvent#lost}. Mutable, one writer. */
final class Losses {

    private static final int MAX_SOURCES = 1 << 20;

    /** Sorted, so that the same losses have the same bytes. */
    private final Map<String, Long> told = new TreeMap<>();

    /**
     * Takes what an event says about its source.
     *
     * @param lost takes how many records were lost since the last event of that source, if there were any; 0 when the source counts anew
     */
    void tell(SampleEvent event, LongConsumer lost) {
        if (event.lost > 0) {
            Long before = told.put(event.source == null ? "" : event.source, event.lost);
            if (before == null || before != event.lost) {
                lost.accept(Math.max(0, event.lost - (before == null ? 0 : before)));
            }
        }
    }

    Losses copy() {
        Losses copy = new Losses();
        copy.told.putAll(told);
        return copy;
    }

    void writeTo(DataOutput target) throws IOException {
        target.writeInt(told.size());
        for (Map.Entry<String, Long> entry : told.entrySet()) {
            Wire.writeText(target, entry.getKey());
            target.writeLong(entry.getValue());
        }
    }

    static Losses readFrom(DataInput source) throws IOException {
        Losses losses = new Losses();
        for (int i = Wire.readCount(source, "sources", 0, MAX_SOURCES); i > 0; i--) {
            String name = Wire.readText(source);
            losses.told.put(name, source.readLong());
        }
        return losses;
    }
}
