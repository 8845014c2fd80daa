package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The iterate that answers come from: the last one U_t of Algorithm 1, or an average of iterates (Polyak and Ruppert), which fluctuates
 * far less. Every {@value #STRIDE}-th iterate counts; the k-th of them has a weight that grows like k^γ, so that the tail decides and
 * the start is forgotten without a burn-in to be chosen.
 *
 * @param gamma γ >= 0, 0 being the plain mean of all iterates; NaN for no averaging
 */
public record Averaging(double gamma) {

    /** Iterates between two that count: neighbours are too alike to be worth a pass over the matrix each. */
    static final int STRIDE = 64;

    private static final double MAX_POWER = 1000;
    private static final Pattern TAIL = Pattern.compile("tail\\(([0-9.E+-]{1,40})\\)");

    /** Refuses an exponent out of range. */
    public Averaging {
        InvalidConfigException.require(
                Double.isNaN(gamma) || (gamma >= 0 && gamma <= MAX_POWER),
                "averaging",
                gamma,
                "exponent must be from 0 to 1000; try 3");
        // -0.0 would be another value than the 0 that its text reads back as.
        gamma += 0.0;
    }

    /** The last iterate. */
    public static Averaging none() {
        return new Averaging(Double.NaN);
    }

    /** The average with weights that grow like k^γ. */
    public static Averaging tail(double gamma) {
        InvalidConfigException.require(
                !Double.isNaN(gamma), "averaging", gamma, "exponent must be from 0 to 1000; try 3");
        return new Averaging(gamma);
    }

    /** True if iterates are averaged at all. */
    public boolean isOn() {
        return !Double.isNaN(gamma);
    }

    /** {@code none} or {@code tail(gamma)}. */
    public String text() {
        return isOn() ? "tail(" + Decimals.text(gamma) + ")" : "none";
    }

    /** Reads what {@link #text} wrote. */
    public static Averaging parse(String text) {
        if (text.equals("none")) {
            return none();
        }
        Matcher tail = TAIL.matcher(text);
        if (tail.matches()) {
            try {
                return tail(Double.parseDouble(tail.group(1)));
            } catch (NumberFormatException e) {
                // Reported below.
            }
        }
        throw new InvalidConfigException("averaging", text, "must be none or tail(gamma), e.g. tail(3)");
    }

    /** The share that the k-th of the iterates that count, k >= 1, has in the average of the first k. */
    double share(long k) {
        return (gamma + 1) / (k + gamma);
    }
}
