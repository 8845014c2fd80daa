package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Rkhs;
import io.koopstream.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import java.util.function.Function;

/**
 * Algorithm 1: sparse stochastic operator gradient descent (SOGD). Each sample moves U along the sample-centred gradient of the
 * regularised risk (eq. U_{t+1} = U_t − η_t ∇̃R_λ); the result is projected on the dictionary unless that would cost more than ε_t,
 * in which case the sample is kept.
 *
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d) time; memory is 8 (3 m² + 2 m d) bytes and a reserve of at most
 * the same again.
 *
 * @param <O> the type of the learned operator
 */
public final class SogdLearner<O extends TransitionOperator> implements Learner<O> {

    private static final System.Logger LOG = System.getLogger(SogdLearner.class.getName());

    private final SogdConfig config;
    private final Function<TransitionOperator, O> view;
    private final SogdStep step = new SogdStep();
    private NewtonBasis inputBasis;
    private NewtonBasis outputBasis;
    private Matrix matrix;

    private long samples;
    private long dependents;
    private double lastResidual;
    private double lastBudget;
    private double lastPredictionError;

    private SogdLearner(SogdConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
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
        for (String warning : learner.config.warnings()) {
            LOG.log(System.Logger.Level.INFO, warning);
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

    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        long t = samples + 1;
        double eta = config.stepSizeAt(t);
        double epsilon = config.budgetAt(t, eta);
        step.measure(inputBasis, outputBasis, matrix, x, xNext);
        double residual = Math.sqrt(step.squaredResidual(config.criterion(), eta));
        StepOutcome outcome = residual <= epsilon ? StepOutcome.PROJECTED : step.overBudget(inputBasis, outputBasis);
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        SogdStep.reserve(outcome, inputBasis, outputBasis, matrix);
        step.project(matrix, eta, config.lambda());
        step.border(outcome, inputBasis, outputBasis, matrix, eta, t, x, xNext);
        if (outcome == StepOutcome.DEPENDENT) {
            dependents++;
        }
        samples = t;
        lastResidual = residual;
        lastBudget = epsilon;
        lastPredictionError = Math.sqrt(step.squaredPredictionError());
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

    @Override
    public O snapshot() {
        return view.apply(new TransitionOperator(inputBasis.copy(), outputBasis.copy(), matrix.copy(), samples));
    }

    @Override
    public long samples() {
        return samples;
    }

    @Override
    public int dictionarySize() {
        return Math.max(inputBasis.size(), outputBasis.size());
    }

    /** ‖U_t‖_HS; O(m²). */
    public double norm() {
        return matrix.frobeniusNorm();
    }

    /** Samples over budget of which nothing was new enough to keep, see {@link StepOutcome#DEPENDENT}. */
    public long dependents() {
        return dependents;
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
        inputBasis = new NewtonBasis(config.input());
        outputBasis = new NewtonBasis(config.output());
        matrix = new Matrix(0, 0);
        samples = 0;
        dependents = 0;
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
    public SogdState state() {
        return new SogdState(
                config, new KeptSamples(samples, dependents, inputBasis.copy(), outputBasis.copy()), matrix.copy());
    }

    private void restore(SogdState state) {
        inputBasis = state.inputBasis().copy();
        outputBasis = state.outputBasis().copy();
        matrix = state.matrix().copy();
        samples = state.samples();
        dependents = state.dependents();
    }
}
