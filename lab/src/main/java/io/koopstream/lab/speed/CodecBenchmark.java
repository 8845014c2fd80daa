package io.koopstream.lab.speed;

import io.koopstream.io.StreamFile;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.util.Map;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The state of a stream as bytes and back: what a checkpoint and a restore cost. */
public class CodecBenchmark {

    /** A stream with about 155 kept states in the plane, and its bytes. */
    @State(Scope.Thread)
    public static class Stored {

        private static final int LEARNED = 20_000;

        private LearningStreamState state;
        private byte[] bytes;

        /** Learns. */
        @Setup
        public void learn() {
            SplittableRandom random = new SplittableRandom(11);
            LearningStream stream =
                    LearningStream.of(StreamConfig.parse(Map.of("kernel", "gaussian(0.5)", "epsilon", "0.03")), 2);
            double[] x = new double[2];
            for (int i = 0; i < LEARNED; i++) {
                for (int c = 0; c < 2; c++) {
                    x[c] += 0.1 * (x[c] - x[c] * x[c] * x[c]) + 0.2 * random.nextGaussian();
                }
                stream.accept(Observation.of("", x.clone()));
            }
            state = stream.state();
            bytes = StreamFile.encode(state);
        }

        /** How many bytes there are, for who wants a rate. */
        int size() {
            return bytes.length;
        }
    }

    /** Writes it. */
    @Benchmark
    public byte[] encode(Stored stored) {
        return StreamFile.encode(stored.state);
    }

    /** Reads it, with every check. */
    @Benchmark
    public LearningStreamState decode(Stored stored) {
        return StreamFile.decode(stored.bytes);
    }
}
