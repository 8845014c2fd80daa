package io.koopstream.flink;

import io.koopstream.rows.Observation;
import java.util.Arrays;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * One record of a stream: an observation of a trajectory, an explicit pair, a record that could not be read, or a request for the key's model. Plain
 * fields, which {@link SampleEventSerializer} writes. Whatever is wrong with it comes out as a {@link RejectedSample}, never as an exception.
 */
@TypeInfo(SampleEventTypeInfo.Factory.class)
public final class SampleEvent {

    /** Which model it belongs to. */
    public String key;

    /** Which trajectory of that key; null and the empty text are one and the same, but a record without a state and a trajectory interrupts all. */
    public String trajectory;

    /** Its number within the trajectory; NaN when unknown. */
    public double step = Double.NaN;

    /** Its time in the units of the setting {@code dt}; NaN when unknown. Used where there are no steps. */
    public double time = Double.NaN;

    /** The state, or an observation of it; null where one is missing, so that nothing is paired across it. */
    public double[] state;

    /** The state one step later when the record is an explicit pair, null otherwise. */
    public double[] next;

    /** Whether this is no sample but asks for the key's model. */
    public boolean request;

    /** Whether a record of this key could not be read: nothing pairs across it. A trajectory of null may be any of the key's then. */
    public boolean unreadable;

    /**
     * How many records of its source, so far, could not be read and might have belonged to any key. A key that is told another number than the last
     * time makes no pair across it.
     */
    public long lost;

    /** What it came from in order, such as a partition: {@link #lost} counts for it, and who rejects it says so. Null when unknown. */
    public String source;

    /** Its place in the source; negative when unknown. */
    public long offset = -1;

    /** For Flink, which fills the fields. */
    public SampleEvent() {}

    /** An observation without step and time: it follows the one before. */
    public static SampleEvent of(String key, String trajectory, double[] state) {
        SampleEvent event = new SampleEvent();
        event.key = key;
        event.trajectory = trajectory;
        event.state = state;
        return event;
    }

    /** An observation with its number within the trajectory. */
    public static SampleEvent atStep(String key, String trajectory, double step, double[] state) {
        SampleEvent event = of(key, trajectory, state);
        event.step = step;
        return event;
    }

    /** An observation with its time. */
    public static SampleEvent atTime(String key, String trajectory, double time, double[] state) {
        SampleEvent event = of(key, trajectory, state);
        event.time = time;
        return event;
    }

    /** An explicit pair. */
    public static SampleEvent pair(String key, double[] state, double[] next) {
        SampleEvent event = of(key, null, state);
        event.next = next;
        return event;
    }

    /**
     * A record that could not be read.
     *
     * @param trajectory null when it is unknown
     */
    public static SampleEvent unreadable(String key, String trajectory) {
        SampleEvent event = of(key, trajectory, null);
        event.unreadable = true;
        return event;
    }

    /** A request for the key's model. */
    public static SampleEvent request(String key) {
        SampleEvent event = of(key, null, null);
        event.request = true;
        return event;
    }

    /** The key of a record, for {@code keyBy}; the empty text for a record without one, which is then rejected by name. */
    public static KeySelector<SampleEvent, String> byKey() {
        return event -> event == null || event.key == null ? "" : event.key;
    }

    /** Where it came from, in words; null when unknown. */
    String place() {
        return source == null || offset < 0 ? source : source + "@" + offset;
    }

    boolean isPair() {
        return state != null && next != null;
    }

    /** It as a learning stream takes it; shares the arrays. */
    Observation observation() {
        if (unreadable || state == null) {
            return Observation.unreadable(trajectory);
        }
        return next != null ? Observation.pair(state, next) : Observation.at(trajectory, step, time, state);
    }

    @Override
    public String toString() {
        return "SampleEvent(" + key + ", " + trajectory + ", step " + step + ", time " + time + ", "
                + Arrays.toString(state) + (next == null ? "" : " -> " + Arrays.toString(next))
                + (request ? ", request" : "") + (unreadable ? ", unreadable" : "")
                + (lost > 0 ? ", " + lost + " lost" : "") + (source == null ? "" : ", from " + place()) + ")";
    }
}
