package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;

/** The sparsification budgets ε_t: a sample whose omission changes the operator by at most ε_t (HS norm) is not kept. */
public sealed interface Budget {

    /** A budget of the caller's own. */
    @FunctionalInterface
    interface Rule {

        /** ε_t for sample t = 1, 2, ..., whose step size is η_t. */
        double at(long t, double eta);
    }

    /** Reads {@code constant(0.01)} or {@code proportional(0.5)}, which may be written {@code eta-squared(0.5)}. */
    static Budget parse(String text) {
        ScheduleText call = ScheduleText.parse(
                "budget", text, "constant(0.01) or proportional(0.5), also written eta-squared(0.5)");
        return switch (call.name()) {
            case "constant" -> constant(call.numbers("epsilon")[0]);
            case "proportional", "eta-squared" -> proportional(call.numbers("b")[0]);
            default -> throw call.refusal();
        };
    }

    /** ε_t for sample t = 1, 2, ..., whose step size is η_t. */
    double at(long t, double eta);

    /** The form {@link #parse} reads, e.g. {@code constant(0.01)}. */
    String text();

    /** A constant budget; 0 keeps everything that is numerically new (the unsparsified SOGD of Lemma 4). */
    static Budget constant(double epsilon) {
        return new Constant(epsilon);
    }

    /** ε_t = b η_t², the largest budget under which the convergence results hold (Assumption 3b). */
    static Budget proportional(double b) {
        return new Proportional(b);
    }

    /**
     * Budgets of the caller's own. Every value is checked when it is used.
     *
     * @param name how the budget is written into a model file; the function itself cannot be
     */
    static Budget custom(String name, Rule epsilon) {
        return new Custom(name, epsilon);
    }

    /**
     * A constant budget.
     *
     * @param epsilon the budget, >= 0
     */
    record Constant(double epsilon) implements Budget {

        /** Refuses a budget that is negative or not a number. */
        public Constant {
            InvalidConfigException.requireNonNegative(
                    "epsilon", epsilon, "sparsification budget; 0 keeps every sample that is numerically new");
            // -0.0 would be another value than the 0 that its text reads back as.
            epsilon += 0.0;
        }

        @Override
        public double at(long t, double eta) {
            return epsilon;
        }

        @Override
        public String text() {
            return "constant(" + Decimals.text(epsilon) + ")";
        }
    }

    /**
     * A budget tied to the step size.
     *
     * @param b b_cmp of Assumption 3b, > 0
     */
    record Proportional(double b) implements Budget {

        /** Refuses a factor that is not a positive number. */
        public Proportional {
            InvalidConfigException.requirePositive("b", b, "factor of the budget b*eta_t^2 (Assumption 3b)");
        }

        @Override
        public double at(long t, double eta) {
            return b * eta * eta;
        }

        @Override
        public String text() {
            return "proportional(" + Decimals.text(b) + ")";
        }
    }

    /**
     * A budget of the caller's own.
     *
     * @param name its name
     * @param epsilon (t, η_t) ↦ ε_t
     */
    record Custom(String name, Rule epsilon) implements Budget {

        /** Refuses a name that could not be written. */
        public Custom {
            ScheduleText.requireName(name);
        }

        @Override
        public double at(long t, double eta) {
            return epsilon.at(t, eta);
        }

        @Override
        public String text() {
            return "custom(" + name + ")";
        }

        @Override
        public String toString() {
            return text();
        }
    }
}
