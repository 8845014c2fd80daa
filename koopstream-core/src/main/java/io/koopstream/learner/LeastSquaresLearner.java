package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Online least squares on an adaptive dictionary: the minimiser of the regularised risk R_λ over operators on the kept samples, from
 * statistics that add up, S = Σ β βᵀ and T = Σ α βᵀ. M = (T/n)(S/n + λ)⁻¹ is solved when somebody asks. No step size, no
 * fluctuation, and the order of the samples matters only through which of them are kept.
 *
 * <p>This goes beyond the paper: Algorithm 1 descends towards the same minimiser one gradient at a time.
 *
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d); a snapshot after new samples O(m³).
 *
 * @param <O> the type of the learned operator
 */
public final class LeastSquaresLearner<O extends TransitionOperator> implements Learner<O>, Discountable {

    private static final double SMALLEST_WEIGHT = 1e-100;

    private final LeastSquaresConfig config;
    private final Function<TransitionOperator, O> view;
    private final Scratch scratch = new Scratch();
    private double[] alpha = new double[8];
    private double[] beta = new double[8];
    private double[] work = new double[8];
    private NewtonBasis inputBasis;
    private NewtonBasis outputBasis;
    private Matrix inputStatistics;
    private Matrix crossStatistics;
    /** Σ of the weights of all samples; equals their number when nothing is forgotten. */
    private double weight;

    private long samples;
    private long dependents;
    private O solved;

    private LeastSquaresLearner(LeastSquaresConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
        reset();
    }

    /** A learner of a Koopman operator: input and output are one space. */
    public static LeastSquaresLearner<KoopmanOperator> koopman(LeastSquaresConfig config) {
        SogdLearner.requireSquare(config.input(), config.output());
        return new LeastSquaresLearner<>(config, TransitionOperator::asKoopman);
    }

    /** A learner of a transition operator between two spaces, e.g. from (state, action) to the next state. */
    public static LeastSquaresLearner<TransitionOperator> transition(LeastSquaresConfig config) {
        return new LeastSquaresLearner<>(config, operator -> operator);
    }

    /** Goes on from a saved state, bit for bit, with a Koopman operator. */
    public static LeastSquaresLearner<KoopmanOperator> resumeKoopman(LeastSquaresState state) {
        LeastSquaresLearner<KoopmanOperator> learner = koopman(state.config());
        learner.restore(state);
        return learner;
    }

    /** Goes on from a saved state, bit for bit, with a transition operator. */
    public static LeastSquaresLearner<TransitionOperator> resumeTransition(LeastSquaresState state) {
        LeastSquaresLearner<TransitionOperator> learner = transition(state.config());
        learner.restore(state);
        return learner;
    }

    /** The settings. */
    public LeastSquaresConfig config() {
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
        int columns = inputBasis.size();
        int rows = outputBasis.size();
        if (work.length < Math.max(rows, columns) + 1) {
            int capacity = Math.max(rows, columns);
            capacity += (capacity >> 1) + 8;
            alpha = new double[capacity];
            beta = new double[capacity];
            work = new double[capacity];
        }
        double kxx = inputBasis.squaredNorm(x);
        double kyy = outputBasis.squaredNorm(xNext);
        double bSquared = inputBasis.coordinates(x, kxx, beta, scratch);
        double aSquared = outputBasis.coordinates(xNext, kyy, alpha, scratch);
        double novelty = Math.sqrt(Math.max(aSquared * kxx, bSquared * kyy));
        StepOutcome outcome = novelty <= config.epsilon()
                ? StepOutcome.PROJECTED
                : StepOutcome.overBudget(
                        inputBasis.isIndependent(bSquared, kxx, beta, work),
                        outputBasis.isIndependent(aSquared, kyy, alpha, work));
        int newColumns = columns + (outcome.keepsInput() ? 1 : 0);
        int newRows = rows + (outcome.keepsOutput() ? 1 : 0);
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        SogdStep.reserve(outcome, inputBasis, outputBasis, crossStatistics);
        inputStatistics.reserve(newColumns, newColumns);
        // What earlier samples had along a new direction was never recorded: at most ε each, it counts as zero.
        inputStatistics.resize(newColumns, newColumns);
        crossStatistics.resize(newRows, newColumns);
        if (outcome.keepsInput()) {
            beta[columns] = Math.sqrt(bSquared);
            inputBasis.append(samples + 1, x, beta, beta[columns]);
        }
        if (outcome.keepsOutput()) {
            alpha[rows] = Math.sqrt(aSquared);
            outputBasis.append(samples + 1, xNext, alpha, alpha[rows]);
        }
        if (outcome == StepOutcome.DEPENDENT) {
            dependents++;
        }
        inputStatistics.rankOne(config.forgetting(), 1.0, beta, beta);
        crossStatistics.rankOne(config.forgetting(), 1.0, alpha, beta);
        weight = Math.fma(config.forgetting(), weight, 1.0);
        samples++;
        solved = null;
        return outcome;
    }

