package io.koopstream.lab.speed;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.NamedParts;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.sogd.SogdState;

/** States as they would be with another block size, at the end of a block. */
final class Blocks {

    private Blocks() {}

    static SogdState of(SogdState state, int blockSize) {
        return SogdState.read(state.config().toBuilder().blockSize(blockSize).build(), parts(state, blockSize));
    }

    static LeastSquaresState of(LeastSquaresState state, LeastSquaresConfig config, int blockSize) {
        return LeastSquaresState.read(config.toBuilder().blockSize(blockSize).build(), parts(state, blockSize));
    }

    /** As if a few more samples had come, so that the next block is a whole one. */
    private static NamedParts parts(LearnerState state, int blockSize) {
        NamedParts parts = new NamedParts();
        state.save(parts);
        long samples = (state.samples() + blockSize - 1) / blockSize * blockSize;
        Counters.of(samples, state.dependents()).save(parts);
        return parts;
    }
}
