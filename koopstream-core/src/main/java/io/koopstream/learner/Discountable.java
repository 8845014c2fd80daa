package io.koopstream.learner;

import io.koopstream.InvalidConfigException;

/** A learner whose past can be made to count less, once, e.g. because the system has changed. */
public interface Discountable {

    /**
     * Multiplies the weight of everything learned so far by a factor. The operator stays what it is; it moves away from the past
     * faster from now on.
     *
     * @param factor in (0, 1]
     * @throws InvalidConfigException if the factor is out of range, or nothing behind this object can discount; nothing has changed
     */
    void discount(double factor);

    /** The learner as something that can discount. */
    static Discountable of(Learner<?> learner) {
        if (learner instanceof Discountable discountable) {
            return discountable;
        }
        throw new InvalidConfigException(
                "learner",
                learner.getClass().getSimpleName(),
                "has no weights of the past to discount; use least squares, or no discount");
    }

    /** Refuses a factor out of range. */
    static double requireFactor(double factor) {
        if (!(factor > 0 && factor <= 1)) {
            throw new InvalidConfigException("discount", factor, "must be in (0, 1]; 1 leaves the past as it is");
        }
        return factor;
    }
}
