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
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.learner.sogd.StepSize;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Algorithm 1 in a model file, with averaging and without. */
final class SogdSection implements ModelSection {

    private static final String AVERAGE_LOSS = "average_loss";
    private static final String AVERAGING = "averaging";
    private static final String BUDGET = "budget";
    private static final String CRITERION = "criterion";
    private static final String STEP_SIZE = "step_size";

    @Override
    public void putTexts(LearnerState state, Map<String, String> texts) {
        SogdState sogd = (SogdState) state;
        SogdConfig config = sogd.config();
        texts.put(ModelMetadata.LAMBDA, Decimals.text(config.lambda()));
        texts.put(STEP_SIZE, config.stepSize().text());
        texts.put(BUDGET, config.budget().text());
        texts.put(CRITERION, config.criterion().name());
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
        Criterion criterion = metadata.setting(CRITERION, SogdSection::criterion);
        Averaging averaging =
                metadata.has(AVERAGING) ? metadata.setting(AVERAGING, Averaging::parse) : Averaging.none();
        int cap = metadata.maxDictionary();
        int block = metadata.blockSize();
        return metadata.legal(
                STEP_SIZE,
                () -> new SogdConfig(input, output, lambda, stepSize, budget, criterion, cap, averaging, block));
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
                .orElseThrow(() -> metadata.missingSchedule(key, hint.formatted(custom.get())));
    }

    private static Criterion criterion(String text) {
        for (Criterion criterion : Criterion.values()) {
            if (criterion.name().equals(text)) {
                return criterion;
            }
        }
        throw new InvalidConfigException(CRITERION, text, "must be EXACT or PAPER");
    }
}
