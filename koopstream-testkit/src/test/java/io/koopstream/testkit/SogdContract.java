package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.TransitionOperator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The learner contract filled in for {@link SogdLearner}, whatever the type of its operator. */
abstract class SogdContract<O extends TransitionOperator> extends LearnerContract<O> {

    private final SogdSettings settings;

    SogdContract(SogdSettings settings) {
        this.settings = settings;
    }

    abstract SogdLearner<O> learner(SogdConfig config);

    abstract SogdLearner<O> resumed(SogdState state);

    /** Whether the kernels of the two sides can be changed one by one. */
    abstract boolean sidesDiffer();

    @Override
    protected Learner<O> newLearner() {
        return learner(settings.config());
    }

    private static SogdState state(Learner<?> learner) {
        return ((SogdLearner<?>) learner).state();
    }

    @Override
    protected String digest(Learner<O> learner) {
        return state(learner).digest();
    }

    @Override
    protected Samples stream(long seed, int n) {
        return settings.samples(seed, n);
    }

    @Override
    protected Learner<O> newOneDimensionalLearner(double width) {
        return learner(SogdConfig.forState(1, Kernels.gaussian(width))
                .lambda(0.01)
                .stepSize(StepSize.constant(0.3))
                .budget(Budget.constant(0.01))
                .criterion(settings.criterion())
                .build());
    }

    @Override
    protected Object config(Learner<O> learner) {
        return ((SogdLearner<O>) learner).config();
    }

    @Override
    protected Map<String, Learner<O>> variants() {
        SogdConfig config = settings.config();
        Map<String, Learner<O>> variants = new LinkedHashMap<>();
        // A tenth of another kernel keeps every sample in the domain and the steps legal.
        Rkhs input = new Rkhs(mixed(config.input().kernel()), config.input().dimension());
        Rkhs output = new Rkhs(mixed(config.output().kernel()), config.output().dimension());
        if (sidesDiffer()) {
            variants.put("input", learner(with(config, input, config.output())));
            variants.put("output", learner(with(config, config.input(), output)));
        } else {
            variants.put("input and output", learner(with(config, input, output)));
        }
        variants.put(
                "lambda",
                learner(config.toBuilder().lambda(config.lambda() * 0.5).build()));
        variants.put(
                "stepSize",
                learner(config.toBuilder()
                        .stepSize(0.9 * config.stepSize().at(1))
                        .build()));
        double budget = config.budget().at(1, config.stepSize().at(1));
        variants.put(
                "budget", learner(config.toBuilder().budget(0.002 + 3 * budget).build()));
        variants.put(
                "maxDictionary", learner(config.toBuilder().maxDictionary(3).build()));
        variants.put(
                "averaging",
                learner(config.toBuilder().averaging(Averaging.tail(1)).build()));
        Criterion other = config.criterion() == Criterion.EXACT ? Criterion.PAPER : Criterion.EXACT;
        // With a budget of zero both criteria keep every sample that is new.
        if (budget > 0) {
            variants.put(
                    "criterion", learner(config.toBuilder().criterion(other).build()));
            variants.put(
                    "delta",
                    learner(config.toBuilder().delta(Criterion.Delta.SQUARED).build()));
        }
        return variants;
    }

    private static Kernel mixed(Kernel kernel) {
        return Kernels.sum(0.9, kernel, 0.1 * kernel.bound(), Kernels.gaussian(2));
    }

    private static SogdConfig with(SogdConfig config, Rkhs input, Rkhs output) {
        return new SogdConfig(
                input,
                output,
                config.lambda(),
                config.stepSize(),
                config.budget(),
                config.criterion(),
                config.delta(),
                config.maxDictionary(),
                config.averaging(),
                config.blockSize());
    }

    @Override
    protected Optional<Learner<O>> newLearnerWithBudget(double epsilon) {
        return Optional.of(learner(settings.config().toBuilder().budget(epsilon).build()));
    }

    @Override
    protected Optional<Learner<O>> newLearnerWithCapacity(int capacity) {
        return Optional.of(
                learner(settings.config().toBuilder().maxDictionary(capacity).build()));
    }

    @Override
    protected Optional<byte[]> save(Learner<O> learner) {
        return Optional.of(PlainStateFormat.write(state(learner)));
    }

    @Override
    protected Learner<O> load(byte[] stored) {
        return resumed(PlainStateFormat.read(settings.config(), stored));
    }

    @Test
    void aCopyRemembersWhatWasMeasuredLast() {
        Samples samples = settings.samples(SEED, 50);
        SogdLearner<O> learner = learner(settings.config());
        feed(learner, samples);
        SogdLearner<O> copy = learner.copy();
        assertThat(List.of(copy.lastResidual(), copy.lastBudget(), copy.lastPredictionError()))
                .isEqualTo(List.of(learner.lastResidual(), learner.lastBudget(), learner.lastPredictionError()));
        assertThat(copy.counters()).isEqualTo(learner.counters());
    }
}
