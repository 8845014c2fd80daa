package io.koopstream.testkit;

import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Learners of a Koopman operator under the contract. */
@ParameterizedClass(name = "{0}")
@MethodSource("settings")
class SogdLearnerContractTest extends SogdContract<KoopmanOperator> {

    SogdLearnerContractTest(SogdSettings settings) {
        super(settings);
    }

    static List<SogdSettings> settings() {
        return SogdSettings.square();
    }

    @Override
    SogdLearner<KoopmanOperator> learner(SogdConfig config) {
        return SogdLearner.koopman(config);
    }

    @Override
    SogdLearner<KoopmanOperator> resumed(SogdState state) {
        return state.resumeKoopman();
    }

    @Override
    boolean sidesDiffer() {
        return false;
    }
}
