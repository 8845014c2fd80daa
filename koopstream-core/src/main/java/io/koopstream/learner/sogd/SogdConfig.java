package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.BlockSize;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.MethodConfig;
import io.koopstream.operator.KoopmanOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The settings of Algorithm 1. Refused before learning when the iterates could explode.
 *
 * <pre>{@code
 * SogdConfig config = SogdConfig.forState(2, Kernels.gaussian(0.5))
 *         .stepSize(StepSize.decay(20, 200, 0.6))
 *         .budget(0.02)
 *         .maxDictionary(500)
 *         .build();
 * config.warnings().forEach(System.out::println);
 * }</pre>
 *
 * @param input the space of the inputs x (or of z = (x, u))
 * @param output the space of the outputs x⁺
 * @param lambda ridge of the risk R_λ, > 0
 * @param stepSize η_t, with η_t (κ∞ + 2λ) ≤ 2 for all t
 * @param budget ε_t, >= 0
 * @param criterion the residual that is compared with ε_t
 * @param delta whether its norm is compared or the square of it
 * @param maxDictionary the most inputs and the most outputs to keep, >= 1; {@link DictionaryCap#NONE} for no limit
 * @param averaging whether answers come from the last iterate or from an average
 * @param blockSize how many samples are learned at once, from 1 to {@link BlockSize#MAX}
 */
public record SogdConfig(
        Rkhs input,
        Rkhs output,
        double lambda,
        StepSize stepSize,
        Budget budget,
        Criterion criterion,
        Criterion.Delta delta,
        int maxDictionary,
        Averaging averaging,
        int blockSize)
        implements MethodConfig {

    /** Refuses settings out of range. */
    public SogdConfig {
        InvalidConfigException.requireGiven("input", input);
        InvalidConfigException.requireGiven("output", output);
        InvalidConfigException.requireGiven("stepSize", stepSize);
        InvalidConfigException.requireGiven("budget", budget);
        InvalidConfigException.requireGiven("criterion", criterion);
        InvalidConfigException.requireGiven("delta", delta);
        InvalidConfigException.requireGiven("averaging", averaging);
        DictionaryCap.requireLegal(maxDictionary);
        BlockSize.requireLegal(blockSize);
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ; try 1e-3");
        requireStable(stepSize.at(1), input, lambda);
    }

    /**
     * Refuses a step with which ‖U_t‖ could grow without bound. The step multiplies U by I − η(φ(x)⊗φ(x) + λ), whose norm is at
     * most 1 − ηλ exactly when η (κ(x,x) + 2λ) ≤ 2; the paper's η < 1/λ alone does not give that (docs/errata.md, 3).
     */
    private static void requireStable(double eta, Rkhs input, double lambda) {
        InvalidConfigException.requirePositive("eta", eta, "step size of the first sample");
        double bound = input.kernel().bound();
        InvalidConfigException.require(
                eta * (bound + 2 * lambda) <= 2,
                "eta",
                eta,
                "breaks eta*(kappa + 2*lambda) <= 2 with kappa = sup k(x,x) = " + Decimals.text(bound)
                        + ": the iterates could grow without bound; use eta <= "
                        + 2 / (bound + 2 * lambda));
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

    /** Two factors, M, and the average of M if there is one. */
    @Override
    public int matrices() {
        return averaging.isOn() ? 4 : 3;
    }

    /** Kept inputs and outputs. */
    @Override
    public int numbersPerPoint() {
        return input.dimension() + output.dimension();
    }

    @Override
    public String method() {
        return "sogd";
    }

    @Override
    public OptionalDouble fixedLambda() {
        return OptionalDouble.of(lambda);
    }

    @Override
    public int targets() {
        return output.dimension();
    }

    @Override
    public void putOwn(Map<String, Object> settings) {
        settings.put("stepSize", stepSize.text());
        settings.put("budget", budget.text());
        settings.put("criterion", criterion.name().toLowerCase(Locale.ROOT));
        settings.put("delta", delta.name().toLowerCase(Locale.ROOT));
        settings.put("average", averaging.text());
    }

    @Override
    public SogdLearner<KoopmanOperator> newKoopmanLearner() {
        return SogdLearner.koopman(this);
    }

    /** True if a schedule of the caller's own is involved, whose values are checked only when they are used. */
    boolean isCustom() {
        return stepSize instanceof StepSize.Custom || budget instanceof Budget.Custom;
    }

    /** η_t, checked: positive, finite, and not above η_{t-1}. Only a custom schedule can fail here. */
    double stepSizeAt(long t) {
        double eta = stepSize.at(t);
        if (stepSize instanceof StepSize.Custom) {
            InvalidConfigException.requirePositive("eta_" + t, eta, "value of the custom step size");
            if (t > 1 && eta > stepSize.at(t - 1)) {
                throw new InvalidConfigException(
                        "eta_" + t,
                        eta,
                        "a step size may not grow (Assumption 3a), the one before is " + stepSize.at(t - 1));
            }
        }
        return eta;
    }

    /** ε_t, checked: finite and not negative. Only a custom budget can fail here. */
    double budgetAt(long t, double eta) {
        double epsilon = budget.at(t, eta);
        if (budget instanceof Budget.Custom) {
            InvalidConfigException.requireNonNegative("epsilon_" + t, epsilon, "value of the custom budget");
        }
        return epsilon;
    }

    /** {@inheritDoc} What holds less than it could: assumptions of the convergence theorems that these settings do not meet, in words. */
    @Override
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        double first = stepSize.at(1);
        double largest = delta.of(
                first * first * input.kernel().bound() * output.kernel().bound());
        if (budget.at(1, first) >= largest) {
            warnings.add("nothing will be kept: the budget of the first sample, "
                    + Decimals.text(budget.at(1, first)) + ", is not below " + Decimals.text(largest)
                    + ", the most that leaving out a sample can change; use a smaller epsilon");
        }
        boolean decays = stepSize instanceof StepSize.Decay;
        if (decays && budget instanceof Budget.Constant constant && constant.epsilon() > 0) {
            warnings.add("Assumption 3(b) fails: the budget " + Decimals.text(constant.epsilon())
                    + " stays while eta_t^2 vanishes, so the error of sparsification does not vanish; use"
                    + " budget proportional(b)");
        }
        if (stepSize instanceof StepSize.Constant) {
            warnings.add("the step size is constant, so sum eta_t^2 diverges: the iterates reach a neighbourhood of"
                    + " U_lambda and keep fluctuating there (Corollary 10); for convergence use decay(eta,r,a)"
                    + " with 0.5 < a <= 1");
        }
        if (decays) {
            double a = ((StepSize.Decay) stepSize).a();
            if (a <= 0.5) {
                warnings.add("sum eta_t^2 diverges for a = " + Decimals.text(a)
                        + ": almost sure convergence (Theorem 6) needs a > 0.5");
            }
            if (a == 1) {
                warnings.add(
                        "a = 1 lies outside Assumption 6, so the finite-time bound of Corollary 11 does not apply");
            }
        }
        if (isCustom()) {
            warnings.add("a custom schedule cannot be checked against Assumption 3(b) nor the conditions of Theorem 6");
        }
        if (criterion == Criterion.PAPER && !(budget instanceof Budget.Constant constant && constant.epsilon() == 0)) {
            warnings.add("criterion PAPER leaves out the input side: the true projection error can exceed the budget "
                    + "that Assumption 3(b) speaks of");
        }
        if (delta == Criterion.Delta.SQUARED) {
            warnings.add(
                    "the squared norm is compared with the budget: the norm itself, which Assumption 3(b) bounds, may be as"
                            + " large as the root of the budget");
        }
        return warnings;
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
                Decimals.text(lambda),
                stepSize.text(),
                budget.text(),
                criterion.name()
                        + DictionaryCap.text(maxDictionary)
                        + BlockSize.text(blockSize)
                        + (averaging.isOn() ? "\naveraging " + averaging.text() : "")
                        + (delta == Criterion.Delta.SQUARED ? "\ndelta squared" : ""));
    }

    /** A builder that starts from these settings. */
    public Builder toBuilder() {
        return new Builder(input, output)
                .lambda(lambda)
                .stepSize(stepSize)
                .budget(budget)
                .criterion(criterion)
                .delta(delta)
                .maxDictionary(maxDictionary)
                .averaging(averaging)
                .blockSize(blockSize);
    }

    /** Settings under way. */
    public static final class Builder {

        private final Rkhs input;
        private final Rkhs output;
        private double lambda = 1e-3;
        private StepSize stepSize;
        private Budget budget;
        private Criterion criterion = Criterion.EXACT;
        private Criterion.Delta delta = Criterion.Delta.NORM;
        private int maxDictionary = DictionaryCap.NONE;
        private int blockSize = BlockSize.ONE;
        private Averaging averaging = Averaging.none();

        private Builder(Rkhs input, Rkhs output) {
            this.input = input;
            this.output = output;
            this.budget = Budget.constant(0.03);
        }

        /** Ridge of the risk R_λ; default 1e-3. */
        public Builder lambda(double value) {
            lambda = value;
            return this;
        }

        /** Step sizes η_t; default constant, 0.3 / κ∞. */
        public Builder stepSize(StepSize value) {
            stepSize = value;
            return this;
        }

        /** A constant step size. */
        public Builder stepSize(double eta) {
            return stepSize(StepSize.constant(eta));
        }

        /** Budgets ε_t; default constant, 0.03. */
        public Builder budget(Budget value) {
            budget = value;
            return this;
        }

        /** A constant budget. */
        public Builder budget(double epsilon) {
            return budget(Budget.constant(epsilon));
        }

        /** The residual that is compared with ε_t; default {@link Criterion#EXACT}. */
        public Builder criterion(Criterion value) {
            criterion = value;
            return this;
        }

        /** Whether its norm is compared or the square of it; default the norm, as the theory needs. */
        public Builder delta(Criterion.Delta value) {
            delta = value;
            return this;
        }

        /** The most inputs and the most outputs to keep; default no limit. */
        public Builder maxDictionary(int value) {
            maxDictionary = value;
            return this;
        }

        /** The iterate that answers come from, the last one or an average; default the last iterate, as in the paper. */
        public Builder averaging(Averaging value) {
            averaging = value;
            return this;
        }

        /** 0.3 / κ∞, or less where the ridge is large against κ∞, so that the iterates stay bounded. */
        private double defaultStep() {
            double bound = input.kernel().bound();
            double usual = 0.3 / bound;
            // A ridge that is no positive number is refused for itself, in the constructor.
            return lambda > 0 ? Math.min(usual, 1 / (bound + 2 * Math.min(lambda, 1e300))) : usual;
        }

        /** Number of samples learned at once; default 1, every sample for itself. See {@link BlockSize}. */
        public Builder blockSize(int value) {
            blockSize = value;
            return this;
        }

        /** The settings, checked. */
        public SogdConfig build() {
            StepSize steps = stepSize == null ? StepSize.constant(defaultStep()) : stepSize;
            return new SogdConfig(
                    input, output, lambda, steps, budget, criterion, delta, maxDictionary, averaging, blockSize);
        }
    }
}
