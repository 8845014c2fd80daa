package io.koopstream.learner;

/** The outcome of a sample. In every case but {@link #PENDING} and {@link #HELD_OUT} its step was taken. */
public enum StepOutcome {

    /** Its step was projected on the dictionary, within the budget ε_t. Nothing of it was kept. */
    PROJECTED,

    /** Both its sides were added to the dictionary; the step is exact. */
    ADMITTED,

    /**
     * Only its input was added, because its output is numerically in the span already (many states that lead to one): what the step
     * still loses is at rounding level.
     */
    INPUT_ADMITTED,

    /**
     * Only its output was added, because its input is numerically in the span already (one state with several successors): what
     * the step still loses is at rounding level.
     */
    OUTPUT_ADMITTED,

    /** Its step was over the budget, but both its sides are numerically in the span already (a repeated sample): nothing to add. */
    DEPENDENT,

    /**
     * Its step was over the budget and something of it is new, but the dictionary is full of points that are worth more: the step was
     * projected, and what that cost is in {@link io.koopstream.operator.TransitionOperator.Pruning}.
     */
    REFUSED,

    /** It waits for its block to be full: its step is taken then, before anything is answered. */
    PENDING,

    /** It was held out to judge what is learned from the others: no step was taken. */
    HELD_OUT;

    /** True if the input was added to the dictionary. */
    public boolean keepsInput() {
        return this == ADMITTED || this == INPUT_ADMITTED;
    }

    /** True if the output was added to the dictionary. */
    public boolean keepsOutput() {
        return this == ADMITTED || this == OUTPUT_ADMITTED;
    }
}
