package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.DictionaryCap;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statistics of online least squares in a model file: same bits, same continuation, same answers to damage. */
class LeastSquaresModelTest {

    private static LeastSquaresLearner<KoopmanOperator> taught(
            int dimension, double epsilon, double forgetting, int n) {
        Rkhs space = new Rkhs(Kernels.gaussian(0.125), dimension);
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
                new LeastSquaresConfig(space, space, 1e-4, epsilon, forgetting, DictionaryCap.NONE));
        new ModelStates.LogisticStream(dimension).teach(learner, n);
        return learner;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40, 400})
    void comesBackBitForBit(int samples) {
        LeastSquaresState state = taught(2, 0.2, 0.999, samples).state();
        byte[] bytes = ModelFile.encode(state);
        LearnerState read = ModelFile.decode(bytes);
        assertThat(read).isInstanceOf(LeastSquaresState.class);
        assertThat(read.digest()).isEqualTo(state.digest());
        assertThat(ModelFile.encode(read)).isEqualTo(bytes);
    }

    @Test
    void savedLoadedAndContinuedIsContinued(@TempDir Path folder) {
        LeastSquaresLearner<KoopmanOperator> learner = taught(2, 0.1, 1.0, 300);
        Path file = folder.resolve("model.safetensors");
        ModelFile.write(file, learner.state());
        Learner<KoopmanOperator> resumed = ModelFile.read(file).resumeKoopman();
        new ModelStates.LogisticStream(2).teach(learner, 500);
        new ModelStates.LogisticStream(2).teach(resumed, 500);
        assertThat(((LeastSquaresLearner<?>) resumed).state().digest())
                .isEqualTo(learner.state().digest());
        assertThat(resumed.snapshot().predict(new double[] {0.3, 0.4}))
                .containsExactly(learner.snapshot().predict(new double[] {0.3, 0.4}));
    }

    @Test
    void aFullDictionaryComesBackWithItsAccounts() {
        LeastSquaresConfig config = LeastSquaresConfig.forState(2, Kernels.gaussian(0.125))
                .epsilon(0.05)
                .maxDictionary(20)
                .build();
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
        new ModelStates.LogisticStream(2).teach(learner, 400);
        assertThat(learner.counters().removals()).isPositive();
        assertThat(learner.counters().refusals()).isPositive();
        byte[] bytes = ModelFile.encode(learner.state());
        Learner<KoopmanOperator> resumed = ModelFile.decode(bytes).resumeKoopman();
        new ModelStates.LogisticStream(2).teach(learner, 600);
        new ModelStates.LogisticStream(2).teach(resumed, 600);
        LeastSquaresLearner<?> after = (LeastSquaresLearner<?>) resumed;
        assertThat(after.state().digest()).isEqualTo(learner.state().digest());
        assertThat(after.counters()).isEqualTo(learner.counters());
        assertThat(resumed.snapshot().pruning()).isEqualTo(learner.snapshot().pruning());
    }

    @Test
    void samplesThatWaitForTheirBlockComeBack() {
        for (int samples : new int[] {30, 100}) {
            LeastSquaresLearner<KoopmanOperator> learner =
                    LeastSquaresLearner.koopman(LeastSquaresConfig.forState(1, Kernels.gaussian(0.3))
                            .blockSize(64)
                            .build());
            ModelStates.LogisticStream stream = new ModelStates.LogisticStream(1);
            stream.teach(learner, samples);
            LearnerState read = ModelFile.decode(ModelFile.encode(learner.state()));
            assertThat(read.digest()).isEqualTo(learner.state().digest());
            assertThat(read.pendingInputs().size()).isEqualTo(samples % 64);
            Learner<KoopmanOperator> resumed = read.resumeKoopman();
            new ModelStates.LogisticStream(1).teach(learner, 600);
            new ModelStates.LogisticStream(1).teach(resumed, 600);
            assertThat(((LeastSquaresLearner<?>) resumed).state().digest())
                    .isEqualTo(learner.state().digest());
        }
    }

    @Test
    void aRectangularDictionaryComesBack() {
        Rkhs space = new Rkhs(Kernels.gaussian(0.5), 1);
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(new LeastSquaresConfig(space, space, 1e-4, 0.01, 1, DictionaryCap.NONE));
        for (int t = 0; t < 30; t++) {
            learner.update(new double[] {t % 5}, new double[] {t % 2});
        }
        LearnerState read = ModelFile.decode(ModelFile.encode(learner.state()));
        assertThat(read.inputBasis().size()).isEqualTo(5);
        assertThat(read.outputBasis().size()).isEqualTo(2);
        assertThat(read.digest()).isEqualTo(learner.state().digest());
    }

    @Test
    void everyFlippedBitIsRefused() {
        byte[] bytes = ModelFile.encode(taught(1, 0.3, 1.0, 30).state());
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
            byte[] damaged = bytes;
            assertThatThrownBy(() -> ModelFile.decode(damaged))
                    .as("bit %d", bit)
                    .isInstanceOf(ModelFormatException.class);
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        }
    }

    private static void assertRefused(Reason reason, Consumer<RawModel> edit) {
        RawModel raw = RawModel.parse(ModelFile.encode(taught(1, 0.3, 1.0, 30).state()));
        edit.accept(raw);
        byte[] bytes = raw.sealed();
        assertThatThrownBy(() -> ModelFile.decode(bytes))
                .isInstanceOfSatisfying(
                        ModelFormatException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }

    @Test
    void statisticsThatNoSamplesGiveAreRefused() {
        assertRefused(Reason.BAD_STATISTICS, raw -> raw.put("S", 1, raw.doubles("S")[1] + 1));
        assertRefused(Reason.BAD_STATISTICS, raw -> raw.put("S", 0, -1.0));
        assertRefused(Reason.NOT_FINITE, raw -> raw.put("T", 0, Double.NaN));
        assertRefused(Reason.BAD_COUNT, raw -> raw.set("weight", "31"));
        assertRefused(Reason.BAD_COUNT, raw -> raw.set("weight", "0"));
        assertRefused(Reason.BAD_SETTING, raw -> raw.set("weight", "many"));
        assertRefused(Reason.BAD_SETTING, raw -> raw.set("forgetting", "1.5"));
        assertRefused(Reason.BAD_SETTING, raw -> raw.set("epsilon", "-1"));
        assertRefused(Reason.BAD_SETTING, raw -> raw.set("lambda", "0"));
        assertRefused(Reason.MISSING_SECTION, raw -> raw.set("method", "sogd"));
        assertRefused(Reason.UNKNOWN_SECTION, raw -> raw.edit("\"epsilon\"", "\"budget\":\"constant(1)\",\"epsilon\""));
    }
}
