package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Rotations;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.Pruning;
import io.koopstream.operator.TransitionOperator;
import java.util.function.Function;

/**
 * Algorithm 1: sparse stochastic operator gradient descent (SOGD). Each sample moves U along the sample-centred gradient of the
 * regularised risk (eq. U_{t+1} = U_t − η_t ∇̃R_λ); the result is projected on the dictionary unless that would cost more than ε_t,
 * in which case the sample is kept.
 *
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d) time; memory: {@link SogdConfig#bytes}.
 *
 * @param <O> the type of the learned operator
 */
public final class SogdLearner<O extends TransitionOperator> implements StorableLearner<O> {

    private static final System.Logger LOG = System.getLogger(SogdLearner.class.getName());

    private final SogdConfig config;
    private final Function<TransitionOperator, O> view;
    private final SogdStep step = new SogdStep();
    /** Null when every sample is a step of its own. */
    private final SogdBlock block;

    /** With blocks, the samples that wait for theirs; without, those whose steps are deferred. */
    private PendingSamples pending;

    private final DeferredSteps deferred = new DeferredSteps();
    private PairDictionary dictionary;
    private Matrix matrix;
    /** Null when iterates are not averaged. */
    private AveragedIterate average;

    private long samples;
    /** Bounds how far removals and refusals have taken the operator off its path: B ← (1 − λη) (B + removed) + refused. */
    private double loss;
    /** The same before the steps that are deferred. */
    private double settledLoss;

    private double lastResidual;
    private double lastBudget;
    private double lastPredictionError;

    private SogdLearner(SogdConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
        this.block = config.blockSize() == BlockSize.ONE ? null : new SogdBlock(new Products());
        DictionaryCap.requireRoom(config.maxDictionary(), config.matrices(), config.numbersPerPoint());
        reset();
    }

    /** A learner of a Koopman operator: input and output are one space. */
    public static SogdLearner<KoopmanOperator> koopman(SogdConfig config) {
        requireSquare(config.input(), config.output());
        return warned(new SogdLearner<>(config, TransitionOperator::asKoopman));
    }

    /** A learner of a transition operator between two spaces, e.g. from (state, action) to the next state. */
    public static SogdLearner<TransitionOperator> transition(SogdConfig config) {
        return warned(new SogdLearner<>(config, operator -> operator));
    }

    /** Goes on from a saved state, bit for bit, with a Koopman operator. */
    public static SogdLearner<KoopmanOperator> resumeKoopman(SogdState state) {
        requireSquare(state.config().input(), state.config().output());
        SogdLearner<KoopmanOperator> learner = new SogdLearner<>(state.config(), TransitionOperator::asKoopman);
        learner.restore(state);
        return learner;
    }

    /** Goes on from a saved state, bit for bit, with a transition operator. */
    public static SogdLearner<TransitionOperator> resumeTransition(SogdState state) {
        SogdLearner<TransitionOperator> learner = new SogdLearner<>(state.config(), operator -> operator);
        learner.restore(state);
        return learner;
    }

    static void requireSquare(Rkhs input, Rkhs output) {
        if (!input.equals(output)) {
            throw new InvalidConfigException(
                    "output",
                    output,
                    "a Koopman operator needs input and output to be one space; the input is " + input);
        }
    }

    private static <T extends TransitionOperator> SogdLearner<T> warned(SogdLearner<T> learner) {
        // Quiet by default: there may be one learner a key. An application shows config().warnings() to its user.
        for (String warning : learner.config.warnings()) {
            LOG.log(System.Logger.Level.DEBUG, warning);
        }
        return learner;
    }

    /** The settings. */
    public SogdConfig config() {
        return config;
    }

    @Override
    public Rkhs input() {
        return config.input();
    }

    @Override
    public Rkhs output() {
        return config.output();
    }

