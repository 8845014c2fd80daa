package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Exp;

/**
 * A radial kernel with a length scale and a shape.
 *
 * @param sigma length scale, > 0
 */
record LengthScale(Shape shape, double sigma) implements RadialKernel {

    private static final double SQRT3 = Math.sqrt(3.0);
    private static final double SQRT5 = Math.sqrt(5.0);

    /** Formulas of the distance r. */
    enum Shape {
        /** {@code exp(−r / sigma)}, i.e. Matérn 1/2. */
        LAPLACIAN("laplacian"),
        /** {@code (1 + s) exp(−s)} with {@code s = √3 r / sigma}. */
        MATERN32("matern32"),
        /** {@code (1 + s + s²/3) exp(−s)} with {@code s = √5 r / sigma}. */
        MATERN52("matern52"),
        /** {@code 1 / √(1 + r² / sigma²)}. */
        INVERSE_MULTIQUADRIC("inverse-multiquadric");

        private final String text;

        Shape(String text) {
            this.text = text;
        }
    }

    /** Refuses a length scale that is not a positive number. */
    LengthScale {
        InvalidConfigException.requirePositive("sigma", sigma, "length scale of " + shape.text);
        if (shape == Shape.INVERSE_MULTIQUADRIC) {
            InvalidConfigException.requireSquarable("sigma", sigma, "length scale of " + shape.text);
        }
    }

    @Override
    public double ofSquaredDistance(double squaredDistance) {
        return switch (shape) {
            case LAPLACIAN -> Exp.exp(-Math.sqrt(squaredDistance) / sigma);
            case MATERN32 -> {
                double s = SQRT3 * Math.sqrt(squaredDistance) / sigma;
                // Far away the factor exp(-s) is zero, and infinity times zero must not become NaN.
                yield s > Exp.VANISHES ? 0.0 : (1.0 + s) * Exp.exp(-s);
            }
            case MATERN52 -> {
                double s = SQRT5 * Math.sqrt(squaredDistance) / sigma;
                yield s > Exp.VANISHES ? 0.0 : Math.fma(s, Math.fma(s, 1.0 / 3, 1.0), 1.0) * Exp.exp(-s);
            }
            case INVERSE_MULTIQUADRIC -> 1.0 / Math.sqrt(1.0 + squaredDistance / (sigma * sigma));
        };
    }

    @Override
    public String toString() {
        return KernelText.call(shape.text, "sigma", sigma);
    }
}
