package io.koopstream.kernel;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.internal.text.Decimals;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A weighted sum of kernels, Σ w_i κ_i with w_i > 0.
 *
 * @param weights the weights, one per kernel
 * @param kernels the kernels, at least one
 */
record Sum(List<Double> weights, List<Kernel> kernels) implements Composite {

    /** Refuses an empty sum, a weight that is not positive, and parts that disagree about the dimension. */
    public Sum {
        weights = List.copyOf(weights);
        kernels = List.copyOf(kernels);
        InvalidConfigException.require(
                !kernels.isEmpty() && weights.size() == kernels.size(),
                "sum",
                weights.size() + " weights, " + kernels.size() + " kernels",
                "needs one weight for each of at least one kernel");
        weights.forEach(
                weight -> InvalidConfigException.requirePositive("weight", weight, "weight of a kernel in a sum"));
        Composite.commonDimension(kernels);
    }

    @Override
    public double value(CoordinateView view, double[] x, double[] y) {
        double squaredDistance = hasRadialPart() ? view.squaredDistance(x, y) : 0;
        double sum = 0;
        for (int k = 0; k < kernels.size(); k++) {
            double part = kernels.get(k) instanceof RadialKernel radial
                    ? radial.ofSquaredDistance(squaredDistance)
                    : kernels.get(k).value(view, x, y);
            sum = Math.fma(weights.get(k), part, sum);
        }
        return sum;
    }

    private boolean hasRadialPart() {
        for (Kernel kernel : kernels) {
            if (kernel instanceof RadialKernel) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int size() {
        return kernels.size();
    }

    @Override
    public Kernel part(int k) {
        return kernels.get(k);
    }

    @Override
    public void row(CoordinateView view, Points points, double[] x, double[] out, Scratch scratch) {
        double[] squaredDistances = scratch.take(points.size());
        if (hasRadialPart()) {
            view.squaredDistances(points, x, squaredDistances);
        }
        add(view, points, x, squaredDistances, out, scratch);
        scratch.release();
    }

    @Override
    public void rows(CoordinateView view, Points points, double[][] x, int count, double[][] out, Scratch scratch) {
        int n = points.size();
        double[][] squaredDistances = new double[count][];
        for (int j = 0; j < count; j++) {
            squaredDistances[j] = scratch.take(n);
        }
        if (hasRadialPart()) {
            view.squaredDistances(points, x, count, squaredDistances);
        }
        for (int j = 0; j < count; j++) {
            add(view, points, x[j], squaredDistances[j], out[j], scratch);
        }
        for (int j = 0; j < count; j++) {
            scratch.release();
        }
    }

    /** All parts, with distances made once for those that depend on nothing else. */
    private void add(
            CoordinateView view, Points points, double[] x, double[] squaredDistances, double[] out, Scratch scratch) {
        int n = points.size();
        Arrays.fill(out, 0, n, 0.0);
        for (int k = 0; k < kernels.size(); k++) {
            double weight = weights.get(k);
            if (kernels.get(k) instanceof RadialKernel radial) {
                radial.addOfSquaredDistances(weight, squaredDistances, out, n);
            } else {
                double[] part = scratch.take(n);
                kernels.get(k).row(view, points, x, part, scratch);
                Vectors.axpy(weight, part, out, 0, n);
                scratch.release();
            }
        }
    }

    @Override
    public void squaredNorms(CoordinateView view, Points points, double[] out, Scratch scratch) {
        int n = points.size();
        Arrays.fill(out, 0, n, 0.0);
        double[] part = scratch.take(n);
        for (int k = 0; k < kernels.size(); k++) {
            kernels.get(k).squaredNorms(view, points, part, scratch);
            Vectors.axpy(weights.get(k), part, out, 0, n);
        }
        scratch.release();
    }

    @Override
    public double bound() {
        double bound = 0;
        for (int k = 0; k < kernels.size(); k++) {
            bound += weights.get(k) * kernels.get(k).bound();
        }
        return bound;
    }

    @Override
    public boolean isAffine() {
        return kernels.stream().allMatch(Kernel::isAffine);
    }

    @Override
    public int requiredDimension() {
        return Composite.commonDimension(kernels);
    }

    @Override
    public String toString() {
        return text(Kernel::text);
    }

    @Override
    public String text(Function<Kernel, String> writer) {
        return java.util.stream.IntStream.range(0, kernels.size())
                .mapToObj(k -> (weights.get(k) == 1.0 && kernels.size() > 1 ? "" : Decimals.text(weights.get(k)) + "*")
                        + KernelText.asFactor(kernels.get(k), writer))
                .collect(Collectors.joining("+"));
    }
}
