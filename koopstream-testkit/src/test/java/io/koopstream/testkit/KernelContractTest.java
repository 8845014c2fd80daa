package io.koopstream.testkit;

import io.koopstream.kernel.Concatenated;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Scaled;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel of the core, alone and composed, under the contract. */
@ParameterizedClass(name = "{0}")
@MethodSource("kernels")
class KernelContractTest extends KernelContract {

    /** Unbounded on the whole space: the ball on which it is declared, and a point where its bound is reached. */
    record Domain(double radius, IntFunction<double[]> pointAtBound) {}

    record Case(String name, IntFunction<Kernel> kernel, Domain domain) {

        static Case everywhere(String name, IntFunction<Kernel> kernel) {
            return new Case(name, kernel, new Domain(Double.POSITIVE_INFINITY, double[]::new));
        }

        static Case onBall(String name, double radius, IntFunction<Kernel> kernel) {
            return new Case(name, kernel, new Domain(radius, dimension -> along(radius, dimension)));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final Case tested;

    KernelContractTest(Case tested) {
        this.tested = tested;
    }

    @Override
    protected Kernel kernel(int dimension) {
        return tested.kernel.apply(dimension);
    }

    @Override
    protected double radius() {
        return tested.domain.radius;
    }

    @Override
    protected double[] pointAtBound(int dimension) {
        return tested.domain.pointAtBound.apply(dimension);
    }

    private static double[] along(double length, int dimension) {
        double[] point = new double[dimension];
        point[0] = length;
        return point;
    }

    private static Kernel concatenated(int dimension, Kernel head, Kernel tail) {
        return dimension == 1
                ? new Concatenated(List.of(new Concatenated.Part(1, head)))
                : Kernels.concatenated(1, head, dimension - 1, tail);
    }

    static List<Case> kernels() {
        return List.of(
                Case.everywhere("gaussian sigma", d -> Kernels.gaussian(0.7)),
                Case.everywhere("gaussian gamma", d -> Kernels.gaussianGamma(0.3)),
                Case.everywhere("narrow gaussian", d -> Kernels.gaussian(1e-3)),
                Case.everywhere("wide gaussian", d -> Kernels.gaussian(1e6)),
                Case.everywhere("laplacian", d -> Kernels.laplacian(1.3)),
                Case.everywhere("matern32", d -> Kernels.matern32(0.9)),
                Case.everywhere("matern52", d -> Kernels.matern52(1.1)),
                Case.everywhere("rational-quadratic", d -> Kernels.rationalQuadratic(0.8, 1.5)),
                Case.everywhere("inverse-multiquadric", d -> Kernels.inverseMultiquadric(1.2)),
                Case.onBall("linear", 6, d -> Kernels.linear(1, 6)),
                Case.onBall("linear without offset", 6, d -> Kernels.linear(0, 6)),
                Case.onBall("quadratic", 6, d -> Kernels.polynomial(2, 1, 6)),
                Case.onBall("polynomial of degree 7", 2, d -> Kernels.polynomial(7, 0.5, 2)),
                Case.everywhere(
                        "weighted sum", d -> Kernels.sum(0.4, Kernels.gaussian(0.4), 0.6, Kernels.laplacian(0.7))),
                Case.everywhere("one weighted kernel", d -> Kernels.weighted(2.5, Kernels.matern32(1))),
                Case.everywhere(
                        "product",
                        d -> Kernels.product(Kernels.gaussian(1), Kernels.matern52(2), Kernels.laplacian(3))),
                Case.onBall(
                        "product with a polynomial",
                        3,
                        d -> Kernels.product(Kernels.gaussian(1), Kernels.polynomial(2, 1, 3))),
                Case.everywhere(
                        "product of sums",
                        d -> Kernels.product(
                                Kernels.sum(0.5, Kernels.gaussian(0.4), 1, Kernels.laplacian(0.7)),
                                Kernels.sum(1, Kernels.matern32(0.4), 3, Kernels.inverseMultiquadric(2)))),
                Case.everywhere(
                        "scaled", d -> new Scaled(Kernels.matern32(1), List.copyOf(Collections.nCopies(d, 0.3)))),
                new Case(
                        "scaled polynomial",
                        d -> new Scaled(Kernels.polynomial(3, 1, 4), List.copyOf(Collections.nCopies(d, 2.0))),
                        new Domain(8, d -> along(8, d))),
                Case.everywhere("concat", d -> concatenated(d, Kernels.gaussian(0.5), Kernels.laplacian(1))),
                Case.everywhere(
                        "concat of scaled, inside a sum",
                        d -> Kernels.sum(
                                0.3,
                                concatenated(
                                        d,
                                        Kernels.scaled(Kernels.gaussian(1), 0.5),
                                        Kernels.product(Kernels.gaussian(1), Kernels.laplacian(2))),
                                1.7,
                                Kernels.gaussian(0.9))));
    }
}
