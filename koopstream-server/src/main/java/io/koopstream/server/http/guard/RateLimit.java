package io.koopstream.server.http.guard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** So many requests per second from one address, and as many at once after a pause (a token bucket). Safe for threads. */
final class RateLimit {

    private static final int ADDRESSES = 4_096;
    private static final double NANOS = 1e9;

    private final int perSecond;
    private final LongSupplier nanoTime;
    private final Map<String, double[]> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, double[]> eldest) {
            return size() > ADDRESSES;
        }
    };

    /** @param perSecond requests per second; 0 for no limit */
    RateLimit(int perSecond, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
    }

    /** Takes one request of an address; false when it has used up its share. */
    boolean admit(String address) {
        if (perSecond == 0) {
            return true;
        }
        synchronized (buckets) {
            double now = nanoTime.getAsLong() / NANOS;
            double[] bucket = buckets.computeIfAbsent(address, any -> new double[] {perSecond, now});
            bucket[0] = Math.min(perSecond, bucket[0] + Math.max(0, now - bucket[1]) * perSecond);
            bucket[1] = now;
            if (bucket[0] < 1) {
                return false;
            }
            bucket[0] -= 1;
            return true;
        }
    }
}
