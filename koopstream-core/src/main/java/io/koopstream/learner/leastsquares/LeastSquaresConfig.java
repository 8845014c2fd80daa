package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.BlockSize;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.MethodConfig;
import io.koopstream.operator.KoopmanOperator;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The settings of online least squares. The ridge λ is no part of what is learned: unless it is fixed here, it is chosen at a snapshot, on
 * the pairs held out (see {@link LambdaChoice}).
 *
 * <pre>{@code
 * LeastSquaresConfig config = LeastSquaresConfig.forState(2, Kernels.gaussian(0.5))
 *         .epsilon(0.1)   // keep a state of which the dictionary misses more than a tenth
 *         .holdOut(0.1)   // a tenth of the pairs chooses the ridge and judges the result
 *         .build();
 * }</pre>
 *
 * @param input the space of the inputs x (or of z = (x, u))
 * @param output the space of the outputs x⁺
 * @param lambda ridge of the mean risk R_λ, > 0; empty to choose it on held-out pairs, {@value #DEFAULT_LAMBDA} as long as there are too few
 * @param epsilon novelty threshold: a state z is kept when the dictionary misses more than this share of φ(z), as a norm, >= 0
 * @param forgetting factor in (0, 1] by which the weight of the past shrinks with every sample; 1 forgets nothing
 * @param maxDictionary the most points to keep, on either side where there are two spaces, >= 1; {@link DictionaryCap#NONE} for no limit
 * @param blockSize how many samples are learned at once, from 1 to {@link BlockSize#MAX}
 * @param holdOut which pairs are held out
 * @param targets number of leading coordinates of the output that are new; the others are delayed copies, which need no prediction
 */
public record LeastSquaresConfig(
        Rkhs input,
        Rkhs output,
        OptionalDouble lambda,
        double epsilon,
        double forgetting,
        int maxDictionary,
        int blockSize,
        HoldOutConfig holdOut,
        int targets)
        implements MethodConfig {

    /** The ridge where none is fixed and too few pairs are held out to choose one. */
    public static final double DEFAULT_LAMBDA = 1e-5;

    /** The threshold of a dictionary that does not grow, as model files store it. */
    private static final double FIXED = Double.MAX_VALUE;

    private static final int MAX_FIRST_PAIRS = 4096;

    /** Numbers in the pairs that are remembered, whatever the dimension: 4 MB. */
    private static final int MAX_FIRST_NUMBERS = 1 << 19;

    /** The usual novelty threshold. */
    public static final double DEFAULT_EPSILON = 0.1;

    /** Refuses settings out of range. */
    public LeastSquaresConfig {
        InvalidConfigException.requireGiven("input", input);
        InvalidConfigException.requireGiven("output", output);
        InvalidConfigException.requireGiven("lambda", lambda);
        if (lambda.isPresent()) {
            requireLambda(lambda.getAsDouble());
        }
        InvalidConfigException.requireNonNegative("epsilon", epsilon, "novelty threshold; try 0.1");
        // -0.0 would be another value than the 0 that its text reads back as.
        epsilon += 0.0;
        InvalidConfigException.require(
                forgetting > 0 && forgetting <= 1,
                "forgetting",
                forgetting,
                "must be in (0, 1]; 1 forgets nothing, 0.999 remembers about 1000 samples");
        InvalidConfigException.requireGiven("holdOut", holdOut);
        InvalidConfigException.require(
                targets >= 1 && targets <= output.dimension(),
                "targets",
                targets,
                "must be from 1 to the " + output.dimension() + " coordinates of the output");
        DictionaryCap.requireLegal(maxDictionary);
        BlockSize.requireLegal(blockSize);
    }

    static double requireLambda(double lambda) {
        return InvalidConfigException.requirePositive(
                "lambda", lambda, "regularisation of R_λ; leave it out to choose it on held-out pairs, or try 1e-5");
    }

    /**
     * Number of pairs a learner remembers from the start of its stream, to count all of them in every direction that is kept among them; 0 for a
     * dictionary that does not grow. A multiple of the block size.
     */
    int firstPairs() {
        if (hasFixedDictionary()) {
            return 0;
        }
        int fitting = Math.min(MAX_FIRST_PAIRS, MAX_FIRST_NUMBERS / (input.dimension() + output.dimension()));
        return (fitting + blockSize - 1) / blockSize * blockSize;
    }

    /** The ridge where none can be chosen. */
    double givenLambda() {
        return lambda.orElse(DEFAULT_LAMBDA);
    }

    /** Settings for one state space, as a Koopman operator needs; everything else has a default. */
    public static Builder forState(int dimension, Kernel kernel) {
        Rkhs space = new Rkhs(kernel, dimension);
        return new Builder(space, space);
    }

    /** Settings for a transition from one space to another, e.g. from (state, action) to the next state. */
    public static Builder forTransition(Rkhs input, Rkhs output) {
        return new Builder(input, output);
    }

    /** These settings with a threshold that no sample exceeds: the dictionary stays as it is. */
    public LeastSquaresConfig fixedDictionary() {
        return toBuilder().epsilon(FIXED).build();
    }

    /** True if the dictionary does not grow. */
    public boolean hasFixedDictionary() {
        return epsilon == FIXED;
    }

    /** One or two factors, S and T. */
    @Override
    public int matrices() {
        return isOneSpace() ? 3 : 4;
    }

    /** Kept points and V. Held-out pairs and the first pairs of a stream, {@link #firstPairs()} at the most, come on top. */
    @Override
    public int numbersPerPoint() {
        return (isOneSpace() ? 0 : input.dimension()) + output.dimension() + targets + 1;
    }

    @Override
    public String method() {
        return "least-squares";
    }

    @Override
    public OptionalDouble fixedLambda() {
        return lambda;
    }

    @Override
    public void putOwn(Map<String, Object> settings) {
        settings.put("epsilon", epsilon);
        settings.put("forgetting", forgetting);
    }

    @Override
    public LeastSquaresLearner<KoopmanOperator> newKoopmanLearner() {
        return LeastSquaresLearner.koopman(this);
    }

    /** {@inheritDoc} A record's own text is not, see {@link Decimals}. */
    @Override
    public String canonicalText() {
        return String.join(
                "\n",
                input.kernel().text(),
                Integer.toString(input.dimension()),
                output.kernel().text(),
                Integer.toString(output.dimension()),
                lambda.isPresent() ? Decimals.text(lambda.getAsDouble()) : "chosen",
                Decimals.text(epsilon),
                Decimals.text(forgetting)
                        + DictionaryCap.text(maxDictionary)
                        + BlockSize.text(blockSize)
                        + holdOut.text()
                        + (targets == output.dimension() ? "" : "\ntargets " + targets));
    }

    /** A builder that starts from these settings. */
    public Builder toBuilder() {
        Builder builder = new Builder(input, output)
                .epsilon(epsilon)
                .forgetting(forgetting)
                .maxDictionary(maxDictionary)
                .blockSize(blockSize)
                .holdOut(holdOut)
                .targets(targets);
        lambda.ifPresent(builder::lambda);
        return builder;
    }

    /** Settings under way. */
    public static final class Builder {

        private final Rkhs input;
        private final Rkhs output;
        private OptionalDouble lambda = OptionalDouble.empty();
        private double epsilon = DEFAULT_EPSILON;
        private double forgetting = 1;
        private int maxDictionary = DictionaryCap.NONE;
        private int blockSize = BlockSize.ONE;
        private HoldOutConfig holdOut = HoldOutConfig.NONE;
        private int targets;

        private Builder(Rkhs input, Rkhs output) {
            this.input = input;
            this.output = output;
            this.targets = output == null ? 1 : output.dimension();
        }

        /** Fixes the ridge of the mean risk R_λ; by default it is chosen on held-out pairs. */
        public Builder lambda(double value) {
            lambda = OptionalDouble.of(value);
            return this;
        }

        /** The pairs held out to choose λ and to judge; default none. */
        public Builder holdOut(HoldOutConfig value) {
            holdOut = value;
            return this;
        }

        /** Number of leading coordinates of the output that are new, for states that are delay vectors; default all. */
        public Builder targets(int value) {
            targets = value;
            return this;
        }

        /** Holds out a share of the pairs to choose λ and to judge, e.g. 0.1; 0 for none. */
        public Builder holdOut(double share) {
            return holdOut(
                    share == 0
                            ? HoldOutConfig.NONE
                            : HoldOutConfig.of(share, input.dimension(), HoldOutConfig.Keep.UNIFORM));
        }

        /** Novelty threshold; default {@value LeastSquaresConfig#DEFAULT_EPSILON}. */
        public Builder epsilon(double value) {
            epsilon = value;
            return this;
        }

        /** Factor by which the past fades with every sample; default 1, nothing fades. */
        public Builder forgetting(double value) {
            forgetting = value;
            return this;
        }

        /** The most inputs and the most outputs to keep; default no limit. */
        public Builder maxDictionary(int value) {
            maxDictionary = value;
            return this;
        }

        /** Number of samples learned at once; default 1, every sample for itself. See {@link BlockSize}. */
        public Builder blockSize(int value) {
            blockSize = value;
            return this;
        }

        /** The settings, checked. */
        public LeastSquaresConfig build() {
            return new LeastSquaresConfig(
                    input, output, lambda, epsilon, forgetting, maxDictionary, blockSize, holdOut, targets);
        }
    }
}
