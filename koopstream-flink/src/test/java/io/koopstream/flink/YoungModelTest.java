package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.io.StreamFile;
import io.koopstream.stream.LearningStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key with few records is stored as these records: it costs bytes, and nobody can tell it from one that was a model all along. */
class YoungModelTest {

    private static final Map<String, LearnSettings> SETTINGS = Map.of(
            "kernel",
            LearnSettings.of(Streams.words("kernel", "gaussian(0.5)", "epsilon", "0.05"), 2)
                    .names(List.of("x", "y"))
                    .build(),
            "waiting",
            LearnSettings.of(Streams.words("warmUp", "45", "maxDictionary", "20"), 2)
                    .build(),
            "started",
            Streams.leastSquaresSettings().build());

    /** Two trajectories in turn, one with steps and one without, with a fault now and then. */
    private static SampleEvent event(int n) {
        SampleEvent event = SampleEvent.of("k", n % 2 == 0 ? "a" : null, Streams.state(3, n % 2, n / 2));
        event.step = n % 2 == 0 ? 0.5 * n : Double.NaN;
        event.source = "samples-3";
        event.offset = n;
        event.lost = n < 9 ? 0 : n < 14 ? 2 : 3;
        return switch (n) {
            case 4, 30 -> SampleEvent.unreadable("k", null);
            case 6 -> SampleEvent.of("k", "a", new double[] {1, Double.NaN});
            case 11 -> SampleEvent.pair("k", event.state, Streams.state(3, 1, 6));
            default -> event;
        };
    }

    private static byte[] bytes(KoopmanModel model) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelSerializer.INSTANCE.serialize(model, new DataOutputViewStreamWrapper(bytes));
        return bytes.toByteArray();
    }

    private static KoopmanModel read(byte[] bytes) throws IOException {
        return ModelSerializer.INSTANCE.deserialize(new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernel", "waiting", "started"})
    void nobodyCanTellWhetherItSlept(String name) throws IOException {
        LearnSettings settings = SETTINGS.get(name);
        KoopmanModel model = KoopmanModel.start(settings);
        KoopmanModel wakeful = KoopmanModel.start(settings);
        LearningStream plain = settings.newStream();
        Losses losses = new Losses();
        boolean young = true;
        for (int n = 0; n < 80; n++) {
            SampleEvent event = event(n);
            losses.tell(event, plain::lost);
            plain.accept(event.observation());
            KoopmanModel.Step step = model.accept("k", event, true);
            assertThat(step.toString())
                    .as("record %d", n)
                    .isEqualTo(wakeful.accept("k", event, true).toString());
            assertThat(StreamFile.digest(model.stream()))
                    .as("record %d", n)
                    .isEqualTo(StreamFile.digest(plain.state()));
            model.sleep();
            young &= model.isAsleep();
            assertThat(young).isEqualTo(n < YoungRecords.MAX_RECORDS);
            if (n % 3 == 0) {
                model = read(bytes(model));
                model.follow(settings);
            } else if (n % 3 == 1) {
                model = model.copy();
            }
        }
        assertThat(model.stored().labels().names()).isEqualTo(settings.names());
    }

    @Test
    void itCostsBytes() throws IOException {
        KoopmanModel model = KoopmanModel.start(SETTINGS.get("started"));
        List<Integer> sizes = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            model.accept("k", SampleEvent.atStep("k", null, n, Streams.state(1, 0, n)), false);
            sizes.add(bytes(model).length);
        }

        assertThat(sizes.get(0)).as("one record").isLessThan(48);
        assertThat(sizes.get(19)).as("twenty records").isLessThan(600);
    }

    @Test
    void damageIsToldWhenItIsRead() throws IOException {
        KoopmanModel model = KoopmanModel.start(SETTINGS.get("kernel"));
        model.accept("k", event(0), false);
        byte[] bytes = bytes(model);
        // Format, young, then the number of records.
        bytes[2]++;

        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(IncompatibleStateException.class)
                .hasMessageContaining("restore from another checkpoint");
    }
}
