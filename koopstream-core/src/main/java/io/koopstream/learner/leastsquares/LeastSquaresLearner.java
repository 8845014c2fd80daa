package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.dictionary.BlockSize;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.linalg.Products;
import io.koopstream.learner.Learner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import java.util.function.Function;

/**
 * Online least squares on an adaptive dictionary: statistics that add up ({@link LeastSquaresSums}), from which the minimiser of the
 * regularised risk R_λ over operators on the kept points, M = (T/n)(S/n + λ)⁻¹, is read for any λ at a snapshot. No step size, no
 * fluctuation, and the order of the samples matters only through which of them are kept.
 *
 * <p>In the Koopman case states x and x⁺ share one dictionary, so every state of a trajectory is measured once: a pair whose x is the x⁺ of the
 * pair before continues from there. With two spaces, e.g. from (state, action) to the next state, each has its own. A state is kept when the
 * dictionary misses more than ε of it and it is numerically new. What earlier samples had along a new direction counts as zero, but for the first
 * {@link LeastSquaresConfig#firstPairs()} pairs, which are remembered and counted again: a short stream is learned as exactly as in two passes.
 *
 * <p>This goes beyond the paper: Algorithm 1 descends towards the same minimiser one gradient at a time.
 *
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d): a kernel row, m² flops for the coordinates, m² for S, 2m² for T. A snapshot
 * after new samples costs O(m³). Memory: {@link LeastSquaresConfig#bytes}.
 *
 * <pre>{@code
 * LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
 *         LeastSquaresConfig.forState(2, Kernels.gaussian(0.5)).holdOut(0.1).build());
 * learner.fitTrajectory(states, 1);
 * Spectrum spectrum = Spectrum.leading(learner.snapshot(), 3);
 * }</pre>
 *
 * @param <O> the type of the learned operator
 */
public final class LeastSquaresLearner<O extends TransitionOperator> implements Learner<O> {

    private final LeastSquaresConfig config;
    private final Function<TransitionOperator, O> view;
    private final LeastSquaresBlock block;

    private final HoldOut.Store holdOut;
    private PendingSamples pending;
    /** The pairs of the stream as long as they are few, see {@link LeastSquaresConfig#firstPairs()}; none once they have been too many. */
    private PendingSamples first;

    private LeastSquaresStatistics statistics;
    private long samples;
    /** The newest snapshot and the state it is of, whose choice of λ others may ask for; null once something has changed. */
    private O solved;

    private LeastSquaresState known;

    private LeastSquaresLearner(LeastSquaresConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
        this.block = new LeastSquaresBlock(new Products(), config.isOneSpace());
        this.holdOut = new HoldOut.Store(config.holdOut(), config.targets());
        reset();
    }

    /** A learner of a Koopman operator: input and output are one space. */
    public static LeastSquaresLearner<KoopmanOperator> koopman(LeastSquaresConfig config) {
        config.requireOneSpace();
        config.requireRoom();
        return new LeastSquaresLearner<>(config, TransitionOperator::asKoopman);
    }

    /** A learner of a transition operator between two spaces, e.g. from (state, action) to the next state. */
    public static LeastSquaresLearner<TransitionOperator> transition(LeastSquaresConfig config) {
        config.requireRoom();
        return new LeastSquaresLearner<>(config, operator -> operator);
    }

    /** A state with its waiting samples learned and its first pairs counted again. It is read, not learned on: there need be no room for its cap. */
    static LeastSquaresState settled(LeastSquaresState state) {
        LeastSquaresLearner<TransitionOperator> learner =
                new LeastSquaresLearner<>(state.config(), operator -> operator).restored(state);
        learner.learnPending();
        learner.recount();
        return learner.state();
    }

