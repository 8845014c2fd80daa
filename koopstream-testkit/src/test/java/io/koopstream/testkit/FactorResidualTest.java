package io.koopstream.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.operator.KoopmanOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Cholesky factor of the dictionary on twelve families of hard Gram matrices, judged as LAPACK judges its own. */
class FactorResidualTest {

    /** LAPACK's threshold for ‖L Lᵀ − G‖₁ / (m eps ‖G‖₁), whatever the size. */
    private static final double MAX_RATIO = 30;

    private static final int[] SIZES = {0, 1, 2, 3, 5, 10, 50, 200};
    private static final int SEEDS = 20;

    @ParameterizedTest
    @EnumSource
    void theFactorReproducesTheGramMatrix(GramFamily family) {
        for (int n : SIZES) {
            for (long seed = 0; seed < SEEDS; seed++) {
                double[][] points = family.points(n, seed);
                int dimension = n == 0 ? 1 : points[0].length;
                Rkhs space = new Rkhs(family.kernel(), dimension);
                String name = family + ", n = " + n + ", seed = " + seed;
                assertSound(inStreamOrder(space, points), n, name + ", in stream order");
                assertSound(NewtonBasis.spanning(space, Points.of(dimension, points)), n, name + ", spanning");
            }
        }
    }

    /** As a learner does it: a point is appended when it is new, in the order of the stream. */
    private static NewtonBasis inStreamOrder(Rkhs space, double[][] points) {
        NewtonBasis basis = new NewtonBasis(space);
        double[] beta = new double[points.length];
        double[] work = new double[points.length];
        Scratch scratch = new Scratch();
        for (int i = 0; i < points.length; i++) {
            double[] x = points[i];
            double squaredResidual = basis.coordinates(x, beta, scratch);
            if (basis.isIndependent(squaredResidual, basis.squaredNorm(x), beta, work)) {
                basis.append(i + 1, x, beta, Math.sqrt(squaredResidual));
            }
        }
        return basis;
    }

    private static void assertSound(NewtonBasis basis, int candidates, String name) {
        int m = basis.size();
        assertThat(m).as(name).isBetween(Math.min(1, candidates), candidates);
        Matrix factor = basis.factor();
        double[][] rows = basis.points().toRows();
        double norm = 0;
        double defect = 0;
        for (int j = 0; j < m; j++) {
            assertThat(factor.get(j, j)).as(name).isPositive();
            double columnNorm = 0;
            double columnDefect = 0;
            for (int i = 0; i < m; i++) {
                double entry = basis.space().kernel().value(rows[i], rows[j]);
                double product = 0;
                for (int k = 0; k <= Math.min(i, j); k++) {
                    product = Math.fma(factor.get(i, k), factor.get(j, k), product);
                }
                columnNorm += Math.abs(entry);
                columnDefect += Math.abs(product - entry);
            }
            norm = Math.max(norm, columnNorm);
            defect = Math.max(defect, columnDefect);
        }
        if (m > 0) {
            assertThat(defect / (m * Math.ulp(1.0) * norm)).as(name).isLessThan(MAX_RATIO);
            assertThat(basis.factorDefect()).as(name).isLessThan(MAX_RATIO);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLearnerStaysBoundedOnThemAsAStream(GramFamily family) {
        for (int n : new int[] {2, 10, 150}) {
            for (long seed = 0; seed < 5; seed++) {
                double[][] points = family.points(n, seed);
                Samples samples = Samples.ofTrajectory(family + "(n=" + n + ", seed=" + seed + ")", points);
                SogdLearner<KoopmanOperator> learner =
                        SogdLearner.koopman(SogdConfig.forState(points[0].length, family.kernel())
                                .lambda(0.01)
                                .stepSize(1.9)
                                .budget(0)
                                .build());
                double before = 0;
                for (int i = 0; i < samples.size(); i++) {
                    learner.update(samples.input(i), samples.output(i));
                    assertThat(learner.norm())
                            .as("%s, sample %d", samples, i)
                            .isLessThanOrEqualTo(((1 - 0.019) * before + 1.9) * (1 + 1e-12));
                    before = learner.norm();
                }
                assertThat(learner.snapshot().predict(points[0])).doesNotContain(Double.NaN);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAR_POINTS", "ALL_EQUAL", "VERY_WIDE_KERNEL"})
    void familiesOfKnownRankGetBasesOfThatSize(GramFamily family) {
        double[][] points = family.points(30, 3);
        NewtonBasis basis = inStreamOrder(new Rkhs(family.kernel(), points[0].length), points);
        assertThat(basis.size()).isEqualTo(family == GramFamily.FAR_POINTS ? 30 : 1);
    }
}
