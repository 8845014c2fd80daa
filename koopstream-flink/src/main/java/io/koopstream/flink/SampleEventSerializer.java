package io.koopstream.flink;

import io.koopstream.flink.state.VersionedSerializer;
import io.koopstream.flink.state.VersionedSnapshot;
import io.koopstream.flink.state.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.types.StringValue;

/**
 * A {@link SampleEvent} on its way between tasks: only the fields that are there, because every sample pays for every byte. Flink's own
 * serializer of plain objects would write 20 bytes more of a state of two coordinates, and set fields by reflection.
 */
public final class SampleEventSerializer extends VersionedSerializer<SampleEvent> {

    private static final long serialVersionUID = 1L;

    /** The one serializer; it has no state. */
    public static final SampleEventSerializer INSTANCE = new SampleEventSerializer();

    private static final int KEY = 1;
    private static final int TRAJECTORY = 1 << 1;
    private static final int STEP = 1 << 2;
    private static final int TIME = 1 << 3;
    private static final int STATE = 1 << 4;
    private static final int NEXT = 1 << 5;
    private static final int LOST = 1 << 6;
    /** Another byte follows, with the fields that most records do not have. */
    private static final int MORE = 1 << 7;

    private static final int REQUEST = 1 << 1;
    private static final int UNREADABLE = 1 << 2;
    private static final int SOURCE = 1 << 3;
    private static final int OFFSET = 1 << 4;

    private static final int MAX_COORDINATES = 1 << 20;

    private SampleEventSerializer() {}

    @Override
    protected String what() {
        return "a sample";
    }

    @Override
    protected int format() {
        return 3;
    }

    @Override
    protected int oldestFormat() {
        return 3;
    }

    @Override
    protected void write(SampleEvent event, DataOutput target) throws IOException {
        if (event == null) {
            // Arrives without a key, and is rejected for that by name like the missing record it is.
            target.writeByte(0);
            return;
        }
        int more = (event.request ? REQUEST : 0)
                | (event.unreadable ? UNREADABLE : 0)
                | (event.source == null ? 0 : SOURCE)
                | (event.offset < 0 ? 0 : OFFSET);
        int fields = (event.key == null ? 0 : KEY)
                | (event.trajectory == null ? 0 : TRAJECTORY)
                | (Double.isNaN(event.step) ? 0 : STEP)
                | (Double.isNaN(event.time) ? 0 : TIME)
                | (event.state == null ? 0 : STATE)
                | (event.next == null ? 0 : NEXT)
                | (event.lost > 0 ? LOST : 0)
                | (more == 0 ? 0 : MORE);
        target.writeByte(fields);
        if (more != 0) {
            target.writeByte(more);
        }
        if (event.key != null) {
            StringValue.writeString(event.key, target);
        }
        if (event.trajectory != null) {
            StringValue.writeString(event.trajectory, target);
        }
        if ((fields & STEP) != 0) {
            target.writeDouble(event.step);
        }
        if ((fields & TIME) != 0) {
            target.writeDouble(event.time);
        }
        if (event.state != null) {
            writeNumbers(event.state, target);
        }
        if (event.next != null) {
            writeNumbers(event.next, target);
        }
        if (event.lost > 0) {
            target.writeLong(event.lost);
        }
        if (event.source != null) {
            StringValue.writeString(event.source, target);
        }
        if (event.offset >= 0) {
            target.writeLong(event.offset);
        }
    }

    @Override
    protected SampleEvent read(DataInput source) throws IOException {
        int fields = source.readUnsignedByte();
        int more = (fields & MORE) == 0 ? 0 : source.readUnsignedByte();
        SampleEvent event = new SampleEvent();
        event.key = (fields & KEY) == 0 ? null : StringValue.readString(source);
        event.trajectory = (fields & TRAJECTORY) == 0 ? null : StringValue.readString(source);
        event.step = (fields & STEP) == 0 ? Double.NaN : source.readDouble();
        event.time = (fields & TIME) == 0 ? Double.NaN : source.readDouble();
        event.state = (fields & STATE) == 0 ? null : readNumbers(source);
        event.next = (fields & NEXT) == 0 ? null : readNumbers(source);
        event.lost = (fields & LOST) == 0 ? 0 : source.readLong();
        event.source = (more & SOURCE) == 0 ? null : StringValue.readString(source);
        event.offset = (more & OFFSET) == 0 ? -1 : source.readLong();
        event.request = (more & REQUEST) != 0;
        event.unreadable = (more & UNREADABLE) != 0;
        return event;
    }

    /** The count in one byte where it fits, as it nearly always does, then the numbers. */
    private static void writeNumbers(double[] numbers, DataOutput target) throws IOException {
        if (numbers.length < 0xff) {
            target.writeByte(numbers.length);
        } else {
            target.writeByte(0xff);
            target.writeInt(numbers.length);
        }
        for (double number : numbers) {
            target.writeDouble(number);
        }
    }

    private static double[] readNumbers(DataInput source) throws IOException {
        int count = source.readUnsignedByte();
        if (count == 0xff) {
            count = Wire.readCount(source, "coordinates of a sample", 0, MAX_COORDINATES);
        }
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = source.readDouble();
        }
        return numbers;
    }

    @Override
    public SampleEvent createInstance() {
        return new SampleEvent();
    }

    @Override
    public SampleEvent copy(SampleEvent from) {
        if (from == null) {
            return null;
        }
        SampleEvent copy = SampleEvent.of(from.key, from.trajectory, from.state == null ? null : from.state.clone());
        copy.step = from.step;
        copy.time = from.time;
        copy.next = from.next == null ? null : from.next.clone();
        copy.request = from.request;
        copy.unreadable = from.unreadable;
        copy.lost = from.lost;
        copy.source = from.source;
        copy.offset = from.offset;
        return copy;
    }

    @Override
    public TypeSerializerSnapshot<SampleEvent> snapshotConfiguration() {
        return new Snapshot();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SampleEventSerializer;
    }

    @Override
    public int hashCode() {
        return SampleEventSerializer.class.hashCode();
    }

    private Object readResolve() {
        return INSTANCE;
    }

    /** The version of the format in a savepoint, where records in flight can be. */
    public static final class Snapshot extends VersionedSnapshot<SampleEvent> {
        /** For Flink, and for the serializer. */
        public Snapshot() {
            super(INSTANCE, INSTANCE.format());
        }
    }
}
