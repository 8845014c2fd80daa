package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Exp;

/**
 * The Matérn kernel of smoothness 5/2: {@code (1 + s + s²/3) exp(−s)} with {@code s = √5 ‖x−y‖ / sigma}.
 *
 * @param sigma length scale, > 0
 */
record Matern52(double sigma) implements RadialKernel {

    private static final double SQRT5 = Math.sqrt(5.0);

    /** Refuses a length scale that is not a positive number. */
    public Matern52 {
        InvalidConfigException.requirePositive("sigma", sigma, "length scale of matern52");
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        double s = SQRT5 * Math.sqrt(squaredDistance) / sigma;
        // Far away the factor exp(-s) is zero, and infinity times zero must not become NaN.
        return s > Exp.VANISHES ? 0.0 : Math.fma(s, Math.fma(s, 1.0 / 3, 1.0), 1.0) * Exp.exp(-s);
    }

    @Override
    public String text() {
        return KernelText.call("matern52", "sigma", sigma);
    }

    @Override
    public String toString() {
        return text();
    }
}
