package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A kernel on coordinates measured in their own units: κ(x / s, y / s), the division coordinate by coordinate.
 *
 * @param kernel the kernel in scaled coordinates
 * @param scales one positive scale a coordinate
 */
public record Scaled(Kernel kernel, List<Double> scales) implements PrintedKernel {

    /** Refuses a scale that is not a positive number, and scales for another dimension than the kernel's. */
    public Scaled {
        scales = List.copyOf(scales);
        InvalidConfigException.require(!scales.isEmpty(), "scales", scales, "needs one scale a coordinate");
        scales.forEach(scale -> InvalidConfigException.requirePositive("scale", scale, "unit of a coordinate"));
        for (double scale : scales) {
            InvalidConfigException.require(
                    !Double.isInfinite(1 / scale),
                    "scale",
                    scale,
                    "must be large enough to divide by; use other units");
        }
        if (kernel.requiredDimension() != 0 && kernel.requiredDimension() != scales.size()) {
            throw new InvalidConfigException(
                    "scales", scales, kernel.text() + " takes " + kernel.requiredDimension() + " coordinates");
        }
    }

    private CoordinateView scaled(CoordinateView view) {
        return view.dividedBy(scales.stream().mapToDouble(Double::doubleValue).toArray());
    }

    @Override
    public double value(CoordinateView view, double[] x, double[] y) {
        return kernel.value(scaled(view), x, y);
    }

    @Override
    public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        kernel.row(scaled(view), points, x, out, scratch);
    }

    @Override
    public void rows(CoordinateView view, Points points, double[][] x, int count, double[][] out, Scratch scratch) {
        kernel.rows(scaled(view), points, x, count, out, scratch);
    }

    @Override
    public void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        kernel.squaredNorms(scaled(view), points, out, scratch);
    }

    @Override
    public double bound() {
        return kernel.bound();
    }

    @Override
    public boolean isAffine() {
        return kernel.isAffine();
    }

    @Override
    public int requiredDimension() {
        return scales.size();
    }

    @Override
    public String objection(CoordinateView view, double[] x) {
        return kernel.objection(scaled(view), x);
    }

    @Override
    public String toString() {
        return "scaled(" + kernel.text() + ", "
                + scales.stream().map(Decimals::text).collect(Collectors.joining(", ")) + ")";
    }
}
