package io.koopstream.learner.sogd;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Rotations;

/**
 * The running average of M over the iterates of Algorithm 1. Iterates from when the dictionary was smaller have zeros in the new
 * coordinates, so the average only has to grow with it. Mutable, one writer.
 */
final class AveragedIterate {

    private final Averaging averaging;
    private final Matrix mean;
    private double loss;

    AveragedIterate(Averaging averaging, Matrix mean, double loss) {
        this.averaging = averaging;
        this.mean = mean;
        this.loss = loss;
    }

    /** Makes room, so that {@link #follow} cannot fail. */
    void reserve(int rows, int columns) {
        mean.reserve(rows, columns);
    }

    /** Takes note of iterate t. */
    void follow(long t, Matrix iterate, double iterateLoss) {
        mean.resize(iterate.rows(), iterate.columns());
        if (t % Averaging.STRIDE == 0) {
            double share = averaging.share(t / Averaging.STRIDE);
            mean.scale(1 - share);
            mean.add(share, iterate);
            loss += share * (iterateLoss - loss);
        }
    }

    /** Follows the removal of an input. */
    void dropColumn(Rotations rotations) {
        loss += rotations.dropColumn(mean);
    }

    /** Follows the removal of an output. */
    void dropRow(Rotations rotations) {
        loss += rotations.dropRow(mean);
    }

    /** The average; of nothing, and zero, before the first iterate that counts. */
    Matrix mean() {
        return mean;
    }

    /** Cost of the cap to the average. */
    double loss() {
        return loss;
    }

    AveragedIterate copy() {
        return new AveragedIterate(averaging, mean.copy(), loss);
    }
}
