package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.MethodConfig;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.Criterion.Delta;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.learner.sogd.StepSize;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Algorithm 1 in a model file, with averaging and without. */
final class SogdSection implements ModelSection {

    private static final String AVERAGE_LOSS = "average_loss";
    private static final String AVERAGING = "averaging";
    private static final String BUDGET = "budget";
    private static final String CRITERION = "criterion";
    /** There only when it is not the norm. */
    static final String DELTA = "delta";

    private static final String STEP_SIZE = "step_size";

    @Override
    public void putTexts(LearnerState state, Map<String, String> texts) {
        SogdState sogd = (SogdState) state;
        SogdConfig config = sogd.config();
        texts.put(ModelMetadata.LAMBDA, Decimals.text(config.lambda()));
        texts.put(STEP_SIZE, config.stepSize().text());
        texts.put(BUDGET, config.budget().text());
        texts.put(CRITERION, config.criterion().name());
        if (config.delta() != Delta.NORM) {
            texts.put(DELTA, config.delta().name());
        }
        if (config.averaging().isOn()) {
            texts.put(AVERAGING, config.averaging().text());
            texts.put(AVERAGE_LOSS, Decimals.text(sogd.averageLoss()));
        }
    }

    @Override
    public void putCounts(ModelMetadata metadata, ModelTensors tensors) {
        if (metadata.has(AVERAGE_LOSS)) {
            tensors.number(AVERAGE_LOSS, metadata.decimal(AVERAGE_LOSS));
        }
    }

    @Override
    public LearnerState read(MethodConfig config, ModelTensors tensors) {
        SogdConfig sogd = (SogdConfig) config;
        InvalidStateException.require(
                sogd.averaging().isOn() == tensors.has(ModelLayout.M_AVERAGE),
                ModelLayout.M_AVERAGE,
                "not as the settings say: averaging " + sogd.averaging());
        return SogdState.read(sogd, tensors);
    }

    @Override
    public MethodConfig config(ModelMetadata metadata, CustomSchedules schedules) {
        Rkhs input = metadata.input();
        Rkhs output = metadata.output();
        double lambda = metadata.decimal(ModelMetadata.LAMBDA);
        StepSize stepSize = schedule(
                metadata, STEP_SIZE, StepSize::parse, schedules::stepSize, "with(StepSize.custom(\"%s\", function))");
        Budget budget =
                schedule(metadata, BUDGET, Budget::parse, schedules::budget, "with(Budget.custom(\"%s\", function))");
        Criterion criterion = metadata.setting(CRITERION, text -> named(CRITERION, Criterion.values(), text));
        Delta delta = metadata.has(DELTA)
                ? metadata.setting(DELTA, text -> named(DELTA, new Delta[] {Delta.SQUARED}, text))
                : Delta.NORM;
        Averaging averaging =
                metadata.has(AVERAGING) ? metadata.setting(AVERAGING, Averaging::parse) : Averaging.none();
        int cap = metadata.maxDictionary();
        int block = metadata.blockSize();
        return metadata.legal(
                STEP_SIZE,
                () -> new SogdConfig(input, output, lambda, stepSize, budget, criterion, delta, cap, averaging, block));
    }

    private static <T> T schedule(
            ModelMetadata metadata,
            String key,
            Function<String, T> parser,
            Function<String, Optional<T>> supplied,
            String hint) {
        Optional<String> custom = metadata.customName(key);
        if (custom.isEmpty()) {
            return metadata.setting(key, parser);
        }
        return supplied.apply(custom.get())
                .orElseThrow(() -> metadata.missingFunction(key, hint.formatted(custom.get())));
    }

    private static <E extends Enum<E>> E named(String key, E[] values, String text) {
        return Arrays.stream(values)
                .filter(value -> value.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigException(
                        key,
                        text,
                        "must be " + Arrays.stream(values).map(Enum::name).collect(Collectors.joining(" or "))));
    }
}
