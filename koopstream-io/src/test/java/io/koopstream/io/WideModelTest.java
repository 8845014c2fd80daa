package io.koopstream.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.io.ModelFormatException.Reason;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of so many coordinates that the scales of their kernels are no text. */
class WideModelTest {

    private static final int WIDE = 3000;

    /** Scales that need all their digits. */
    private static double[] scales(int dimension) {
        double[] scales = new double[dimension];
        for (int c = 0; c < dimension; c++) {
            scales[c] = 1 + 1.0 / (3 + c);
        }
        return scales;
    }

    private static Kernel wide(int dimension) {
        return Kernels.scaled(Kernels.gaussian(dimension), scales(dimension));
    }

    private static <L extends Learner<?>> L taught(L learner, int inputs, int outputs) {
        for (int t = 0; t < 6; t++) {
            learner.update(point(inputs, t), point(outputs, t + 1));
        }
        return learner;
    }

    private static double[] point(int dimension, int t) {
        double[] x = new double[dimension];
        for (int c = 0; c < dimension; c++) {
            x[c] = (t * (c + 7)) % 101;
        }
        return x;
    }

    private static LearnerState leastSquares(int dimension, Kernel kernel) {
        LeastSquaresConfig config =
                LeastSquaresConfig.forState(dimension, kernel).epsilon(1e-6).build();
        return taught(LeastSquaresLearner.koopman(config), dimension, dimension).state();
    }

    private static LearnerState sogd(Rkhs input, Rkhs output) {
        SogdConfig config = SogdConfig.forTransition(input, output)
                .lambda(0.01)
                .stepSize(1e-4)
                .budget(0)
                .build();
        Learner<?> learner = taught(SogdLearner.transition(config), input.dimension(), output.dimension());
        return learner.state();
    }

    private static RawModel assertComesBack(LearnerState state) throws IOException {
        byte[] bytes = ModelFile.encode(state);
        LearnerState read = ModelFile.decode(bytes);
        assertThat(read.digest()).isEqualTo(state.digest());
        assertThat(read.input()).isEqualTo(state.input());
        assertThat(read.output()).isEqualTo(state.output());
        assertThat(ModelFile.encode(read)).isEqualTo(bytes);
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        ModelFile.writeFramed(new DataOutputStream(framed), new StoredModel(state, StateLabels.NONE));
        StoredModel unframed =
                ModelFile.readFramed(new DataInputStream(new ByteArrayInputStream(framed.toByteArray())), true);
        assertThat(unframed.state().digest()).isEqualTo(state.digest());
        return RawModel.parse(bytes);
    }

    @Test
    void leastSquaresComesBackBitForBit(@TempDir Path folder) throws IOException {
        LearnerState state = leastSquares(WIDE, wide(WIDE));
        RawModel raw = assertComesBack(state);
        assertThat(raw.metadata("version")).isEqualTo("3");
        assertThat(raw.metadata("input_kernel")).isEqualTo("scaled(gaussian(sigma=3000), @input_scales_1)");
        assertThat(raw.metadata("output_kernel")).isEqualTo(raw.metadata("input_kernel"));
        assertThat(raw.json()).contains("\"input_scales_1\":{\"dtype\":\"F64\",\"shape\":[3000]");
        Path file = folder.resolve("model.safetensors");
        ModelFile.write(file, state);
        assertThat(ModelFile.read(file).digest()).isEqualTo(state.digest());
    }

    @Test
    void algorithmOneComesBackBitForBit() throws IOException {
        Rkhs space = new Rkhs(wide(WIDE), WIDE);
        assertThat(assertComesBack(sogd(space, space)).metadata("version")).isEqualTo("3");
    }

    @Test
    void scalesWithinOtherKernelsComeBack() throws IOException {
        Kernel nested = Kernels.product(
                Kernels.sum(0.5, wide(WIDE), 0.25, Kernels.scaled(wide(WIDE), scales(WIDE))), Kernels.gaussian(9));
        Rkhs input =
                new Rkhs(Kernels.concatenated(WIDE, nested, 2, Kernels.scaled(Kernels.gaussian(1), 2, 3)), WIDE + 2);
        Rkhs output = new Rkhs(Kernels.scaled(Kernels.gaussian(2), scales(WIDE)), WIDE);
        RawModel raw = assertComesBack(sogd(input, output));
        assertThat(raw.metadata("input_kernel"))
                .isEqualTo("concat(3000:(0.5*scaled(gaussian(sigma=3000),"
                        + " @input_scales_1)+0.25*scaled(scaled(gaussian(sigma=3000), @input_scales_2),"
                        + " @input_scales_3))*gaussian(sigma=9), 2:scaled(gaussian(sigma=1),"
                        + " @input_scales_4))");
        assertThat(raw.metadata("output_kernel")).isEqualTo("scaled(gaussian(sigma=2), @output_scales_1)");
    }

