package io.koopstream.lab.speed;

import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Eigenpairs of a learned operator. */
public class SpectrumBenchmark {

    static final int SIZE = 1000;
    static final int PAIRS = 10;

    /** An operator with m = 1000. */
    @State(Scope.Thread)
    public static class Learned {
        private KoopmanOperator operator;

        /** Learns it. */
        @Setup
        public void learn() {
            LearnerLoad load = LearnerLoad.sogd(SIZE, 2, LearnerBenchmark.BLOCK);
            load.feed(20 * LearnerBenchmark.BLOCK);
            operator = load.snapshot();
        }
    }

    /** Ten leading eigenpairs. */
    @Benchmark
    public Spectrum leadingEigenpairs(Learned learned) {
        return Spectrum.leading(learned.operator, PAIRS);
    }
}
