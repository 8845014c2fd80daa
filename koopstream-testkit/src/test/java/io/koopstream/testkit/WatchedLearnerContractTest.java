package io.koopstream.testkit;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.HoldOutConfig;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Least squares inside its watch for drift under the learner contract: it must change nothing of what is owed. The hold-out takes its
 * first pair after the suite's streams, because the suite counts learned samples; {@link HoldOutTest} covers the rest.
 */
class WatchedLearnerContractTest extends LearnerContract<TransitionOperator> {

    private static final Rkhs PLANE = new Rkhs(Kernels.parse("gaussian(0.7)"), 2);

    private static LeastSquaresConfig.Builder between(Rkhs input, Rkhs output) {
        return LeastSquaresConfig.forTransition(input, output)
                .lambda(1e-3)
                .epsilon(0.3)
                .forgetting(0.999)
                .holdOut(new HoldOutConfig(1e-6, 500, HoldOutConfig.Keep.UNIFORM));
    }

    /** The whole stack, with handles on its layers for the digest. */
    private static DriftAwareLearner<TransitionOperator> watched(LeastSquaresConfig.Builder config) {
        return new DriftAwareLearner<>(
                LeastSquaresLearner.transition(config.build()), new DriftConfig(20, 5, 5, 0.5, 5, 30), 0.5);
    }

    private static LeastSquaresLearner<TransitionOperator> inner(Learner<TransitionOperator> learner) {
        return (LeastSquaresLearner<TransitionOperator>) ((DriftAwareLearner<TransitionOperator>) learner).learner();
    }

    @Override
    protected Learner<TransitionOperator> newLearner() {
        return watched(between(PLANE, PLANE));
    }

    @Override
    protected String digest(Learner<TransitionOperator> learner) {
        DriftAwareLearner<TransitionOperator> outer = (DriftAwareLearner<TransitionOperator>) learner;
        StringBuilder text = new StringBuilder(inner(learner).state().digest());
        text.append(' ').append(Double.toHexString(outer.lastError()));
        text.append(' ').append(Double.toHexString(outer.meanError()));
        text.append(' ').append(Double.toHexString(outer.driftScore()));
        return text.toString();
    }

    @Override
    protected Samples stream(long seed, int n) {
        return SogdSettings.Source.VAN_DER_POL.samples(seed, n);
    }

    @Override
    protected Learner<TransitionOperator> newOneDimensionalLearner(double width) {
        return watched(LeastSquaresConfig.forState(1, Kernels.gaussian(width)).lambda(1e-3));
    }

    @Override
    protected int pointsOfOnePair() {
        return 2;
    }

    @Override
    protected Object config(Learner<TransitionOperator> learner) {
        return inner(learner).config();
    }

    @Override
    protected Map<String, Learner<TransitionOperator>> variants() {
        Rkhs other = new Rkhs(Kernels.gaussian(0.8), 2);
        Map<String, Learner<TransitionOperator>> variants = new LinkedHashMap<>();
        variants.put("input", watched(between(other, PLANE)));
        variants.put("output", watched(between(PLANE, other)));
        variants.put("lambda", watched(between(PLANE, PLANE).lambda(2e-3)));
        variants.put("epsilon", watched(between(PLANE, PLANE).epsilon(0.25)));
        variants.put("forgetting", watched(between(PLANE, PLANE).forgetting(0.99)));
        variants.put("maxDictionary", watched(between(PLANE, PLANE).maxDictionary(5)));
        variants.put("holdOut", watched(between(PLANE, PLANE).holdOut(0.2)));
        return variants;
    }
}
