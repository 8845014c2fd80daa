package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.text.Decimals;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.KernelOutline;
import io.koopstream.kernel.Kernels;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Kernels as short texts beside arrays, and numbers as short texts. */
class KernelOutlineTest {

    private static final Kernel SCALED = Kernels.scaled(Kernels.gaussian(1), 0.5, 0.25);

    @Test
    void aTextThatFitsSaysAll() {
        KernelOutline outline = KernelOutline.of(SCALED, "s", SCALED.text().length());
        assertThat(outline).isEqualTo(new KernelOutline(SCALED.text(), Map.of()));
        assertThat(outline.kernel(name -> null)).isEqualTo(SCALED);
    }

    @Test
    void scalesThatDoNotFitAreArrays() {
        Kernel sum = Kernels.sum(1, SCALED, 2, Kernels.product(SCALED, Kernels.laplacian(3)));
        KernelOutline outline = KernelOutline.of(sum, "s", sum.text().length() - 1);
        assertThat(outline.text())
                .isEqualTo("scaled(gaussian(sigma=1), @s1)+2*(scaled(gaussian(sigma=1), @s2)*laplacian(sigma=3))");
        assertThat(outline.arrays()).containsOnlyKeys("s1", "s2").containsEntry("s1", List.of(0.5, 0.25));
        assertThat(KernelOutline.references(outline.text())).containsExactly("s1", "s2");
        assertThat(outline.kernel(name -> null)).isEqualTo(sum);
    }

    @Test
    void aReferenceToNothingIsRefused() {
        KernelOutline broken = new KernelOutline("scaled(gaussian(1), @t)", Map.of("s", List.of(1.0)));
        assertThatThrownBy(() -> broken.kernel(name -> null))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("there is no array 't'");
        assertThatThrownBy(() -> Kernels.parse("scaled(gaussian(1), @t)"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("expected a number");
    }

    @Test
    void aNumberIsWrittenWithTheFewestDigits() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 5_000; i++) {
            double any = Double.longBitsToDouble(random.nextLong());
            double round = random.nextInt(1, 100_000) / Math.pow(10, random.nextInt(0, 20));
            double edge = Math.scalb(1.0, random.nextInt(-1074, 1023));
            for (double value : new double[] {any, round, edge}) {
                if (Double.isFinite(value) && value != 0) {
                    assertThat(new BigDecimal(Decimals.text(value))).isEqualByComparingTo(shortest(value));
                }
            }
        }
    }

    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        int digits = 1;
        while (digits < 17 && exact.round(new MathContext(digits)).doubleValue() != value) {
            digits++;
        }
        return exact.round(new MathContext(digits));
    }
}
