package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
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
    void aModelWithinAStreamIsItsFileBehindItsLength() throws IOException {
        StoredModel model = model();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream target = new DataOutputStream(bytes);
        ModelFile.writeFramed(target, model);
        target.writeInt(42);
        byte[] file = ModelFile.encode(model);
        DataInputStream source = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        StoredModel read = ModelFile.readFramed(source, CustomSchedules.none());

        assertThat(file.length).as("more than one piece").isGreaterThan(1 << 17);
        assertThat(Arrays.copyOfRange(bytes.toByteArray(), 8, 8 + file.length)).isEqualTo(file);
        assertThat(read.state().digest()).isEqualTo(model.state().digest());
        assertThat(read.labels()).isEqualTo(model.labels());
        assertThat(source.readInt()).as("what follows is untouched").isEqualTo(42);
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
            assertThatThrownBy(() -> ModelFile.readFramed(source, CustomSchedules.none()))
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
