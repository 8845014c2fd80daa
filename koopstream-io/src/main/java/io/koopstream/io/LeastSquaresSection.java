package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.MethodConfig;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;

/** Online least squares in a model file: additive statistics, the pairs held out and the first pairs of the stream. */
final class LeastSquaresSection implements ModelSection {

    /** Stands for a ridge that is chosen when somebody asks. */
    static final String CHOSEN = "chosen";

    private static final String EPSILON = "epsilon";
    private static final String FORGETTING = "forgetting";
    private static final String WEIGHT = "weight";
    private static final String HOLD_OUT_CAPACITY = "hold_out_capacity";
    private static final String HOLD_OUT_KEEP = "hold_out_keep";
    private static final String HOLD_OUT_SEEN = "hold_out_seen";
    private static final String HELD_OUT = "held_out";

    @Override
    public void putTexts(LearnerState state, Map<String, String> texts) {
        LeastSquaresState leastSquares = (LeastSquaresState) state;
        LeastSquaresConfig config = leastSquares.config();
        OptionalDouble lambda = config.lambda();
        texts.put(ModelMetadata.LAMBDA, lambda.isPresent() ? Decimals.text(lambda.getAsDouble()) : CHOSEN);
        texts.put(EPSILON, Decimals.text(config.epsilon()));
        texts.put(FORGETTING, Decimals.text(config.forgetting()));
        texts.put(ModelMetadata.TARGETS, Integer.toString(config.targets()));
        texts.put(WEIGHT, Decimals.text(leastSquares.weight()));
        if (config.holdOut().share() > 0) {
            HoldOutConfig holdOut = config.holdOut();
            texts.put(ModelMetadata.HOLD_OUT, Decimals.text(holdOut.share()));
            texts.put(HOLD_OUT_CAPACITY, Integer.toString(holdOut.capacity()));
            texts.put(HOLD_OUT_KEEP, holdOut.keep().name());
            texts.put(HOLD_OUT_SEEN, Long.toString(leastSquares.holdOut().seen()));
            texts.put(HELD_OUT, Long.toString(leastSquares.holdOut().offered()));
            int after = leastSquares.holdOut().afterRuns().length;
            if (after > 0) {
                texts.put(ModelMetadata.HELD_AFTER, Integer.toString(after));
            }
        }
    }

    @Override
    public void putCounts(ModelMetadata metadata, ModelTensors tensors) {
        tensors.number(WEIGHT, metadata.decimal(WEIGHT));
        if (metadata.has(ModelMetadata.HOLD_OUT)) {
            tensors.count(HOLD_OUT_SEEN, metadata.count(HOLD_OUT_SEEN));
            tensors.count(HELD_OUT, metadata.count(HELD_OUT));
        }
    }

    @Override
    public LearnerState read(MethodConfig config, ModelTensors tensors) {
        LeastSquaresConfig leastSquares = (LeastSquaresConfig) config;
        InvalidStateException.require(
                leastSquares.isOneSpace() != tensors.has(ModelLayout.X_NEXT),
                ModelLayout.X_NEXT,
                "one space has one dictionary, two spaces have two");
        if (!tensors.has(ModelLayout.HELD_AFTER)) {
            // Files leave them out where no run was followed.
            tensors.points(ModelLayout.HELD_AFTER, new Points(leastSquares.targets()));
            tensors.counts(ModelLayout.HELD_AFTER_RUN, new long[0]);
        }
        return LeastSquaresState.read(leastSquares, tensors);
    }

    @Override
    public MethodConfig config(ModelMetadata metadata, CustomSchedules schedules) {
        Rkhs input = metadata.input();
        Rkhs output = metadata.output();
        boolean chosen = metadata.text(ModelMetadata.LAMBDA).value().equals(CHOSEN);
        OptionalDouble lambda =
                chosen ? OptionalDouble.empty() : OptionalDouble.of(metadata.decimal(ModelMetadata.LAMBDA));
        double epsilon = metadata.decimal(EPSILON);
        double forgetting = metadata.decimal(FORGETTING);
        int cap = metadata.maxDictionary();
        int block = metadata.blockSize();
        int targets = metadata.dimension(ModelMetadata.TARGETS);
        HoldOutConfig holdOut = metadata.has(ModelMetadata.HOLD_OUT) ? holdOut(metadata) : HoldOutConfig.NONE;
        return metadata.legal(
                ModelMetadata.LAMBDA,
                () -> new LeastSquaresConfig(input, output, lambda, epsilon, forgetting, cap, block, holdOut, targets));
    }

    private static HoldOutConfig holdOut(ModelMetadata metadata) {
        double share = metadata.decimal(ModelMetadata.HOLD_OUT);
        int capacity = metadata.count(HOLD_OUT_CAPACITY, HoldOutConfig.RUN, Integer.MAX_VALUE);
        HoldOutConfig.Keep keep = metadata.setting(HOLD_OUT_KEEP, LeastSquaresSection::keep);
        return metadata.legal(ModelMetadata.HOLD_OUT, () -> {
            // None is written by leaving the keys out: there is one way to say each thing.
            InvalidConfigException.requirePositive(ModelMetadata.HOLD_OUT, share, "share of the pairs held out");
            return new HoldOutConfig(share, capacity, keep);
        });
    }

    private static HoldOutConfig.Keep keep(String text) {
        return Arrays.stream(HoldOutConfig.Keep.values())
                .filter(keep -> keep.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigException(HOLD_OUT_KEEP, text, "must be NEWEST or UNIFORM"));
    }
}
