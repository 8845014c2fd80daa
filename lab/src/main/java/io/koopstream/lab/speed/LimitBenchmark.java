package io.koopstream.lab.speed;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The machine's limits as benchmarks, so that they are measured as everything else is and in the same run. */
public class LimitBenchmark {

    static final int ROUNDS = 20_000;

    /** Nothing but registers. */
    @State(Scope.Thread)
    public static class Registers {
        private final Limits limits = Limits.best();
    }

    /** Arithmetic alone, independent of our product code. */
    @Benchmark
    public double fusedMultiplyAdds(Registers registers) {
        return registers.limits.fusedMultiplyAdds(ROUNDS);
    }

    /** Our own product, of a size where packing is paid once for many tiles and operands stay in the fastest caches. */
    @State(Scope.Thread)
    public static class Factors {
        static final int ROWS = 128;
        static final int DEPTH = 256;
        static final int COLUMNS = 960;

        private final Products products = new Products();
        private final Matrix x = filled(ROWS, DEPTH);
        private final Matrix w = filled(DEPTH, COLUMNS);
        private final Matrix product = new Matrix(ROWS, COLUMNS);

        private static Matrix filled(int rows, int columns) {
            Matrix matrix = new Matrix(rows, columns);
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < rows; i++) {
                    matrix.set(i, j, 1.0 / (1 + i + j));
                }
            }
            return matrix;
        }
    }

    /** The product of two matrices by our own code. */
    @Benchmark
    public Matrix product(Factors factors) {
        factors.products.multiply(0, factors.product, factors.x, factors.w);
        return factors.product;
    }

    /** As many entries as a one-sample step of size m touches: two triangles and M, 2 m² in all. */
    @State(Scope.Thread)
    public static class Memory {
        /** The size of the learner. */
        @Param("150")
        public int m;

        private final Limits limits = Limits.best();
        private double[] entries;
        private double[] u;

        /** Takes the memory. */
        @Setup
        public void fill() {
            entries = new double[2 * m * m];
            u = new double[rowLength(m)];
            Arrays.fill(entries, 1.0);
            Arrays.fill(u, 1.0);
        }

        /** At least a thousand, so that the ends of rows do not weigh, and a part of 2 m². */
        private static int rowLength(int m) {
            int rows = 1;
            while (rows < 2 * m && (m * rows < 1000 || 2 * m % rows != 0)) {
                rows++;
            }
            return m * rows;
        }
    }

    /** 16 m² bytes read. */
    @Benchmark
    public double read(Memory memory) {
        return memory.limits.read(memory.entries);
    }

    /** 16 m² bytes read and as many written, as a rank-one update does. */
    @Benchmark
    public double readAndWrite(Memory memory) {
        memory.limits.readAndWrite(memory.entries, 0.999, 1e-3, memory.u);
        return memory.entries[0];
    }
}
