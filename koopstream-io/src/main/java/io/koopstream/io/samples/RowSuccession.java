package io.koopstream.io.samples;

/**
 * Remembers what rows say of their order, and tells whether a row follows another of its trajectory: steps differ by one, or times by about the usual interval; without either, it does. Where
 * steps or times are known, a row without one follows nothing, and nothing follows it.
 */
public final class RowSuccession {

    private double interval;
    private boolean hasSteps;
    private boolean hasTimes;

    /** @param interval the usual time between two rows, or not-a-number to take it from the first two */
    public RowSuccession(double interval) {
        this.interval = interval;
    }

    /** Takes note of what a row knows; to be called for every row before it is compared. */
    public void see(Sample sample) {
        hasSteps |= !Double.isNaN(sample.step());
        hasTimes |= !Double.isNaN(sample.time());
    }

    /** Whether rows are missing between one with this step and time and the next one. */
    public boolean isGap(double step, double time, Sample next) {
        if (hasSteps) {
            return Succession.ofSteps(step, next.step()) != Succession.FOLLOWS;
        }
        if (!hasTimes) {
            return false;
        }
        double passed = next.time() - time;
        if (Double.isNaN(interval) && passed > 0) {
            interval = passed;
        }
        return Succession.ofTimes(time, next.time(), interval) != Succession.FOLLOWS;
    }

    /** The usual time between two rows, or not-a-number when it is not known. */
    public double interval() {
        return interval;
    }
}
