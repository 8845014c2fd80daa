package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.koopstream.change.DriftEvent;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.learner.LearnerState;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import io.koopstream.testkit.AwkwardStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The state of a stream in bytes: a stream that was stored goes on as one that was not, and bytes that are none are refused. */
class StreamFileTest {

    private static final StreamConfig GIVEN =
            StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "epsilon", "0.3", "openTrajectories", "2"));

    private static LearningStream fed(StreamConfig settings, List<Observation> records) {
        LearningStream stream = LearningStream.of(settings);
        records.forEach(stream::accept);
        return stream;
    }

    static List<StreamConfig> settings() {
        return List.of(
                GIVEN,
                StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "delays", "2", "stride", "2", "drift", "false")),
                StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "driftDiscount", "0.1", "block", "16")),
                StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "onDrift", "discount", "driftDiscount", "0.2")),
                StreamConfig.parse(Map.of("method", "sogd", "kernel", "gaussian(0.7)", "dt", "0.25")),
                StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "scores", "true", "robust", "true")),
                StreamConfig.parse(Map.of("method", "sogd", "kernel", "gaussian(0.7)", "scores", "true")),
                StreamConfig.parse(Map.of("warmUp", "200", "scores", "true", "onDrift", "ignore", "fill", "linear")),
                StreamConfig.parse(Map.of("warmUp", "200")),
                StreamConfig.parse(Map.of("method", "sogd", "warmUp", "200")));
    }

    /** A change with its kind is found and stored the same whether or not the stream was. */
    @Test
    void changesAreNoticedBitForBitAfterResuming() {
        StreamConfig settings = StreamConfig.parse(Map.of("kernel", "gaussian(2)", "onDrift", "forget"));
        LearningStream whole = LearningStream.of(settings);
        LearningStream stored = LearningStream.of(settings);
        SplittableRandom random = new SplittableRandom(77);
        double x = 0;
        for (int i = 0; i < 5000; i++) {
            x = 0.7 * x + random.nextGaussian();
            Observation row = Observation.at("", Double.NaN, 60.0 * i, i < 4000 ? x : x + 3);
            whole.accept(row);
            stored.accept(row);
            if (i % 331 == 0 || (i > 4000 && i % 17 == 0 && i < 4200)) {
                stored = LearningStream.resume(StreamFile.decode(StreamFile.encode(stored.state())));
            }
        }
        assertThat(StreamFile.encode(stored.state())).isEqualTo(StreamFile.encode(whole.state()));
        DriftEvent.Change change = stored.watch().events().get(0).change();
        assertThat(change.kind()).isEqualTo(DriftEvent.Kind.LEVEL_SHIFT);
        assertThat(change.onsetRow()).isBetween(3950L, 4100L);
        assertThat(change.onsetTime()).isEqualTo(60.0 * (change.onsetRow() - 1));
        assertThat(change.time()).isEqualTo(60.0 * (change.row() - 1));
        assertThat(change.to() - change.from()).isBetween(2.0, 4.0);
    }

    /** The place of a row on the grid of its clock depends on all rows before it. */
    @Test
    void rowsOfAClockThatJittersFollowEachOtherTheSameAfterResuming() {
        LearningStream whole = LearningStream.of(GIVEN);
        LearningStream stored = LearningStream.of(GIVEN);
        SplittableRandom random = new SplittableRandom(9);
        for (int i = 0; i < 400; i++) {
            Observation row = Observation.at("a", Double.NaN, i + 0.8 * random.nextDouble(), Math.sin(i));
            assertThat(stored.accept(row)).as("row %d", i).isEqualTo(whole.accept(row));
            byte[] bytes = StreamFile.encode(stored.state());
            assertThat(bytes).isEqualTo(StreamFile.encode(whole.state()));
            stored = LearningStream.resume(StreamFile.decode(bytes));
        }
        assertThat(whole.pairs()).isGreaterThan(330);
    }

    /** SHA-256 over the bytes of each of {@link #settings}, and of a stream with a change of a known kind: on every machine and JDK the same. */
    @Test
    void theBytesOfAStateAreTheSameEverywhere() {
        List<String> digests = new ArrayList<>();
        for (StreamConfig one : settings()) {
            digests.add(
                    StreamFile.digest(fed(one, AwkwardStream.of(11, 700, false)).state()));
            digests.add(
                    StreamFile.digest(fed(one, AwkwardStream.of(11, 150, true)).state()));
        }
        LearningStream changing = LearningStream.of(
                StreamConfig.parse(Map.of("kernel", "gaussian(2)", "onDrift", "forget", "scores", "true")));
        SplittableRandom random = new SplittableRandom(77);
        double x = 0;
        for (int i = 0; i < 9000; i++) {
            x = 0.7 * x + random.nextGaussian();
            changing.accept(Observation.at("", Double.NaN, 60.0 * i, i < 4000 ? x : x + 3));
            if (i % 1500 == 1499 || i == 4100) {
                digests.add(StreamFile.digest(changing.state()));
            }
        }
        assertThat(changing.watch().changes()).isPositive();
        Checksum all = Checksum.sha256();
        all.update(String.join(",", digests).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(all.digits()).isEqualTo("8242977b6ee9024e4e53e0e93c203be0fb6fed985aacfe2341d2ada843b58f5f");
    }

    /** What is remembered of so many coordinates is a longer list than a row may be. */
    @Test
    void changesOfManyCoordinatesComeBack() {
        LearningStream stream =
                LearningStream.of(StreamConfig.parse(Map.of("kernel", "gaussian(2)", "onDrift", "forget")));
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 5; i++) {
            stream.accept(Observation.of("", random.doubles(130).toArray()));
        }
        byte[] bytes = StreamFile.encode(stream.state());
        assertThat(stream.pairs()).isPositive();
        assertThat(StreamFile.encode(StreamFile.decode(bytes))).isEqualTo(bytes);
    }

    /** What waits for settings, or for a value, is known by its number when it is scored at last, though it was stored in between. */
    @Test
    void rowsThatWaitKeepTheirNumbers() {
        StreamConfig settings =
                StreamConfig.parse(Map.of("warmUp", "200", "scores", "true", "fill", "linear", "delays", "0"));
        LearningStream stream = LearningStream.of(settings);
        SplittableRandom random = new SplittableRandom(5);
        List<Long> told = new ArrayList<>();
        double x = 0;
        for (int i = 1; i <= 300; i++) {
            x = 0.9 * x + random.nextGaussian();
            stream.listen((row, score) -> told.add(row.row()));
            stream.accept(Observation.of("", i == 150 || i == 250 ? Double.NaN : x));
            stream = LearningStream.resume(StreamFile.decode(StreamFile.encode(stream.state())));
        }
        assertThat(told)
                .hasSize(300)
                .isEqualTo(LongStream.rangeClosed(1, 300).boxed().toList());
    }

    /** Streams that tell nobody of rows are stored as they always were. */
    @Test
    void numbersAreStoredOnlyWhereTheyAreTold() {
        LearningStream plain = LearningStream.of(StreamConfig.parse(Map.of("warmUp", "200")));
        LearningStream numbered = LearningStream.of(StreamConfig.parse(Map.of("warmUp", "200")));
        for (int i = 1; i <= 50; i++) {
            plain.accept(Observation.of("", i));
            numbered.accept(Observation.of("", i).withRow(1000 + i));
        }
        assertThat(StreamFile.encode(numbered.state())).isEqualTo(StreamFile.encode(plain.state()));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aStreamThatWasStoredAtAnyPointGoesOnBitForBit(StreamConfig settings) {
        List<Observation> records = AwkwardStream.of(11, 700, false);
        LearningStream whole = LearningStream.of(settings);
        LearningStream stored = LearningStream.of(settings);
        for (int i = 0; i < records.size(); i++) {
            assertThat(stored.accept(records.get(i))).as("record %d", i).isEqualTo(whole.accept(records.get(i)));
            // Again and again, at points in step with nothing; every one around the end of the warm-up.
            if (i % 7 == 0 || (i > 180 && i < 300)) {
                byte[] bytes = StreamFile.encode(stored.state());
                assertThat(bytes).as("record %d", i).isEqualTo(StreamFile.encode(whole.state()));
                stored = LearningStream.resume(StreamFile.decode(bytes));
            }
        }
        assertThat(whole.isWarmingUp()).isFalse();
        assertThat(StreamFile.digest(stored.state())).isEqualTo(StreamFile.digest(whole.state()));
        assertThat(stored.explained()).isEqualTo(whole.explained());
        assertThat(stored.warnings()).isEqualTo(whole.warnings());
    }

    @Test
    void equalStatesHaveEqualDigestsAndOthersHaveOthers() {
        List<Observation> records = AwkwardStream.of(11, 300, true);
        String digest = StreamFile.digest(fed(GIVEN, records).state());
        assertThat(digest)
                .hasSize(64)
                .isEqualTo(StreamFile.digest(fed(GIVEN, records).state()));
        assertThat(StreamFile.digest(fed(GIVEN, records.subList(0, 299)).state()))
                .isNotEqualTo(digest);
        StreamConfig other = StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "epsilon", "0.3"));
        assertThat(StreamFile.digest(fed(other, records).state())).isNotEqualTo(digest);
    }

    @Test
    void aStreamThatHasSeenNothingIsAStateToo() {
        for (LearningStream empty : List.of(
                LearningStream.of(StreamConfig.defaults()),
                LearningStream.of(StreamConfig.defaults(), 3),
                LearningStream.of(GIVEN, 2))) {
            LearningStreamState again = StreamFile.decode(StreamFile.encode(empty.state()));
            assertThat(again.dimension()).isEqualTo(empty.dimension());
            assertThat(StreamFile.digest(LearningStream.resume(again).state()))
                    .isEqualTo(StreamFile.digest(empty.state()));
        }
    }

    @Test
    void whatFollowsIsLeftAlone() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        LearningStreamState state = fed(GIVEN, AwkwardStream.of(1, 100, true)).state();
        StreamFile.write(out, state);
        out.writeInt(42);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        assertThat(StreamFile.digest(StreamFile.read(in))).isEqualTo(StreamFile.digest(state));
        assertThat(in.readInt()).isEqualTo(42);
        assertThatThrownBy(() -> StreamFile.decode(bytes.toByteArray()))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TRAILING_BYTES));
    }

    /** A small state of a stream that learns, one that waits, and one with delays. */
    static List<byte[]> small() {
        return List.of(
                StreamFile.encode(fed(GIVEN, AwkwardStream.of(3, 80, true)).state()),
                StreamFile.encode(fed(StreamConfig.defaults(), AwkwardStream.of(3, 60, true))
                        .state()),
                StreamFile.encode(fed(
                                StreamConfig.parse(Map.of("kernel", "gaussian(2)", "delays", "1")),
                                AwkwardStream.of(3, 60, false))
                        .state()));
    }

    /** Reads bytes; null when they are refused as they should be. What is not refused can be gone on with and stored. */
    private static LearningStreamState readOrRefuse(byte[] bytes, String what) {
        try {
            LearningStreamState state = StreamFile.decode(bytes);
            LearningStream stream = LearningStream.resume(state);
            stream.accept(Observation.of("trajectory 2", 0.1, 0.2));
            stream.accept(Observation.of("trajectory 2", 0.2, 0.2));
            byte[] again = StreamFile.encode(state);
            assertThat(StreamFile.encode(StreamFile.decode(again))).as(what).isEqualTo(again);
            return state;
        } catch (ModelFormatException e) {
            return null;
        } catch (RuntimeException | Error e) {
            return fail(what + " gave " + e, e);
        }
    }

    @ParameterizedTest
    @MethodSource("small")
    void cutAtAnyLength(byte[] bytes) {
        // Every length of the head, where each field has its own kind, and a prime stride through the long lists after
        // it.
        for (int length = 0; length < bytes.length; length += length < 2000 ? 1 : 53) {
            assertThat(readOrRefuse(Arrays.copyOf(bytes, length), "length " + length))
                    .as("length %d", length)
                    .isNull();
        }
        assertThat(readOrRefuse(bytes, "all")).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("small")
    void bytesChanged(byte[] bytes) {
        SplittableRandom random = new SplittableRandom(20261116);
        int refused = 0;
        int rounds = 2000;
        for (int i = 0; i < rounds; i++) {
            byte[] changed = bytes.clone();
            int at =
                    random.nextInt(2) == 0 ? random.nextInt(Math.min(400, bytes.length)) : random.nextInt(bytes.length);
            changed[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : changed[at] ^ (1 << random.nextInt(8)));
            refused += readOrRefuse(changed, "byte " + at + " as " + changed[at]) == null ? 1 : 0;
        }
        assertThat(refused).isBetween(rounds / 10, rounds - 1);
    }

    @Test
    void anotherKindOfFileAndAnotherVersionAreSaidToBeThat() {
        byte[] bytes = small().get(0);
        byte[] newer = bytes.clone();
        newer[7] = 6;
        assertThat(reason(newer)).isEqualTo(Reason.TOO_NEW);
        newer[7] = 1;
        assertThat(reason(newer)).isEqualTo(Reason.TOO_OLD);
        assertThat(reason("PK\3\4 and so on".getBytes(java.nio.charset.StandardCharsets.US_ASCII)))
                .isEqualTo(Reason.FOREIGN);
    }

    private static Reason reason(byte[] bytes) {
        try {
            StreamFile.decode(bytes);
            return null;
        } catch (ModelFormatException e) {
            return e.reason();
        }
    }

    @Test
    void aModelFileWithItsStreamIsGoneOnWithBitForBit(@TempDir Path directory) {
        List<Observation> records = AwkwardStream.of(21, 500, true);
        StreamConfig settings = StreamConfig.parse(Map.of("kernel", "gaussian(0.7)", "block", "64"));
        LearningStream whole = fed(settings, records);
        LearningStream part = fed(settings, records.subList(0, 250));
        LearnerState shown = part.state().learner().settled();
        StateLabels labels = StateLabels.of(List.of("x", "y"));
        Path file = directory.resolve("model.safetensors");
        ModelFile.write(file, StoredModel.of(part.state(), shown, labels));

        StoredModel stored = ModelFile.load(file);
        assertThat(stored.labels()).isEqualTo(labels);
        assertThat(stored.state().digest()).isEqualTo(shown.digest());
        LearningStream resumed = LearningStream.resume(stored.stream().orElseThrow());
        records.subList(250, 500).forEach(resumed::accept);
        assertThat(StreamFile.digest(resumed.state())).isEqualTo(StreamFile.digest(whole.state()));

        assertThat(ModelFile.read(file).digest())
                .as("who does not go on need not know")
                .isEqualTo(shown.digest());
        assertThat(ModelFile.encode(stored))
                .as("one model, one file")
                .isEqualTo(ModelFile.encode(ModelFile.load(file)));
        ModelFile.write(file, new StoredModel(shown, labels));
        assertThat(ModelFile.load(file).stream()).isEmpty();
    }

    @Test
    void damageToTheStreamOfAModelFileIsFound() {
        LearningStream stream = fed(GIVEN, AwkwardStream.of(21, 100, true));
        byte[] bytes =
                ModelFile.encode(StoredModel.of(stream.state(), stream.state().learner(), StateLabels.NONE));
        RawModel model = RawModel.parse(bytes);
        byte[] data = model.data().clone();
        data[data.length - 20] ^= 1;
        byte[] damaged = bytes.clone();
        damaged[damaged.length - 20] ^= 1;
        assertThatThrownBy(() -> ModelFile.decode(damaged))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CHECKSUM));
        // Changed on purpose, checksum and all: the model is read, the stream is refused when somebody wants it.
        byte[] sealed = RawModel.of(model.json().stripTrailing(), data).sealed();
        assertThat(ModelFile.decode(sealed).digest())
                .isEqualTo(stream.state().learner().digest());
        byte[] wrongLength = RawModel.parse(bytes).set("stream", "8").sealed();
        assertThatThrownBy(() -> ModelFile.decode(wrongLength)).isInstanceOf(ModelFormatException.class);
    }
}
