package io.koopstream.spectrum;

import io.koopstream.InvalidConfigException;

/**
 * The rule by which an eigenpair counts as spurious: its modulus exceeds 1 + {@code outside}; or its error on held-out pairs is significant and above
 * {@code largestBias}; or its standard error is above {@code largestSpread}.
 *
 * @param noise whether the system is random
 * @param outside how far beyond the unit circle an eigenvalue may lie, >= 0
 * @param largestBias largest ‖K f − λ f‖ / ‖f‖ that is accepted, > 0; λ is then within it of the spectrum of K where K is normal
 * @param largestSpread largest standard error of an eigenvalue that is accepted, > 0
 * @param significance how many standard errors (of pure noise) the estimated bias must exceed to count, >= 0
 * @param features how many features of the held-out inputs the bias is looked for in, >= 1
 */
public record TrustRule(
        Noise noise, double outside, double largestBias, double largestSpread, double significance, int features) {

    /** Randomness of the system under study, which decides what counts as the error of an eigenpair. */
    public enum Noise {
        /** x⁺ is a function of x: all of f(x⁺) − λ f(x) is error. */
        DETERMINISTIC,
        /** x⁺ is random given x: only the part of f(x⁺) − λ f(x) that x explains is error, the rest is the system's noise. */
        STOCHASTIC
    }

    /** Refuses settings out of range. */
    public TrustRule {
        InvalidConfigException.require(noise != null, "noise", null, "must be given: DETERMINISTIC or STOCHASTIC");
        InvalidConfigException.requireNonNegative("outside", outside, "tolerance beyond the unit circle; try 0.005");
        InvalidConfigException.requirePositive("largestBias", largestBias, "residual of an eigenpair; try 0.1");
        InvalidConfigException.requirePositive("largestSpread", largestSpread, "standard error; try 0.1");
        InvalidConfigException.requireNonNegative("significance", significance, "standard errors; try 4");
        InvalidConfigException.require(features >= 1, "features", features, "must be >= 1; try 30");
    }

    /** The rule for a random system: 0.005 beyond the circle, bias up to 0.1, standard error up to 0.1, 4 standard errors. */
    public static TrustRule stochastic() {
        return new TrustRule(Noise.STOCHASTIC, 0.005, 0.1, 0.1, 4, 30);
    }

    /** The rule for a deterministic system, with the same limits. */
    public static TrustRule deterministic() {
        return new TrustRule(Noise.DETERMINISTIC, 0.005, 0.1, 0.1, 4, 30);
    }
}
