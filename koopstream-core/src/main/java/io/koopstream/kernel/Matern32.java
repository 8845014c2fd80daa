package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Exp;

/**
 * The Matérn kernel of smoothness 3/2: {@code (1 + s) exp(−s)} with {@code s = √3 ‖x−y‖ / sigma}.
 *
 * @param sigma length scale, > 0
 */
record Matern32(double sigma) implements RadialKernel {

    private static final double SQRT3 = Math.sqrt(3.0);

    /** Refuses a length scale that is not a positive number. */
    public Matern32 {
        InvalidConfigException.requirePositive("sigma", sigma, "length scale of matern32");
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        double s = SQRT3 * Math.sqrt(squaredDistance) / sigma;
        // Far away the factor exp(-s) is zero, and infinity times zero must not become NaN.
        return s > Exp.VANISHES ? 0.0 : (1.0 + s) * Exp.exp(-s);
    }

    @Override
    public String text() {
        return KernelText.call("matern32", "sigma", sigma);
    }

    @Override
    public String toString() {
        return text();
    }
}
