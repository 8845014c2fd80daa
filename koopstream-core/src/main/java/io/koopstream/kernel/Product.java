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
record Product(List<Kernel> kernels) implements Factors {

    /** Refuses fewer than two factors, and factors that disagree about the dimension. */
    public Product {
        kernels = List.copyOf(kernels);
        InvalidConfigException.require(
                kernels.size() >= 2, "product", kernels.size() + " kernels", "needs at least two kernels");
        Composite.commonDimension(kernels);
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
    public int requiredDimension() {
        return Composite.commonDimension(kernels);
    }

    @Override
    public String toString() {
        return text(Kernel::text);
    }

    @Override
    public String text(Function<Kernel, String> writer) {
        return kernels.stream()
                .map(kernel -> KernelText.asFactor(kernel, writer))
                .collect(Collectors.joining("*"));
    }
}
