package io.koopstream.kernel;

/** Temporary arrays that a composite kernel needs while it fills a row. Not thread-safe: one per thread. */
public final class Scratch {

    private double[][] buffers = new double[2][];
    private int inUse;

    /** A buffer of at least n entries; give it back with {@link #release()}, last taken first. */
    double[] take(int n) {
        if (inUse == buffers.length) {
            buffers = java.util.Arrays.copyOf(buffers, 2 * inUse);
        }
        double[] buffer = buffers[inUse];
        if (buffer == null || buffer.length < n) {
            buffer = new double[n + (n >> 1)];
            buffers[inUse] = buffer;
        }
        inUse++;
        return buffer;
    }

    void release() {
        inUse--;
    }
}
