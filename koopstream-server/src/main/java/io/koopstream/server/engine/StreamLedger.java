package io.koopstream.server.engine;

import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import java.util.Map;

/**
 * Which numbers of a stream were accepted, and with what contents: the next number, and the hashes of the last {@value #WINDOW}. Makes sending
 * again harmless. One writer.
 */
final class StreamLedger {

    /** Numbers whose contents are remembered. */
    static final int WINDOW = 1024;

    private final long[] hashes;
    private long start;
    private long next;

    /** A stream whose first number will be this one. */
    StreamLedger(long start) {
        this(start, start, new long[WINDOW]);
    }

    private StreamLedger(long start, long next, long[] hashes) {
        this.start = start;
        this.next = next;
        this.hashes = hashes;
    }

    /** The number expected next. */
    long next() {
        return next;
    }

    /**
     * How many of the first items of a batch came before.
     *
     * @param stream for messages
     * @param first number of the first item
     * @param contents hashes of the items
     * @throws SequenceException if they do not go on where the stream ended
     */
    int duplicates(String stream, long first, long[] contents) {
        if (first > next) {
            throw new SequenceException(SequenceException.Kind.GAP, stream, next, first);
        }
        int known = (int) Math.min(contents.length, next - first);
        if (known > 0 && first < Math.max(start, next - WINDOW)) {
            throw new SequenceException(SequenceException.Kind.TOO_OLD, stream, next, first);
        }
        for (int i = 0; i < known; i++) {
            if (hashes[slot(first + i)] != contents[i]) {
                throw new SequenceException(SequenceException.Kind.CONFLICT, stream, next, first + i);
            }
        }
        return known;
    }

    /** Enters the items of a batch from one on; their numbers go on from {@link #next()}. */
    void accept(long[] contents, int from) {
        for (int i = from; i < contents.length; i++) {
            hashes[slot(next)] = contents[i];
            next++;
        }
    }

    /**
     * Enters a batch that goes on where its stream ended.
     *
     * @param streams by name; null for those without numbers
     * @param contents hashes of the items, where they have numbers
     */
    static void enter(Map<String, StreamLedger> streams, Batch batch, long[] contents) {
        StreamLedger ledger = streams.get(batch.stream());
        if (batch.isNumbered()) {
            ledger = ledger == null ? new StreamLedger(batch.first()) : ledger;
            ledger.accept(contents, 0);
        }
        streams.put(batch.stream(), ledger);
    }

    private static int slot(long number) {
        return (int) (number & (WINDOW - 1));
    }

    StreamLedger copy() {
        return new StreamLedger(start, next, hashes.clone());
    }

    void pack(Packer out) {
        out.put(start).put(next).put(hashes);
    }

    static StreamLedger unpack(Unpacker in) {
        long start = in.number();
        long next = in.number();
        if (start < 0 || next < start) {
            throw in.fault("numbers of a stream", start + " to " + next);
        }
        return new StreamLedger(start, next, in.numbers(WINDOW));
    }
}
