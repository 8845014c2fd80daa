package io.koopstream.kernel;

/** A kernel that depends on the Euclidean distance alone, κ(x, y) = g(‖x − y‖²), with g(0) = 1. */
public interface RadialKernel extends Kernel {

    /** g at a squared distance, which may be infinite; never NaN. */
    double ofSquaredDistance(double squaredDistance);

    @Override
    default double value(CoordinateView view, double[] x, double[] y) {
        return ofSquaredDistance(view.squaredDistance(x, y));
    }

    @Override
    default void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        view.squaredDistances(points, x, out);
        for (int i = 0; i < points.size(); i++) {
            out[i] = ofSquaredDistance(out[i]);
        }
    }

    @Override
    default double bound() {
        return 1.0;
    }
}
