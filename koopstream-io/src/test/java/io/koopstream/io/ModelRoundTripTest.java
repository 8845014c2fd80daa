package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.io.ModelStates.LogisticStream;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.sogd.Averaging;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read again, bit for bit, and learning goes on as if nothing had happened. */
class ModelRoundTripTest {

    private static Map<String, SogdState> states() {
        Map<String, SogdState> states = new LinkedHashMap<>();
        states.put(
                "nothing learned",
                SogdLearner.koopman(ModelStates.settings(2).build()).state());
        states.put("one sample", ModelStates.ofSize(1));
        states.put("60 samples", ModelStates.ofSize(60));
        states.put("two spaces, concat kernel, decay, proportional, PAPER", ModelStates.transition());
        states.put("more inputs than outputs", ModelStates.ofUnequalSides());
        states.put("PAPER", learned(ModelStates.settings(1).criterion(Criterion.PAPER)));
        states.put("decay", learned(ModelStates.settings(1).stepSize(StepSize.decay(0.9, 200, 0.6))));
        states.put("proportional", learned(ModelStates.settings(1).budget(Budget.proportional(0.5))));
        states.put("averaged", learned(ModelStates.settings(1).averaging(Averaging.tail(0.3))));
        states.put("capped", learned(ModelStates.settings(1).maxDictionary(4)));
        states.put(
                "capped and averaged",
                learned(ModelStates.settings(1).maxDictionary(3).averaging(Averaging.tail(2))));
        states.put(
                "samples that wait for their block",
                learned(ModelStates.settings(1).blockSize(64)));
        states.put(
                "nothing but samples that wait", learned(ModelStates.settings(1).blockSize(1024)));
        states.put(
                "odd numbers",
                learned(ModelStates.settings(1)
                        .lambda(0.1 + 0.2)
                        .stepSize(StepSize.decay(Math.nextUp(0.3), Math.nextUp(1e22), Math.nextDown(1.0)))
                        .budget(Budget.constant(Double.MIN_VALUE))));
        states.put(
                "tiny lambda",
                learned(ModelStates.settings(1).lambda(Double.MIN_NORMAL).stepSize(2e-308)));
        for (String kernel : List.of(
                "gaussian(gamma=2.2250738585072014E-308)",
                "0.1*gaussian(sigma=0.30000000000000004)+(matern32(sigma=2)*laplacian(sigma=1))",
                "scaled(rational-quadratic(sigma=1, alpha=0.3333333333333333), 1E+22)",
                "inverse-multiquadric(sigma=0.7)",
                "polynomial(degree=3, offset=0.1, radius=1.5)",
                "linear(offset=1, radius=1.5)")) {
            Kernel parsed = Kernels.parse(kernel);
            states.put(kernel, learned(SogdConfig.forState(1, parsed)));
        }
        return states;
    }

    private static SogdState learned(SogdConfig.Builder settings) {
        return ModelStates.taught(settings.build(), 100).state();
    }

