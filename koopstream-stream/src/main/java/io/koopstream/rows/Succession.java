package io.koopstream.rows;

/**
 * Relation of a row to the row before it in its trajectory, from their step numbers, or from their times where there are no steps. Only
 * {@link #FOLLOWS} makes a pair.
 */
public enum Succession {

    /** It is the next one. */
    FOLLOWS,

    /** Something is missing between the two, or it cannot be told: where steps or times are known, a row without one follows nothing. */
    GAP,

    /** It has the step or the time of the row before. */
    REPEATS,

    /** It belongs before the row before. */
    EARLIER;

    /** From step numbers; one that is not known is not a number. */
    public static Succession ofSteps(double before, double step) {
        double difference = step - before;
        if (difference == 1) {
            return FOLLOWS;
        }
        return difference == 0 ? REPEATS : difference < 0 ? EARLIER : GAP;
    }

    /**
     * From times; one that is not known is not a number.
     *
     * @param interval the usual time between two rows
     * @param maxGap rows that are at most so far apart follow each other too
     */
    public static Succession ofTimes(double before, double time, double interval, MaxGap maxGap) {
        double passed = time - before;
        // Clocks jitter; half an interval is the most that cannot be a missing row.
        if (passed > 0.5 * interval && (passed < 1.5 * interval || passed <= maxGap.time())) {
            return FOLLOWS;
        }
        return passed == 0 ? REPEATS : passed < 0 ? EARLIER : GAP;
    }
}
