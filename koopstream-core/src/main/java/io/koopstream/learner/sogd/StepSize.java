package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import java.util.function.LongToDoubleFunction;

/** The step sizes η_t, t = 1, 2, ... (sample t uses η_t), positive and never growing (Assumption 3a). */
public sealed interface StepSize {

    /** Reads {@code constant(0.3)} or {@code decay(eta=20,r=200,a=0.6)}. */
    static StepSize parse(String text) {
        ScheduleText call = ScheduleText.parse("stepSize", text, "constant(0.3) or decay(eta=20,r=200,a=0.6)");
        return switch (call.name()) {
            case "constant" -> constant(call.numbers("eta")[0]);
            case "decay" -> {
                double[] numbers = call.numbers("eta", "r", "a");
                yield decay(numbers[0], numbers[1], numbers[2]);
            }
            default -> throw call.refusal();
        };
    }

    /** η_t for sample t = 1, 2, ... */
    double at(long t);

    /** The form {@link #parse} reads, e.g. {@code constant(0.3)}. */
    String text();

    /** A constant step (Assumption 5). */
    static StepSize constant(double eta) {
        return new Constant(eta);
    }

    /** η_t = eta / (t + r)^a (Assumption 6). */
    static StepSize decay(double eta, double r, double a) {
        return new Decay(eta, r, a);
    }

    /**
     * Steps of the caller's own. Every value is checked when it is used.
     *
     * @param name how the schedule is written into a model file; the function itself cannot be
     */
    static StepSize custom(String name, LongToDoubleFunction eta) {
        return new Custom(name, eta);
    }

    /**
     * A constant step.
     *
     * @param eta the step, > 0
     */
    record Constant(double eta) implements StepSize {

        /** Refuses a step that is not a positive number. */
        public Constant {
            InvalidConfigException.requirePositive("eta", eta, "step size; try 0.3");
        }

        @Override
        public double at(long t) {
            return eta;
        }

        @Override
        public String text() {
            return "constant(" + Decimals.text(eta) + ")";
        }
    }

    /**
     * Polynomially decaying steps.
     *
     * @param eta numerator, > 0
     * @param r offset, > 0
     * @param a exponent, in (0, 1]
     */
    record Decay(double eta, double r, double a) implements StepSize {

        /** Refuses parameters out of range. */
        public Decay {
            InvalidConfigException.requirePositive("eta", eta, "numerator of eta/(t+r)^a");
            InvalidConfigException.requirePositive("r", r, "offset of eta/(t+r)^a (Assumption 6)");
            InvalidConfigException.require(
                    a > 0 && a <= 1, "a", a, "exponent of eta/(t+r)^a, must be in (0, 1]; try 0.6");
        }

        @Override
        public double at(long t) {
            return eta / StrictMath.pow(t + r, a);
        }

        @Override
        public String text() {
            return "decay(eta=" + Decimals.text(eta) + ",r=" + Decimals.text(r) + ",a=" + Decimals.text(a) + ")";
        }
    }

    /**
     * Step sizes of the caller's own.
     *
     * @param name its name
     * @param values t ↦ η_t
     */
    record Custom(String name, LongToDoubleFunction values) implements StepSize {

        /** Refuses a name that could not be written. */
        public Custom {
            ScheduleText.requireName(name);
        }

        @Override
        public double at(long t) {
            return values.applyAsDouble(t);
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
