package io.koopstream.io;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.StoredSide;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.HoldOut;
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
        if (holdsOut(config)) {
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

    private static boolean holdsOut(LeastSquaresConfig config) {
        return config.holdOut().share() > 0;
    }

    @Override
    public void putTensors(LearnerState state, ModelTensors tensors) {
        LeastSquaresState leastSquares = (LeastSquaresState) state;
        tensors.put(ModelLayout.S, leastSquares.inputStatistics());
        tensors.put(ModelLayout.T, leastSquares.crossStatistics());
        tensors.put(ModelLayout.V, leastSquares.incrementStatistics());
        double[] squares = leastSquares.squaredIncrements();
        tensors.put(ModelLayout.SQUARES, Matrix.ofColumns(new double[][] {squares}, squares.length));
        tensors.put(ModelLayout.FIRST_X, leastSquares.firstInputs());
        tensors.put(ModelLayout.FIRST_X_NEXT, leastSquares.firstOutputs());
        if (holdsOut(leastSquares.config())) {
            HoldOut aside = leastSquares.holdOut();
            tensors.put(ModelLayout.HELD_X, Points.of(state.input().dimension(), aside.inputs()));
            tensors.put(ModelLayout.HELD_X_NEXT, Points.of(state.output().dimension(), aside.outputs()));
            tensors.put(ModelLayout.HELD_RUN, aside.runNumbers());
            if (aside.afterRuns().length > 0) {
                tensors.put(
                        ModelLayout.HELD_AFTER, Points.of(leastSquares.config().targets(), aside.after()));
                tensors.put(ModelLayout.HELD_AFTER_RUN, aside.afterRuns());
            }
        }
    }

    @Override
    public LearnerState read(ModelMetadata metadata, CustomSchedules schedules, ModelTensors tensors) {
        LeastSquaresConfig config = config(metadata);
        boolean on = holdsOut(config);
        return restore(
                config,
                metadata.counters(),
                metadata.decimal(WEIGHT),
                on ? metadata.count(HOLD_OUT_SEEN) : 0,
                on ? metadata.count(HELD_OUT) : 0,
                tensors);
    }

    @Override
    public LearnerState restore(LearnerState state, ModelTensors tensors) {
        LeastSquaresState leastSquares = (LeastSquaresState) state;
        return restore(
                leastSquares.config(),
                leastSquares.counters(),
                leastSquares.weight(),
                leastSquares.holdOut().seen(),
                leastSquares.holdOut().offered(),
                tensors);
    }

    private static LeastSquaresState restore(
            LeastSquaresConfig config,
            Counters counters,
            double weight,
            long seen,
            long offered,
            ModelTensors tensors) {
        LeastSquaresState.StoredSums sums = new LeastSquaresState.StoredSums(
                weight,
                tensors.matrix(ModelLayout.S),
                tensors.matrix(ModelLayout.T),
                tensors.matrix(ModelLayout.V),
                tensors.matrix(ModelLayout.SQUARES));
        StoredSide inputs = tensors.inputs();
        LeastSquaresState learned = LeastSquaresState.restore(config, counters, inputs, tensors.outputs(inputs), sums);
        if (holdsOut(config)) {
            learned = learned.withHeldOut(
                    seen,
                    offered,
                    tensors.points(ModelLayout.HELD_X),
                    tensors.points(ModelLayout.HELD_X_NEXT),
                    tensors.numbers(ModelLayout.HELD_RUN));
        }
        if (tensors.has(ModelLayout.HELD_AFTER)) {
            learned = learned.withFollowing(
                    tensors.points(ModelLayout.HELD_AFTER), tensors.numbers(ModelLayout.HELD_AFTER_RUN));
        }
        return learned.withFirst(tensors.points(ModelLayout.FIRST_X), tensors.points(ModelLayout.FIRST_X_NEXT));
    }

    private static LeastSquaresConfig config(ModelMetadata metadata) {
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
