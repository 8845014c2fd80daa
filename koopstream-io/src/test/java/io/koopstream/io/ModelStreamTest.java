package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Models in the middle of other data: the same bytes as a file, no byte more read than they have. */
class ModelStreamTest {

    private static LeastSquaresState state() {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(0.2))
                        .epsilon(0.01)
                        .build());
        SplittableRandom random = new SplittableRandom(7);
        for (int n = 0; n < 300; n++) {
            learner.update(
                    new double[] {random.nextDouble(), random.nextDouble()},
                    new double[] {random.nextDouble(), random.nextDouble()});
        }
        return learner.state();
    }

    private static StoredModel model() {
        return new StoredModel(state(), StateLabels.of(List.of("angle", "speed")));
    }

    @Test
    void aModelWithinAStreamIsItsFileBetweenItsLengthAndItsCrc() throws IOException {
        StoredModel model = model();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream target = new DataOutputStream(bytes);
        ModelFile.writeFramed(target, model);
        target.writeInt(42);
        byte[] file = ModelFile.encode(model);
        DataInputStream source = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        StoredModel read = ModelFile.readFramed(source, true);

        assertThat(file.length).as("more than one piece").isGreaterThan(1 << 17);
        byte[] framed = Arrays.copyOfRange(bytes.toByteArray(), 8, 8 + file.length);
        assertThat(framed).isEqualTo(zeroed(file));
        CRC32C crc = new CRC32C();
        crc.update(framed);
        assertThat(ByteBuffer.wrap(bytes.toByteArray()).getInt(8 + file.length)).isEqualTo((int) crc.getValue());
        assertThat(read.state().digest()).isEqualTo(model.state().digest());
        assertThat(read.labels()).isEqualTo(model.labels());
        assertThat(source.readInt()).as("what follows is untouched").isEqualTo(42);
    }

    /** The file with zeros for its checksum. */
    private static byte[] zeroed(byte[] file) {
        byte[] zeroed = file.clone();
        String text = new String(file, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("\"checksum\":\"") + "\"checksum\":\"".length();
        Arrays.fill(zeroed, at, at + Checksum.DIGITS, (byte) '0');
        return zeroed;
    }

    @Test
    void everyChangedBitOfAFrameIsNoticed() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelFile.writeFramed(new DataOutputStream(bytes), model());
        SplittableRandom random = new SplittableRandom(3);
        for (int n = 0; n < 60; n++) {
            byte[] damaged = bytes.toByteArray();
            int at = random.nextInt(8, damaged.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> ModelFile.readFramed(new DataInputStream(new ByteArrayInputStream(damaged)), true))
                    .as("byte %d", at)
                    .isInstanceOf(ModelFormatException.class);
        }
    }

    @Test
    void aStateThatIsNotFiniteIsNotStored() {
        LeastSquaresState state = state();
        state.crossStatistics().set(0, 0, Double.NaN);
        assertThatThrownBy(() -> ModelFile.writeFramed(
                        new DataOutputStream(new ByteArrayOutputStream()), new StoredModel(state, StateLabels.NONE)))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FINITE));
    }

    @Test
    void bytesOfAKnownNumberAreReadFromAnyStream() throws IOException {
        StoredModel model = model();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelFile.write(bytes, model);
        InputStream slow = new ByteArrayInputStream(bytes.toByteArray()) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 1000));
            }
        };

        assertThat(bytes.toByteArray()).isEqualTo(ModelFile.encode(model));
        assertThat(ModelFile.read(slow, bytes.size(), CustomSchedules.none())
                        .state()
                        .digest())
                .isEqualTo(model.state().digest());
    }

    @Test
    void aStreamThatEndsEarlyIsCutShort() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelFile.writeFramed(new DataOutputStream(bytes), model());
        for (int length : new int[] {0, 7, 8, 9, 300, 5000, bytes.size() - 1}) {
            DataInputStream source =
                    new DataInputStream(new ByteArrayInputStream(Arrays.copyOf(bytes.toByteArray(), length)));
            assertThatThrownBy(() -> ModelFile.readFramed(source, true))
                    .as("%d bytes", length)
                    .isInstanceOfSatisfying(
                            ModelFormatException.class,
                            e -> assertThat(e.reason()).isIn(Reason.TRUNCATED, Reason.EMPTY));
        }
    }

    @Test
    void aDictionaryWithoutSamplesCanBeStored() {
        LeastSquaresState agreed = state().dictionaryOnly();
        LeastSquaresState read = (LeastSquaresState) ModelFile.decode(ModelFile.encode(agreed));

        assertThat(read.digest()).isEqualTo(agreed.digest());
        assertThat(read.samples()).isZero();
        assertThat(read.dictionarySize()).isGreaterThan(10);
    }
}
