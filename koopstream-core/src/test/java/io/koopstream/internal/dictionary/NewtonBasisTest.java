package io.koopstream.internal.dictionary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NewtonBasisTest {

    private static final Rkhs PLANE = new Rkhs(Kernels.gaussian(0.8), 2);

    private static NewtonBasis basis(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[n][2];
        for (double[] row : rows) {
            row[0] = 4 * random.nextDouble();
            row[1] = 4 * random.nextDouble();
        }
        return NewtonBasis.spanning(PLANE, Points.of(2, rows));
    }

    private static double[] coordinates(NewtonBasis basis, double... x) {
        double[] beta = new double[basis.size()];
        basis.coordinates(x, beta, new Scratch());
        return beta;
    }

    @Test
    void removingAPointGivesTheBasisOfTheOthers() {
        for (int i = 0; i < 12; i++) {
            NewtonBasis basis = basis(12, 1);
            NewtonBasis rest = new NewtonBasis(PLANE);
            double[] beta = new double[12];
            for (int j = 0; j < 12; j++) {
                if (j != i) {
                    double squared = rest.coordinates(basis.points().get(j), beta, new Scratch());
                    rest.append(basis.sampleNumber(j), basis.points().get(j), beta, Math.sqrt(squared));
                }
            }
            basis.remove(i);
            assertThat(basis.points().toRows()).isDeepEqualTo(rest.points().toRows());
            for (int j = 0; j < 11; j++) {
                assertThat(basis.sampleNumber(j)).isEqualTo(rest.sampleNumber(j));
                for (int k = 0; k < 11; k++) {
                    assertThat(basis.factor().get(j, k)).isCloseTo(rest.factor().get(j, k), within(1e-10));
                }
            }
            assertThat(basis.factorDefect()).isLessThan(30);
        }
    }

    @Test
    void coordinatesFollowTheRotationsAndLoseExactlyOneDirection() {
        NewtonBasis basis = basis(15, 2);
        double[] before = coordinates(basis, 1.3, 2.2);
        Matrix row = Matrix.ofRows(new double[][] {before}, 15);
        Matrix column = row.transposed();
        Rotations rotations = basis.remove(4);
        rotations.applyToColumns(row);
        rotations.applyToRows(column);
        double[] after = coordinates(basis, 1.3, 2.2);
        for (int j = 0; j < 14; j++) {
            assertThat(row.get(0, j)).isCloseTo(after[j], within(1e-10));
            assertThat(column.get(j, 0)).isCloseTo(after[j], within(1e-10));
        }
        double lost = row.get(0, 14);
        double squaredBefore = 0;
        double squaredAfter = 0;
        for (double b : before) {
            squaredBefore += b * b;
        }
        for (double b : after) {
            squaredAfter += b * b;
        }
        assertThat(lost * lost).isCloseTo(squaredBefore - squaredAfter, within(1e-12));
    }

    @Test
    void theInverseGramMatrixHoldsTheResidualsAgainstAllOthers() {
        NewtonBasis basis = basis(20, 3);
        double[] diagonal = basis.inverseGramDiagonal();
        for (int i = 0; i < basis.size(); i++) {
            NewtonBasis rest = basis.copy();
            rest.remove(i);
            double squared = rest.coordinates(basis.points().get(i), new double[20], new Scratch());
            assertThat(1 / diagonal[i]).isCloseTo(squared, within(1e-9));
        }
    }

    @Test
    void aTruncatedBasisGrowsAgainFromZeros() {
        NewtonBasis basis = basis(10, 4);
        double[] x = basis.points().get(9);
        basis.remove(9);
        double[] beta = new double[9];
        double squared = basis.coordinates(x, beta, new Scratch());
        basis.append(77, x, beta, Math.sqrt(squared));
        assertThat(basis.factorDefect()).isLessThan(30);
        assertThat(basis.factor().get(0, 9)).isEqualTo(0.0);
        assertThat(basis.sampleNumber(9)).isEqualTo(77);
    }

    @Test
    void unionOfABasisAndItsPrefixIsTheLongerOne() {
        NewtonBasis longer = basis(10, 5);
        NewtonBasis prefix = longer.copy();
        prefix.remove(9);
        assertThat(NewtonBasis.union(prefix, longer)).isSameAs(longer);
        assertThat(NewtonBasis.union(longer, prefix)).isSameAs(longer);
        Matrix leading = longer.coordinatesOf(prefix);
        assertThat(leading.rows()).isEqualTo(10);
        assertThat(leading.get(3, 3)).isEqualTo(1.0);
        NewtonBasis other = basis(7, 6);
        NewtonBasis union = NewtonBasis.union(longer, other);
        assertThat(union.size()).isEqualTo(17);
        // An orthonormal basis inside the union has coordinates with orthonormal columns.
        Matrix inUnion = union.coordinatesOf(other);
        Matrix gram = inUnion.transposedTimes(inUnion);
        for (int i = 0; i < 7; i++) {
            for (int j = 0; j < 7; j++) {
                assertThat(gram.get(i, j)).isCloseTo(i == j ? 1 : 0, within(1e-9));
            }
        }
    }
}
