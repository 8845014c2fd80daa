package io.koopstream.theory;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.learner.sogd.StepSize;
import java.util.Arrays;

/**
 * The finite-time bounds on E‖U_t − U_λ‖² of Theorem 9 and, in closed form, of Corollaries 10 and 11 (Theorem 5 and Corollaries 1 and 2
 * where each kind is counted by itself), with the constants their proofs give; what the statements print differs (docs/errata.md, 8).
 *
 * <p>Time as in the paper: U_t is the operator after t samples, and the sample that leads from U_t to U_{t+1} has the step η_t. Learners
 * number samples from one, so η_t is {@code StepSize.at(t + 1)}, and r of Assumption 6 is one more than that of {@code StepSize.decay}.
 *
 * <p>Whether the bounds apply is {@link ConvergenceTheory}'s to say. Immutable.
 */
public final class FiniteTimeBound {

    /**
     * The constants of the finite-time analysis.
     *
     * @param kernelBound B_∞ = sup κ(x,x) of Assumption 1
     * @param lambda ridge of the risk
     * @param compression b_cmp of Assumption 3(b): ε_t ≤ b_cmp η_t²; 0 without sparsification
     * @param firstStep η_0, the largest step
     * @param operatorNorm ‖U_λ‖_HS, or an upper bound of it such as {@link #largestNorm}
     */
    public record Constants(
            double kernelBound, double lambda, double compression, double firstStep, double operatorNorm) {

        /** Refuses constants out of range. */
        public Constants {
            InvalidConfigException.requirePositive("kernelBound", kernelBound, "sup k(x,x)");
            InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ");
            InvalidConfigException.requireNonNegative("compression", compression, "b_cmp of Assumption 3(b)");
            InvalidConfigException.requirePositive("firstStep", firstStep, "largest step size");
            InvalidConfigException.requireNonNegative("operatorNorm", operatorNorm, "norm of U_λ, or an upper bound");
        }

        /**
         * An upper bound of ‖U_λ‖_HS that needs no data, always below the paper's B_∞/λ (lemma.CME.bound): B_∞^½ max {σ^½/(σ + λ) : 0 ≤ σ ≤ B_∞},
         * which is ½ (B_∞/λ)^½ for λ ≤ B_∞ and B_∞/(B_∞ + λ) beyond, where the constant kernel reaches it.
         *
         * <p>Proof. Let σ_i be the eigenvalues of C_XX and h_i its eigenfunctions, scaled to be orthonormal in L₂(ρ_X); σ_i ≤ B_∞. Then U_λ = C_X⁺X
         * (C_XX + λ)⁻¹ (Lemma 3) has ‖U_λ‖² = Σ_i σ_i/(σ_i + λ)² ‖E[φ(x⁺) h_i(x)]‖², and Σ_i ‖E[φ(x⁺) h_i(x)]‖² ≤ E ‖φ(x⁺)‖² ≤ B_∞ (Bessel).
         */
        public static double largestNorm(double kernelBound, double lambda) {
            double sigma = Math.min(kernelBound, lambda);
            return Math.sqrt(kernelBound * sigma) / (sigma + lambda);
        }

        /** B_ε = b_cmp η_0, the smallest with η_t ≤ B_ε / b_cmp for all t. */
        public double compressionShare() {
            return compression * firstStep;
        }

        /** B = B_∞ + λ + B_ε. */
        public double growth() {
            return kernelBound + lambda + compressionShare();
        }

        /** B̌ = 98 B² + 32 B. */
        public double drift() {
            double b = growth();
            return 98 * b * b + 32 * b;
        }

        /** Largest admissible η_{t−τ,t−1}: λ/B̌. It is below 1/(4B) always, because λ ≤ B, so the theorem's minimum is this one. */
        public double largestWindow() {
            return lambda / drift();
        }

        /** Ξ_λ² = (‖U_λ‖ + 1)². */
        public double squaredScale() {
            return (operatorNorm + 1) * (operatorNorm + 1);
        }

        /** Θ₂ = 8 B_∞^(3−β) / λ². */
        public double theta2(double beta) {
            requireExponent(beta);
            return 8 * StrictMath.pow(kernelBound, 3 - beta) / (lambda * lambda);
        }

        /** Lemma 5: a bound of ‖[K_t] − K‖² in HS(H, [H]^β) from one of ‖U_t − U_λ‖²: 2 B_∞^(1−β) ‖U_t − U_λ‖² + 2 B_src². */
        public double koopmanError(double squaredDistance, double beta, double source) {
            requireExponent(beta);
            InvalidConfigException.requireNonNegative("source", source, "B_src of Assumption 2");
            return 2 * StrictMath.pow(kernelBound, 1 - beta) * squaredDistance + 2 * source * source;
        }

        static void requireExponent(double beta) {
            if (!(beta > 0 && beta < 1)) {
                throw new InvalidConfigException("beta", beta, "must be in (0, 1): the exponent of Assumption 2");
            }
        }
    }

