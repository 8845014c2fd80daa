package io.koopstream.testkit;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.StepSize;
import java.util.List;

/**
 * Settings of the learner in words, with a stream that suits them.
 *
 * @param inputKernel the kernel of the inputs
 * @param outputKernel the kernel of the outputs
 * @param lambda ridge
 * @param stepSize step sizes, as text
 * @param budget budgets, as text
 * @param criterion what decides about admission
 * @param source where samples come from
 */
record SogdSettings(
        String inputKernel,
        String outputKernel,
        double lambda,
        String stepSize,
        String budget,
        Criterion criterion,
        Source source) {

    /** A stream and the dimensions of its two sides. */
    enum Source {
        VAN_DER_POL(2, 2),
        LOGISTIC(1, 1),
        WALK(3, 3),
        SPIRAL(2, 2),
        DUPLICATES(2, 2),
        CONTROLLED(3, 2);

        private final int inputDimension;
        private final int outputDimension;

        Source(int inputDimension, int outputDimension) {
            this.inputDimension = inputDimension;
            this.outputDimension = outputDimension;
        }

        Samples samples(long seed, int n) {
            return switch (this) {
                case VAN_DER_POL -> Streams.vanDerPol(seed, n);
                case LOGISTIC -> Streams.logistic(seed, n);
                case WALK -> Streams.randomWalk(seed, n, 3);
                case SPIRAL -> Streams.settlingSpiral(seed, n);
                case DUPLICATES -> Streams.withDuplicates(Streams.vanDerPol(seed, n), 0.3, seed);
                case CONTROLLED -> Streams.controlledOscillator(seed, n);
            };
        }
    }

    private static SogdSettings square(
            String kernel, double lambda, String stepSize, String budget, Criterion criterion, Source source) {
        return new SogdSettings(kernel, kernel, lambda, stepSize, budget, criterion, source);
    }

    /** Input and output are one space. */
    static List<SogdSettings> square() {
        return List.of(
                square(
                        "gaussian(sigma=0.7)",
                        0.01,
                        "constant(0.3)",
                        "constant(0.05)",
                        Criterion.EXACT,
                        Source.VAN_DER_POL),
                square(
                        "gaussian(gamma=1)",
                        0.01,
                        "constant(0.3)",
                        "constant(0.08)",
                        Criterion.PAPER,
                        Source.VAN_DER_POL),
                square(
                        "0.4*gaussian(0.4)+0.6*gaussian(0.7)",
                        0.001,
                        "decay(eta=0.9,r=20,a=0.6)",
                        "proportional(2)",
                        Criterion.PAPER,
                        Source.DUPLICATES),
                square("laplacian(3)", 0.02, "constant(0.5)", "constant(0.2)", Criterion.EXACT, Source.WALK),
                square("matern32(1)", 0.01, "constant(1.9)", "constant(0.2)", Criterion.EXACT, Source.DUPLICATES),
                square(
                        "matern52(1)",
                        0.01,
                        "decay(eta=2,r=9,a=0.7)",
                        "proportional(1)",
                        Criterion.EXACT,
                        Source.SPIRAL),
                square(
                        "rational-quadratic(sigma=0.3, alpha=1.5)",
                        0.01,
                        "constant(0.3)",
                        "constant(0.01)",
                        Criterion.EXACT,
                        Source.LOGISTIC),
                square(
                        "inverse-multiquadric(0.5)",
                        0.1,
                        "constant(0.3)",
                        "constant(0)",
                        Criterion.EXACT,
                        Source.LOGISTIC),
                square(
                        "linear(offset=1, radius=6)",
                        0.1,
                        "constant(0.01)",
                        "constant(0.01)",
                        Criterion.EXACT,
                        Source.WALK),
                square(
                        "polynomial(degree=2, offset=1, radius=6)",
                        1,
                        "constant(0.0002)",
                        "constant(0.0005)",
                        Criterion.PAPER,
                        Source.VAN_DER_POL),
                square(
                        "gaussian(1.5)*matern32(3)",
                        0.01,
                        "constant(0.3)",
                        "constant(0.05)",
                        Criterion.EXACT,
                        Source.WALK),
                square(
                        "scaled(3*gaussian(1), 0.9, 1.4)",
                        0.01,
                        "constant(0.1)",
                        "constant(0.04)",
                        Criterion.PAPER,
                        Source.VAN_DER_POL));
    }

    /** Input and output differ. */
    static List<SogdSettings> rectangular() {
        return List.of(
                new SogdSettings(
                        "concat(2:gaussian(1.2), 1:laplacian(4))",
                        "matern52(1.5)",
                        0.01,
                        "constant(0.3)",
                        "constant(0.17)",
                        Criterion.EXACT,
                        Source.CONTROLLED),
                new SogdSettings(
                        "1.7*gaussian(1.2)",
                        "scaled(0.2*gaussian(1)+0.1*laplacian(1), 1, 2)",
                        0.01,
                        "decay(eta=1,r=4,a=0.5)",
                        "proportional(0.8)",
                        Criterion.PAPER,
                        Source.CONTROLLED));
    }

    Samples samples(long seed, int n) {
        return source.samples(seed, n);
    }

    Rkhs input() {
        return new Rkhs(Kernels.parse(inputKernel), source.inputDimension);
    }

    Rkhs output() {
        return new Rkhs(Kernels.parse(outputKernel), source.outputDimension);
    }

    /** The settings as a configuration, built anew. */
    SogdConfig config() {
        return SogdConfig.forTransition(input(), output())
                .lambda(lambda)
                .stepSize(StepSize.parse(stepSize))
                .budget(Budget.parse(budget))
                .criterion(criterion)
                .build();
    }

    @Override
    public String toString() {
        return inputKernel + (inputKernel.equals(outputKernel) ? "" : " to " + outputKernel) + ", " + stepSize + ", "
                + budget + ", " + criterion + ", " + source;
    }
}
