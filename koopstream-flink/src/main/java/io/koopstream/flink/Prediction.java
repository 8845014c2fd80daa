package io.koopstream.flink;

import java.util.Arrays;

/** What a model expects after a state. A POJO to Flink. */
public final class Prediction {

    /** The key of the record that asked. */
    public String key;

    /** Its trajectory. */
    public String trajectory;

    /** Its step, NaN when unknown. */
    public double step;

    /** Its time, NaN when unknown. */
    public double time;

    /** The version of the model that answered. */
    public long version;

    /** Row s holds E[x_{s+1} | x_0]. */
    public double[][] path;

    /** The share of the start that the model knows, from 0 to 1; where it is small the path is worth little. */
    public double coverage;

    /** For Flink, which fills the fields. */
    public Prediction() {}

    @Override
    public String toString() {
        return "Prediction(" + key + ", " + trajectory + ", step " + step + ", time " + time + ", version " + version
                + ", " + Arrays.deepToString(path) + ", coverage " + coverage + ")";
    }
}
