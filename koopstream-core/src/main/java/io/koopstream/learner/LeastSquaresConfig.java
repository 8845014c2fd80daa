package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelText;
import io.koopstream.kernel.Rkhs;

/**
 * The settings of online least squares.
 *
 * @param input the space of the inputs x (or of z = (x, u))
 * @param output the space of the outputs x⁺
 * @param lambda ridge of the mean risk R_λ, > 0
 * @param epsilon a sample is kept when the dictionary misses more than this of φ(x) ⊗ φ(x⁺) on either side, as a norm, >= 0
 * @param forgetting factor in (0, 1] by which the weight of the past shrinks with every sample; 1 forgets nothing
 * @param maxDictionary the most inputs and the most outputs to keep, >= 1; {@link DictionaryCap#NONE} for no limit
 * @param blockSize how many samples are learned at once, from 1 to {@link BlockSize#LARGEST}
 */
public record LeastSquaresConfig(
        Rkhs input, Rkhs output, double lambda, double epsilon, double forgetting, int maxDictionary, int blockSize) {

    /** Refuses settings out of range. */
    public LeastSquaresConfig {
        SogdConfig.requireGiven("input", input);
        SogdConfig.requireGiven("output", output);
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ; try 1e-5");
        InvalidConfigException.requireNonNegative("epsilon", epsilon, "novelty a sample must have to be kept; try 0.1");
        // -0.0 would be another value than the 0 that its text reads back as.
        epsilon += 0.0;
        if (!(forgetting > 0 && forgetting <= 1)) {
            throw new InvalidConfigException(
                    "forgetting",
                    forgetting,
                    "must be in (0, 1]; 1 forgets nothing, 0.999 remembers about 1000 samples");
        }
        DictionaryCap.requireLegal(maxDictionary);
        BlockSize.requireLegal(blockSize);
    }

    /** The same, every sample for itself. */
    public LeastSquaresConfig(
            Rkhs input, Rkhs output, double lambda, double epsilon, double forgetting, int maxDictionary) {
        this(input, output, lambda, epsilon, forgetting, maxDictionary, BlockSize.ONE);
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

    /** The same settings with a threshold that no sample exceeds: the dictionary stays as it is. */
    public LeastSquaresConfig fixedDictionary() {
        return toBuilder().epsilon(Double.MAX_VALUE).build();
    }

    /**
     * Bytes that a learner with these settings holds at m kept inputs and m kept outputs: 8 (4 m² + m (d + d')) with d and d' the
     * dimensions of input and output; the m×m arrays are two factors, S and T.
     * Storage grows by half its length, so a learner that is still growing may hold up to 2.25 times as much; terms of order m come on top
     * (docs/numerics.md).
     */
    public double bytes(int m) {
        return DictionaryCap.bytes(m, input, output, matrices());
    }

    /** How many m×m arrays a learner holds: two factors, S and T. */
    int matrices() {
        return 4;
    }

    /** The settings in words that are the same in every JVM; a record's own text is not, see {@link KernelText}. */
    String canonicalText() {
        return String.join(
                "\n",
                input.kernel().text(),
                Integer.toString(input.dimension()),
                output.kernel().text(),
                Integer.toString(output.dimension()),
                KernelText.number(lambda),
                KernelText.number(epsilon),
                KernelText.number(forgetting) + DictionaryCap.text(maxDictionary) + BlockSize.text(blockSize));
    }

    /** The same settings, to be changed. */
    public Builder toBuilder() {
        return new Builder(input, output)
                .lambda(lambda)
                .epsilon(epsilon)
                .forgetting(forgetting)
                .maxDictionary(maxDictionary)
                .blockSize(blockSize);
    }

    /** Settings under way. */
    public static final class Builder {

        private final Rkhs input;
        private final Rkhs output;
        private double lambda = 1e-5;
        private double epsilon = 0.1;
        private double forgetting = 1;
        private int maxDictionary = DictionaryCap.NONE;
        private int blockSize = BlockSize.ONE;

        private Builder(Rkhs input, Rkhs output) {
            this.input = input;
            this.output = output;
        }

        /** Ridge of the mean risk R_λ; default 1e-5. */
        public Builder lambda(double value) {
            lambda = value;
            return this;
        }

        /** Novelty a sample must have to be kept; default 0.1. */
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

        /** How many samples are learned at once; default 1, every sample for itself. See {@link BlockSize}. */
        public Builder blockSize(int value) {
            blockSize = value;
            return this;
        }

        /** The settings, checked. */
        public LeastSquaresConfig build() {
            return new LeastSquaresConfig(input, output, lambda, epsilon, forgetting, maxDictionary, blockSize);
        }
    }
}
