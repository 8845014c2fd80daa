package io.koopstream.testkit;

import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.BlockedLearner;
import io.koopstream.learner.DictionaryCap;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.HoldOutConfig;
import io.koopstream.learner.HoldOutLearner;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Least squares inside all its watchers under the learner contract: blocks, hold-out and drift must change nothing of what is owed. The
 * hold-out takes its first pair after the suite's streams, because the suite counts learned samples; {@link TrustTest} covers the rest.
 */
class WatchedLearnerContractTest extends LearnerContract<TransitionOperator> {

    private static final Rkhs PLANE = new Rkhs(Kernels.parse("gaussian(0.7)"), 2);

    /** The whole stack, with handles on its layers for the digest. */
    private static DriftAwareLearner<TransitionOperator> watched(LeastSquaresConfig config) {
        BlockedLearner<TransitionOperator> blocked =
                new BlockedLearner<>(LeastSquaresLearner.transition(config), 4, 16);
        HoldOutLearner<TransitionOperator> heldOut =
                new HoldOutLearner<>(blocked, new HoldOutConfig(1_000_000, 10, HoldOutConfig.Keep.UNIFORM, 1));
        return new DriftAwareLearner<>(heldOut, new DriftConfig(20, 5, 5, 0.5, 5, 30), 0.5);
    }

    private static BlockedLearner<TransitionOperator> blocked(Learner<TransitionOperator> learner) {
        HoldOutLearner<TransitionOperator> heldOut =
                (HoldOutLearner<TransitionOperator>) ((DriftAwareLearner<TransitionOperator>) learner).learner();
        return (BlockedLearner<TransitionOperator>) heldOut.learner();
    }

    @Override
    protected Learner<TransitionOperator> newLearner() {
        return watched(new LeastSquaresConfig(PLANE, PLANE, 1e-3, 0.3, 0.999, DictionaryCap.NONE));
    }

    @Override
    protected String digest(Learner<TransitionOperator> learner) {
        DriftAwareLearner<TransitionOperator> outer = (DriftAwareLearner<TransitionOperator>) learner;
        StringBuilder text =
                new StringBuilder(blocked(learner).learner().state().digest());
        text.append(' ').append(Double.toHexString(outer.lastError()));
        text.append(' ').append(Double.toHexString(outer.meanError()));
        text.append(' ').append(Double.toHexString(outer.driftScore()));
        blocked(learner)
                .blocks()
                .blocks()
                .forEach(block -> text.append(' ').append(Double.toHexString(block.weight())));
        return text.toString();
    }

    @Override
    protected Samples stream(long seed, int n) {
        return SogdSettings.Source.VAN_DER_POL.samples(seed, n);
    }

    @Override
    protected Learner<TransitionOperator> newOneDimensionalLearner(double width) {
        return watched(LeastSquaresConfig.forState(1, Kernels.gaussian(width))
                .lambda(1e-3)
                .build());
    }

    @Override
    protected Object config(Learner<TransitionOperator> learner) {
        return blocked(learner).learner().config();
    }

    @Override
    protected Map<String, Learner<TransitionOperator>> variants() {
        Rkhs other = new Rkhs(Kernels.gaussian(0.8), 2);
        Map<String, Learner<TransitionOperator>> variants = new LinkedHashMap<>();
        variants.put("input", watched(new LeastSquaresConfig(other, PLANE, 1e-3, 0.3, 0.999, DictionaryCap.NONE)));
        variants.put("output", watched(new LeastSquaresConfig(PLANE, other, 1e-3, 0.3, 0.999, DictionaryCap.NONE)));
        variants.put("lambda", watched(new LeastSquaresConfig(PLANE, PLANE, 2e-3, 0.3, 0.999, DictionaryCap.NONE)));
        variants.put("epsilon", watched(new LeastSquaresConfig(PLANE, PLANE, 1e-3, 0.25, 0.999, DictionaryCap.NONE)));
        variants.put("forgetting", watched(new LeastSquaresConfig(PLANE, PLANE, 1e-3, 0.3, 0.99, DictionaryCap.NONE)));
        variants.put("maxDictionary", watched(new LeastSquaresConfig(PLANE, PLANE, 1e-3, 0.3, 0.999, 5)));
        return variants;
    }
}
