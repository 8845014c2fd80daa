package io.koopstream.theory;

import io.koopstream.InvalidConfigException;

/**
 * The constants of the finite-time analysis.
 *
 * @param kernelBound B_∞ = sup κ(x,x) of Assumption 1
 * @param lambda ridge of the risk
 * @param compression b_cmp of Assumption 3(b): ε_t ≤ b_cmp η_t²; 0 without sparsification
 * @param firstStep η_0, the largest step
 * @param operatorNorm ‖U_λ‖_HS, or an upper bound of it such as B_∞/λ
 */
public record BoundConstants(
        double kernelBound, double lambda, double compression, double firstStep, double operatorNorm) {

    /** Refuses constants out of range. */
    public BoundConstants {
        InvalidConfigException.requirePositive("kernelBound", kernelBound, "sup k(x,x)");
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ");
        InvalidConfigException.requireNonNegative("compression", compression, "b_cmp of Assumption 3(b)");
        InvalidConfigException.requirePositive("firstStep", firstStep, "largest step size");
        InvalidConfigException.requireNonNegative("operatorNorm", operatorNorm, "norm of U_λ; at most B_∞/λ");
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
