package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Concatenated;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link Kernels#parse} reads, and what it says about what it does not read. */
class KernelParserTest {

    static Stream<Arguments> accepted() {
        Kernel two = Kernels.sum(0.4, Kernels.gaussian(0.4), 0.6, Kernels.gaussian(0.7));
        return Stream.of(
                Arguments.of("gaussian(sigma=0.5)", Kernels.gaussian(0.5)),
                Arguments.of("gaussian(0.5)", Kernels.gaussian(0.5)),
                Arguments.of("gaussian(gamma=2)", Kernels.gaussianGamma(2)),
                Arguments.of("laplacian(1)", Kernels.laplacian(1)),
                Arguments.of("matern32(1)", Kernels.matern32(1)),
                Arguments.of("matern52(sigma=1)", Kernels.matern52(1)),
                Arguments.of("rational-quadratic(sigma=1, alpha=2)", Kernels.rationalQuadratic(1, 2)),
                Arguments.of("rational-quadratic(alpha=2, sigma=1)", Kernels.rationalQuadratic(1, 2)),
                Arguments.of("rational-quadratic(3)", Kernels.rationalQuadratic(3, 1)),
                Arguments.of("inverse-multiquadric(1)", Kernels.inverseMultiquadric(1)),
                Arguments.of("linear(offset=1, radius=3)", Kernels.linear(1, 3)),
                Arguments.of("linear(radius=3)", Kernels.linear(0, 3)),
                Arguments.of("polynomial(degree=2, offset=1, radius=3)", Kernels.polynomial(2, 1, 3)),
                Arguments.of("polynomial(degree=1, radius=3)", Kernels.linear(0, 3)),
                Arguments.of("0.4*gaussian(0.4)+0.6*gaussian(0.7)", two),
                Arguments.of("  0.4 * gaussian( 0.4 )\n+\t.6*gaussian ( sigma = 7e-1 )  ", two),
                Arguments.of("gaussian(0.4)*0.4+2*0.3*gaussian(0.7)", two),
                Arguments.of("2*gaussian(1)", Kernels.weighted(2, Kernels.gaussian(1))),
                Arguments.of("(gaussian(1))", Kernels.gaussian(1)),
                Arguments.of("gaussian(1)*matern32(2)", Kernels.product(Kernels.gaussian(1), Kernels.matern32(2))),
                Arguments.of(
                        "3*gaussian(1)*matern32(2)+laplacian(1)",
                        Kernels.sum(
                                3, Kernels.product(Kernels.gaussian(1), Kernels.matern32(2)), 1, Kernels.laplacian(1))),
                Arguments.of(
                        "(0.4*gaussian(0.4)+0.6*gaussian(0.7))*laplacian(2)",
                        Kernels.product(two, Kernels.laplacian(2))),
                Arguments.of("scaled(gaussian(1), 1, 0.1)", Kernels.scaled(Kernels.gaussian(1), 1, 0.1)),
                Arguments.of("scaled(0.4*gaussian(0.4)+0.6*gaussian(0.7), 1, 1E+2)", Kernels.scaled(two, 1, 100)),
                Arguments.of(
                        "concat(2:gaussian(0.5), 1:gaussian(1))",
                        Kernels.concatenated(2, Kernels.gaussian(0.5), 1, Kernels.gaussian(1))),
                Arguments.of(
                        "concat(1:scaled(gaussian(1), 2), 2:concat(1:laplacian(1), 1:matern32(1)))",
                        Kernels.concatenated(
                                1,
                                Kernels.scaled(Kernels.gaussian(1), 2),
                                2,
                                new Concatenated(List.of(
                                        new Concatenated.Part(1, Kernels.laplacian(1)),
                                        new Concatenated.Part(1, Kernels.matern32(1)))))),
                Arguments.of("gaussian(1e-3)", Kernels.gaussian(0.001)),
                Arguments.of("gaussian(5.)", Kernels.gaussian(5)));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void readsEveryFormOfTheGrammar(String text, Kernel expected) {
        Kernel kernel = Kernels.parse(text);
        assertThat(kernel).isEqualTo(expected);
        assertThat(Kernels.parse(kernel.text())).isEqualTo(kernel);
    }

    /** Malformed texts: the character at which the reader gives up, and what it says there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | 1 | expected a kernel name",
                "\"   \" | 4 | expected a kernel name",
                "gausian(1) | 1 | unknown kernel 'gausian'",
                "Gaussian(1) | 1 | unknown kernel 'Gaussian'",
                "java.lang.String(1) | 1 | unknown kernel 'java'",
                "0.5*rbf(1) | 5 | unknown kernel 'rbf'",
                "gaussian | 9 | expected '('",
                "gaussian(1 | 11 | expected ')'",
                "gaussian() | 11 | gaussian needs sigma=...",
                "gaussian(NaN) | 13 | expected '='",
                "gaussian(sigma=NaN) | 16 | expected a number",
                "gaussian(sigma=Infinity) | 16 | expected a number",
                "gaussian(sigma=0x10) | 17 | expected ')'",
                "gaussian(sigma=1d) | 17 | expected ')'",
                "gaussian(sigma=1e) | 16 | expected a number",
                "gaussian(sigma=--1) | 16 | expected a number",
                "gaussian(sigma=1,) | 18 | expected a number",
                "gaussian(sigma=1, sigma=1) | 26 | parameter 'sigma' is given twice",
                "gaussian(1, 2) | 14 | is given twice",
                "gaussian(1, width=2) | 21 | gaussian has no parameter 'width'",
                "gaussian(1, sigma=2) | 21 | gaussian has no parameter without a name",
                "gaussian(1) gaussian(2) | 13 | expected '+', '*' or the end",
                "gaussian(1)) | 12 | expected '+', '*' or the end",
                "gaussian(1)+ | 13 | expected a kernel name",
                "gaussian(1)**gaussian(1) | 13 | expected a kernel name",
                "2 | 2 | a number must be followed by '*' and a kernel",
                "2*3+gaussian(1) | 4 | a number must be followed by '*' and a kernel",
                "(gaussian(1) | 13 | expected ')'",
                "polynomial(degree=2) | 21 | polynomial needs radius=...",
                "polynomial(degree=2.5, radius=1) | 33 | degree must be a whole number",
                "linear(offset=1) | 17 | linear needs radius=...",
                "concat(gaussian(1)) | 8 | expected a number",
                "concat(1 gaussian(1)) | 10 | expected ':'",
                "concat(1.5:gaussian(1)) | 11 | dimension must be a whole number",
                "scaled(gaussian(1), x) | 21 | expected a number"
            })
    void namesThePositionAndTheProblem(String text, int position, String problem) {
        InvalidConfigException refusal = catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse(text));
        assertThat(refusal).as("'%s' must be refused", text).isNotNull();
        assertThat(refusal.field()).isEqualTo("kernel");
        assertThat(refusal.value()).isEqualTo(text);
        assertThat(refusal.rule()).startsWith("at character " + position + ": ").contains(problem);
    }

    /** Well-formed texts with parameters out of range: the parameter is named. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gaussian(sigma=0) | sigma | must be a finite number > 0",
                "gaussian(-1) | sigma | must be a finite number > 0",
                "gaussian(1e999) | sigma | must be a finite number > 0",
                "gaussian(gamma=0) | gamma | must be a finite number > 0",
                "laplacian(0) | sigma | must be a finite number > 0",
                "matern32(-2) | sigma | must be a finite number > 0",
                "matern52(0) | sigma | must be a finite number > 0",
                "inverse-multiquadric(0) | sigma | must be a finite number > 0",
                "rational-quadratic(sigma=1, alpha=0) | alpha | must be a finite number > 0",
                "polynomial(degree=0, radius=1) | degree | from 1 to 64",
                "polynomial(degree=65, radius=1) | degree | from 1 to 64",
                "polynomial(degree=-2, radius=1) | degree | from 1 to 64",
                "polynomial(degree=2, offset=-1, radius=1) | offset | must be a finite number >= 0",
                "polynomial(degree=2, radius=0) | radius | must be a finite number > 0",
                "polynomial(degree=2, radius=1e999) | radius | must be a finite number > 0",
                "polynomial(degree=64, radius=1e10) | radius | overflows",
                "0*gaussian(1) | weight | must be a finite number > 0",
                "-1*gaussian(1) | weight | must be a finite number > 0",
                "1e999*gaussian(1) | weight | must be a finite number > 0",
                "scaled(gaussian(1)) | scales | one scale a coordinate",
                "scaled(gaussian(1), 1, 0) | scale | must be a finite number > 0",
                "scaled(scaled(gaussian(1), 1), 1, 2) | scales | takes 1 coordinates",
                "concat(0:gaussian(1)) | concat | at least one coordinate",
                "concat(1:scaled(gaussian(1), 1, 2)) | concat | takes 2 coordinates",
                "scaled(gaussian(1), 1)+scaled(gaussian(1), 1, 2) | kernel | another part takes 1"
            })
    void namesTheParameterThatIsOutOfRange(String text, String field, String rule) {
        InvalidConfigException refusal = catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse(text));
        assertThat(refusal).as("'%s' must be refused", text).isNotNull();
        assertThat(refusal.field()).isEqualTo(field);
        assertThat(refusal.rule()).contains(rule);
        assertThat(refusal).hasMessage(refusal.field() + " = " + refusal.value() + ": " + refusal.rule());
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        InvalidConfigException refusal =
                catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse("rbf(1)"));
        assertThat(refusal.rule())
                .contains(
                        "gaussian",
                        "laplacian",
                        "matern32",
                        "matern52",
                        "rational-quadratic",
                        "inverse-multiquadric",
                        "linear",
                        "polynomial",
                        "scaled",
                        "concat");
    }

    @Test
    void missingTextIsRefused() {
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse(null)))
                .hasMessageContaining("expected a kernel name");
    }

    @Test
    void nestingAndLengthAreLimited() {
        String fine = "(".repeat(63) + "gaussian(1)" + ")".repeat(63);
        assertThat(Kernels.parse(fine)).isEqualTo(Kernels.gaussian(1));
        String deep = "(".repeat(64) + "gaussian(1)" + ")".repeat(64);
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse(deep)))
                .hasMessageContaining("nested more than 64 deep");
        // Far beyond the limit there must be no stack overflow either.
        String hostile = "scaled(".repeat(1_400) + "gaussian(1)";
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse(hostile)))
                .hasMessageContaining("nested more than 64 deep");
        String longText = "gaussian(1)+".repeat(10_000) + "gaussian(1)";
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Kernels.parse(longText)))
                .hasMessageContaining("longer than 100000 characters");
        assertThat(Kernels.parse("gaussian(1)+".repeat(800) + "gaussian(1)").bound())
                .isEqualTo(801);
    }

    @Test
    void aDeeplyNestedKernelIsReadBack() {
        Kernel deep = Kernels.gaussian(1);
        for (int k = 0; k < 20; k++) {
            deep = Kernels.sum(0.5, deep, 0.5, Kernels.laplacian(1));
        }
        assertThat(Kernels.parse(deep.text())).isEqualTo(deep);
    }

    /** Whatever is written over a well-formed text, the answer is a kernel or a typed refusal. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.4*gaussian(0.4)+0.6*gaussian(gamma=0.7)",
                "concat(2:scaled(gaussian(0.5), 1, 2), 1:linear(offset=1, radius=3))",
                "(matern32(1)+polynomial(degree=2, offset=1, radius=3))*rational-quadratic(sigma=1, alpha=2)"
            })
    void damagedTextsGiveAKernelOrATypedRefusal(String text) {
        String alphabet = "()*+,:=.-eE019gxN \t\u00e9\u0660\ud83d";
        for (long seed = 0; seed < 2_000; seed++) {
            UniformRandomProvider random = Streams.random(seed);
            StringBuilder damaged = new StringBuilder(text);
            for (int k = 0; k <= random.nextInt(3); k++) {
                int at = random.nextInt(damaged.length());
                char c = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3)) {
                    case 0 -> damaged.setCharAt(at, c);
                    case 1 -> damaged.insert(at, c);
                    default -> damaged.deleteCharAt(at);
                }
            }
            try {
                Kernel kernel = Kernels.parse(damaged.toString());
                assertThat(Kernels.parse(kernel.text()))
                        .as("seed %d: %s", seed, damaged)
                        .isEqualTo(kernel);
            } catch (InvalidConfigException refused) {
                assertThat(refused.rule()).as("seed %d: %s", seed, damaged).isNotBlank();
            }
        }
    }

    @Test
    void numbersAreWrittenSoThatTheyReadBack() {
        UniformRandomProvider random = Streams.random(5);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(Decimals.text(value)))
                        .as("bits %x", Double.doubleToLongBits(value))
                        .isEqualTo(value);
            }
        }
        assertThat(Decimals.text(0.1)).isEqualTo("0.1");
        assertThat(Decimals.text(10)).isEqualTo("10");
        assertThat(Decimals.text(1e20)).isEqualTo("1E+20");
        assertThat(Decimals.text(2.5e-7)).isEqualTo("2.5E-7");
    }
}
