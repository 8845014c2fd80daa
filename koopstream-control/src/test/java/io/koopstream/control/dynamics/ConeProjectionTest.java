package io.koopstream.control.dynamics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.control.env.Box;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ConeProjectionTest {

    private static final Kernel KERNEL = Kernels.gaussian(0.7);

    private static double[][] points(int count, SplittableRandom random) {
        double[][] points = new double[count][];
        for (int i = 0; i < count; i++) {
            points[i] = Box.symmetric(1.0, 1.0).sample(random);
        }
        return points;
    }

    private static Matrix gram(double[][] points) {
        Points list = Points.of(2, points);
        return Matrix.ofColumns(KERNEL.block(list, list), points.length);
    }

    private static double[] project(Matrix gram, int[] candidates, double[] inner) {
        ConeProjection cone = new ConeProjection(gram, candidates.length);
        cone.among(candidates, candidates.length);
        return cone.project(inner);
    }

    /** Weights are optimal when they are non-negative, and the gradient vanishes where they are positive and is not positive elsewhere. */
    @Test
    void satisfiesTheConditionsOfOptimality() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int count = 12;
            double[][] points = points(count, random);
            Matrix gram = gram(points);
            double[] target = Box.symmetric(1.4, 1.4).sample(random);
            int[] candidates = new int[count];
            double[] inner = new double[count];
            for (int i = 0; i < count; i++) {
                candidates[i] = i;
                inner[i] = KERNEL.value(points[i], target);
            }
            double[] weights = project(gram, candidates, inner);
            for (int i = 0; i < count; i++) {
                double gradient = inner[i];
                for (int j = 0; j < count; j++) {
                    gradient -= gram.get(i, j) * weights[j];
                }
                assertThat(weights[i]).as("seed %d", seed).isNotNegative();
                // The ridge of the small systems moves the optimum by about 1e-9 times the weights.
                assertThat(gradient).as("seed %d", seed).isLessThan(1e-7);
                if (weights[i] > 0) {
                    assertThat(gradient).as("seed %d", seed).isCloseTo(0, within(1e-7));
                }
            }
        }
    }

    @Test
    void aCandidateIsItsOwnProjection() {
        double[][] points = points(8, new SplittableRandom(5));
        Matrix gram = gram(points);
        int[] candidates = {0, 1, 2, 3, 4, 5, 6, 7};
        double[] inner = gram.column(3).clone();
        double[] weights = project(gram, candidates, inner);
        for (int i = 0; i < 8; i++) {
            assertThat(weights[i]).isCloseTo(i == 3 ? 1 : 0, within(1e-6));
        }
    }

    @Test
    void survivesCoincidingCandidatesAndAnEmptyTarget() {
        double[][] points = {{0, 0}, {0, 0}, {1e-9, 0}, {0.5, 0.5}};
        Matrix gram = gram(points);
        int[] candidates = {0, 1, 2, 3};
        double[] weights = project(gram, candidates, gram.column(0).clone());
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            assertThat(weights[i]).isNotNegative();
            sum += weights[i];
        }
        assertThat(sum).isCloseTo(1, within(1e-6));
        assertThat(project(gram, candidates, new double[] {-1, -1, -1, 0})).containsOnly(0.0);
    }
}
