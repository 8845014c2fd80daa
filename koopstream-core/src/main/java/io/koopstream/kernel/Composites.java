package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.List;

/** Code shared by sums, products and concatenations. */
final class Composites {

    private Composites() {}

    /** The dimension all kernels agree on, 0 when none insists. */
    static int commonDimension(List<Kernel> kernels) {
        int common = 0;
        for (Kernel kernel : kernels) {
            int required = kernel.requiredDimension();
            if (required != 0) {
                if (common != 0 && common != required) {
                    throw new InvalidConfigException(
                            "kernel",
                            kernel.text(),
                            "takes " + required + " coordinates, another part takes " + common);
                }
                common = required;
            }
        }
        return common;
    }

    static String firstObjection(List<Kernel> kernels, CoordinateView view, double[] x) {
        for (Kernel kernel : kernels) {
            String objection = kernel.objection(view, x);
            if (objection != null) {
                return objection;
            }
        }
        return null;
    }

    /** out_i ← out_i κ(p_i, x). */
    static void multiplyRow(
            Kernel kernel, CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        int n = points.size();
        double[] part = scratch.take(n);
        kernel.row(view, points, x, part, scratch);
        for (int i = 0; i < n; i++) {
            out[i] *= part[i];
        }
        scratch.release();
    }

    /** out_i ← out_i κ(p_i, p_i). */
    static void multiplySquaredNorms(Kernel kernel, CoordinateView view, Points points, double[] out, Scratch scratch) {
        int n = points.size();
        double[] part = scratch.take(n);
        kernel.squaredNorms(view, points, part, scratch);
        for (int i = 0; i < n; i++) {
            out[i] *= part[i];
        }
        scratch.release();
    }
}
