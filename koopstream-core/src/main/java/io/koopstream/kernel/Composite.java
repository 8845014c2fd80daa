package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.List;
import java.util.function.Function;

/** A kernel made of other kernels: a sum or a product of them. */
interface Composite extends PrintedKernel {

    /** Number of kernels it is made of, at least one. */
    int size();

    /** Part k of it. */
    Kernel part(int k);

    /** The coordinates that part k looks at: all of them, unless the parts share them out. */
    default CoordinateView view(int k, CoordinateView whole) {
        return whole;
    }

    /** The text, with its parts as the writer writes them. */
    String text(Function<Kernel, String> writer);

    @Override
    default String objection(CoordinateView view, double[] x) {
        for (int k = 0; k < size(); k++) {
            String objection = part(k).objection(view(k, view), x);
            if (objection != null) {
                return objection;
            }
        }
        return null;
    }

    /** The dimension that all kernels agree on, 0 when none insists. */
    static int commonDimension(List<Kernel> kernels) {
        int common = 0;
        for (Kernel kernel : kernels) {
            int required = kernel.requiredDimension();
            if (required != 0 && common != 0 && common != required) {
                throw new InvalidConfigException(
                        "kernel", kernel.text(), "takes " + required + " coordinates, another part takes " + common);
            }
            common = Math.max(common, required);
        }
        return common;
    }
}
