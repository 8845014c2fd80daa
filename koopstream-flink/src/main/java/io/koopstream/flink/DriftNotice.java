package io.koopstream.flink;

import io.koopstream.stream.DriftEvent;

/** The dynamics of a key have changed: its predictions have become worse than they were. A POJO to Flink. */
public final class DriftNotice {

    /** The model's key. */
    public String key;

    /** The model's version when it was noticed. */
    public long version;

    /** An estimate of how many samples ago the change was. */
    public long samplesAgo;

    /** Mean one-step error before. */
    public double errorBefore;

    /** Mean one-step error since. */
    public double errorAfter;

    /** Accumulated rise beyond the slack, in standard deviations of a block. */
    public double score;

    /** For Flink, which fills the fields. */
    public DriftNotice() {}

    static DriftNotice of(String key, DriftEvent event) {
        DriftNotice notice = new DriftNotice();
        notice.key = key;
        notice.version = event.sample();
        notice.samplesAgo = event.sample() - event.since();
        notice.errorBefore = event.errorBefore();
        notice.errorAfter = event.errorAfter();
        notice.score = event.score();
        return notice;
    }

    @Override
    public String toString() {
        return "DriftNotice(" + key + ", version " + version + ", " + samplesAgo + " samples ago, error " + errorBefore
                + " -> " + errorAfter + ", score " + score + ")";
    }
}
