package io.koopstream.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class VanDerPolTest extends BenchmarkSystemContract {

    @Override
    BenchmarkSystem system() {
        return new VanDerPol();
    }

    @Override
    double[] publishedState() {
        return new double[] {-1.003630451893725, -3.2076784041678827};
    }

    @Override
    int knownEigenvalues() {
        return 7;
    }

    @Test
    void longCorrelationsFollowTheLeadingPairOfTheTable() {
        // After 60 intervals the third multiple of the frequency is gone (0.958^60 = 0.08 of a small part), the even
        // ones are
        // not seen by x at all, and C(k) = |λ|^k cos(k arg λ + phase) obeys C(k+2) = 2 Re λ C(k+1) − |λ|² C(k).
        int first = 60;
        int last = 120;
        int steps = 1000;
        double[] correlation = new double[last + 1];
        for (double[][] path : new VanDerPol().simulate(600, 100 + steps + last, 4)) {
            for (int t = 100; t < 100 + steps; t++) {
                for (int k = first; k <= last; k++) {
                    correlation[k] += path[t][0] * path[t + k][0];
                }
            }
        }
        // Least squares over three-term recurrences of stride 6, a quarter of a period, where the solution is well
        // conditioned.
        int stride = 6;
        double aa = 0;
        double ab = 0;
        double bb = 0;
        double ac = 0;
        double bc = 0;
        for (int k = first; k + 2 * stride <= last; k++) {
            double a = correlation[k + stride];
            double b = correlation[k];
            double c = correlation[k + 2 * stride];
            aa += a * a;
            ab += a * b;
            bb += b * b;
            ac += a * c;
            bc += b * c;
        }
        double twiceReal = (ac * bb - bc * ab) / (aa * bb - ab * ab);
        double minusSquare = (aa * bc - ab * ac) / (aa * bb - ab * ab);
        double[] exact = new VanDerPol().exactEigenvalues(2).orElseThrow()[1];
        double modulus = Math.pow(Math.hypot(exact[0], exact[1]), stride);
        double angle = stride * Math.atan2(exact[1], exact[0]);
        assertThat(minusSquare).isCloseTo(-modulus * modulus, within(0.02));
        assertThat(twiceReal).isCloseTo(2 * modulus * Math.cos(angle), within(0.02));
    }

    @Test
    void staysWithinTheWallsOfTheReference() {
        // The script behind the table reflects at these walls, which is harmless only if nothing gets there.
        for (double[][] path : new VanDerPol().simulate(50, 400, 2)) {
            for (int t = 50; t < 400; t++) {
                assertThat(Math.abs(path[t][0])).isLessThan(3.2);
                assertThat(Math.abs(path[t][1])).isLessThan(4.6);
            }
        }
    }

    @Test
    void knowsNoMoreThanTheTable() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VanDerPol().exactEigenvalues(8))
                .withMessage("count = 8: must be <= 7 (eigenvalues known for vanderpol-v1)");
    }
}