    @Test
    void oneLongKernelOfTwoComesBack() throws IOException {
        Rkhs wide = new Rkhs(wide(WIDE), WIDE);
        Rkhs narrow = new Rkhs(Kernels.scaled(Kernels.gaussian(1), 2), 1);
        assertThat(assertComesBack(sogd(wide, narrow)).metadata("output_kernel"))
                .isEqualTo("scaled(gaussian(sigma=1), 2)");
        assertThat(assertComesBack(sogd(narrow, wide)).metadata("output_kernel"))
                .isEqualTo("scaled(gaussian(sigma=3000), @output_scales_1)");
    }

    @Test
    void aTextThatFitsStaysText() throws IOException {
        // "scaled(gaussian(sigma=1), " and ")" are 27 characters, and "1, " are three for all scales but the last.
        int most = (HeaderParser.MAX_TEXT - 27 - 1) / 3 + 1;
        double[] ones = new double[most];
        Arrays.fill(ones, 1);
        Kernel fits = Kernels.scaled(Kernels.gaussian(1), ones);
        assertThat(fits.text().length()).isBetween(HeaderParser.MAX_TEXT - 2, HeaderParser.MAX_TEXT);
        RawModel raw = assertComesBack(sogd(new Rkhs(fits, most), new Rkhs(Kernels.gaussian(1), 1)));
        assertThat(raw.metadata("version")).isEqualTo("2");
        assertThat(raw.metadata("input_kernel")).isEqualTo(fits.text());
        ones = new double[most + 1];
        Arrays.fill(ones, 1);
        Rkhs longer = new Rkhs(Kernels.scaled(Kernels.gaussian(1), ones), most + 1);
        raw = assertComesBack(sogd(longer, new Rkhs(Kernels.gaussian(1), 1)));
        assertThat(raw.metadata("version")).isEqualTo("3");
    }

    @Test
    void aHundredThousandCoordinatesComeBack() throws IOException {
        int dimension = 100_000;
        SogdLearner<?> learner = SogdLearner.koopman(SogdConfig.forState(dimension, wide(dimension))
                .lambda(0.01)
                .stepSize(0.25)
                .build());
        learner.update(point(dimension, 1), point(dimension, 2));
        assertComesBack(learner.state());
    }

    @Test
    void aTextThatIsLongWithoutScalesIsRefused() {
        Kernel longSum = Kernels.parse(String.join("+", Collections.nCopies(1500, "gaussian(1)")));
        LearnerState state = sogd(new Rkhs(longSum, 1), new Rkhs(Kernels.gaussian(1), 1));
        assertThatThrownBy(() -> ModelFile.encode(state))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }

    @Test
    void moreListsOfScalesThanAHeaderHoldsAreRefused() {
        String part = wide(20).text();
        Kernel longSum = Kernels.parse(String.join("+", Collections.nCopies(260, part)));
        LearnerState state = sogd(new Rkhs(longSum, 20), new Rkhs(Kernels.gaussian(1), 1));
        assertThatThrownBy(() -> ModelFile.encode(state))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }

    private static void assertRefused(Reason reason, Consumer<RawModel> edit) {
        RawModel raw = RawModel.parse(ModelFile.encode(leastSquares(WIDE, wide(WIDE))));
        edit.accept(raw);
        byte[] file = raw.sealed();
        assertThatThrownBy(() -> ModelFile.decode(file))
                .isInstanceOfSatisfying(
                        ModelFormatException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @ParameterizedTest
    @ValueSource(strings = {"@input_scales_2", "@output_scales_1", "@", "@x"})
    void aReferenceToAnotherArrayIsRefused(String reference) {
        assertRefused(
                Reason.BAD_SETTING, raw -> raw.set("input_kernel", "scaled(gaussian(sigma=3000), " + reference + ")"));
    }

    @Test
    void damagedReferencesAreRefused() {
        String bare = "gaussian(sigma=3000)";
        assertRefused(Reason.NOT_CANONICAL, raw -> raw.set("input_kernel", bare).set("output_kernel", bare));
        assertRefused(Reason.MISSING_SECTION, raw -> raw.set("output_kernel", bare));
        assertRefused(Reason.UNKNOWN_KERNEL, raw -> raw.set("version", "2"));
        assertRefused(Reason.UNKNOWN_SECTION, raw -> raw.edit("\"input_scales_1\":", "\"input_scales_2\":"));
        assertRefused(Reason.BAD_SETTING, raw -> raw.edit("sigma=3000), @", "sigma=3000)@"));
        assertRefused(Reason.UNKNOWN_KERNEL, raw -> raw.edit("sigma=3000), @", "sigma=3000), 1, @"));
        assertRefused(Reason.BAD_SETTING, raw -> raw.edit("@input_scales_1", "@input_scales_1, @input_scales_1"));
    }

    @Test
    void scalesThatAreNoneAreRefused() {
        assertRefused(Reason.BAD_SETTING, raw -> raw.put("input_scales_1", 5, -1.0));
        assertRefused(Reason.BAD_SETTING, raw -> raw.put("input_scales_1", 5, 0.0));
        assertRefused(Reason.NOT_FINITE, raw -> raw.put("input_scales_1", 5, Double.NaN));
    }

    @Test
    void arraysForATextThatFitsAreRefused() {
        assertRefused(Reason.NOT_CANONICAL, raw -> {
            for (int c = 0; c < WIDE; c++) {
                raw.put("input_scales_1", c, 1.0);
            }
        });
    }
}
