package io.koopstream.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.InvalidConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {

    private static final List<String> NAMES = List.of("x", "speed_2", "u");
    private static final double[] VALUES = {2, -3, 0.5};

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1 + 2*3; 7",
                "(1 + 2)*3; 9",
                "2 - 3 - 4; -5",
                "16/4/2; 2",
                "-x^2; -4",
                "2^3^2; 512",
                "2^-1; 0.5",
                "x*speed_2 + u; -5.5",
                "1e-3*x; 0.002",
                ".5e+1; 5",
                "abs(speed_2); 3",
                "sqrt(x*8); 4",
                "min(x, u) + max(x, u); 2.5",
                "atan2(x, x)*4; 3.141592653589793",
                "wrap(3*pi/2); -1.5707963267948966",
                "cos(0) + sin(0) + exp(0) + log(1) + tan(0); 2",
                "x > 1; 1",
                "x >= 3; 0",
                "(x < 3)*(u <= 0.5); 1",
                "--x; 2"
            })
    void computes(String text, double expected) {
        assertThat(Formula.parse(text, NAMES).at(VALUES)).isCloseTo(expected, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1 +",
                "* 2",
                "(1",
                "1)",
                "y",
                "sin",
                "sin(",
                "sin(1,2)",
                "min(1)",
                "evil(1)",
                "1 2",
                "x..1",
                "1.2.3",
                "x = 1",
                "x; y",
                "java.lang.System",
                "\"x\"",
                "1 < 2 < 3"
            })
    void refusesWhatItCannotReadAndSaysWhere(String text) {
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Formula.parse(text, NAMES))
                .withMessageContaining("formula");
    }

    @Test
    void saysWhereAndWhatWasExpected() {
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Formula.parse("x + torque", NAMES))
                .withMessageContaining("character 5")
                .withMessageContaining("x, speed_2, u");
    }

    @Test
    void refusesWhatIsTooLongOrTooDeepInsteadOfRunningOutOfStack() {
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Formula.parse("(".repeat(900) + "x" + ")".repeat(900), NAMES))
                .withMessageContaining("nesting");
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Formula.parse("-".repeat(1500) + "x", NAMES));
        assertThatExceptionOfType(InvalidConfigException.class)
                .isThrownBy(() -> Formula.parse("x+".repeat(1500) + "x", NAMES));
    }

    @Test
    void divisionByZeroIsLeftToThePlannerToRefuse() {
        assertThat(Formula.parse("0/0", NAMES).at(VALUES)).isNaN();
    }
}
