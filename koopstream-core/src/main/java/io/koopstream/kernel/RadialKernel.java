package io.koopstream.kernel;

import java.util.Arrays;

/** A kernel that depends on the Euclidean distance alone, κ(x, y) = g(‖x − y‖²), with g(0) = 1. */
interface RadialKernel extends PrintedKernel {

    /** g at a squared distance, which may be infinite; never NaN. */
    double ofSquaredDistance(double squaredDistance);

    @Override
    default double value(CoordinateView view, double[] x, double[] y) {
        return ofSquaredDistance(view.squaredDistance(x, y));
    }

    @Override
    default void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        view.squaredDistances(points, x, out);
        ofSquaredDistances(out, points.size());
    }

    @Override
    default void rows(CoordinateView view, Points points, double[][] x, int count, double[][] out, Scratch scratch) {
        view.squaredDistances(points, x, count, out);
        for (int j = 0; j < count; j++) {
            ofSquaredDistances(out[j], points.size());
        }
    }

    /** g of n squared distances, in their place. */
    default void ofSquaredDistances(double[] squaredDistances, int n) {
        for (int i = 0; i < n; i++) {
            squaredDistances[i] = ofSquaredDistance(squaredDistances[i]);
        }
    }

    /** sum_i ← sum_i + w g(d_i), the last step fused, for n squared distances d: what a sum of such kernels needs of each. */
    default void addOfSquaredDistances(double weight, double[] squaredDistances, double[] sum, int n) {
        for (int i = 0; i < n; i++) {
            sum[i] = Math.fma(weight, ofSquaredDistance(squaredDistances[i]), sum[i]);
        }
    }

    @Override
    default void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        Arrays.fill(out, 0, points.size(), ofSquaredDistance(0.0));
    }

    @Override
    default double bound() {
        return 1.0;
    }
}
