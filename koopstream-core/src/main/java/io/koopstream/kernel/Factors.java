package io.koopstream.kernel;

import java.util.Arrays;
import java.util.function.ObjIntConsumer;

/** A composite kernel that is the product of its parts, Π κ_k. */
interface Factors extends Composite {

    @Override
    default double value(CoordinateView view, double[] x, double[] y) {
        double product = 1;
        for (int k = 0; k < size(); k++) {
            product *= part(k).value(view(k, view), x, y);
        }
        return product;
    }

    @Override
    default void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        multiply(points, out, scratch, (factor, k) -> part(k).row(view(k, view), points, x, factor, scratch));
    }

    @Override
    default void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        multiply(points, out, scratch, (factor, k) -> part(k).squaredNorms(view(k, view), points, factor, scratch));
    }

    /** @param fill sets an array to the values of part k at all points */
    private void multiply(Points points, double[] out, Scratch scratch, ObjIntConsumer<double[]> fill) {
        int n = points.size();
        double[] factor = scratch.take(n);
        Arrays.fill(out, 0, n, 1.0);
        for (int k = 0; k < size(); k++) {
            fill.accept(factor, k);
            for (int i = 0; i < n; i++) {
                out[i] *= factor[i];
            }
        }
        scratch.release();
    }

    @Override
    default double bound() {
        double bound = 1;
        for (int k = 0; k < size(); k++) {
            bound *= part(k).bound();
        }
        return bound;
    }
}
