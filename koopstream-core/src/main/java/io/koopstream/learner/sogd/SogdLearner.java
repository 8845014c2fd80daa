package io.koopstream.learner.sogd;

import io.koopstream.internal.dictionary.BlockSize;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.learner.Learner;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import java.util.function.Function;

/**
 * Algorithm 1: sparse stochastic operator gradient descent (SOGD). Each sample moves U along the sample-centred gradient of the
 * regularised risk (eq. U_{t+1} = U_t − η_t ∇̃R_λ); the result is projected on the dictionary unless that would cost more than ε_t,
 * in which case the sample is kept.
 *
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d) time; memory: {@link SogdConfig#bytes}.
 *
 * <pre>{@code
 * SogdLearner<KoopmanOperator> learner =
 *         SogdLearner.koopman(SogdConfig.forState(2, Kernels.gaussian(0.5)).build());
 * for (int t = 0; t + 1 < states.length; t++) {
 *     learner.update(states[t], states[t + 1]);
 * }
 * double[] prediction = learner.snapshot().predict(states[0]);
 * }</pre>
 *
 * @param <O> the type of the learned operator
 */
public final class SogdLearner<O extends TransitionOperator> implements Learner<O> {

    private static final System.Logger LOG = System.getLogger(SogdLearner.class.getName());

    private final SogdConfig config;
    private final Function<TransitionOperator, O> view;
    /** Null when every sample is a step of its own. */
    private final SogdBlock block;

    /** U_t without the samples that wait for their block. */
    private Algorithm1 algorithm;

    private PendingSamples pending;
    private long samples;

    private SogdLearner(SogdConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
        this.block = config.blockSize() == BlockSize.ONE ? null : new SogdBlock(config);
        reset();
    }

    /** A learner of a Koopman operator: input and output are one space. */
    public static SogdLearner<KoopmanOperator> koopman(SogdConfig config) {
        config.requireOneSpace();
        return started(config, TransitionOperator::asKoopman);
    }

    /** A learner of a transition operator between two spaces, e.g. from (state, action) to the next state. */
    public static SogdLearner<TransitionOperator> transition(SogdConfig config) {
        return started(config, operator -> operator);
    }

    private static <T extends TransitionOperator> SogdLearner<T> started(
            SogdConfig config, Function<TransitionOperator, T> view) {
        config.requireRoom();
        // Quiet by default: there may be one learner a key. An application shows config().warnings() to its user.
        config.warnings().forEach(warning -> LOG.log(System.Logger.Level.DEBUG, warning));
        return new SogdLearner<>(config, view);
    }

    /** A state with its waiting samples learned. It is read, not learned on: there need be no room for all that the cap allows. */
    static SogdState settled(SogdState state) {
        SogdLearner<TransitionOperator> learner =
                new SogdLearner<>(state.config(), operator -> operator).restored(state);
        learner.learnPending();
        return learner.state();
    }

    @Override
    public SogdConfig config() {
        return config;
    }

    /**
     * {@inheritDoc}
     *
     * <p>With blocks, {@link StepOutcome#PENDING} for all but the last sample of a block, which gets its own outcome.
     */
    @Override
    public StepOutcome updateChecked(double[] x, double[] xNext) {
        long t = samples + 1;
        StepOutcome outcome = StepOutcome.PENDING;
        if (block == null) {
            outcome = algorithm.step(t, x, xNext);
        } else {
            // Refused now rather than in the middle of a block.
            config.budgetAt(t, config.stepSizeAt(t));
            pending.add(x, xNext);
        }
        samples = t;
        return block != null && t % config.blockSize() == 0 ? learnPending() : outcome;
    }

    /** Learns all samples that wait; returns the outcome of the last. */
    private StepOutcome learnPending() {
        StepOutcome outcome = StepOutcome.PENDING;
        while (!pending.isEmpty()) {
            outcome =
                    block == null ? StepOutcome.PENDING : block.learn(algorithm, samples - pending.size() + 1, pending);
            if (outcome == StepOutcome.PENDING) {
                outcome = algorithm.step(
                        samples - pending.size() + 1,
                        pending.inputs().get(0),
                        pending.outputs().get(0));
                pending.removeFirst(1);
            }
        }
        return outcome;
    }

    @Override
    public void partialFit(double[][] x, double[][] xNext) {
        if (x != null && config.isCustom()) {
            // All or nothing: a schedule of the caller's own must not fail half-way through the batch.
            for (long t = samples + 1; t <= samples + x.length; t++) {
                config.budgetAt(t, config.stepSizeAt(t));
            }
        }
        Learner.super.partialFit(x, xNext);
    }

    /**
     * The learned operator: the last iterate, or the average of iterates once one has been taken. Samples that wait for their block are
     * learned on a copy.
     */
    @Override
    public O snapshot() {
        return view.apply(state().operator());
    }

    @Override
    public long samples() {
        return samples;
    }

    /** {@inheritDoc} Without the samples that wait for their block. */
    @Override
    public int dictionarySize() {
        return algorithm.dictionary().size();
    }

    /** ‖U_t‖_HS of the last iterate; O(m²). */
    public double norm() {
        return (pending.isEmpty() ? algorithm.matrix() : settled(state()).matrix()).frobeniusNorm();
    }

    /** The counters so far; samples that wait for their block count as samples only. */
    public Counters counters() {
        return algorithm.counters(samples);
    }

    /** Δ_t of the last sample, a norm or its square as {@link SogdConfig#delta} says. */
    public double lastResidual() {
        return algorithm.delta();
    }

    /** The budget ε_t of the last sample. */
    public double lastBudget() {
        return algorithm.epsilon();
    }

    /** ‖φ(x⁺) − U φ(x)‖ of the last sample before it was learned: the prequential one-step error in the RKHS. */
    public double lastPredictionError() {
        return Math.sqrt(algorithm.squaredPredictionError());
    }

    @Override
    public void reset() {
        algorithm = new Algorithm1(config);
        pending = new PendingSamples(config.input(), config.output());
        samples = 0;
    }

    @Override
    public SogdLearner<O> copy() {
        SogdLearner<O> copy = new SogdLearner<>(config, view).restored(state());
        copy.algorithm.copyFigures(algorithm);
        return copy;
    }

    /** Everything needed to continue, as an immutable value. */
    @Override
    public SogdState state() {
        return algorithm.state(samples, pending);
    }

    /** This learner in a saved state, bit for bit. */
    SogdLearner<O> restored(SogdState state) {
        algorithm = new Algorithm1(state);
        pending = state.pending().copy();
        samples = state.samples();
        if (block == null) {
            // Files of earlier versions may hold single steps that had not reached the matrix yet.
            learnPending();
        }
        return this;
    }
}
