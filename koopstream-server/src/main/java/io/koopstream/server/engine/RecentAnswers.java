package io.koopstream.server.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The last answers that were given about a model, of whatever view, for the time in which its learner is behind: each is good for a second, and then for
 * as long as one of those who ask computes the next. So a question costs the learner once per second, however many ask, and nobody but that one waits.
 * Every answer says of which version it is. Any thread.
 */
public final class RecentAnswers {

    private static final long GOOD_FOR = 1_000_000_000;
    /** An answer is never given that is older than this. */
    private static final long MAX_AGE = 10_000_000_000L;

    private static final long MAX_BYTES = 2 << 20;

    private final LongSupplier clock;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long bytes;

    private static final class Entry {
        private final ResponseCache.Answer answer;
        private final long asOf;
        private boolean renewed;

        Entry(ResponseCache.Answer answer, long asOf) {
            this.answer = answer;
            this.asOf = asOf;
        }
    }

    /** Nothing was asked yet. */
    public RecentAnswers() {
        this(System::nanoTime);
    }

    RecentAnswers(LongSupplier clock) {
        this.clock = clock;
    }

    /** The last answer to a question, if it is good enough. */
    public synchronized Optional<ResponseCache.Answer> known(String question) {
        Entry last = entries.get(question);
        return last != null && isGood(last) ? Optional.of(last.answer) : Optional.empty();
    }

    private boolean isGood(Entry entry) {
        long age = clock.getAsLong() - entry.asOf;
        return age < GOOD_FOR || (entry.renewed && age < MAX_AGE);
    }

    /** The last answer to a question if it is good enough, and otherwise the one that is computed, which becomes the last. */
    public ResponseCache.Answer get(String question, Supplier<ResponseCache.Answer> compute) {
        Entry last;
        synchronized (this) {
            last = entries.get(question);
            if (last != null) {
                if (isGood(last)) {
                    return last.answer;
                }
                last.renewed = true;
            }
        }
        long asOf = clock.getAsLong();
        try {
            ResponseCache.Answer answer = compute.get();
            put(question, new Entry(answer, asOf));
            return answer;
        } finally {
            synchronized (this) {
                if (last != null) {
                    last.renewed = false;
                }
            }
        }
    }

    private synchronized void put(String question, Entry entry) {
        remove(question);
        entries.put(question, entry);
        bytes += size(question, entry);
        while (bytes > MAX_BYTES) {
            remove(entries.keySet().iterator().next());
        }
    }

    private void remove(String question) {
        Entry gone = entries.remove(question);
        bytes -= gone == null ? 0 : size(question, gone);
    }

    private static long size(String question, Entry entry) {
        return entry.answer.body().length + 2L * question.length();
    }
}