    private final Constants constants;
    private final StepSize steps;
    private final Mixing mixing;
    private final int horizon;
    /** cumulated[t] = η_0 + … + η_{t−1}. */
    private final double[] cumulated;

    private final int start;

    /**
     * Bounds for t up to a horizon.
     *
     * @param horizon the largest t that will be asked about, >= 1
     */
    public FiniteTimeBound(Constants constants, StepSize steps, Mixing mixing, int horizon) {
        if (horizon < 1 || horizon > 100_000_000) {
            throw new InvalidConfigException("horizon", horizon, "must be between 1 and 1e8 samples");
        }
        this.constants = constants;
        this.steps = steps;
        this.mixing = mixing;
        this.horizon = horizon;
        this.cumulated = new double[horizon + 1];
        for (int t = 0; t < horizon; t++) {
            cumulated[t + 1] = cumulated[t] + step(t);
        }
        int first = 0;
        while (first < horizon && first < mixingTime(first)) {
            first++;
        }
        this.start = first;
    }

    /** The constants. */
    public Constants constants() {
        return constants;
    }

    /** The largest t. */
    public int horizon() {
        return horizon;
    }

    /** η_t. */
    public double step(int t) {
        return steps.at(t + 1L);
    }

    /** τ_t = τ(η_t). */
    public int mixingTime(int t) {
        return mixing.time(step(t));
    }

    /** τ_* = min{t : t ≥ τ_t}: from here on the bounds speak. */
    public int start() {
        return start;
    }

    /** η_{t−τ_t,t−1}, the sum of the last τ_t steps before t; t from {@link #start()} on. */
    public double window(int t) {
        int tau = mixingTime(t);
        if (t < tau || t > horizon) {
            throw new InvalidQueryException("t = " + t + ": must be from " + start + " to " + horizon);
        }
        return cumulated[t] - cumulated[t - tau];
    }

    /** Θ₁(t) = B̌ η_t η_{t−τ_t,t−1} Ξ_λ² + 4 b_cmp η_t² B_∞/λ, with the factor Ξ_λ² that Lemma 8 and the proofs have. */
    public double theta1(int t) {
        double eta = step(t);
        return constants.drift() * eta * window(t) * constants.squaredScale()
                + 4 * constants.compression() * eta * eta * constants.kernelBound() / constants.lambda();
    }

    /**
     * Theorem 9: 4 B_∞²/λ² Ψ(t−1, τ_*) + Σ_i Ψ(t−1, i+1) Θ₁(i), by the recursion it solves.
     *
     * @param times increasing, from {@link #start()} to the horizon
     * @return a bound of E‖U_t − U_λ‖² for each
     */
    public double[] general(int[] times) {
        double[] result = new double[times.length];
        double value = initial();
        int t = start;
        for (int k = 0; k < times.length; k++) {
            if (times[k] < t || times[k] > horizon) {
                throw new InvalidQueryException("times[" + k + "] = " + times[k] + " of " + Arrays.toString(times)
                        + ": must increase, from " + start + " to " + horizon);
            }
            for (; t < times[k]; t++) {
                value = (1 - constants.lambda() * step(t)) * value + theta1(t);
            }
            result[k] = value;
        }
        return result;
    }