    @TestFactory
    Stream<DynamicTest> bytesAndDigestComeBack() {
        return states().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    SogdState state = entry.getValue();
                    byte[] bytes = ModelFile.encode(state);
                    SogdState read = (SogdState) ModelFile.decode(bytes);
                    assertThat(read.digest()).isEqualTo(state.digest());
                    assertThat(read.config()).isEqualTo(state.config());
                    assertThat(ModelFile.encode(read)).isEqualTo(bytes);
                }));
    }

    @TestFactory
    Stream<DynamicTest> aSecondReaderSeesTheSameNumbersAndASecondWriterWritesTheSameBytes() {
        return states().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    SogdState state = entry.getValue();
                    byte[] bytes = ModelFile.encode(state);
                    RawModel raw = RawModel.parse(bytes);
                    assertThat(raw.doubles("x"))
                            .containsExactly(flat(state.inputBasis().points().toRows()));
                    assertThat(raw.doubles("x_next"))
                            .containsExactly(flat(state.outputBasis().points().toRows()));
                    assertThat(raw.doubles("L_x"))
                            .containsExactly(flat(state.inputBasis().factor().toRows()));
                    assertThat(raw.doubles("L_x_next"))
                            .containsExactly(flat(state.outputBasis().factor().toRows()));
                    assertThat(raw.doubles("M"))
                            .containsExactly(flat(state.matrix().toRows()));
                    assertThat(raw.longs("x_sample")).containsExactly(ModelStates.sampleNumbers(state.inputBasis()));
                    assertThat(raw.longs("x_next_sample"))
                            .containsExactly(ModelStates.sampleNumbers(state.outputBasis()));
                    assertThat(raw.metadata("samples")).isEqualTo(Long.toString(state.samples()));
                    assertThat(raw.sealed()).isEqualTo(bytes);
                    // Tensors are aligned for whoever maps the file into memory.
                    assertThat((bytes.length - raw.data().length) % 8).isZero();
                }));
    }

    private static double[] flat(double[][] rows) {
        return Stream.of(rows).flatMapToDouble(java.util.Arrays::stream).toArray();
    }

    @TestFactory
    Stream<DynamicTest> goingOnFromAFileIsGoingOn(@TempDir Path directory) {
        Map<String, SogdLearner<?>> learners = new LinkedHashMap<>();
        learners.put("constant", ModelStates.taught(ModelStates.settings(2).build(), 300));
        learners.put("untaught", SogdLearner.koopman(ModelStates.settings(2).build()));
        learners.put(
                "decay and proportional",
                ModelStates.taught(
                        ModelStates.settings(2)
                                .stepSize(StepSize.decay(0.9, 30, 0.7))
                                .budget(Budget.proportional(0.2))
                                .build(),
                        300));
        learners.put(
                "PAPER",
                ModelStates.taught(
                        ModelStates.settings(2).criterion(Criterion.PAPER).build(), 300));
        return learners.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    SogdLearner<?> learner = entry.getValue();
                    Path file = directory.resolve("model.safetensors");
                    ModelFile.write(file, learner.state());
                    SogdLearner<?> resumed =
                            (SogdLearner<?>) ModelFile.read(file).resumeKoopman();
                    LogisticStream stream = new LogisticStream(2);
                    for (int i = 0; i < 1000; i++) {
                        stream.next();
                    }
                    double[] from = stream.next();
                    for (int i = 0; i < 500; i++) {
                        double[] to = stream.next();
                        assertThat(resumed.update(from, to)).isEqualTo(learner.update(from, to));
                        from = to;
                    }
                    assertThat(resumed.state().digest())
                            .isEqualTo(learner.state().digest());
                    assertThat(ModelFile.encode(resumed.state())).isEqualTo(ModelFile.encode(learner.state()));
                }));
    }

    @Test
    void aTransitionGoesOnToo() {
        SogdState state = ModelStates.transition();
        SogdLearner<?> learner = state.resumeTransition();
        SogdLearner<?> resumed =
                (SogdLearner<?>) ModelFile.decode(ModelFile.encode(state)).resumeTransition();
        LogisticStream stream = new LogisticStream(3);
        for (int i = 0; i < 500; i++) {
            double[] from = stream.next();
            learner.update(from, new double[] {from[1], from[2]});
            resumed.update(from, new double[] {from[1], from[2]});
        }
        assertThat(ModelFile.encode(resumed.state())).isEqualTo(ModelFile.encode(learner.state()));
    }

    @Test
    void unequalSidesGoOnToo() {
        SogdState state = ModelStates.ofUnequalSides();
        assertThat(state.outputBasis().size()).isEqualTo(3);
        assertThat(state.inputBasis().size()).isGreaterThan(10);
        SogdLearner<?> learner = state.resumeKoopman();
        SogdLearner<?> resumed =
                (SogdLearner<?>) ModelFile.decode(ModelFile.encode(state)).resumeKoopman();
        LogisticStream stream = new LogisticStream(2);
        for (int i = 0; i < 500; i++) {
            double[] from = stream.next();
            learner.update(from, ModelStates.outputOfThree(i));
            resumed.update(from, ModelStates.outputOfThree(i));
        }
        assertThat(ModelFile.encode(resumed.state())).isEqualTo(ModelFile.encode(learner.state()));
    }

    @Test
    void customSchedulesAreSuppliedByName() {
        StepSize step = StepSize.custom("warm-up", t -> t < 50 ? 0.25 : 12.5 / t);
        Budget budget = Budget.custom("fixed_1.0", (t, eta) -> 0.01);
        SogdLearner<?> learner = ModelStates.taught(
                ModelStates.settings(1).stepSize(step).budget(budget).build(), 100);
        byte[] bytes = ModelFile.encode(learner.state());
        CustomSchedules both = CustomSchedules.none().with(step).with(budget);

        SogdState read = (SogdState) ModelFile.decode(bytes, both);
        assertThat(ModelFile.encode(read)).isEqualTo(bytes);
        assertThat(read.digest()).isEqualTo(learner.state().digest());
        SogdLearner<?> resumed = read.resumeKoopman();
        new LogisticStream(1).teach(learner, 500);
        new LogisticStream(1).teach(resumed, 500);
        assertThat(ModelFile.encode(resumed.state())).isEqualTo(ModelFile.encode(learner.state()));

        assertThatThrownBy(() -> ModelFile.decode(bytes))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MISSING_SCHEDULE))
                .hasMessageContaining("with(StepSize.custom(\"warm-up\", function))");
        assertThatThrownBy(() -> ModelFile.decode(bytes, CustomSchedules.none().with(step)))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MISSING_SCHEDULE))
                .hasMessageContaining("with(Budget.custom(\"fixed_1.0\", function))");
        assertThatThrownBy(() -> CustomSchedules.none().with(StepSize.constant(0.1)))
                .isInstanceOf(InvalidConfigException.class);
        assertThatThrownBy(() -> CustomSchedules.none().with(Budget.constant(0.1)))
                .isInstanceOf(InvalidConfigException.class);
    }

    @Test
    void ownKernelsAndTheSquaredNormAreStored() {
        Kernel own = Kernel.of("tent", 1, (x, y) -> Math.max(0, 1 - Math.abs(x[0] - y[0])));
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(SogdConfig.forState(1, Kernels.weighted(0.5, own))
                .delta(Criterion.Delta.SQUARED)
                .budget(1e-3)
                .build());
        for (int t = 0; t < 50; t++) {
            learner.update(new double[] {Math.sin(t)}, new double[] {Math.sin(t + 1)});
        }
        byte[] bytes = ModelFile.encode(learner.state());
        SogdState read =
                (SogdState) ModelFile.decode(bytes, CustomSchedules.none().with(own));
        assertThat(read.digest()).isEqualTo(learner.state().digest());
        assertThat(read.config().delta()).isEqualTo(Criterion.Delta.SQUARED);
        double[] at = {0.25};
        assertThat(read.resumeKoopman().snapshot().predict(at))
                .isEqualTo(learner.snapshot().predict(at));
        assertThatThrownBy(() -> ModelFile.decode(bytes))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MISSING_SCHEDULE))
                .hasMessageContaining("with(Kernel.of(\"tent\", bound, function))");
        assertThatThrownBy(() -> CustomSchedules.none().with(Kernels.gaussian(1)))
                .isInstanceOf(InvalidConfigException.class);
        SogdLearner<KoopmanOperator> nameless = SogdLearner.koopman(
                SogdConfig.forState(1, Kernel.of(1, (x, y) -> 1)).build());
        assertThatThrownBy(() -> ModelFile.encode(nameless.state()))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_KERNEL));
    }

    @Test
    void aBufferIsReadBetweenPositionAndLimitAndStaysAsItIs() {
        SogdState state = ModelStates.ofSize(3);
        byte[] bytes = ModelFile.encode(state);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 10).position(5);
        buffer.put(bytes).flip().position(5);
        assertThat(ModelFile.decode(buffer.asReadOnlyBuffer()).digest()).isEqualTo(state.digest());
        assertThat(ModelFile.decode(buffer).digest()).isEqualTo(state.digest());
        assertThat(buffer.position()).isEqualTo(5);
        assertThat(buffer.remaining()).isEqualTo(bytes.length);
    }
}
