package io.koopstream.server.durable;

import io.koopstream.io.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a log from a record on. What a crash leaves is taken away: half a record at the end. Damage anywhere else is an error, unless all of it
 * is older than what is asked for.
 *
 * <p>A crash is told from damage by what later bytes say: every record says up to which one the log was synced when it was written, and every
 * file was begun when all before it was safe. A record that is not whole, of which something later or the {@link AckFile} says that it was synced,
 * is damage; so is a log that ends before the last of those.
 */
final class LogReader {

    private final Storage storage;
    private final Path directory;
    private final ModelId id;
    private final SegmentList segments;
    /** The last record that is known to have been synced. */
    private final long safe;

    private final List<String> notes = new ArrayList<>();
    private long reached;
    /** Where the last whole record of the file that was read last ends; 0 where it has none. */
    private int end;

    private Tail tail;

    /**
     * The last file of a log.
     *
     * @param first the number of its first record
     * @param length bytes up to the end of its last whole record
     */
    record Tail(long first, int length) {}

    LogReader(Storage storage, Path directory, ModelId id, SegmentList segments, long safe) {
        this.storage = storage;
        this.directory = directory;
        this.id = id;
        this.segments = segments;
        this.safe = safe;
    }

    /** Takes records, in order. */
    interface Replay {
        void record(long number, ByteBuffer contents, String source);
    }

    /** The last record that was handed on, or the one after which reading began; also after an error. */
    long reached() {
        return reached;
    }

    /** What was left out, in words. */
    List<String> notes() {
        return notes;
    }

    /** The file to which no one had begun a successor, so that its end may not be safe; null when there is none with a record. */
    Tail tail() {
        return tail;
    }

    /**
     * Hands on all whole records after one.
     *
     * @return the number of the last record
     * @throws DamagedDataException if one of them is missing
     */
    long replay(long after, Replay target) throws IOException {
        List<Long> firsts = segments.all();
        reached = after;
        long next = after + 1;
        for (int i = 0; i < firsts.size(); i++) {
            long following = i + 1 < firsts.size() ? firsts.get(i + 1) : Long.MAX_VALUE;
            if (following <= after + 1) {
                continue;
            }
            long first = firsts.get(i);
            Segment segment = read(first);
            end = 0;
            if (first > next) {
                throw new DamagedDataException(
                        segment.name(), 0, "record " + next, "a log from record " + first + " on, and none before it");
            }
            next = replay(segment, first, following, next, after, target);
            tail = following == Long.MAX_VALUE && end > 0 ? new Tail(first, end) : null;
        }
        if (next <= safe) {
            throw new DamagedDataException(
                    firsts.isEmpty() ? segments.fileName(next) : segments.fileName(firsts.get(firsts.size() - 1)),
                    -1,
                    "records up to " + safe + ", which were acknowledged",
                    "none after " + (next - 1) + ": " + (safe - next + 1) + " acknowledged batches are missing");
        }
        return next - 1;
    }

    private Segment read(long first) throws IOException {
        String name = segments.fileName(first);
        return new Segment(id, name, storage.read(directory.resolve(name)));
    }

    private long replay(Segment segment, long first, long following, long from, long after, Replay target)
            throws IOException {
        long next = from;
        if (!segment.hasHeader(first)) {
            return skipHeader(segment, first, following, next, after, target);
        }
        return replayFrames(segment, Segment.HEADER, first, following, next, after, target);
    }

    /** A header is synced before the first record is written: without one there is no record, or there is damage. */
    private long skipHeader(Segment segment, long first, long following, long next, long after, Replay target)
            throws IOException {
        Segment.Frame whole = segment.search(0, first);
        boolean torn = whole == null && following == Long.MAX_VALUE && !segment.hasAnyHeader() && first > safe;
        if (torn || following <= next) {
            notes.add(segment.name() + ": was being created; it has no record");
            return next;
        }
        if (whole != null && whole.number() <= after + 1) {
            return replayFrames(segment, whole.offset(), whole.number(), following, next, after, target);
        }
        throw segment.headerFault(first);
    }

    private long replayFrames(
            Segment segment, int start, long first, long following, long from, long after, Replay target) {
        long next = from;
        long expected = first;
        int offset = start;
        while (offset < segment.size()) {
            Segment.Frame frame = segment.at(offset);
            if (frame == null || frame.number() != expected) {
                frame = afterBreak(segment, offset, expected, following, after);
                if (frame == null) {
                    return next;
                }
            }
            if (frame.number() == next) {
                target.record(next, segment.contents(frame), segment.name());
                reached = next;
                next++;
            }
            expected = frame.number() + 1;
            offset = frame.end();
            end = offset;
        }
        if (following != Long.MAX_VALUE && following > expected && following > after + 1) {
            throw missing(segment, offset, expected);
        }
        return next;
    }

    /** Where to go on after bytes that are not the expected record; null when the log ends there. */
    private Segment.Frame afterBreak(Segment segment, int offset, long expected, long following, long after) {
        Segment.Frame later = segment.search(offset, expected);
        if (later != null && later.number() <= after + 1) {
            notes.add(segment.name() + " at byte " + offset + ": damaged, and not needed");
            return later;
        }
        if (later == null && (following == expected || following <= after + 1)) {
            // The end of a file in which a crash left half a record, and after which the next one was begun.
            return null;
        }
        long known = Math.max(safe, following == Long.MAX_VALUE ? -1 : following - 1);
        int whole = 0;
        for (Segment.Frame frame = later; frame != null; frame = segment.search(frame.end(), frame.number() + 1)) {
            known = Math.max(known, frame.synced());
            whole++;
        }
        if (known >= expected) {
            throw missing(segment, offset, expected);
        }
        notes.add(segment.name() + " at byte " + offset + ": cut " + (segment.size() - offset)
                + " bytes that were not synced when the machine stopped"
                + (whole == 0 ? "" : ", with " + whole + " whole records behind the first broken one"));
        return null;
    }

    private static DamagedDataException missing(Segment segment, int offset, long expected) {
        return new DamagedDataException(
                segment.name(), offset, "record " + expected + ", which was synced", "damaged bytes");
    }
}
