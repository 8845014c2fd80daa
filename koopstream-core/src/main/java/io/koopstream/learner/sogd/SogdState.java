package io.koopstream.learner.sogd;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.BlockSize;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.learner.LearnerState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Optional;

/**
 * The whole state of a {@link SogdLearner}: settings, counters, both factored dictionaries and the operator's matrix. Nothing in
 * it has to be recomputed, so continuing from it equals never having stopped, bit for bit. Immutable.
 */
public final class SogdState extends LearnerState {

    /** Single steps that earlier versions let wait at large sizes, and from which size on; they are taken when such a state is resumed. */
    private static final int MAX_DEFERRED = 31;

    private static final int MIN_DEFERRED_SIZE = 1000;

    private final SogdConfig config;
    private final Matrix matrix;
    private final AveragedIterate average;

    /** Takes over its arguments, which come from a learner's own copies; the average is null when iterates are not averaged. */
    SogdState(SogdConfig config, KeptSamples kept, PendingSamples pending, Matrix matrix, AveragedIterate average) {
        super(kept, pending);
        this.config = config;
        this.matrix = matrix;
        this.average = average;
    }

    @Override
    public void save(StateSink sink) {
        super.save(sink);
        sink.matrix("M", matrix);
        if (average != null) {
            sink.matrix("M_average", average.mean());
            sink.number("average_loss", average.loss());
        }
    }

    /**
     * Reads what {@link #save} wrote, all checked: sizes, signs of the counters, order of the sample numbers, numbers finite, factors that belong to
     * their points.
     *
     * @throws InvalidStateException naming the part at fault
     */
    public static SogdState read(SogdConfig config, StateSource source) {
        KeptSamples kept = KeptSamples.read(source, config.input(), config.output(), false, config.maxDictionary());
        PendingSamples pending = readPending(source);
        Matrix matrix = readMatrix(source, "M", kept);
        AveragedIterate average = null;
        if (config.averaging().isOn()) {
            Matrix mean = readMatrix(source, "M_average", kept);
            double loss = source.number("average_loss");
            InvalidStateException.require(
                    loss >= 0 && Double.isFinite(loss), "average_loss", loss + " must be a number >= 0");
            average = new AveragedIterate(config.averaging(), mean, loss);
        }
        SogdState state = new SogdState(config, kept, pending, matrix, average);
        state.requirePending(state.mostPending());
        return state;
    }

    private static Matrix readMatrix(StateSource source, String name, KeptSamples kept) {
        return KeptSamples.requireFinite(
                source.matrix(name, kept.outputBasis().size(), kept.inputBasis().size()), name);
    }

    /** The state of a learner that has seen nothing. */
    public static SogdState empty(SogdConfig config) {
        return new Algorithm1(config).state(0, new PendingSamples(config.input(), config.output()));
    }

    /**
     * Algorithm 1 started at an operator that came from elsewhere, e.g. an average: U_t is that operator, t the number of its samples, and
     * its points count as there before the first sample. Also how an operator without a learner is stored.
     *
     * @param config the settings to continue with, of the operator's spaces, without averaging of iterates
     * @param operator where to start
     * @throws InvalidConfigException if spaces differ, iterates are to be averaged, or the cap is below what the operator holds
     */
    public static SogdState startingAt(SogdConfig config, TransitionOperator operator) {
        if (!config.input().equals(operator.domain()) || !config.output().equals(operator.codomain())) {
            throw new InvalidConfigException(
                    "input",
                    config.input(),
                    "the operator maps " + operator.domain() + " to " + operator.codomain() + ": use its spaces");
        }
        InvalidConfigException.require(
                !config.averaging().isOn(),
                "averaging",
                config.averaging().text(),
                "there are no iterates before the start; use none");
        InvalidConfigException.require(
                operator.dictionarySize() <= config.maxDictionary(),
                "maxDictionary",
                config.maxDictionary(),
                "the operator already holds " + operator.dictionarySize() + " points; allow as many");
        Counters counters = new Counters(
                operator.samples(),
                0,
                operator.pruning().removals(),
                operator.pruning().refusals(),
                operator.pruning().errorBound());
        KeptSamples kept = new KeptSamples(
                counters,
                operator.inputBasis().inherited(),
                operator.outputBasis().inherited());
        return new SogdState(
                config, kept, PendingSamples.none(kept), operator.matrix().copy(), null);
    }

    /** {@link #startingAt} with the usual settings: an operator that is to be stored rather than learned on. */
    public static SogdState holding(TransitionOperator operator) {
        // A step of 0.3 for a kernel bounded by one, see the condition on η_t in docs/errata.md, 3.
        SogdConfig.Builder usual = SogdConfig.forTransition(operator.domain(), operator.codomain())
                .stepSize(0.3 / operator.domain().kernel().bound());
        if (!operator.pruning().equals(Pruning.NONE)) {
            // What the cap has cost is stored only where there is one.
            usual.maxDictionary(Math.max(1, operator.dictionarySize()));
        }
        return startingAt(usual.build(), operator);
    }

    @Override
    public SogdConfig config() {
        return config;
    }

    /** M, for reading. */
    public Matrix matrix() {
        return matrix;
    }

    /** The average of M over the iterates, for reading; empty when iterates are not averaged. */
    public Optional<Matrix> average() {
        return average == null ? Optional.empty() : Optional.of(average.mean());
    }

    /** Cost of the cap to the average, see {@link Counters#loss()}; 0 when iterates are not averaged. */
    public double averageLoss() {
        return average == null ? 0 : average.loss();
    }

    /** A copy of the average for a learner that continues; null when iterates are not averaged. */
    AveragedIterate averageCopy() {
        return average == null ? null : average.copy();
    }

    /** Largest number of samples received but not yet in the matrix. */
    private long mostPending() {
        if (config.blockSize() > BlockSize.ONE) {
            return samples() % config.blockSize();
        }
        return dictionarySize() < MIN_DEFERRED_SIZE ? 0 : Math.min(samples(), MAX_DEFERRED);
    }

    @Override
    public SogdState settled() {
        return pending().isEmpty() ? this : SogdLearner.settled(this);
    }

    /** The last iterate, or the average of iterates once one has been taken. */
    @Override
    public TransitionOperator operator() {
        SogdState all = settled();
        boolean averaged = all.average != null && samples() >= Averaging.STRIDE;
        Counters counters = all.counters();
        return new TransitionOperator(
                all.inputBasis(),
                all.outputBasis(),
                averaged ? all.average.mean() : all.matrix,
                samples(),
                new Pruning(counters.removals(), counters.refusals(), averaged ? all.average.loss() : counters.loss()));
    }

    @Override
    public SogdLearner<KoopmanOperator> resumeKoopman() {
        return SogdLearner.koopman(config).restored(this);
    }

    @Override
    public SogdLearner<TransitionOperator> resumeTransition() {
        return SogdLearner.transition(config).restored(this);
    }
}
