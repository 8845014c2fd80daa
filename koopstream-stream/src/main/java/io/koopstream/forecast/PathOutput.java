package io.koopstream.forecast;

/** Further numbers that are read off every simulated path step by step: functions of the observation. Immutable. */
public interface PathOutput {

    /** No further numbers. */
    PathOutput NONE = new PathOutput() {
        @Override
        public int count() {
            return 0;
        }

        @Override
        public void read(double[] levels, double[] into) {}
    };

    /** Number of numbers a step has. */
    int count();

    /**
     * Reads the numbers of a step.
     *
     * @param levels of the observation where the path stands, for reading
     * @param into takes {@link #count} numbers
     */
    void read(double[] levels, double[] into);
}
