package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;

/**
 * The inverse multiquadric kernel {@code 1 / √(1 + ‖x−y‖² / sigma²)}.
 *
 * @param sigma length scale, > 0
 */
record InverseMultiquadric(double sigma) implements RadialKernel {

    /** Refuses a length scale that is not a positive number. */
    public InverseMultiquadric {
        InvalidConfigException.requireSquarable("sigma", sigma, "length scale of inverse-multiquadric");
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        return 1.0 / Math.sqrt(1.0 + squaredDistance / (sigma * sigma));
    }

    @Override
    public String text() {
        return KernelText.call("inverse-multiquadric", "sigma", sigma);
    }

    @Override
    public String toString() {
        return text();
    }
}
