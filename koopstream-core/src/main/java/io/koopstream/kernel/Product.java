package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A product of kernels, Π κ_i.
 *
 * @param kernels the factors, at least two
 */
record Product(List<Kernel> kernels) implements PrintedKernel {

    /** Refuses fewer than two factors, and factors that disagree about the dimension. */
    public Product {
        kernels = List.copyOf(kernels);
        if (kernels.size() < 2) {
            throw new InvalidConfigException("product", kernels.size() + " kernels", "needs at least two kernels");
        }
        Composites.commonDimension(kernels);
    }

    @Override
    public double value(CoordinateView view, double[] x, double[] y) {
        double product = kernels.get(0).value(view, x, y);
        for (int k = 1; k < kernels.size(); k++) {
            product *= kernels.get(k).value(view, x, y);
        }
        return product;
    }

    @Override
    public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        kernels.get(0).row(view, points, x, out, scratch);
        for (int k = 1; k < kernels.size(); k++) {
            Composites.multiplyRow(kernels.get(k), view, points, x, out, scratch);
        }
    }

    @Override
    public void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        kernels.get(0).squaredNorms(view, points, out, scratch);
        for (int k = 1; k < kernels.size(); k++) {
            Composites.multiplySquaredNorms(kernels.get(k), view, points, out, scratch);
        }
    }

    @Override
    public double bound() {
        double bound = 1;
        for (Kernel kernel : kernels) {
            bound *= kernel.bound();
        }
        return bound;
    }

    @Override
    public int requiredDimension() {
        return Composites.commonDimension(kernels);
    }

    @Override
    public String objection(CoordinateView view, double[] x) {
        return Composites.firstObjection(kernels, view, x);
    }

    @Override
    public String toString() {
        return text(Kernel::text);
    }

    /** The text, with its factors as the writer writes them. */
    String text(Function<Kernel, String> writer) {
        return kernels.stream()
                .map(kernel -> KernelText.asFactor(kernel, writer))
                .collect(Collectors.joining("*"));
    }
}
