package io.koopstream.lab.speed;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Learners that keep m samples and no more; the time is that of one sample. */
public class LearnerBenchmark {

    static final int BLOCK = 64;

    /** What all learners here have in common. */
    @State(Scope.Thread)
    public abstract static class Load {
        /** Kept samples. */
        @Param("150")
        public int m;

        /** Dimension of the state. */
        @Param("2")
        public int d;

        LearnerLoad load;

        /** Learns until m samples are kept. */
        @Setup
        public void grow() {
            load = grown();
        }

        abstract LearnerLoad grown();
    }

    /** Algorithm 1, a step a sample. */
    public static class OneByOne extends Load {
        @Override
        LearnerLoad grown() {
            return LearnerLoad.sogd(m, d, 1);
        }
    }

    /** Algorithm 1, a step a block. */
    public static class Blocked extends Load {
        @Override
        LearnerLoad grown() {
            return LearnerLoad.sogd(m, d, BLOCK);
        }
    }

    /** Online least squares, a step a block. */
    public static class LeastSquares extends Load {
        @Override
        LearnerLoad grown() {
            return LearnerLoad.leastSquares(m, d, BLOCK);
        }
    }

    /** Algorithm 1 one by one. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public void sogdOneByOne(OneByOne state) {
        state.load.feed(BLOCK);
    }

    /** Algorithm 1 in blocks. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public void sogdBlocks(Blocked state) {
        state.load.feed(BLOCK);
    }

    /** Least squares in blocks. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public void leastSquaresBlocks(LeastSquares state) {
        state.load.feed(BLOCK);
    }

    /** A learner that has seen t samples, put back to that point before every iteration. */
    @State(Scope.Thread)
    public static class Aged {
        /** Samples learned before the clock starts. */
        @Param("10000")
        public int t;

        /** Samples a step. */
        @Param("1")
        public int block;

        private LearnerLoad grown;
        private LearnerLoad load;

        /** Learns t samples, of which 150 are kept. */
        @Setup
        public void grow() {
            grown = LearnerLoad.sogd(150, 2, block);
            grown.feed((int) (t - grown.samples()) / BLOCK * BLOCK);
        }

        /** Back to sample t. */
        @Setup(Level.Iteration)
        public void goBack() {
            load = grown.copy();
        }
    }

    /** Algorithm 1 after t samples. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public void sogdAfter(Aged state) {
        state.load.feed(BLOCK);
    }
}
