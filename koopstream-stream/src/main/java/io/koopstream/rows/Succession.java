package io.koopstream.rows;

/** Relation of a row to the row before it in its trajectory. Only {@link #FOLLOWS} makes a pair. */
enum Succession {

    /** It is the next one. */
    FOLLOWS,

    /** Something is missing between the two, or it cannot be told: where steps or times are known, a row without one follows nothing. */
    GAP,

    /** It has the step or the time of the row before. */
    REPEATS,

    /** It belongs before the row before. */
    EARLIER;

    /**
     * From what passed between the two.
     *
     * @param passed steps or time; NaN where one of the two has none
     */
    static Succession of(double passed, boolean follows) {
        return follows ? FOLLOWS : passed == 0 ? REPEATS : passed < 0 ? EARLIER : GAP;
    }
}
