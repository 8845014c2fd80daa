package io.koopstream.answers;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Lets only so many costly answers be computed at once, so that readers leave processors to the learners. Any thread. */
public final class HeavyWork {

    private final Semaphore places;

    /** @param atOnce how many may be computed at once */
    public HeavyWork(int atOnce) {
        this.places = new Semaphore(atOnce);
    }

    /** Waits for a place, computes, and gives the place back. */
    public <T> T compute(Supplier<T> answer) {
        places.acquireUninterruptibly();
        try {
            return answer.get();
        } finally {
            places.release();
        }
    }

    /** An answer that is computed when it is first asked for, once, whoever asks. */
    final class Once<T> {
        private final Supplier<T> answer;
        private volatile T known;

        Once(Supplier<T> answer) {
            this.answer = answer;
        }

        /** The answer, if it was computed. */
        Optional<T> known() {
            return Optional.ofNullable(known);
        }

        T get() {
            T result = known;
            if (result == null) {
                // Those who ask for the same answer wait here, holding no place.
                synchronized (this) {
                    result = known;
                    if (result == null) {
                        result = compute(answer);
                        known = result;
                    }
                }
            }
            return result;
        }
    }
}
