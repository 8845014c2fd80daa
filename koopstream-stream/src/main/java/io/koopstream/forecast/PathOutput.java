package io.koopstream.forecast;

/** Further numbers that are read off every simulated path step by step, such as sums of increments or functions of the observation. Immutable. */
public interface PathOutput {

    /** No further numbers. */
    PathOutput NONE = new PathOutput() {
        @Override
        public int count() {
            return 0;
        }

        @Override
        public double[] memory() {
            return new double[0];
        }

        @Override
        public void read(double[] observation, double[] memory, double[] into) {}
    };

    /** Number of numbers a step has. */
    int count();

    /** Memory of a path at its start; a new array. */
    double[] memory();

    /**
     * Reads the numbers of a step.
     *
     * @param observation where the path stands, for reading
     * @param memory of the path, to be changed in place
     * @param into takes {@link #count} numbers
     */
    void read(double[] observation, double[] memory, double[] into);
}
