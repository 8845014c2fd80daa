package io.koopstream.internal.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpTest {

    @Test
    void isWithinOneUlpOfTheTrueValue() {
        SplittableRandom random = new SplittableRandom(1);
        double worst = 0;
        for (int i = 0; i < 20_000; i++) {
            double x = i % 2 == 0 ? -random.nextDouble() * 40 : (random.nextDouble() - 0.5) * 1400;
            double got = Exp.exp(x);
            if (got >= Double.MIN_NORMAL) {
                BigDecimal error = new BigDecimal(got).subtract(exact(x)).abs();
                worst = Math.max(
                        worst,
                        error.divide(new BigDecimal(Math.ulp(got)), MathContext.DECIMAL64)
                                .doubleValue());
            }
        }
        assertThat(worst).isLessThan(1.0);
    }

    /** e^x by Taylor series on x / 2^20 and repeated squaring, in 60 digits. */
    private static BigDecimal exact(double x) {
        MathContext digits = new MathContext(60);
        BigDecimal reduced = new BigDecimal(x).divide(BigDecimal.valueOf(1 << 20), digits);
        BigDecimal term = BigDecimal.ONE;
        BigDecimal sum = BigDecimal.ONE;
        for (int k = 1; k < 25; k++) {
            term = term.multiply(reduced, digits).divide(BigDecimal.valueOf(k), digits);
            sum = sum.add(term, digits);
        }
        for (int k = 0; k < 20; k++) {
            sum = sum.multiply(sum, digits);
        }
        return sum;
    }

    @Test
    void agreesWithStrictMathToOneUlpEverywhere() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 2_000_000; i++) {
            double x = -745 + random.nextDouble() * 1454;
            double expected = StrictMath.exp(x);
            assertThat(Math.abs(Exp.exp(x) - expected)).as("x = %s", x).isLessThanOrEqualTo(Math.ulp(expected));
        }
    }

    @Test
    void keepsTheEdges() {
        assertThat(Exp.exp(0.0)).isEqualTo(1.0);
        assertThat(Exp.exp(-0.0)).isEqualTo(1.0);
        assertThat(Exp.exp(Double.NaN)).isNaN();
        assertThat(Exp.exp(Double.NEGATIVE_INFINITY)).isEqualTo(0.0);
        assertThat(Exp.exp(Double.POSITIVE_INFINITY)).isInfinite();
        assertThat(Exp.exp(-1e308)).isEqualTo(0.0);
        assertThat(Exp.exp(710)).isInfinite();
        assertThat(Exp.exp(709.78)).isFinite();
        assertThat(Exp.exp(-745)).isEqualTo(Double.MIN_VALUE);
        assertThat(Exp.exp(-Exp.VANISHES)).isEqualTo(0.0);
        assertThat(Exp.exp(-1e-300)).isEqualTo(1.0);
    }

    @Test
    void neverExceedsOneForNegativeArguments() {
        for (double x = -1e-17; x > -1; x *= 1.01) {
            assertThat(Exp.exp(x)).isLessThanOrEqualTo(1.0);
        }
    }
}
