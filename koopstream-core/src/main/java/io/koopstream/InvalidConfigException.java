package io.koopstream;

/** A setting outside its legal range, refused before anything is learned. Reads {@code lambda = 0.0: must be > 0 (...)}. */
public final class InvalidConfigException extends KoopstreamException {

    private static final long serialVersionUID = 1L;

    /** The kind of mistake. */
    public enum Reason {
        /** The value is not a legal one. */
        BAD_VALUE,
        /** There is no setting of this name. */
        UNKNOWN_NAME,
        /** The setting has no meaning beside the others. */
        NOT_APPLICABLE
    }

    private final Reason reason;
    private final String field;
    private final String value;
    private final String rule;

    /**
     * @param field the setting's name
     * @param value the value that was given
     * @param rule what is allowed, why, and what to try
     */
    public InvalidConfigException(String field, Object value, String rule) {
        this(Reason.BAD_VALUE, field, value, rule);
    }

    /**
     * @param reason what kind of mistake it is
     * @param field the setting's name
     * @param value the value that was given
     * @param rule what is allowed, why, and what to try
     */
    public InvalidConfigException(Reason reason, String field, Object value, String rule) {
        super(field + " = " + value + ": " + rule);
        this.reason = reason;
        this.field = field;
        this.value = String.valueOf(value);
        this.rule = rule;
    }

    /** The kind of mistake. */
    public Reason reason() {
        return reason;
    }

    /** The setting's name. */
    public String field() {
        return field;
    }

    /** The value that was given, as text. */
    public String value() {
        return value;
    }

    /** The values that are allowed. */
    public String rule() {
        return rule;
    }

    /** Refuses a setting, with the rule that it breaks, unless something holds of it. */
    public static void require(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            throw new InvalidConfigException(field, value, rule);
        }
    }

    /** Refuses null. */
    public static void requireGiven(String field, Object value) {
        require(value != null, field, null, "must be given");
    }

    /** Returns {@code value} if it is finite and positive, refuses it otherwise. */
    public static double requirePositive(String field, double value, String hint) {
        require(value > 0 && !Double.isInfinite(value), field, value, "must be a finite number > 0 (" + hint + ")");
        return value;
    }

    /** Returns {@code value} if it is finite and positive and so is its square, refuses it otherwise. */
    public static double requireSquarable(String field, double value, String hint) {
        requirePositive(field, value, hint);
        require(
                value >= 1e-153 && value <= 1e153,
                field,
                value,
                "must be between 1e-153 and 1e153, its square leaves the range; use other units");
        return value;
    }

    /** Returns {@code value} if it is finite and not negative, refuses it otherwise. */
    public static double requireNonNegative(String field, double value, String hint) {
        require(value >= 0 && !Double.isInfinite(value), field, value, "must be a finite number >= 0 (" + hint + ")");
        return value;
    }
}
