package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.flink.state.IncompatibleStateException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.junit.jupiter.api.Test;

class SampleEventSerializerTest {

    private static final SampleEventSerializer SERIALIZER = SampleEventSerializer.INSTANCE;

    private static byte[] bytes(SampleEvent event) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SERIALIZER.serialize(event, new DataOutputViewStreamWrapper(bytes));
        return bytes.toByteArray();
    }

    private static SampleEvent read(byte[] bytes) throws IOException {
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        SampleEvent event = SERIALIZER.deserialize(new DataInputViewStreamWrapper(source));
        assertThat(source.available()).as("bytes left over").isZero();
        return event;
    }

    /** Every field there and not there, in every combination; vectors on both sides of the short count. */
    private static List<SampleEvent> events() {
        List<SampleEvent> events = new ArrayList<>();
        int[] lengths = {0, 2, 254, 255, 1000};
        for (int fields = 0; fields < 1024; fields++) {
            SampleEvent event = new SampleEvent();
            event.key = (fields & 1) == 0 ? null : "schlüssel-" + fields;
            event.trajectory = (fields & 2) == 0 ? null : fields % 3 == 0 ? "" : "run " + fields;
            event.step = (fields & 4) == 0 ? Double.NaN : -0.0;
            event.time = (fields & 8) == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
            event.state = (fields & 16) == 0 ? null : numbers(lengths[fields % 5]);
            event.next = (fields & 32) == 0 ? null : numbers(lengths[fields % 4]);
            event.offset = (fields & 64) == 0 ? -1 : 7L * fields;
            event.request = (fields & 128) != 0;
            event.unreadable = (fields & 256) != 0;
            event.lost = (fields & 512) == 0 ? 0 : fields;
            event.source = (fields & 512) == 0 && fields % 5 > 0 ? null : "samples-" + fields % 3;
            events.add(event);
        }
        return events;
    }

    private static double[] numbers(int count) {
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = i % 7 == 3 ? Double.NaN : Math.sin(i);
        }
        return numbers;
    }

    /** Numbers by their bits: NaN is itself, and minus zero is not zero. */
    private static void assertSame(SampleEvent actual, SampleEvent expected) {
        assertThat(Arrays.equals(actual.state, expected.state)).isTrue();
        assertThat(Arrays.equals(actual.next, expected.next)).isTrue();
        assertThat(Double.compare(actual.step, expected.step)).isZero();
        assertThat(Double.compare(actual.time, expected.time)).isZero();
        assertThat(actual.key).isEqualTo(expected.key);
        assertThat(actual.trajectory).isEqualTo(expected.trajectory);
        assertThat(actual.offset).isEqualTo(expected.offset);
        assertThat(actual.request).isEqualTo(expected.request);
        assertThat(actual.unreadable).isEqualTo(expected.unreadable);
        assertThat(actual.lost).isEqualTo(expected.lost);
        assertThat(actual.source).isEqualTo(expected.source);
    }

    @Test
    void everyFieldComesBack() throws IOException {
        for (SampleEvent event : events()) {
            assertSame(read(bytes(event)), event);
        }
    }

    @Test
    void aCopyIsEqualAndItsOwn() {
        for (SampleEvent event : events()) {
            SampleEvent copy = SERIALIZER.copy(event);
            assertSame(copy, event);
            assertThat(copy).isNotSameAs(event);
            if (event.state != null) {
                assertThat(copy.state).isNotSameAs(event.state);
            }
        }
        assertThat(SERIALIZER.copy(null)).isNull();
    }

    @Test
    void aMissingRecordArrivesWithoutAKey() throws IOException {
        assertThat(read(bytes(null)).key).isNull();
    }

    @Test
    void onlyWhatIsThereIsWritten() throws IOException {
        // Format, fields, "well-12" and "12" with their lengths, step, count and two coordinates.
        assertThat(bytes(SampleEvent.atStep("well-12", "12", 7, new double[] {1, 2})))
                .hasSize(1 + 1 + 8 + 3 + 8 + 1 + 16);
    }

    @Test
    void anImpossibleCountIsDamageNotMemory() throws IOException {
        byte[] bytes = bytes(SampleEvent.of(null, null, numbers(255)));
        // Format, fields, the long count's mark, then the count itself.
        bytes[3] = 0x7f;

        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(IncompatibleStateException.class)
                .hasMessageContaining("coordinates of a sample");
    }
}
