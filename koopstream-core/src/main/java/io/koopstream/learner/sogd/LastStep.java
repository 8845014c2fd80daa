package io.koopstream.learner.sogd;

/** Figures on which the admission of the last sample was decided. Mutable, one writer. */
final class LastStep {

    private double delta;
    private double epsilon;
    private double squaredPredictionError;

    void note(double deltaNow, double epsilonNow, double squaredPredictionErrorNow) {
        delta = deltaNow;
        epsilon = epsilonNow;
        squaredPredictionError = squaredPredictionErrorNow;
    }

    /** Δ_t. */
    double delta() {
        return delta;
    }

    /** ε_t. */
    double epsilon() {
        return epsilon;
    }

    /** ‖φ(x⁺) − U φ(x)‖² before the step. */
    double squaredPredictionError() {
        return squaredPredictionError;
    }
}
