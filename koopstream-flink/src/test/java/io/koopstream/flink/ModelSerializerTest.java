package io.koopstream.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.flink.state.IncompatibleStateException.Reason;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.stream.StreamConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Flink expects of a serializer: copies, duplicates, sequences, snapshots; and what bad bytes get. */
class ModelSerializerTest {

    private static final TypeSerializer<KoopmanModel> SERIALIZER = ModelSerializer.INSTANCE;
    private static final int KEYS = 2;

    /** Models of both methods at several ages, one with delays, one without drift, one with few open trajectories, and some that warm up. */
    static Stream<KoopmanModel> models() {
        LearnSettings withDelays = LearnSettings.of(
                        Streams.words("kernel", "gaussian(0.8)", "delays", "2", "stride", "3"), 2)
                .names(List.of("x", "y"))
                .build();
        LearnSettings warmingUp =
                LearnSettings.of(Streams.words("warmUp", "300"), 2).build();
        LearnSettings scored = LearnSettings.of(
                        Streams.words("warmUp", "300", "scores", "true", "onDrift", "ignore"), 2)
                .build();
        return Stream.of(
                fed(Streams.leastSquaresSettings().build(), 0),
                fed(Streams.leastSquaresSettings().build(), 1),
                fed(Streams.leastSquaresSettings().build(), 403),
                fed(
                        Streams.leastSquaresSettings().stream(Streams.words("drift", "false"))
                                .build(),
                        403),
                fed(Streams.sogdSettings().build(), 350),
                fed(
                        Streams.sogdSettings().stream(Streams.words("openTrajectories", "3"))
                                .build(),
                        350),
                fed(withDelays, 333),
                fed(scored, 250),
                fed(scored, 350),
                fed(warmingUp, 0),
                fed(warmingUp, 250),
                fed(warmingUp, 350));
    }

    private static KoopmanModel fed(LearnSettings settings, int records) {
        KoopmanModel model = KoopmanModel.start(settings);
        feed(model, 0, records);
        return model;
    }

    /** Feeds records of key 0 from a position on; returns all that the model said. */
    private static List<String> feed(KoopmanModel model, long from, int records) {
        return Stream.iterate(from, n -> n + 1)
                .limit(records)
                .map(n -> model.accept("k", Streams.event(KEYS * n, KEYS), true).toString())
                .toList();
    }

