package io.koopstream.server.http.live;

/** Samples a second, as a mean over about the last two seconds. Never negative. Used by one thread. */
final class RateMeter {

    private static final double MEMORY_SECONDS = 2;

    private long lastTime;
    private long lastCount = -1;
    private double rate;

    /** Takes a reading of a counter and answers with the rate. */
    double at(long nanoTime, long count) {
        if (lastCount >= 0) {
            double seconds = Math.max(1e-3, (nanoTime - lastTime) / 1e9);
            double now = Math.max(0, count - lastCount) / seconds;
            double weight = 1 - Math.exp(-seconds / MEMORY_SECONDS);
            rate += weight * (now - rate);
            if (rate < 0.05) {
                rate = 0;
            }
        }
        lastTime = nanoTime;
        lastCount = count;
        return rate;
    }
}
