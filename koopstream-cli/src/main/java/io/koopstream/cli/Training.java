package io.koopstream.cli;

import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.BatchMeans;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.HoldOut;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LearningCurve;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.BlockStatistics;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.spectrum.VampScores;
import io.koopstream.tuning.ChosenSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A learner under way, whatever its method: what it learns from, how well it predicts, how far to trust it, how it is saved. */
final class Training implements Learner<KoopmanOperator> {

    /** Standard errors from fewer blocks of the stream say little. */
    private static final int FEWEST_BLOCKS = 4;

    private final StateLabels labels;
    private final Supplier<LearnerState> state;
    private final List<String> warnings;
    private final LearningCurve curve = new LearningCurve();
    private final OneStepError error;
    /** The whole of it: whatever watches or holds out stands around the learner. */
    private final Learner<KoopmanOperator> learner;

    private LeastSquaresLearner<KoopmanOperator> leastSquares;

    private BatchMeans<KoopmanOperator> batches;
    private DriftAwareLearner<KoopmanOperator> watch;
    /** The ridge that was chosen before the held-out pairs were learned too; NaN before that. */
    private double lambda = Double.NaN;

    /** A learner with these settings and nothing around it. */
    Training(ChosenSettings settings, StateLabels labels) {
        this(settings, labels, WatchOptions.none());
    }

    Training(ChosenSettings settings, StateLabels labels, WatchOptions options) {
        this.labels = labels;
        StorableLearner<KoopmanOperator> plain = settings.newLearner();
        state = plain::state;
        warnings = settings.warnings();
        Learner<KoopmanOperator> inner = plain;
        if (plain instanceof LeastSquaresLearner<KoopmanOperator> squares) {
            leastSquares = squares;
            batches = new BatchMeans<>(squares);
            inner = batches;
        }
        if (options.watchesDrift()) {
            watch = new DriftAwareLearner<>(inner, DriftConfig.defaults(), options.driftDiscount());
            inner = watch;
        }
        this.learner = inner;
        this.error = new OneStepError(learner, curve);
    }

    /** What these settings do not promise, in words. */
    List<String> warnings() {
        return warnings;
    }

    LearningCurve curve() {
        return curve;
    }

    StateLabels labels() {
        return labels;
    }

    /** Names of the state's coordinates. */
    List<String> names() {
        return labels.coordinates(input().dimension());
    }

    /** Writes the present state, and replaces the file if it exists. Nothing waits in it: other readers of the file see all that was learned. */
    void save(Path file) {
        ModelFile.write(file, new StoredModel(state(), labels));
    }

    /** What was learned so far, nothing waiting. */
    LearnerState state() {
        LearnerState settled = state.get().settled();
        return settled instanceof LeastSquaresState learned && !Double.isNaN(lambda)
                ? learned.withLambda(lambda)
                : settled;
    }

    /** The statistics of least squares, nothing waiting. */
    Optional<LeastSquaresState> statistics() {
        return state() instanceof LeastSquaresState learned ? Optional.of(learned) : Optional.empty();
    }

    /** Learns what was kept aside, at the end of the data; the ridge that it chose stays. */
    void useAll() {
        if (leastSquares != null && leastSquares.holdOut().size() > 0) {
            lambda = leastSquares.state().spectrumLambda();
            leastSquares.learnHeldOut();
        }
    }

    /** Changes of the dynamics that were noticed since the last call. */
    List<DriftEvent> drainEvents() {
        return watch == null ? List.of() : watch.drainEvents();
    }

    /** How many pairs were kept aside so far. */
    long heldOut() {
        return leastSquares == null ? 0 : leastSquares.holdOut().offered();
    }

    /** How far each eigenpair can be trusted, when enough pairs were kept aside to tell. */
    Optional<TrustReport> trust(Spectrum spectrum, TrustRule rule) {
        if (leastSquares == null || leastSquares.holdOut().size() < TrustReport.MIN_HELD_OUT) {
            return Optional.empty();
        }
        HoldOut kept = leastSquares.holdOut();
        BlockStatistics statistics = batches.blocks();
        boolean hasSpread = statistics.blocks().size() >= FEWEST_BLOCKS && statistics.operator() == spectrum.operator();
        return Optional.of(
                hasSpread
                        ? TrustReport.of(spectrum, statistics, kept.inputs(), kept.outputs(), rule)
                        : TrustReport.of(spectrum, kept.inputs(), kept.outputs(), rule));
    }

    /** How well the eigenfunctions carry the dynamics on the pairs kept aside, when there are enough of them. */
    Optional<VampScores> scores(Spectrum spectrum) {
        return statistics()
                .filter(learned -> learned.holdOut().size() >= TrustReport.MIN_HELD_OUT)
                .map(learned -> VampScores.of(
                        spectrum,
                        learned.meanCovariance(),
                        learned.holdOut().inputs(),
                        learned.holdOut().outputs()));
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

    /** Pairs that came, those kept aside among them. */
    @Override
    public long samples() {
        return leastSquares == null ? learner.samples() : leastSquares.pairs();
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
