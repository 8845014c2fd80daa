package io.koopstream.flink;

import io.koopstream.change.DriftEvent;
import java.util.List;

/** The dynamics of a key have changed: its predictions have become worse than they were, or something else has for good. A POJO to Flink. */
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

    /** What has changed, such as "level shift", where the settings ask for it ({@code onDrift}); null elsewhere, as is what follows then. */
    public String kind;

    /** Where it shows most: the number of a coordinate, from 1; 0 without a kind. */
    public int coordinate;

    /** Before: the mean of the coordinate, or of the size of its one-step error; NaN without a kind. */
    public double from = Double.NaN;

    /** Since; NaN without a kind. */
    public double to = Double.NaN;

    /** An estimate of the first record of the key after the change, counted from 1; 0 without a kind. */
    public long onsetRow;

    /** Its time; NaN without times. */
    public double onsetTime = Double.NaN;

    /** The record at which it was noticed; 0 without a kind. */
    public long row;

    /** Its time; NaN without times. */
    public double time = Double.NaN;

    /** What has happened, for people. */
    public String sentence;

    /** For Flink, which fills the fields. */
    public DriftNotice() {}

    static DriftNotice of(String key, DriftEvent event, List<String> names) {
        DriftNotice notice = new DriftNotice();
        notice.key = key;
        notice.version = event.sample();
        notice.samplesAgo = event.sample() - event.since();
        notice.errorBefore = event.errorBefore();
        notice.errorAfter = event.errorAfter();
        notice.score = event.score();
        notice.sentence = event.sentence(names, Double::toString);
        DriftEvent.Change change = event.change();
        if (change != null) {
            notice.kind = change.kind().text();
            notice.coordinate = change.coordinate() + 1;
            notice.from = change.from();
            notice.to = change.to();
            notice.onsetRow = change.onsetRow();
            notice.onsetTime = change.onsetTime();
            notice.row = change.row();
            notice.time = change.time();
        }
        return notice;
    }

    @Override
    public String toString() {
        return "DriftNotice(" + key + ", version " + version + ", " + samplesAgo + " samples ago, error " + errorBefore
                + " -> " + errorAfter + ", score " + score + ": " + sentence + ")";
    }
}