    @Override
    public LeastSquaresConfig config() {
        return config;
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@link StepOutcome#HELD_OUT} for a pair that is held out. With blocks, {@link StepOutcome#PENDING} for all but the last sample of a
     * block, which gets its own outcome.
     */
    @Override
    public StepOutcome updateChecked(double[] x, double[] xNext) {
        if (holdOut.takes(x, xNext)) {
            changed();
            return StepOutcome.HELD_OUT;
        }
        return accept(x, xNext);
    }

    private void changed() {
        solved = null;
        known = null;
    }

    private StepOutcome accept(double[] x, double[] xNext) {
        changed();
        if (samples == config.firstPairs() && !first.isEmpty()) {
            // They were all counted with all points; from now on only the sums are updated.
            recount();
            first = new PendingSamples(config.input(), config.output());
        }
        boolean remembers = samples < config.firstPairs() && first.size() == samples;
        if (remembers) {
            first.reserve(1);
        }
        StepOutcome outcome = StepOutcome.PENDING;
        if (config.blockSize() == BlockSize.ONE) {
            outcome = statistics.learn(samples + 1, x, xNext);
            samples++;
        } else {
            pending.add(x, xNext);
            samples++;
        }
        // After what may fail for want of memory, or a pair that was not accepted would be remembered.
        if (remembers) {
            first.add(x, xNext);
        }
        if (config.blockSize() != BlockSize.ONE && samples % config.blockSize() == 0) {
            outcome = learnPending();
        }
        return outcome;
    }

    /** Counts all pairs of the stream again, as long as they are remembered. */
    private void recount() {
        if (!first.isEmpty()) {
            statistics.recounted(block.sums(config, statistics.dictionary(), first));
            changed();
        }
    }

    /** Learns all samples that wait; returns the outcome of the last. */
    private StepOutcome learnPending() {
        StepOutcome outcome = StepOutcome.PENDING;
        while (!pending.isEmpty()) {
            changed();
            outcome = statistics.learn(samples - pending.size() + 1, pending);
        }
        return outcome;
    }

    /**
     * The minimiser for the statistics so far with the ridge of {@link LeastSquaresState#operator()}; solved once and kept until the next
     * sample. Samples that wait for their block are learned on a copy. O(m³).
     */
    @Override
    public O snapshot() {
        if (solved == null) {
            known = state();
            solved = view.apply(known.operator());
        }
        return solved;
    }

    /** {@inheritDoc} With a fixed ridge, so that nothing has to be chosen. */
    @Override
    public O predictor() {
        return view.apply(state().predictor());
    }

    /**
     * Learns the pairs that were held out and are remembered, at the end of a stream. What they say about λ is kept before: see
     * {@link LeastSquaresState#choice()}.
     */
    public void learnHeldOut() {
        HoldOut held = holdOut.value();
        holdOut.clear();
        double[][] x = held.inputs();
        double[][] xNext = held.outputs();
        for (int i = 0; i < x.length; i++) {
            accept(x[i], xNext[i]);
        }
        changed();
    }

    /**
     * Multiplies the weight of everything learned so far, e.g. because the system has changed. S, T, V and n all shrink, so all answers stay as they are
     * until the next sample, and move away from the past faster from then on. Held-out pairs would judge the new by the old: they are dropped. O(m²).
     *
     * @param factor in (0, 1]; 1 leaves the past as it is
     */
    public void discount(double factor) {
        InvalidConfigException.require(
                factor > 0 && factor <= 1, "discount", factor, "must be in (0, 1]; 1 leaves the past as it is");
        // A discount is for all that came before it.
        learnPending();
        recount();
        first = new PendingSamples(config.input(), config.output());
        statistics.sums().scale(factor);
        if (factor < 1) {
            holdOut.clear();
        }
        changed();
    }

    @Override
    public long samples() {
        return samples;
    }

    /** {@inheritDoc} Without the samples that wait for their block. */
    @Override
    public int dictionarySize() {
        return statistics.dictionary().size();
    }

    /** The counters so far; samples that wait for their block count as samples only. */
    public Counters counters() {
        return statistics.counters(samples);
    }

    /** Number of pairs seen, learned or held out. */
    public long pairs() {
        return config.holdOut().isOn() ? holdOut.seen() : samples;
    }

    /** The pairs held out so far, as an immutable value. */
    public HoldOut holdOut() {
        return holdOut.value();
    }

    @Override
    public void reset() {
        statistics = new LeastSquaresStatistics(config, block);
        pending = new PendingSamples(config.input(), config.output());
        first = new PendingSamples(config.input(), config.output());
        holdOut.reset();
        samples = 0;
        changed();
    }

    @Override
    public LeastSquaresLearner<O> copy() {
        return new LeastSquaresLearner<>(config, view).restored(state());
    }

    /** Everything needed to continue, as an immutable value. */
    @Override
    public LeastSquaresState state() {
        if (known != null) {
            return known;
        }
        return new LeastSquaresState(
                config,
                statistics.kept(samples),
                pending.copy(),
                first.copy(),
                statistics.sums().copy(),
                holdOut.value());
    }

    /** This learner in a saved state, bit for bit. */
    LeastSquaresLearner<O> restored(LeastSquaresState state) {
        changed();
        statistics = new LeastSquaresStatistics(state, block);
        samples = state.samples();
        pending = state.pending().copy();
        first = state.first().copy();
        holdOut.restore(state.holdOut());
        return this;
    }
}
