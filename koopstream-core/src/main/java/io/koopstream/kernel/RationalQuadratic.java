package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Exp;

/**
 * The rational quadratic kernel {@code (1 + ‖x−y‖² / (2 alpha sigma²))^(−alpha)}, a mixture of Gaussians of all widths.
 *
 * @param sigma length scale, > 0
 * @param alpha mixture parameter, > 0; large values approach the Gaussian
 */
record RationalQuadratic(double sigma, double alpha) implements RadialKernel {

    /** Refuses parameters that are not positive numbers. */
    public RationalQuadratic {
        InvalidConfigException.requireSquarable("sigma", sigma, "length scale of rational-quadratic");
        InvalidConfigException.requirePositive("alpha", alpha, "mixture parameter of rational-quadratic");
        double unit = 2 * alpha * sigma * sigma;
        InvalidConfigException.require(
                unit > 0 && !Double.isInfinite(unit), "alpha", alpha, "2 alpha sigma^2 must be a finite number > 0");
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        return Exp.exp(-alpha * StrictMath.log1p(squaredDistance / (2 * alpha * sigma * sigma)));
    }

    @Override
    public String toString() {
        return KernelText.call("rational-quadratic", "sigma", sigma, "alpha", alpha);
    }
}
