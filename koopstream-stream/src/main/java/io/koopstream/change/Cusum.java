package io.koopstream.change;

/**
 * Page's one-sided cumulative sum (Page, <i>Continuous inspection schemes</i>, Biometrika 41, 1954): g ← max(0, g + z − slack), with the number of values
 * since g was last zero. Beyond the threshold g falls no more, until it is reset. One writer.
 */
final class Cusum {

    private final double slack;
    private final double threshold;
    private double sum;
    private long length;

    Cusum(double slack, double threshold) {
        this.slack = slack;
        this.threshold = threshold;
    }

    /** Takes the next standardised value. */
    void add(double z) {
        if (isZero()) {
            length = 0;
        }
        sum = Math.max(isBeyond() ? sum : 0, sum + z - slack);
        length++;
    }

    /** True if the threshold is exceeded. */
    boolean isBeyond() {
        return sum > threshold;
    }

    /** True if nothing is accumulated, so that the next value begins a rise. */
    boolean isZero() {
        return sum == 0;
    }

    /** The accumulated rise g. */
    double sum() {
        return sum;
    }

    /** Values since g was last zero. */
    long length() {
        return length;
    }

    /** Begins anew. */
    void reset() {
        sum = 0;
    }

    /** Goes on from stored numbers. */
    void resume(double storedSum, long storedLength) {
        sum = storedSum;
        length = storedLength;
    }
}
