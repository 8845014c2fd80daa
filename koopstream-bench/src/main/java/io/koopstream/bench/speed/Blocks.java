package io.koopstream.bench.speed;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.StoredSide;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdState;
import java.util.Arrays;

/** States as they would be with another block size, at the end of a block. */
final class Blocks {

    private Blocks() {}

    static SogdState of(SogdState state, int blockSize) {
        return SogdState.restore(
                state.config().toBuilder().blockSize(blockSize).build(),
                aligned(state.counters(), blockSize),
                side(state.inputBasis()),
                side(state.outputBasis()),
                state.matrix());
    }

    static LeastSquaresState of(LeastSquaresState state, LeastSquaresConfig config, int blockSize) {
        StoredSide states = side(state.inputBasis());
        double[] squares = state.squaredIncrements();
        return LeastSquaresState.restore(
                config.toBuilder().blockSize(blockSize).build(),
                aligned(state.counters(), blockSize),
                states,
                states,
                new LeastSquaresState.StoredSums(
                        state.weight(),
                        state.inputStatistics(),
                        state.crossStatistics(),
                        state.incrementStatistics(),
                        Matrix.ofColumns(new double[][] {squares}, squares.length)));
    }

    /** As if a few more samples had come, so that the next block is a whole one. */
    private static Counters aligned(Counters counters, int blockSize) {
        long samples = (counters.samples() + blockSize - 1) / blockSize * blockSize;
        return Counters.of(samples, counters.dependents());
    }

    private static StoredSide side(NewtonBasis basis) {
        long[] numbers = new long[basis.size()];
        Arrays.setAll(numbers, basis::sampleNumber);
        return new StoredSide(basis.points(), basis.factor(), numbers);
    }
}