    /**
     * {@inheritDoc}
     *
     * <p>With blocks, {@link StepOutcome#PENDING} for all but the last sample of a block, which is told what became of itself.
     */
    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        if (block == null) {
            return step(x, xNext);
        }
        long t = samples + 1;
        // Refused now rather than in the middle of a block.
        config.budgetAt(t, config.stepSizeAt(t));
        pending.add(x, xNext);
        samples = t;
        return t % config.blockSize() == 0 ? learnPending() : StepOutcome.PENDING;
    }

    /** One step of Algorithm 1. */
    private StepOutcome step(double[] x, double[] xNext) {
        StepOutcome outcome = step(samples + 1, x, xNext);
        samples++;
        return outcome;
    }

    private StepOutcome step(long t, double[] x, double[] xNext) {
        double eta = config.stepSizeAt(t);
        double epsilon = config.budgetAt(t, eta);
        step.measure(dictionary, matrix, deferred, x, xNext);
        double residual = Math.sqrt(step.squaredResidual(config.criterion(), eta));
        double predictionError = Math.sqrt(step.squaredPredictionError());
        StepOutcome outcome = dictionary.decide(residual > epsilon, step.sample());
        if (outcome == StepOutcome.PROJECTED && block == null && dictionary.size() >= DeferredSteps.FROM_SIZE) {
            defer(t, eta, x, xNext);
            note(residual, epsilon, predictionError);
            return outcome;
        }
        settle();
        if (dictionary.mustMakeRoom()) {
            makeRoom();
            step.measure(dictionary, matrix, deferred, x, xNext);
            outcome = dictionary.decide(true, step.sample());
        }
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        SogdStep.reserve(outcome, dictionary, matrix);
        if (average != null) {
            average.reserve(matrix.rows() + 1, matrix.columns() + 1);
        }
        step.project(matrix, eta, config.lambda());
        step.border(outcome, matrix, eta);
        dictionary.keep(outcome, step.sample(), t, x, xNext);
        fadeLoss(eta, step.squaredPredictionError());
        settledLoss = loss;
        if (average != null) {
            average.follow(t, matrix, loss);
        }
        note(residual, epsilon, predictionError);
        return outcome;
    }

    /** Takes a projected step that reaches the matrix together with others. */
    private void defer(long t, double eta, double[] x, double[] xNext) {
        deferred.reserve(matrix.rows(), matrix.columns());
        pending.add(x, xNext);
        step.defer(deferred, matrix, eta, config.lambda());
        fadeLoss(eta, step.squaredPredictionError());
        boolean counts = average != null && t % Averaging.STRIDE == 0;
        if (deferred.isFull() || counts) {
            settle();
        }
        if (counts) {
            average.follow(t, matrix, loss);
        }
    }

    /**
     * Makes the deferred steps. When that happens is decided by the samples alone (a fixed number of steps, anything but a projected one, an
     * iterate that counts), so the bits are too; a state holds the matrix before them and the samples themselves.
     */
    private void settle() {
        if (!deferred.isEmpty()) {
            deferred.applyTo(matrix);
            deferred.clear();
            pending.removeFirst(pending.size());
        }
        settledLoss = loss;
    }

    private void fadeLoss(double eta, double squaredPredictionError) {
        // The step maps two operators to two that are closer by 1 − λη (docs/errata.md, 3), so what was lost fades.
        loss = (1 - config.lambda() * eta) * loss;
        if (dictionary.refusesInput() || dictionary.refusesOutput()) {
            loss += SogdStep.loss(
                    eta, step.sample(), squaredPredictionError, dictionary.refusesInput(), dictionary.refusesOutput());
        }
    }

    private void note(double residual, double budget, double predictionError) {
        lastResidual = residual;
        lastBudget = budget;
        lastPredictionError = predictionError;
    }

    /** Learns all samples that wait; returns what became of the last. */
    private StepOutcome learnPending() {
        StepOutcome outcome = StepOutcome.PENDING;
        while (!pending.isEmpty()) {
            outcome = learnBlock();
        }
        return outcome;
    }

    /**
     * Learns as many waiting samples as go together: up to an iterate that counts for the average, or an exchange of points, which changes
     * all coordinates and is made by a step of its own.
     */
    private StepOutcome learnBlock() {
        long learned = samples - pending.size();
        int n = pending.size();
        if (average != null) {
            n = (int) Math.min(n, Averaging.STRIDE - learned % Averaging.STRIDE);
        }
        Points x = pending.inputs().first(n);
        Points y = pending.outputs().first(n);
        block.measure(config, learned + 1, dictionary, matrix, x, y);
        StepOutcome outcome = StepOutcome.PENDING;
        int done = 0;
        try {
            for (int t = 0; t < n; t++) {
                outcome = learnOne(learned + 1 + t, t, x, y);
                if (outcome == StepOutcome.PENDING) {
                    break;
                }
                done = t + 1;
            }
        } finally {
            // Also when memory ran out: what was decided is brought to its end, the rest goes on waiting.
            matrix.resize(dictionary.outputs().size(), dictionary.inputs().size());
            if (done > 0) {
                block.apply(matrix, done);
                pending.removeFirst(done);
                if (average != null) {
                    average.follow(learned + done, matrix, loss);
                }
            }
        }
        if (outcome == StepOutcome.PENDING) {
            outcome = step(
                    learned + done + 1,
                    pending.inputs().get(0),
                    pending.outputs().get(0));
            pending.removeFirst(1);
        }
        return outcome;
    }

    /** Decides on sample t of the block; {@link StepOutcome#PENDING} if it needs a step of its own. */
    private StepOutcome learnOne(long number, int t, Points x, Points y) {
        double eta = block.eta(t);
        double epsilon = config.budgetAt(number, eta);
        double squaredError = block.squaredError(t);
        SampleCoordinates sample = step.sample();
        double aSquared = block.outputs().missed(t);
        double residual = Math.sqrt(config.criterion()
                .squaredResidual(
                        eta,
                        squaredError,
                        aSquared,
                        block.inputs().missed(t),
                        block.inputs().squaredNorm(t)));
        boolean overBudget = residual > epsilon;
        if (overBudget) {
            sample.take(block.inputs(), block.outputs(), t);
        }
        StepOutcome outcome = dictionary.decide(overBudget, sample);
        if (dictionary.mustMakeRoom()) {
            return StepOutcome.PENDING;
        }
        SogdStep.reserve(outcome, dictionary, matrix);
        if (average != null) {
            average.reserve(dictionary.outputs().size() + 1, dictionary.inputs().size() + 1);
        }
        if (outcome.keepsInput() || outcome.keepsOutput()) {
            block.extend(outcome, x, y, t);
            dictionary.keep(outcome, sample, number, x.get(t), y.get(t));
        } else {
            dictionary.keep(outcome, sample, number, null, null);
        }
        fadeLoss(eta, squaredError + aSquared);
        note(residual, epsilon, Math.sqrt(squaredError + aSquared));
        return outcome;
    }

    /** Takes out the points whose places the sample needs; U is projected on what remains. */
    private void makeRoom() {
        if (dictionary.losesInput()) {
            Rotations rotations = dictionary.removeInput();
            loss += rotations.dropColumn(matrix);
            if (average != null) {
                average.dropColumn(rotations);
            }
        }
        if (dictionary.losesOutput()) {
            Rotations rotations = dictionary.removeOutput();
            loss += rotations.dropRow(matrix);
            if (average != null) {
                average.dropRow(rotations);
            }
        }
    }

    @Override
    public void partialFit(double[][] x, double[][] xNext) {
        if (x != null && config.isCustom()) {
            // All or nothing: a schedule of the caller's own must not fail half-way through the batch.
            for (long t = samples + 1; t <= samples + x.length; t++) {
                config.budgetAt(t, config.stepSizeAt(t));
            }
        }
        StorableLearner.super.partialFit(x, xNext);
    }

    /**
     * The learned operator: the last iterate, or the average of iterates once one has been taken. Samples that wait for their block are
     * learned on a copy.
     */
    @Override
    public O snapshot() {
        return block == null || pending.isEmpty() ? answer() : settledCopy().answer();
    }

    /** M_t with the deferred steps made; the matrix itself when there are none. */
    private Matrix iterate() {
        if (deferred.isEmpty()) {
            return matrix;
        }
        Matrix made = matrix.copy();
        deferred.applyTo(made);
        return made;
    }

    private O answer() {
        boolean averaged = average != null && samples >= Averaging.STRIDE;
        Matrix learned = averaged ? average.mean() : iterate();
        Counters counters = dictionary.counters(samples, averaged ? average.loss() : loss);
        Pruning pruning = new Pruning(counters.removals(), counters.refusals(), counters.loss());
        return view.apply(new TransitionOperator(
                dictionary.inputs().copy(), dictionary.outputs().copy(), learned.copy(), samples, pruning));
    }

    private SogdLearner<O> settledCopy() {
        SogdLearner<O> copy = copy();
        if (block == null) {
            copy.settle();
        } else {
            copy.learnPending();
        }
        return copy;
    }

    /** The state with the waiting samples learned. */
    SogdState settledState() {
        return pending.isEmpty() ? state() : settledCopy().state();
    }

    @Override
    public long samples() {
        return samples;
    }

    /** {@inheritDoc} Without the samples that wait for their block. */
    @Override
    public int dictionarySize() {
        return dictionary.size();
    }

    /** ‖U_t‖_HS of the last iterate; O(m²). */
    public double norm() {
        return (block == null || pending.isEmpty() ? this : settledCopy())
                .iterate()
                .frobeniusNorm();
    }

    /** What was counted so far; samples that wait for their block count as samples only. */
    public Counters counters() {
        return dictionary.counters(samples, loss);
    }

    /** The residual, as a norm, that the last sample's admission was decided on. */
    public double lastResidual() {
        return lastResidual;
    }

    /** The budget ε_t of the last sample. */
    public double lastBudget() {
        return lastBudget;
    }

    /** ‖φ(x⁺) − U φ(x)‖ of the last sample before it was learned: the prequential one-step error in the RKHS. */
    public double lastPredictionError() {
        return lastPredictionError;
    }

    @Override
    public void reset() {
        dictionary = new PairDictionary(
                config.maxDictionary(), new NewtonBasis(config.input()), new NewtonBasis(config.output()));
        pending = new PendingSamples(config.input(), config.output());
        matrix = new Matrix(0, 0);
        average = config.averaging().isOn() ? new AveragedIterate(config.averaging(), new Matrix(0, 0), 0) : null;
        deferred.clear();
        samples = 0;
        loss = 0;
        settledLoss = 0;
        lastResidual = 0;
        lastBudget = 0;
        lastPredictionError = 0;
    }

    @Override
    public SogdLearner<O> copy() {
        SogdLearner<O> copy = new SogdLearner<>(config, view);
        copy.restore(state());
        copy.lastResidual = lastResidual;
        copy.lastBudget = lastBudget;
        copy.lastPredictionError = lastPredictionError;
        return copy;
    }

    /** Everything needed to go on, as an immutable value. */
    @Override
    public SogdState state() {
        return new SogdState(
                config,
                dictionary.kept(samples, deferred.isEmpty() ? loss : settledLoss),
                pending.copy(),
                matrix.copy(),
                average == null ? null : average.copy());
    }

    private void restore(SogdState state) {
        dictionary = new PairDictionary(config.maxDictionary(), state.kept());
        matrix = state.matrix().copy();
        average = state.averageToGoOn();
        deferred.clear();
        samples = state.samples();
        loss = state.counters().loss();
        settledLoss = loss;
        if (block == null) {
            // Steps that were deferred are taken again: from the same matrix, so with the same bits.
            PendingSamples again = state.pending();
            pending = new PendingSamples(config.input(), config.output());
            samples -= again.size();
            for (int i = 0; i < again.size(); i++) {
                step(again.inputs().get(i), again.outputs().get(i));
            }
        } else {
            pending = state.pending().copy();
        }
    }
}
