package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;

/** One side of a stored dictionary, before it is checked: kept points, the factor of their Gram matrix, and their sample numbers. */
public final class StoredSide {

    private final Points points;
    private final Matrix factor;
    private final long[] sampleNumbers;

    /**
     * Takes over its arguments.
     *
     * @param points the kept points
     * @param factor the Cholesky factor L of their Gram matrix
     * @param sampleNumbers the number of the sample each point came with, rising
     */
    public StoredSide(Points points, Matrix factor, long[] sampleNumbers) {
        this.points = points;
        this.factor = factor;
        this.sampleNumbers = sampleNumbers.clone();
    }

    Points points() {
        return points;
    }

    Matrix factor() {
        return factor;
    }

    long[] sampleNumbers() {
        return sampleNumbers;
    }
}
