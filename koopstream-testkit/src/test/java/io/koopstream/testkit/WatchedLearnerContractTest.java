package io.koopstream.testkit;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.BatchMeans;
import io.koopstream.learner.HoldOutConfig;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Least squares that records batches under the learner contract: they must change nothing of what is owed. The hold-out takes its
 * first pair after the suite's streams, because the suite counts learned samples; {@link HoldOutTest} covers the rest.
 */
class BatchMeansContractTest extends LearnerContract<TransitionOperator> {

    private static final Rkhs PLANE = new Rkhs(Kernels.parse("gaussian(0.7)"), 2);

    private static LeastSquaresConfig.Builder between(Rkhs input, Rkhs output) {
        return LeastSquaresConfig.forTransition(input, output)
                .lambda(1e-3)
                .epsilon(0.3)
                .forgetting(0.999)
                .holdOut(new HoldOutConfig(1e-6, 500, HoldOutConfig.Keep.UNIFORM));
    }

    private static BatchMeans<TransitionOperator> batched(LeastSquaresConfig.Builder config) {
        return new BatchMeans<>(LeastSquaresLearner.transition(config.build()), 4, 16);
    }

    @Override
    protected Learner<TransitionOperator> newLearner() {
        return batched(between(PLANE, PLANE));
    }

    @Override
    protected String digest(Learner<TransitionOperator> learner) {
        BatchMeans<TransitionOperator> batched = (BatchMeans<TransitionOperator>) learner;
        StringBuilder text = new StringBuilder(batched.learner().state().digest());
        batched.blocks().blocks().forEach(block -> text.append(' ').append(Double.toHexString(block.weight())));
        return text.toString();
    }

    @Override
    protected Samples stream(long seed, int n) {
        return SogdSettings.Source.VAN_DER_POL.samples(seed, n);
    }

    @Override
    protected Learner<TransitionOperator> newOneDimensionalLearner(double width) {
        return batched(LeastSquaresConfig.forState(1, Kernels.gaussian(width)).lambda(1e-3));
    }

    @Override
    protected int pointsOfOnePair() {
        return 2;
    }

    @Override
    protected Object config(Learner<TransitionOperator> learner) {
        return ((BatchMeans<TransitionOperator>) learner).learner().config();
    }

    @Override
    protected Map<String, Learner<TransitionOperator>> variants() {
        Rkhs other = new Rkhs(Kernels.gaussian(0.8), 2);
        Map<String, Learner<TransitionOperator>> variants = new LinkedHashMap<>();
        variants.put("input", batched(between(other, PLANE)));
        variants.put("output", batched(between(PLANE, other)));
        variants.put("lambda", batched(between(PLANE, PLANE).lambda(2e-3)));
        variants.put("epsilon", batched(between(PLANE, PLANE).epsilon(0.25)));
        variants.put("forgetting", batched(between(PLANE, PLANE).forgetting(0.99)));
        variants.put("maxDictionary", batched(between(PLANE, PLANE).maxDictionary(5)));
        variants.put("holdOut", batched(between(PLANE, PLANE).holdOut(0.2)));
        return variants;
    }
}