    /** The minimiser for the statistics so far; solved once and kept until the next sample. O(m³). */
    @Override
    public O snapshot() {
        if (solved == null) {
            solved = view.apply(new TransitionOperator(inputBasis.copy(), outputBasis.copy(), solve(), samples));
        }
        return solved;
    }

    /** M with M (S/n + λ) = T/n. */
    private Matrix solve() {
        return RidgeRegression.solve(inputStatistics, crossStatistics, weight, config.lambda());
    }

    /** S, T and n all shrink, so their ratios and with them M stay as they are until the next sample. O(m²). */
    @Override
    public void discount(double factor) {
        Discountable.requireFactor(factor);
        // Below that the statistics would lose digits to underflow; they count for nothing against one sample anyway.
        if (weight * factor > SMALLEST_WEIGHT) {
            inputStatistics.scale(factor);
            crossStatistics.scale(factor);
            weight *= factor;
            solved = null;
        }
    }

    @Override
    public long samples() {
        return samples;
    }

    @Override
    public int dictionarySize() {
        return Math.max(inputBasis.size(), outputBasis.size());
    }

    /** Samples over the threshold of which nothing was new enough to keep, see {@link StepOutcome#DEPENDENT}. */
    public long dependents() {
        return dependents;
    }

    @Override
    public void reset() {
        inputBasis = new NewtonBasis(config.input());
        outputBasis = new NewtonBasis(config.output());
        inputStatistics = new Matrix(0, 0);
        crossStatistics = new Matrix(0, 0);
        weight = 0;
        samples = 0;
        dependents = 0;
        solved = null;
    }

    @Override
    public LeastSquaresLearner<O> copy() {
        LeastSquaresLearner<O> copy = new LeastSquaresLearner<>(config, view);
        copy.restore(state());
        return copy;
    }

    /** Everything needed to go on, as an immutable value. */
    public LeastSquaresState state() {
        return new LeastSquaresState(
                config,
                new KeptSamples(samples, dependents, inputBasis.copy(), outputBasis.copy()),
                weight,
                inputStatistics.copy(),
                crossStatistics.copy());
    }

    /**
     * Adds what others learned on the same dictionary, as {@link LeastSquaresState#merged} does with this learner's state first.
     * Refused parts leave this learner as it was.
     *
     * @throws IncompatibleStatesException if settings other than ε or dictionaries differ
     */
    public void merge(List<LeastSquaresState> others) {
        List<LeastSquaresState> parts = new ArrayList<>(others.size() + 1);
        parts.add(state());
        parts.addAll(others);
        restore(LeastSquaresState.merged(parts));
    }

    private void restore(LeastSquaresState state) {
        KeptSamples kept = state.kept();
        inputBasis = kept.inputBasis().copy();
        outputBasis = kept.outputBasis().copy();
        samples = kept.samples();
        dependents = kept.dependents();
        weight = state.weight();
        inputStatistics = state.inputStatistics().copy();
        crossStatistics = state.crossStatistics().copy();
        solved = null;
    }
}
