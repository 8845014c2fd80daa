package io.koopstream.testkit;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.TransitionOperator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Online least squares under the learner contract. */
@ParameterizedClass(name = "{0}")
@MethodSource("settings")
class LeastSquaresContractTest extends LearnerContract<TransitionOperator> {

    record Settings(String input, String output, double epsilon, double forgetting, SogdSettings.Source source) {

        LeastSquaresConfig config() {
            // The dimensions of a source are those of its samples.
            Samples one = source.samples(1, 1);
            return LeastSquaresConfig.forTransition(
                            new Rkhs(Kernels.parse(input), one.input(0).length),
                            new Rkhs(Kernels.parse(output), one.output(0).length))
                    .lambda(1e-3)
                    .epsilon(epsilon)
                    .forgetting(forgetting)
                    .build();
        }
    }

    private final Settings settings;

    LeastSquaresContractTest(Settings settings) {
        this.settings = settings;
    }

    static List<Settings> settings() {
        return List.of(
                new Settings("gaussian(0.7)", "gaussian(0.7)", 0.3, 1, SogdSettings.Source.VAN_DER_POL),
                new Settings("gaussian(0.7)", "gaussian(0.7)", 0.3, 0.99, SogdSettings.Source.DUPLICATES),
                new Settings("matern52(1)", "matern52(1)", 0.1, 0.999, SogdSettings.Source.SPIRAL),
                new Settings("inverse-multiquadric(0.3)", "laplacian(1)", 0.1, 1, SogdSettings.Source.LOGISTIC),
                new Settings(
                        "concat(2:gaussian(1.2), 1:laplacian(4))",
                        "matern52(1.5)",
                        0.7,
                        1,
                        SogdSettings.Source.CONTROLLED));
    }

    @Override
    protected Learner<TransitionOperator> newLearner() {
        return LeastSquaresLearner.transition(settings.config());
    }

    private static LeastSquaresLearner<TransitionOperator> cast(Learner<TransitionOperator> learner) {
        return (LeastSquaresLearner<TransitionOperator>) learner;
    }

    @Override
    protected String digest(Learner<TransitionOperator> learner) {
        return cast(learner).state().digest();
    }

    @Override
    protected Samples stream(long seed, int n) {
        return settings.source.samples(seed, n);
    }

    @Override
    protected Learner<TransitionOperator> newOneDimensionalLearner(double width) {
        return LeastSquaresLearner.transition(LeastSquaresConfig.forState(1, Kernels.gaussian(width))
                .lambda(1e-3)
                .forgetting(settings.forgetting)
                .build());
    }

    @Override
    protected Object config(Learner<TransitionOperator> learner) {
        return cast(learner).config();
    }

    private static Kernel mixed(Kernel kernel) {
        return Kernels.sum(0.9, kernel, 0.1, Kernels.gaussian(2));
    }

    private static LeastSquaresConfig withSpaces(LeastSquaresConfig config, Rkhs input, Rkhs output) {
        return new LeastSquaresConfig(
                input,
                output,
                config.lambda(),
                config.epsilon(),
                config.forgetting(),
                config.maxDictionary(),
                config.blockSize(),
                config.holdOut(),
                config.targets());
    }

    @Override
    protected Map<String, Learner<TransitionOperator>> variants() {
        LeastSquaresConfig c = settings.config();
        Rkhs input = new Rkhs(mixed(c.input().kernel()), c.input().dimension());
        Rkhs output = new Rkhs(mixed(c.output().kernel()), c.output().dimension());
        Map<String, LeastSquaresConfig> configs = new LinkedHashMap<>();
        configs.put("input", withSpaces(c, input, c.output()));
        configs.put("output", withSpaces(c, c.input(), output));
        configs.put("lambda", c.toBuilder().lambda(2e-3).build());
        configs.put("epsilon", c.toBuilder().epsilon(0.9 * c.epsilon()).build());
        configs.put("forgetting", c.toBuilder().forgetting(0.95).build());
        configs.put("maxDictionary", c.toBuilder().maxDictionary(3).build());
        configs.put("holdOut", c.toBuilder().holdOut(0.2).build());
        Map<String, Learner<TransitionOperator>> variants = new LinkedHashMap<>();
        configs.forEach((name, config) -> variants.put(name, LeastSquaresLearner.transition(config)));
        return variants;
    }

    @Override
    protected Optional<Learner<TransitionOperator>> newLearnerWithBudget(double epsilon) {
        return Optional.of(LeastSquaresLearner.transition(
                settings.config().toBuilder().epsilon(epsilon).build()));
    }

    @Override
    protected Optional<Learner<TransitionOperator>> newLearnerWithCapacity(int capacity) {
        return Optional.of(LeastSquaresLearner.transition(
                settings.config().toBuilder().maxDictionary(capacity).build()));
    }

    @Override
    protected int pointsOfOnePair() {
        return settings.config().isOneSpace() ? 2 : 1;
    }

    @Override
    protected Optional<byte[]> save(Learner<TransitionOperator> learner) {
        return Optional.of(PlainStateFormat.write(cast(learner).state()));
    }

    @Override
    protected Learner<TransitionOperator> load(byte[] stored) {
        return PlainStateFormat.read(settings.config(), stored).resumeTransition();
    }
}
