package io.koopstream.io;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.learner.sogd.StepSize;
import java.util.stream.IntStream;

/** States to store, learned from streams that need nothing but +, - and *, so that they are the same everywhere. */
final class ModelStates {

    private ModelStates() {}

    /** Points of logistic maps x' = r x (1 - x), one map a coordinate, each with its own r. */
    static final class LogisticStream {
        private double[] x;

        LogisticStream(int dimension) {
            x = new double[dimension];
            for (int c = 0; c < dimension; c++) {
                x[c] = 0.25 + 0.125 * c;
            }
        }

        /** The point the stream stands at; then moves on. */
        double[] next() {
            double[] here = x;
            x = new double[here.length];
            for (int c = 0; c < x.length; c++) {
                x[c] = (3.9 - 0.1 * c) * here[c] * (1.0 - here[c]);
            }
            return here;
        }

        /** Teaches n successive pairs; the stream then stands at the last point's successor. */
        void teach(Learner<?> learner, int n) {
            double[] from = next();
            for (int i = 0; i < n; i++) {
                double[] to = next();
                learner.update(from, to);
                from = to;
            }
        }
    }

    /** Settings for one state space. */
    static SogdConfig.Builder settings(int dimension) {
        return SogdConfig.forState(dimension, Kernels.gaussian(0.125))
                .lambda(0.01)
                .stepSize(0.25);
    }

    /** A learner that has seen n samples. */
    static SogdLearner<?> taught(SogdConfig config, int n) {
        SogdLearner<?> learner = SogdLearner.transition(config);
        new LogisticStream(config.input().dimension()).teach(learner, n);
        return learner;
    }

    /** A state of exactly m kept samples in two dimensions. */
    static SogdState ofSize(int m) {
        return ofSize(m, settings(2));
    }

    /** A state of exactly m kept samples in two dimensions. */
    static SogdState ofSize(int m, SogdConfig.Builder settings) {
        SogdLearner<?> learner = SogdLearner.koopman(settings.budget(0.0).build());
        LogisticStream stream = new LogisticStream(2);
        while (learner.dictionarySize() < m) {
            if (learner.samples() > 100L * m) {
                throw new IllegalStateException("the stream has fewer than " + m + " independent points");
            }
            stream.teach(learner, 1);
        }
        return learner.state();
    }

    /** A state that keeps more inputs than outputs, because only three outputs ever occur. */
    static SogdState ofUnequalSides() {
        SogdLearner<?> learner = SogdLearner.koopman(settings(2).budget(0.0001).build());
        LogisticStream stream = new LogisticStream(2);
        for (int i = 0; i < 120; i++) {
            learner.update(stream.next(), outputOfThree(i));
        }
        return learner.state();
    }

    static double[] outputOfThree(int i) {
        return new double[] {0.25 * (i % 3), 0.5};
    }

    static long[] sampleNumbers(NewtonBasis basis) {
        return IntStream.range(0, basis.size()).mapToLong(basis::sampleNumber).toArray();
    }

    /** A state whose input is (state, action) under a concatenated kernel and whose output is another space. */
    static SogdState transition() {
        Rkhs input = new Rkhs(Kernels.concatenated(2, Kernels.gaussianGamma(2), 1, Kernels.laplacian(0.7)), 3);
        Rkhs output = new Rkhs(Kernels.sum(0.4, Kernels.gaussian(0.3), 0.6, Kernels.matern52(1.1)), 2);
        SogdConfig config = SogdConfig.forTransition(input, output)
                .stepSize(StepSize.decay(0.9, 20, 0.6))
                .budget(Budget.proportional(0.05))
                .criterion(Criterion.PAPER)
                .build();
        SogdLearner<?> learner = SogdLearner.transition(config);
        LogisticStream stream = new LogisticStream(3);
        double[] from = stream.next();
        for (int i = 0; i < 200; i++) {
            double[] to = stream.next();
            learner.update(from, new double[] {to[0], to[1]});
            from = to;
        }
        return learner.state();
    }
}
