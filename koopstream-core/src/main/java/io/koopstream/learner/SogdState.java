package io.koopstream.learner;

import io.koopstream.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;

/**
 * The whole state of a {@link SogdLearner}: settings, counters, both factored dictionaries and the operator's matrix. Nothing in
 * it has to be recomputed to go on, so going on from it is going on, bit for bit. Immutable.
 */
public final class SogdState extends LearnerState {

    private final SogdConfig config;
    private final Matrix matrix;

    /** Takes over its arguments, which come from a learner's own copies. */
    SogdState(SogdConfig config, KeptSamples kept, Matrix matrix) {
        super(kept);
        this.config = config;
        this.matrix = matrix;
    }

    /**
     * A state from stored parts, all checked: sizes, signs of the counters, order of the sample numbers, numbers finite, factors
     * that belong to their points.
     *
     * @param config the settings
     * @param samples how many samples were learned
     * @param dependents how many were over budget but numerically dependent
     * @param inputs the kept inputs
     * @param outputs the kept outputs
     * @param matrix M
     * @throws InvalidStateException naming the part at fault
     */
    public static SogdState restore(
            SogdConfig config, long samples, long dependents, StoredSide inputs, StoredSide outputs, Matrix matrix) {
        KeptSamples kept = KeptSamples.restore(config.input(), config.output(), samples, dependents, inputs, outputs);
        int rows = kept.outputBasis().size();
        int columns = kept.inputBasis().size();
        KeptSamples.requireFinite(matrix, rows, columns, "M");
        return new SogdState(config, kept, matrix);
    }

    /** The settings. */
    public SogdConfig config() {
        return config;
    }

    /** M, for reading. */
    public Matrix matrix() {
        return matrix;
    }

    @Override
    public String digest() {
        StateDigest digest = new StateDigest().add(config.canonicalText());
        kept().digest(digest);
        return digest.add(matrix).finish();
    }

    @Override
    public SogdLearner<KoopmanOperator> resumeKoopman() {
        return SogdLearner.resumeKoopman(this);
    }

    @Override
    public SogdLearner<TransitionOperator> resumeTransition() {
        return SogdLearner.resumeTransition(this);
    }
}
