package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Exp;

/**
 * The Laplacian (exponential) kernel {@code exp(−‖x−y‖ / sigma)} with the Euclidean norm, i.e. Matérn 1/2.
 *
 * @param sigma length scale, > 0
 */
record Laplacian(double sigma) implements RadialKernel {

    /** Refuses a length scale that is not a positive number. */
    public Laplacian {
        InvalidConfigException.requirePositive("sigma", sigma, "length scale of laplacian");
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        return Exp.exp(-Math.sqrt(squaredDistance) / sigma);
    }

    @Override
    public String text() {
        return KernelText.call("laplacian", "sigma", sigma);
    }

    @Override
    public String toString() {
        return text();
    }
}
