package io.koopstream.flink;

import org.apache.flink.api.java.functions.KeySelector;

/**
 * A published model, or a part of one: the bytes of its model file (docs/formats.md), cut into blocks so that no record holds a whole
 * large model. The parts of a version come one after another; {@link ModelParts} puts them together. A POJO to Flink.
 */
public final class ModelRecord {

    /** The model's key. */
    public String key;

    /** The model's version: the number of pairs it has taken, learned or held out. */
    public long version;

    /** The number of this part, from 0. */
    public int part;

    /** Whether this is the last part of the version. */
    public boolean last;

    /** Whether it was published because the stream ended: there is no later version. */
    public boolean end;

    /** Whether these are not a model but what a part of a stream has added to its statistics since it last told, for {@link MergeFunction}. */
    public boolean difference;

    /** Kept samples of the model. */
    public int dictionary;

    /** The part's bytes. */
    public byte[] bytes;

    /** For Flink, which fills the fields. */
    public ModelRecord() {}

    /** The model's key, for {@code keyBy}. */
    public static KeySelector<ModelRecord, String> byKey() {
        return model -> model.key;
    }

    @Override
    public String toString() {
        return "ModelRecord(" + key + ", version " + version + ", part " + part + (last ? ", last" : "")
                + (end ? ", end" : "") + (difference ? ", difference" : "") + ", " + (bytes == null ? 0 : bytes.length)
                + " bytes)";
    }
}
