package io.koopstream.flink;

import java.util.Arrays;

/** A pair that was learned or held out, with what the model had said about it before. A POJO to Flink. */
public final class Learned {

    /** The model's key. */
    public String key;

    /** The trajectory of the pair; the empty text when it has no name. */
    public String trajectory;

    /** Step of the pair's second state, NaN when unknown. */
    public double step;

    /** Time of the pair's second state, NaN when unknown. */
    public double time;

    /** The model's version after the pair: the number of pairs it has taken, learned or held out, over restarts and rescaling. */
    public long version;

    /** How many samples the operator that made the prediction was learned from; 0 when there was none. */
    public long predictedBy;

    /** E[x⁺ | x] as the model saw it before it learned the pair; null before anything was learned, or when not asked for. */
    public double[] prediction;

    /** ‖φ(x⁺) − U φ(x)‖, the one-step error in the RKHS; NaN where there is no prediction. */
    public double error;

    /** Kept samples. */
    public int dictionary;

    /** For Flink, which fills the fields. */
    public Learned() {}

    @Override
    public String toString() {
        return "Learned(" + key + ", " + trajectory + ", step " + step + ", time " + time + ", version " + version
                + ", by " + predictedBy + ", " + Arrays.toString(prediction) + ", error " + error + ", dictionary "
                + dictionary + ")";
    }
}