    /** ‖U_t − U_λ‖² ≤ (2 B_∞/λ)² by uniform boundedness. */
    private double initial() {
        double radius = 2 * constants.kernelBound() / constants.lambda();
        return radius * radius;
    }

    /** Corollary 10 for a constant step: 4 B_∞²/λ² (1−λη)^(t−τ_η) + Θ₁/(λη). */
    public double constantStep(int t) {
        if (!(steps instanceof StepSize.Constant constant)) {
            throw new InvalidQueryException("Corollary 10 is about a constant step, this is " + steps.text());
        }
        requireTime(t);
        double contraction = 1 - constants.lambda() * constant.eta();
        return initial() * StrictMath.pow(contraction, t - start) + floor();
    }

    /** Limit of the bound of Corollary 10: (B̌ τ_η Ξ_λ² + 4 b_cmp B_∞/λ) η/λ. */
    public double floor() {
        double eta = step(0);
        int tau = mixingTime(0);
        return (constants.drift() * tau * constants.squaredScale()
                        + 4 * constants.compression() * constants.kernelBound() / constants.lambda())
                * eta
                / constants.lambda();
    }

    /** Θ₃ of Corollary 10 as its proof gives it, i.e. with the 1/λ that the statement lost: Θ₃ η is 2 B_∞^(1−β) times {@link #floor()}. */
    public double theta3(double beta) {
        Constants.requireExponent(beta);
        return 2 * StrictMath.pow(constants.kernelBound(), 1 - beta) * floor() / step(0);
    }

    /** Θ₄(t+r) = 2 (B_mix B̌ (log(t+r) − log η + 1) Ξ_λ² + 4 b_cmp B_∞/λ) of Corollary 11. */
    public double theta4(int t) {
        StepSize.Decay decay = decay();
        double logarithm = StrictMath.log(t + offset(decay)) - StrictMath.log(decay.eta()) + 1;
        return 2
                * (mixing.coefficient() * constants.drift() * logarithm * constants.squaredScale()
                        + 4 * constants.compression() * constants.kernelBound() / constants.lambda());
    }

    /** Corollary 11 for η_t = η/(t+r)^a: 4 B_∞²/λ² exp(−λη/(1−a) ((t+r)^(1−a) − (τ_*+r)^(1−a))) + Θ₄ (2/λ) η_t. */
    public double decayingStep(int t) {
        StepSize.Decay decay = decay();
        requireTime(t);
        double power = 1 - decay.a();
        double r = offset(decay);
        double passed = StrictMath.pow(t + r, power) - StrictMath.pow(start + r, power);
        double forgotten = StrictMath.exp(-constants.lambda() * decay.eta() / power * passed);
        return initial() * forgotten + theta4(t) * 2 / constants.lambda() * step(t);
    }

    /** (2a/(λη))^(1/(1−a)): Corollary 11 needs τ_* + r to be at least this. */
    double leastOffset() {
        StepSize.Decay decay = decay();
        return StrictMath.pow(2 * decay.a() / (constants.lambda() * decay.eta()), 1 / (1 - decay.a()));
    }

    /** τ_* + r. */
    double shiftedStart() {
        return start + offset(decay());
    }

    /** B_mix (log(1/η_t) + 1), which the proof of Corollary 11 puts, doubled and times η_t, above η_{t−τ_t,t−1}. */
    double windowScale(int t) {
        return mixing.coefficient() * (1 - StrictMath.log(step(t))) * step(t);
    }

    private static double offset(StepSize.Decay decay) {
        return decay.r() + 1;
    }

    private StepSize.Decay decay() {
        if (steps instanceof StepSize.Decay decay && decay.a() < 1) {
            return decay;
        }
        throw new InvalidQueryException(
                "Corollary 11 is about steps eta/(t+r)^a with a in (0, 1), this is " + steps.text());
    }

    private void requireTime(int t) {
        if (t < start || t > horizon) {
            throw new InvalidQueryException("t = " + t + ": must be from " + start + " to " + horizon);
        }
    }
}
