package io.koopstream.spectrum;

/** Randomness of the system under study, which decides what counts as the error of an eigenpair. */
public enum Noise {
    /** x⁺ is a function of x: all of f(x⁺) − λ f(x) is error. */
    DETERMINISTIC,
    /** x⁺ is random given x: only the part of f(x⁺) − λ f(x) that x explains is error, the rest is the system's noise. */
    STOCHASTIC
}
