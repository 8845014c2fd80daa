package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.function.ToDoubleBiFunction;

/**
 * A positive definite kernel κ, i.e. the inner product of an RKHS (section 2): κ(x, x') = ⟨φ(x), φ(x')⟩.
 *
 * <p>A kernel is an immutable value with equality; its text form ({@link #text()}) is read back by
 * {@link Kernels#parse}. The row and the block agree with the pointwise value bit for bit, so it never matters which one
 * computed a Gram entry. Implementations provide the two methods that take a {@link CoordinateView}; the rest follows.
 */
public interface Kernel {

    /**
     * A kernel of the caller's own. It learns like any other, point by point; a model file cannot hold it, because it has no name.
     *
     * <pre>{@code
     * Kernel tent = Kernel.of("tent", 1, (x, y) -> Math.max(0, 1 - Math.abs(x[0] - y[0])));
     * }</pre>
     *
     * @param bound of κ(x, x), B_∞ of Assumption 1; samples beyond it are refused
     * @param function κ, symmetric and positive definite, which is the caller's to answer for; a function of its arguments alone
     */
    static Kernel of(double bound, ToDoubleBiFunction<double[], double[]> function) {
        return new CustomKernel("", bound, function);
    }

    /**
     * A kernel of the caller's own that a model file names. The function is not in the file: who reads the file supplies it again.
     *
     * @param name letters, digits, '.', '_' and '-'; kernels of one name are taken for equal
     */
    static Kernel of(String name, double bound, ToDoubleBiFunction<double[], double[]> function) {
        if (name == null || name.isEmpty()) {
            throw new InvalidConfigException("name", name, "give a name, or use Kernel.of(bound, function)");
        }
        return new CustomKernel(name, bound, function);
    }

    /** κ(x, y) on the coordinates of the view. */
    double value(CoordinateView view, double[] x, double[] y);

    /**
     * The Gram row out_i = κ(p_i, x) for all points, on the coordinates of the view.
     *
     * @param scratch temporary memory, so that a caller in a loop allocates nothing
     */
    void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch);

    /**
     * The Gram rows out_ji = κ(p_i, x_j) for all points and the first {@code count} x_j, with the bits of {@link #row(CoordinateView, Points, double[],
     * double[], Scratch)}. Kernels for which several rows at once are cheaper than one by one make them so.
     */
    default void rows(CoordinateView view, Points points, double[][] x, int count, double[][] out, Scratch scratch) {
        for (int j = 0; j < count; j++) {
            row(view, points, x[j], out[j], scratch);
        }
    }

    /**
     * out_i = κ(p_i, p_i) for all points, with the bits of {@link #value(CoordinateView, double[], double[])}. Kernels for which it is a
     * constant do not evaluate it point by point.
     */
    default void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        double[] point = new double[points.dimension()];
        for (int i = 0; i < points.size(); i++) {
            points.get(i, point);
            out[i] = value(view, point, point);
        }
    }

    /** A bound of κ(x, x) over the kernel's domain: κ∞, called B_∞ in Assumption 1. Finite and positive. */
    double bound();

    /** The form {@link Kernels#parse} reads, e.g. {@code gaussian(sigma=0.5)}. */
    String text();

    /** The number of coordinates this kernel insists on, or 0 when it takes any. */
    default int requiredDimension() {
        return 0;
    }

    /**
     * The reason why a point is outside the domain on which {@link #bound()} holds, or null when it is inside. Only kernels that are
     * unbounded on the whole space have such a domain.
     */
    default String objection(CoordinateView view, double[] x) {
        return null;
    }

    /** True if κ(·, y) is affine in its first argument for every y: then what is linear in kernel values is a matrix on the coordinates. */
    default boolean isAffine() {
        return false;
    }

    /** κ(x, y) on all coordinates. */
    default double value(double[] x, double[] y) {
        return value(CoordinateView.all(x.length), x, y);
    }

    /** The Gram row out_i = κ(p_i, x) on all coordinates. */
    default void row(Points points, double[] x, double[] out) {
        row(CoordinateView.all(x.length), points, x, out, new Scratch());
    }

    /** The Gram block as columns: result[j][i] = κ(a_i, b_j). */
    default double[][] block(Points a, Points b) {
        CoordinateView view = CoordinateView.all(a.dimension());
        Scratch scratch = new Scratch();
        double[][] result = new double[b.size()][a.size()];
        double[] point = new double[b.dimension()];
        for (int j = 0; j < b.size(); j++) {
            b.get(j, point);
            row(view, a, point, result[j], scratch);
        }
        return result;
    }
}
