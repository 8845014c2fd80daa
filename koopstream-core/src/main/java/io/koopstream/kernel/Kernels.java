package io.koopstream.kernel;

import io.koopstream.kernel.Gaussian.Form;
import io.koopstream.kernel.LengthScale.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * Kernels by name, and from text.
 *
 * <pre>{@code
 * Kernel wide = Kernels.gaussian(0.5);
 * Kernel mixed = Kernels.sum(0.4, Kernels.gaussian(0.4), 0.6, Kernels.matern32(0.7));
 * Kernel read = Kernels.parse("scaled(gaussian(1), 1, 0.1)");
 * }</pre>
 */
public final class Kernels {

    private Kernels() {}

    /** {@code exp(−‖x−y‖² / (2 sigma²))}. */
    public static Kernel gaussian(double sigma) {
        return new Gaussian(Form.SIGMA, sigma);
    }

    /** {@code exp(−gamma ‖x−y‖²)}. */
    public static Kernel gaussianGamma(double gamma) {
        return new Gaussian(Form.GAMMA, gamma);
    }

    /** {@code exp(−‖x−y‖ / sigma)}. */
    public static Kernel laplacian(double sigma) {
        return new LengthScale(Shape.LAPLACIAN, sigma);
    }

    /** {@code (1 + s) exp(−s)}, {@code s = √3 ‖x−y‖ / sigma}. */
    public static Kernel matern32(double sigma) {
        return new LengthScale(Shape.MATERN32, sigma);
    }

    /** {@code (1 + s + s²/3) exp(−s)}, {@code s = √5 ‖x−y‖ / sigma}. */
    public static Kernel matern52(double sigma) {
        return new LengthScale(Shape.MATERN52, sigma);
    }

    /** {@code (1 + ‖x−y‖² / (2 alpha sigma²))^(−alpha)}. */
    public static Kernel rationalQuadratic(double sigma, double alpha) {
        return new RationalQuadratic(sigma, alpha);
    }

    /** {@code 1 / √(1 + ‖x−y‖² / sigma²)}. */
    public static Kernel inverseMultiquadric(double sigma) {
        return new LengthScale(Shape.INVERSE_MULTIQUADRIC, sigma);
    }

    /** {@code x·y + offset} on the ball {@code ‖x‖ <= radius}. */
    public static Kernel linear(double offset, double radius) {
        return new Polynomial(1, offset, radius);
    }

    /** {@code (x·y + offset)^degree} on the ball {@code ‖x‖ <= radius}. */
    public static Kernel polynomial(int degree, double offset, double radius) {
        return new Polynomial(degree, offset, radius);
    }

    /** {@code weight * kernel}. */
    public static Kernel weighted(double weight, Kernel kernel) {
        return new Sum(List.of(weight), List.of(kernel));
    }

    /** {@code first weight * first kernel + second weight * second kernel}. */
    public static Kernel sum(double weight1, Kernel kernel1, double weight2, Kernel kernel2) {
        return new Sum(List.of(weight1, weight2), List.of(kernel1, kernel2));
    }

    /** The product of the kernels. */
    public static Kernel product(Kernel... kernels) {
        return new Product(List.of(kernels));
    }

    /** The kernel on coordinates divided by these scales. */
    public static Kernel scaled(Kernel kernel, double... scales) {
        return new Scaled(kernel, Arrays.stream(scales).boxed().toList());
    }

    /** The kernel on z = (x, u): one kernel on the first coordinates, another on the rest. */
    public static Kernel concatenated(int stateDimension, Kernel state, int actionDimension, Kernel action) {
        return new Concatenated(
                List.of(new Concatenated.Part(stateDimension, state), new Concatenated.Part(actionDimension, action)));
    }

    /**
     * Reads the text form of a kernel:
     *
     * <ul>
     *   <li>{@code gaussian(sigma=0.5)} or {@code gaussian(0.5)}, {@code gaussian(gamma=2)}, {@code laplacian(1)},
     *       {@code matern32(1)}, {@code matern52(1)}, {@code rational-quadratic(sigma=1, alpha=2)},
     *       {@code inverse-multiquadric(1)}, {@code linear(offset=1, radius=3)},
     *       {@code polynomial(degree=2, offset=1, radius=3)};
     *   <li>sums with weights and products: {@code 0.4*gaussian(0.4)+0.6*gaussian(0.7)}, {@code gaussian(1)*matern32(2)};
     *   <li>{@code scaled(gaussian(1), 1, 0.1)}: each coordinate divided by its scale;
     *   <li>{@code concat(2:gaussian(0.5), 1:gaussian(1))}: a state of two coordinates followed by an action of one.
     * </ul>
     *
     * @throws io.koopstream.InvalidConfigException naming the position and what was expected there
     */
    public static Kernel parse(String text) {
        return new KernelParser(text).parse();
    }
}
