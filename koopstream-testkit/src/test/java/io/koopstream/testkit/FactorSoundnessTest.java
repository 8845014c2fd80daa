package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The admitted residuals b² themselves against double-double arithmetic. A factor can reproduce its Gram matrix to rounding and still
 * have pivots that are noise (docs/numerics.md); only this comparison sees it.
 */
class FactorSoundnessTest {

    /** What the guard in {@link NewtonBasis#isIndependent} promises with room to spare: measured 5 % at the worst. */
    private static final double MAX_RELATIVE_ERROR = 0.1;

    @ParameterizedTest
    @EnumSource
    void everyAdmittedResidualIsMostlySignal(GramFamily family) {
        for (long seed = 1; seed <= 2; seed++) {
            double[][] points = family.points(150, seed);
            Rkhs space = new Rkhs(family.kernel(), points[0].length);
            assertThat(worstRelativeError(admitted(space, points, true)))
                    .as("%s, seed %d", family, seed)
                    .isLessThan(MAX_RELATIVE_ERROR);
        }
    }

    @Test
    void aFixedFloorAloneWouldLetNoiseIn() {
        // A slow path, with the floor but without the guard: this is what the guard is for.
        double[][] points = new double[250][1];
        for (int i = 0; i < points.length; i++) {
            points[i][0] = 0.05 * i;
        }
        Rkhs space = new Rkhs(Kernels.gaussian(1), 1);
        assertThat(worstRelativeError(admitted(space, points, true))).isLessThan(MAX_RELATIVE_ERROR);
        assertThat(worstRelativeError(admitted(space, points, false))).isGreaterThan(1.0);
    }

    private static NewtonBasis admitted(Rkhs space, double[][] points, boolean guarded) {
        NewtonBasis basis = new NewtonBasis(space);
        Scratch scratch = new Scratch();
        double[] beta = new double[points.length];
        double[] work = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            double squaredResidual = basis.coordinates(points[i], beta, scratch);
            double squaredNorm = basis.squaredNorm(points[i]);
            boolean admit = guarded
                    ? basis.isIndependent(squaredResidual, squaredNorm, beta, work)
                    : squaredResidual > NewtonBasis.FLOOR * squaredNorm;
            if (admit) {
                basis.append(i + 1, points[i], beta, Math.sqrt(squaredResidual));
            }
        }
        return basis;
    }

    /** max |b² − exact| / |exact| over the basis, the exact ones by Cholesky of the same Gram matrix in double-double. */
    private static double worstRelativeError(NewtonBasis basis) {
        int m = basis.size();
        double[][] points = basis.points().toRows();
        DoubleDouble[][] lower = new DoubleDouble[m][m];
        double worst = 0;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j <= i; j++) {
                DoubleDouble sum = DoubleDouble.of(basis.space().kernel().value(points[i], points[j]));
                for (int k = 0; k < j; k++) {
                    sum = sum.minus(lower[i][k].times(lower[j][k]));
                }
                if (i == j) {
                    double pivot = basis.factor().get(i, i);
                    double exact = sum.toDouble();
                    worst = Math.max(worst, Math.abs(pivot * pivot - exact) / Math.abs(exact));
                    if (!(exact > 0)) {
                        return Double.POSITIVE_INFINITY;
                    }
                    lower[i][i] = sum.sqrt();
                } else {
                    lower[i][j] = sum.dividedBy(lower[j][j]);
                }
            }
        }
        return worst;
    }
}
