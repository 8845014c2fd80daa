package io.koopstream.learner.sogd;

/** The residual that is compared with the budget ε_t when a sample asks to be kept. */
public enum Criterion {

    /**
     * The true distance ‖Ũ − Û‖_HS between the operator with the sample and its projection without it:
     * ‖Ũ − Û‖² = η² (‖r‖² b² + a² κ(x,x)). This is the quantity the theory bounds (‖E_t‖ ≤ ε_t).
     */
    EXACT {
        @Override
        public double squaredResidual(double eta, double squaredError, double aSquared, double bSquared, double kxx) {
            // η goes with each factor, because η κ is of order one where η² and κ² leave the range of doubles.
            return (eta * squaredError) * (eta * bSquared) + (eta * aSquared) * (eta * kxx);
        }
    },

    /**
     * The paper's ℓ(Z*) (Appendix F), η² a² κ(x,x), which leaves out the input side. With it the paper's dictionary sizes come
     * out; the distance it allows can exceed the budget.
     */
    PAPER {
        @Override
        public double squaredResidual(double eta, double squaredError, double aSquared, double bSquared, double kxx) {
            return (eta * aSquared) * (eta * kxx);
        }
    };

    /** Δ_t as it is compared with ε_t: the paper writes both (docs/errata.md, 2). */
    public enum Delta {

        /** Δ_t = ‖Ũ − Û‖, equation (eq.CME.stop) and what the theory bounds. */
        NORM,

        /** Δ_t = ‖Ũ − Û‖², the box of Algorithm 1. */
        SQUARED;

        /** Δ_t of a squared residual. */
        double of(double squaredResidual) {
            return this == NORM ? Math.sqrt(squaredResidual) : squaredResidual;
        }
    }

    /**
     * The squared residual.
     *
     * @param eta η_t
     * @param squaredError ‖r‖², r = α − M β
     * @param aSquared what the output basis misses of φ(y)
     * @param bSquared what the input basis misses of φ(x)
     * @param kxx κ(x, x)
     */
    public abstract double squaredResidual(
            double eta, double squaredError, double aSquared, double bSquared, double kxx);
}
