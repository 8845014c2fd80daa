package io.koopstream.change;

/**
 * State of Page's one-sided cumulative sum (Page, <i>Continuous inspection schemes</i>, Biometrika 41, 1954): g ← max(0, g + z − slack). Beyond the
 * threshold g falls no more, until it is reset.
 *
 * @param sum the accumulated rise g
 * @param length values since g was last zero
 */
record Cusum(double sum, long length) {

    /** Nothing has come yet. */
    static final Cusum NEW = new Cusum(0, 0);

    /** Takes the next standardised value. */
    Cusum add(double z, double slack, double threshold) {
        return new Cusum(Math.max(sum > threshold ? sum : 0, sum + z - slack), isZero() ? 1 : length + 1);
    }

    /** True if nothing is accumulated, so that the next value begins a rise. */
    boolean isZero() {
        return sum == 0;
    }

    /** Nothing is accumulated any more. */
    Cusum reset() {
        return new Cusum(0, length);
    }
}