    private static byte[] bytes(KoopmanModel... models) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (KoopmanModel model : models) {
            SERIALIZER.serialize(model, new DataOutputViewStreamWrapper(bytes));
        }
        return bytes.toByteArray();
    }

    private static DataInputView view(byte[] bytes) {
        return new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes));
    }

    @ParameterizedTest
    @MethodSource("models")
    void whatIsReadGoesOnAsWhatWasWritten(KoopmanModel model) throws IOException {
        byte[] bytes = bytes(model);
        KoopmanModel read = SERIALIZER.deserialize(view(bytes));

        assertThat(bytes(read)).as("one model has one form").isEqualTo(bytes);
        read.follow(model.following());
        assertThat(read.version()).isEqualTo(model.version());
        assertThat(feed(read, 1000, 200)).isEqualTo(feed(model, 1000, 200));
        assertThat(bytes(read)).isEqualTo(bytes(model));
    }

    @ParameterizedTest
    @MethodSource("models")
    void aCopyIsIndependent(KoopmanModel model) throws IOException {
        byte[] before = bytes(model);
        KoopmanModel copy = SERIALIZER.copy(model);
        List<String> said = feed(copy, 1000, 120);

        assertThat(bytes(model)).as("the original is as it was").isEqualTo(before);
        assertThat(feed(SERIALIZER.copy(model, copy), 1000, 120)).isEqualTo(said);
        assertThat(bytes(model)).isEqualTo(before);
    }

    @Test
    void sequencesOfModelsComeBackInOrder() throws IOException {
        KoopmanModel[] sequence = models().toArray(KoopmanModel[]::new);
        byte[] bytes = bytes(sequence);
        DataInputView source = view(bytes);
        ByteArrayOutputStream copied = new ByteArrayOutputStream();
        for (KoopmanModel model : sequence) {
            assertThat(bytes(SERIALIZER.deserialize(model, source))).isEqualTo(bytes(model));
        }
        DataInputView again = view(bytes);
        for (int i = 0; i < sequence.length; i++) {
            SERIALIZER.duplicate().copy(again, new DataOutputViewStreamWrapper(copied));
        }

        assertThat(copied.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void serializerAndTypeAreWhatFlinkAsksFor() {
        assertThat(SERIALIZER.duplicate()).isEqualTo(SERIALIZER).hasSameHashCodeAs(SERIALIZER);
        assertThat(SERIALIZER.getLength()).isEqualTo(-1);
        assertThat(SERIALIZER.isImmutableType()).isFalse();
        assertThat(SERIALIZER.createInstance().version()).isZero();
        assertThat(TypeInformation.of(KoopmanModel.class)).as("no Kryo").isEqualTo(ModelTypeInfo.INSTANCE);
    }

    @Test
    void aSnapshotReadsBackAndIsCompatible() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TypeSerializerSnapshot<KoopmanModel> written = SERIALIZER.snapshotConfiguration();
        TypeSerializerSnapshot.writeVersionedSnapshot(new DataOutputViewStreamWrapper(bytes), written);
        TypeSerializerSnapshot<KoopmanModel> read = TypeSerializerSnapshot.readVersionedSnapshot(
                view(bytes.toByteArray()), ModelSerializerTest.class.getClassLoader());

        assertThat(read.restoreSerializer()).isEqualTo(SERIALIZER);
        assertThat(SERIALIZER
                        .snapshotConfiguration()
                        .resolveSchemaCompatibility(read)
                        .isCompatibleAsIs())
                .isTrue();
    }

    @Test
    void aLaterFormatIsRefusedByTheSnapshotAndByEveryValue() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TypeSerializerSnapshot.writeVersionedSnapshot(
                new DataOutputViewStreamWrapper(bytes), new ModelSerializerSnapshot(ModelSerializer.FORMAT + 1));
        byte[] value = bytes(fed(Streams.sogdSettings().build(), 40));
        value[0] = ModelSerializer.FORMAT + 1;

        assertThatThrownBy(() -> TypeSerializerSnapshot.readVersionedSnapshot(
                        view(bytes.toByteArray()), ModelSerializerTest.class.getClassLoader()))
                .isInstanceOfSatisfying(
                        IncompatibleStateException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_NEW))
                .hasMessageContaining("format 6, this release reads up to 5");
        assertThatThrownBy(() -> SERIALIZER.deserialize(view(value)))
                .isInstanceOfSatisfying(
                        IncompatibleStateException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_NEW));
    }

    @Test
    void stateThatIsCutShortAnywhereIsAnErrorWithAName() throws IOException {
        byte[] whole = bytes(fed(Streams.leastSquaresSettings().build(), 60));
        // Lengths in all parts: the frame, the header and the numbers of the learner, the trajectories, the watch.
        for (int length = 1; length < whole.length; length += length < 40 ? 1 : whole.length / 150) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> SERIALIZER.deserialize(view(cut)))
                    .as("cut to %d of %d bytes", length, whole.length)
                    .isInstanceOfSatisfying(
                            IncompatibleStateException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED))
                    .hasMessageContaining("restore from another checkpoint");
        }
    }

    @Test
    void anEarlierFormatIsTooOldAndSaysWhatToDo() throws IOException {
        for (int format = 1; format < ModelSerializer.OLDEST_FORMAT; format++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            TypeSerializerSnapshot.writeVersionedSnapshot(
                    new DataOutputViewStreamWrapper(bytes), new ModelSerializerSnapshot(format));
            byte[] value = bytes(fed(Streams.sogdSettings().build(), 40));
            value[0] = (byte) format;

            assertTooOld(() -> TypeSerializerSnapshot.readVersionedSnapshot(
                    view(bytes.toByteArray()), ModelSerializerTest.class.getClassLoader()));
            assertTooOld(() -> SERIALIZER.deserialize(view(value)));
        }
    }

    private static void assertTooOld(ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        IncompatibleStateException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_OLD))
                .hasMessageContaining("a published model as warmStart")
                .hasMessageContaining("the release that wrote it");
    }

    /** A pair that is held out is a version too: no two models of a key have the same one. */
    @Test
    void theVersionRisesWithPairsThatAreHeldOut() throws IOException {
        KoopmanModel model = fed(Streams.leastSquaresSettings().build(), 0);
        long versions = 0;
        for (int n = 0; n < 200; n++) {
            KoopmanModel.Step step = model.accept("k0", Streams.event((long) n * KEYS, KEYS), false);
            if (step.learned().isPresent()) {
                assertThat(step.learned().get().version).isEqualTo(++versions);
            }
        }
        assertThat(model.version())
                .isEqualTo(versions)
                .isGreaterThan(model.state().samples());
        assertThat(model.state().pairs()).isEqualTo(versions);
        assertThat(SERIALIZER.deserialize(view(bytes(model))).version()).isEqualTo(versions);
        assertThat(model.copy().version()).isEqualTo(versions);
    }

    @Test
    void otherSettingsThanThoseOfTheModelAreRefusedInWords() {
        KoopmanModel model = fed(Streams.leastSquaresSettings().build(), 60);
        LeastSquaresConfig other = LeastSquaresConfig.forState(2, io.koopstream.kernel.Kernels.gaussian(0.7))
                .epsilon(0.05)
                .blockSize(8)
                .build();
        LearnSettings settings = LearnSettings.startingFrom(
                        LeastSquaresLearner.koopman(other).state())
                .build();

        assertThatThrownBy(() -> model.follow(settings))
                .isInstanceOfSatisfying(
                        IncompatibleStateException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_SETTINGS))
                .hasMessageContaining("sigma=0.5")
                .hasMessageContaining("sigma=0.7")
                .hasMessageContaining("start it without");
        assertThat(Map.of("samples", model.version())).as("unchanged").containsEntry("samples", 57L);
    }

    @Test
    void wordsThatMayChangeAreTakenOver() {
        LearnSettings before =
                LearnSettings.of(Streams.words("kernel", "gaussian(0.5)"), 2).build();
        LearnSettings after = LearnSettings.of(
                        Streams.words("kernel", "gaussian(0.5)", "openTrajectories", "1", "drift", "false"), 2)
                .build();
        KoopmanModel model = fed(before, 60);
        model.follow(after);

        assertThat(model.stream().settings()).isEqualTo(after.stream());
        assertThat(model.version()).isEqualTo(57);
        model.follow(before);
        // A state refuses a watch that does not look for what its settings ask for.
        assertThat(model.stream().settings()).as("the watch has begun anew").isEqualTo(before.stream());
    }

    @Test
    void wordsThatMayNotChangeAreRefused() {
        LearnSettings said =
                LearnSettings.of(Streams.words("kernel", "gaussian(0.5)"), 2).build();
        LearnSettings nothing = LearnSettings.of(StreamConfig.defaults(), 2).build();
        LearnSettings afterModel =
                Streams.leastSquaresSettings().stream(StreamConfig.defaults()).build();
        List<LearnSettings> all = List.of(
                said,
                nothing,
                afterModel,
                LearnSettings.of(Streams.words("kernel", "gaussian(0.5)"), 3).build(),
                LearnSettings.of(Streams.words("kernel", "gaussian(0.5)", "delays", "1"), 2)
                        .build(),
                LearnSettings.of(Streams.words("kernel", "gaussian(0.5)", "dt", "0.1"), 2)
                        .build());
        for (LearnSettings mine : all) {
            for (LearnSettings theirs : all) {
                KoopmanModel model = KoopmanModel.start(mine).copy();
                if (mine == theirs) {
                    model.follow(theirs);
                } else {
                    assertThatThrownBy(() -> model.follow(theirs))
                            .isInstanceOfSatisfying(
                                    IncompatibleStateException.class,
                                    e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_SETTINGS));
                }
            }
        }
    }
}
