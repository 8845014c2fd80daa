package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters at the ends of the range of doubles, and values known by hand. */
class KernelEdgeCasesTest {

    /** A parameter is either refused or gives numbers: never NaN, never an indefinite kernel. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gaussian(sigma=1e-170)",
                "gaussian(sigma=1e170)",
                "gaussian(sigma=1e-300)",
                "gaussian(gamma=1e-310)",
                "gaussian(gamma=1e308)",
                "laplacian(1e-310)",
                "laplacian(1e300)",
                "matern32(1e-310)",
                "matern32(1e300)",
                "matern52(1e-310)",
                "matern52(1e300)",
                "rational-quadratic(sigma=1e-170)",
                "rational-quadratic(sigma=1e170)",
                "rational-quadratic(sigma=1, alpha=1e308)",
                "rational-quadratic(sigma=1, alpha=1e-308)",
                "inverse-multiquadric(1e-170)",
                "inverse-multiquadric(1e170)",
                "scaled(gaussian(1), 1e-310)",
                "scaled(gaussian(1), 1e300)",
                "scaled(matern52(1), 1e-300)"
            })
    void extremeParametersAreRefusedOrGiveNumbers(String text) {
        Kernel kernel;
        try {
            kernel = Kernels.parse(text);
        } catch (InvalidConfigException refused) {
            assertThat(refused).as("the rule is said").hasMessageContaining("must be");
            return;
        }
        double[] values = {0, 1e-300, 1e-150, 1, 1e150, 1e154, -1e154};
        for (double x : values) {
            assertThat(kernel.value(new double[] {x}, new double[] {x}))
                    .as("κ(x, x) at %s", x)
                    .isEqualTo(1);
            for (double y : values) {
                assertThat(kernel.value(new double[] {x}, new double[] {y}))
                        .as("%s and %s", x, y)
                        .isBetween(0.0, 1.0);
            }
        }
    }

    /** Values from the formulas in the Javadoc, worked out by hand at distance 2 (3-4-5 triangles where a norm matters). */
    @ParameterizedTest
    @CsvSource({
        "gaussian(sigma=2), 0.60653065971263342", // exp(-1/2)
        "gaussian(gamma=0.25), 0.36787944117144233", // exp(-1)
        "laplacian(2), 0.36787944117144233", // exp(-1)
        "matern32(3.4641016151377544), 0.73575888234288467", // s = 1: 2/e
        "matern52(4.47213595499958), 0.85838536273336542", // s = 1: (7/3)/e
        "'rational-quadratic(sigma=1, alpha=2)', 0.25", // (1 + 4/4)^-2
        "inverse-multiquadric(2), 0.70710678118654752", // 1/sqrt(2)
    })
    void radialKernelsFollowTheirFormulas(String text, double expected) {
        Kernel kernel = Kernels.parse(text);
        // Two ulp: a few roundings inside, and our expectation is itself rounded.
        assertThat(kernel.value(new double[] {1, 3}, new double[] {1, 5}))
                .isBetween(expected * (1 - 5e-16), expected * (1 + 5e-16));
        assertThat(kernel.value(new double[] {0, 0}, new double[] {1.2, 1.6}))
                .as("the distance is Euclidean")
                .isBetween(expected * (1 - 1e-15), expected * (1 + 1e-15));
    }

    @Test
    void polynomialsFollowTheirFormula() {
        assertThat(Kernels.polynomial(3, 1, 9).value(new double[] {1, 2}, new double[] {3, -1}))
                .isEqualTo(8);
        assertThat(Kernels.linear(0.5, 9).value(new double[] {1, 2}, new double[] {3, -4}))
                .isEqualTo(-4.5);
        // A little above (9 + 1)², because points a rounding beyond the radius are accepted too.
        assertThat(Kernels.polynomial(2, 1, 3).bound()).isBetween(100.0, 100.0 + 1e-9);
    }

    @Test
    void scalesDivideTheCoordinates() {
        Kernel scaled = Kernels.scaled(Kernels.linear(0, 100), 2, 0.5);
        assertThat(scaled.value(new double[] {4, 1}, new double[] {6, 3})).isEqualTo(2 * 3 + 2 * 6);
    }

    @Test
    void aConcatenationMultipliesItsParts() {
        Kernel kernel = Kernels.concatenated(2, Kernels.linear(0, 9), 1, Kernels.linear(1, 9));
        assertThat(kernel.value(new double[] {1, 2, 3}, new double[] {4, 5, 6})).isEqualTo(14 * 19);
    }

    @Test
    void negativeZeroIsReadBackAsAnEqualKernel() {
        Kernel kernel = Kernels.linear(-0.0, 3);
        assertThat(Kernels.parse(kernel.text())).isEqualTo(kernel);
    }

    @Test
    void nestedScalesGiveNumbers() {
        Kernel kernel = Kernels.scaled(Kernels.scaled(Kernels.gaussian(1), 1e-200), 1e-200);
        assertThat(kernel.value(new double[] {1}, new double[] {1})).isEqualTo(1);
    }

    @Test
    void theBoundHoldsOnEveryAcceptedPoint() {
        Kernel kernel = Kernels.polynomial(64, 0, 2);
        double[] edge = {2 * (1 + 0.9e-12)};
        assertThat(kernel.objection(CoordinateView.all(1), edge)).isNull();
        assertThat(kernel.value(edge, edge)).isLessThanOrEqualTo(kernel.bound());
    }
}
