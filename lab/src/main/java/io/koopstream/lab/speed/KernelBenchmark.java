package io.koopstream.lab.speed;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.kernel.Points;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Kernel rows. */
public class KernelBenchmark {

    static final int POINTS = 1500;

    /** Points in the unit cube, so that no kernel value is zero. */
    @State(Scope.Thread)
    public static class Cube {
        /** Dimension. */
        @Param("2")
        public int d;

        private final Kernel kernel = Kernels.gaussian(1.0);
        private final double[] row = new double[POINTS];
        private double[] x;
        private Points points;

        /** Draws the points. */
        @Setup
        public void draw() {
            SplittableRandom random = new SplittableRandom(3);
            double[][] rows = new double[POINTS][d];
            for (double[] point : rows) {
                for (int c = 0; c < d; c++) {
                    point[c] = random.nextDouble();
                }
            }
            points = Points.of(d, rows);
            x = rows[5];
        }
    }

    /** κ(p_i, x) for all points. */
    @Benchmark
    public double[] gaussianRow(Cube cube) {
        cube.kernel.row(cube.points, cube.x, cube.row);
        return cube.row;
    }
}
