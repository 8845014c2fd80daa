package io.koopstream.testkit;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.RkhsElement;
import io.koopstream.operator.TransitionOperator;

/** Operators to ask questions of, with well-conditioned dictionaries, so that brute force in W agrees to many digits. */
final class LearnedOperators {

    private LearnedOperators() {}

    /** A Koopman operator of the plane with a few dozen kept samples. */
    static KoopmanOperator ofPlane(long seed) {
        return ofPlane(seed, 300);
    }

    static KoopmanOperator ofPlane(long seed, int samples) {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(SogdConfig.forState(2, Kernels.gaussian(0.7))
                .lambda(0.01)
                .stepSize(0.3)
                .budget(0.1)
                .build());
        Samples stream = Streams.vanDerPol(seed, samples);
        learner.partialFit(stream.inputs(), stream.outputs());
        return learner.snapshot();
    }

    /** An operator from (state, action) to state. */
    static TransitionOperator ofControlled(long seed) {
        SogdLearner<TransitionOperator> learner = SogdLearner.transition(SogdConfig.forTransition(
                        new Rkhs(Kernels.concatenated(2, Kernels.gaussian(1.2), 1, Kernels.laplacian(4)), 3),
                        new Rkhs(Kernels.matern52(1.5), 2))
                .lambda(0.01)
                .stepSize(0.3)
                .budget(0.17)
                .build());
        Samples stream = Streams.controlledOscillator(seed, 300);
        learner.partialFit(stream.inputs(), stream.outputs());
        return learner.snapshot();
    }

    /** A random combination of features at random points. */
    static RkhsElement randomElement(Rkhs space, long seed) {
        double[][] points = Streams.normalPoints(seed, 7, space.dimension(), 1.5);
        return RkhsElement.of(space, points, Streams.normal(Streams.random(seed + 1), 7));
    }

    /** Points to ask at. */
    static double[][] probes(int dimension, long seed) {
        return Streams.normalPoints(seed, 10, dimension, 1.2);
    }
}
