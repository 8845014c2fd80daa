package io.koopstream.cli;

import io.koopstream.io.ModelFile;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.SogdConfig;
import io.koopstream.learner.SogdLearner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import java.nio.file.Path;
import java.util.List;

/** A learner under way, whatever its method: what it learns from, how well it predicts, how it is saved. */
final class Training implements Learner<KoopmanOperator> {

    /** Writes the present state to a file. */
    private interface Saver {
        void save(Path file);
    }

    private final Learner<KoopmanOperator> learner;
    private final Saver saver;
    private final List<String> warnings;
    private final LearningCurve curve = new LearningCurve();
    private final OneStepError error;

    private Training(Learner<KoopmanOperator> learner, Saver saver, List<String> warnings) {
        this.learner = learner;
        this.saver = saver;
        this.warnings = List.copyOf(warnings);
        this.error = new OneStepError(learner, curve);
    }

    static Training sogd(SogdConfig config) {
        SogdLearner<KoopmanOperator> learner = SogdLearner.koopman(config);
        return new Training(learner, file -> ModelFile.write(file, learner.state()), config.warnings());
    }

    static Training leastSquares(LeastSquaresConfig config) {
        LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(config);
        return new Training(learner, file -> ModelFile.write(file, learner.state()), List.of());
    }

    /** What these settings do not promise, in words. */
    List<String> warnings() {
        return warnings;
    }

    LearningCurve curve() {
        return curve;
    }

    /** Writes the present state, and replaces the file if it exists. */
    void save(Path file) {
        saver.save(file);
    }

    @Override
    public Rkhs input() {
        return learner.input();
    }

    @Override
    public Rkhs output() {
        return learner.output();
    }

    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        // Refused before it is measured, so that the message is the learner's.
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        error.before(x, xNext);
        return learner.update(x, xNext);
    }

    @Override
    public KoopmanOperator snapshot() {
        return learner.snapshot();
    }

    @Override
    public long samples() {
        return learner.samples();
    }

    @Override
    public int dictionarySize() {
        return learner.dictionarySize();
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("a command learns once");
    }

    @Override
    public Learner<KoopmanOperator> copy() {
        return learner.copy();
    }
}
