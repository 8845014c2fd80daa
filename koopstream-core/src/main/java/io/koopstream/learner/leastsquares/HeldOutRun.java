package io.koopstream.learner.leastsquares;

import java.util.ArrayList;
import java.util.List;

/** Consecutive pairs that are held out, and what followed them. Rows are never written to again, so they can be shared. One writer. */
final class HeldOutRun {

    /** Number of observations after a run that are remembered, though they are learned: on them, forecasts made within the run are judged when their time comes. */
    private static final int MAX_AFTER = 100;

    /** After the first runs it is all that comes: of a short stream every row is needed. */
    private static final int EARLY_RUNS = 6;

    private static final int MAX_AFTER_EARLY = 500;

    /** Numbers in what is remembered after a run, whatever the dimension: half a megabyte. */
    private static final int MAX_AFTER_NUMBERS = 1 << 16;

    final long number;
    final List<double[]> x = new ArrayList<>();
    final List<double[]> xNext = new ArrayList<>();
    /** The observations that came after the last output, one for each pair that followed it without a gap. */
    final List<double[]> after = new ArrayList<>();

    HeldOutRun(long number) {
        this.number = number;
    }

    HeldOutRun copy() {
        return renumbered(number);
    }

    HeldOutRun renumbered(long other) {
        HeldOutRun copy = new HeldOutRun(other);
        copy.x.addAll(x);
        copy.xNext.addAll(xNext);
        copy.after.addAll(after);
        return copy;
    }

    /**
     * Number of observations that follow it and are remembered, at most.
     *
     * @param observed coordinates of an observation
     */
    int mostAfter(int observed) {
        return Math.min(number < EARLY_RUNS ? MAX_AFTER_EARLY : MAX_AFTER, MAX_AFTER_NUMBERS / observed);
    }
}
