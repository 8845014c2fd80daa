package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import java.util.Locale;

/** A forecast from a start that is nothing like what was learned. */
public final class UnknownStartException extends InvalidQueryException {

    private static final long serialVersionUID = 1L;

    private final double known;

    UnknownStartException(double known) {
        super(String.format(
                Locale.ROOT,
                "the start is known by %.2g only, less than %s: nothing like it was learned; start nearer to the data, or ask anyway",
                known,
                Forecaster.REFUSE_BELOW));
        this.known = known;
    }

    /** Knownness of the start, from 0 to 1. */
    public double known() {
        return known;
    }
}
