package io.koopstream.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what another thread or process does. */
public final class Await {

    /** Far beyond what the busiest machine needs: it ends tests that would hang, and judges no speed. */
    private static final long LIMIT_MINUTES = 10;

    private Await() {}

    /**
     * Returns when a condition holds, and fails when it does not within ten minutes.
     *
     * @param what is waited for, for the message
     */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(LIMIT_MINUTES)) {
                throw new AssertionError(what + ": not within " + LIMIT_MINUTES + " minutes");
            }
            Thread.sleep(10);
        }
    }
}
