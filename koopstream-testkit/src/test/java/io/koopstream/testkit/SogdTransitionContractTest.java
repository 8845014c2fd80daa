package io.koopstream.testkit;

import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.TransitionOperator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Learners of a transition operator between different spaces under the contract. */
@ParameterizedClass(name = "{0}")
@MethodSource("settings")
class SogdTransitionContractTest extends SogdContract<TransitionOperator> {

    SogdTransitionContractTest(SogdSettings settings) {
        super(settings);
    }

    static List<SogdSettings> settings() {
        return SogdSettings.rectangular();
    }

    @Override
    SogdLearner<TransitionOperator> learner(SogdConfig config) {
        return SogdLearner.transition(config);
    }

    @Override
    SogdLearner<TransitionOperator> resumed(SogdState state) {
        return state.resumeTransition();
    }

    @Override
    boolean sidesDiffer() {
        return true;
    }
}
