package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statistics of online least squares in a model file: same bits, same continuation, same answers to damage. */
class LeastSquaresModelTest {

    private static LeastSquaresLearner<KoopmanOperator> taught(
            int dimension, double epsilon, double forgetting, int n) {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(dimension, Kernels.gaussian(0.125))
                        .lambda(1e-4)
                        .epsilon(epsilon)
                        .forgetting(forgetting)
                        .build());
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
            assertThat(read.pending().inputs().size()).isEqualTo(samples % 64);
            Learner<KoopmanOperator> resumed = read.resumeKoopman();
            new ModelStates.LogisticStream(1).teach(learner, 600);
            new ModelStates.LogisticStream(1).teach(resumed, 600);
            assertThat(((LeastSquaresLearner<?>) resumed).state().digest())
                    .isEqualTo(learner.state().digest());
        }
    }

    private static LeastSquaresState transition() {
        Rkhs output = new Rkhs(Kernels.gaussian(0.5), 1);
        LeastSquaresLearner<?> learner = LeastSquaresLearner.transition(
                LeastSquaresConfig.forTransition(new Rkhs(Kernels.gaussian(0.5), 2), output)
                        .epsilon(0.01)
                        .holdOut(0.2)
                        .build());
        for (int t = 0; t < 30; t++) {
            learner.update(new double[] {t % 5, 0.5}, new double[] {t % 2});
        }
        return learner.state();
    }

    @Test
    void twoSpacesHaveTwoDictionaries() {
        LeastSquaresState state = transition();
        byte[] bytes = ModelFile.encode(state);
        LearnerState read = ModelFile.decode(bytes);
        assertThat(read.inputBasis().size()).isEqualTo(5);
        assertThat(read.outputBasis().size()).isEqualTo(2);
        assertThat(read.digest()).isEqualTo(state.digest());
        RawModel raw = RawModel.parse(bytes);
        assertThat(raw.doubles("x_next")).hasSize(2);
        assertThat(raw.doubles("T")).hasSize(10);
    }

    private static LeastSquaresConfig.Builder heldOut(HoldOutConfig.Keep keep) {
        return LeastSquaresConfig.forState(1, Kernels.gaussian(0.3))
                .epsilon(0.3)
                .holdOut(new HoldOutConfig(0.2, 100, keep));
    }

    private static LeastSquaresLearner<KoopmanOperator> withHeldOut(LeastSquaresConfig.Builder settings, int n) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(settings.build());
        new ModelStates.LogisticStream(1).teach(learner, n);
        return learner;
    }

    @ParameterizedTest
    @CsvSource({"0, UNIFORM", "17, UNIFORM", "40, NEWEST", "1700, UNIFORM", "1710, NEWEST", "7000, NEWEST"})
    void heldOutPairsComeBackAndTheSameOnesAreHeldOutAfterwards(int samples, HoldOutConfig.Keep keep) {
        LeastSquaresLearner<KoopmanOperator> learner = withHeldOut(heldOut(keep), samples);
        byte[] bytes = ModelFile.encode(learner.state());
        LeastSquaresState read = (LeastSquaresState) ModelFile.decode(bytes);
        assertThat(read.digest()).isEqualTo(learner.state().digest());
        assertThat(read.config()).isEqualTo(learner.config());
        assertThat(ModelFile.encode(read)).isEqualTo(bytes);
        Learner<KoopmanOperator> resumed = read.resumeKoopman();
        new ModelStates.LogisticStream(1).teach(learner, 3000);
        new ModelStates.LogisticStream(1).teach(resumed, 3000);
        assertThat(((LeastSquaresLearner<?>) resumed).state().digest())
                .isEqualTo(learner.state().digest());
    }

    @Test
    void theChosenRidgeIsChosenFromTheFileToo() {
        LeastSquaresState state =
                withHeldOut(heldOut(HoldOutConfig.Keep.UNIFORM), 2000).state();
        LeastSquaresState read = (LeastSquaresState) ModelFile.decode(ModelFile.encode(state));
        assertThat(read.config().lambda()).isEmpty();
        assertThat(read.choice().isChosen()).isTrue();
        assertThat(read.choice().spectrum()).isEqualTo(state.choice().spectrum());
        assertThat(read.choice().forecast()).isEqualTo(state.choice().forecast());
    }

    @Test
    void mergedPartsComeBack() {
        LeastSquaresState agreed =
                withHeldOut(heldOut(HoldOutConfig.Keep.UNIFORM), 500).state().dictionaryOnly();
        LeastSquaresLearner<?> one = agreed.resumeKoopman();
        LeastSquaresLearner<?> other = agreed.resumeKoopman();
        new ModelStates.LogisticStream(1).teach(one, 400);
        new ModelStates.LogisticStream(1).teach(other, 300);
        LeastSquaresState sum = LeastSquaresState.merged(List.of(one.state(), other.state()));
        assertThat(ModelFile.decode(ModelFile.encode(sum)).digest()).isEqualTo(sum.digest());
    }

    @Test
    void aSecondReaderSeesTheSameNumbers() {
        LeastSquaresState state =
                withHeldOut(heldOut(HoldOutConfig.Keep.UNIFORM), 300).state();
        RawModel raw = RawModel.parse(ModelFile.encode(state));
        assertThat(raw.json())
                .doesNotContain("\"x_next\"", "\"L_x_next\"", "\"x_next_sample\"")
                .contains("\"shape\":[2," + state.dictionarySize() + "]");
        assertThat(raw.doubles("V"))
                .containsExactly(flat(state.incrementStatistics().transposed().toRows()));
        assertThat(raw.doubles("squares")).containsExactly(state.squaredIncrements());
        assertThat(raw.doubles("S"))
                .containsExactly(flat(state.inputStatistics().toRows()));
        assertThat(raw.doubles("T"))
                .containsExactly(flat(state.crossStatistics().toRows()));
        assertThat(raw.doubles("first_x"))
                .containsExactly(flat(state.first().inputs().toRows()));
        assertThat(raw.doubles("first_x_next"))
                .containsExactly(flat(state.first().outputs().toRows()));
        assertThat(raw.doubles("held_x")).containsExactly(flat(state.holdOut().inputs()));
        assertThat(raw.doubles("held_x_next"))
                .containsExactly(flat(state.holdOut().outputs()));
        assertThat(raw.longs("held_run")).containsExactly(state.holdOut().runNumbers());
        assertThat(raw.doubles("held_after"))
                .isNotEmpty()
                .containsExactly(flat(state.holdOut().after()));
        assertThat(raw.longs("held_after_run")).containsExactly(state.holdOut().afterRuns());
        assertThat(raw.metadata("lambda")).isEqualTo("chosen");
        assertThat(raw.metadata("hold_out_seen")).isEqualTo("300");
        assertThat(raw.metadata("held_out"))
                .isEqualTo(Long.toString(state.holdOut().offered()));
    }

    private static double[] flat(double[][] rows) {
        return Stream.of(rows).flatMapToDouble(Arrays::stream).toArray();
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
        assertRefused(taught(1, 0.3, 1.0, 30).state(), reason, edit);
    }

    private static void assertRefused(LearnerState state, Reason reason, Consumer<RawModel> edit) {
        RawModel raw = RawModel.parse(ModelFile.encode(state));
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

    @Test
    void incrementsThatNoSamplesGiveAreRefused() {
        assertRefused(Reason.NOT_FINITE, raw -> raw.put("V", 1, Double.POSITIVE_INFINITY));
        assertRefused(Reason.NOT_FINITE, raw -> raw.put("squares", 0, Double.NaN));
        assertRefused(Reason.BAD_STATISTICS, raw -> raw.put("squares", 0, -1e-9));
        assertRefused(
                Reason.BAD_COUNT, raw -> raw.edit("\"squares\":{\"dtype\":\"F64\",\"shape\":[1]", SQUARES + "[1,1]"));
        assertRefused(
                Reason.BAD_TYPE, raw -> raw.edit("\"squares\":{\"dtype\":\"F64\"", "\"squares\":{\"dtype\":\"I64\""));
        for (String name : List.of("S", "T", "V", "squares", "first_x", "pending_x")) {
            assertRefused(Reason.MISSING_SECTION, raw -> raw.edit("," + raw.entry(name), ""));
        }
        assertRefused(Reason.BAD_COUNT, raw -> {
            String entry = raw.entry("V");
            raw.edit(entry, entry.replaceFirst("\\[2,(\\d+)]", "[$1,2]"));
        });
    }

    private static final String SQUARES = "\"squares\":{\"dtype\":\"F64\",\"shape\":";

    @Test
    void oneSpaceHasOneDictionaryAndTwoHaveTwo() {
        // Another output space asks for the second dictionary, the same one leaves no room for it.
        assertRefused(Reason.MISSING_SECTION, raw -> raw.set("output_kernel", "gaussian(sigma=0.25)"));
        Rkhs input = new Rkhs(Kernels.gaussian(0.5), 1);
        LeastSquaresLearner<?> learner = LeastSquaresLearner.transition(
                LeastSquaresConfig.forTransition(input, new Rkhs(Kernels.gaussian(0.25), 1))
                        .build());
        learner.update(new double[] {1}, new double[] {2});
        assertRefused(learner.state(), Reason.UNKNOWN_SECTION, raw -> raw.set("output_kernel", "gaussian(sigma=0.5)"));
    }

    @Test
    void firstPairsAreAllOrNone() {
        LeastSquaresState state = taught(1, 0.3, 1.0, 30).state();
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("samples", "31"));
        assertRefused(state, Reason.BAD_POINT, raw -> raw.put("first_x", 3, 1e200));
        assertRefused(state, Reason.BAD_POINT, raw -> raw.put("first_x_next", 3, 1e200));
        assertRefused(state, Reason.NOT_FINITE, raw -> raw.put("first_x", 3, Double.NaN));
        assertRefused(state, Reason.BAD_COUNT, raw -> {
            String entry = raw.entry("first_x_next");
            raw.edit(entry, entry.replace("[30,1]", "[15,2]"));
        });
    }

    @Test
    void heldOutPairsThatNoStreamGivesAreRefused() {
        LeastSquaresState state =
                withHeldOut(heldOut(HoldOutConfig.Keep.UNIFORM), 300).state();
        for (String key : List.of("hold_out_capacity", "hold_out_keep", "hold_out_seen", "held_out")) {
            assertRefused(
                    state,
                    Reason.MISSING_SECTION,
                    raw -> raw.edit("\"" + key + "\":\"" + raw.metadata(key) + "\",", ""));
        }
        for (String name : List.of("first_x_next", "held_x", "held_x_next", "held_run", "held_after")) {
            assertRefused(state, Reason.MISSING_SECTION, raw -> raw.edit("," + raw.entry(name), ""));
        }
        // Without an entry for the last tensor its bytes are left over.
        assertRefused(state, Reason.TRAILING_BYTES, raw -> raw.edit("," + raw.entry("held_after_run"), ""));
        // Without their first key the others have no place.
        assertRefused(state, Reason.UNKNOWN_SECTION, raw -> raw.edit("\"hold_out\":\"0.2\",", ""));
        assertRefused(state, Reason.BAD_SETTING, raw -> raw.set("hold_out", "0"));
        assertRefused(state, Reason.BAD_SETTING, raw -> raw.set("hold_out", "0.6"));
        assertRefused(state, Reason.BAD_SETTING, raw -> raw.set("hold_out", "some"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("hold_out_capacity", "49"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("hold_out_capacity", "2147483648"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("hold_out_capacity", "50"));
        assertRefused(state, Reason.BAD_SETTING, raw -> raw.set("hold_out_keep", "OLDEST"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("hold_out_seen", "10"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("hold_out_seen", "-1"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("held_out", "3"));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.set("held_out", "301"));
        assertRefused(state, Reason.BAD_POINT, raw -> raw.put("held_x", 0, 1e200));
        assertRefused(state, Reason.BAD_POINT, raw -> raw.put("held_x_next", 0, 1e200));
        assertRefused(state, Reason.NOT_FINITE, raw -> raw.put("held_x_next", 1, Double.NaN));
        assertRefused(state, Reason.NOT_FINITE, raw -> raw.put("held_after", 0, Double.NaN));
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.put("held_after_run", 0, 77L));
        // Run 0 again after run 1, and more runs than are remembered.
        assertRefused(state, Reason.BAD_COUNT, raw -> raw.put("held_run", 5, 0L));
        assertRefused(state, Reason.BAD_COUNT, raw -> {
            for (int i = 0; i < raw.longs("held_run").length; i++) {
                raw.put("held_run", i, (long) i);
            }
        });
    }

    @Test
    void keysOfPairsHeldOutBelongToLeastSquares() {
        byte[] sogd = RawModel.parse(ModelFile.encode(ModelStates.ofSize(4)))
                .edit("\"input_dimension\"", "\"hold_out\":\"0.1\",\"input_dimension\"")
                .sealed();
        assertThatThrownBy(() -> ModelFile.decode(sogd))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_SECTION));
    }

    @Test
    void aStreamOfAnyLengthIsResumedAtOnce() {
        LeastSquaresState state =
                withHeldOut(heldOut(HoldOutConfig.Keep.UNIFORM), 6000).state();
        String many = "8000000000000000000";
        byte[] bytes = RawModel.parse(ModelFile.encode(state))
                .set("hold_out_seen", many)
                .set("samples", many)
                .sealed();
        assertThat(ModelFile.decode(bytes).resumeKoopman().samples()).isEqualTo(Long.parseLong(many));
    }
}
