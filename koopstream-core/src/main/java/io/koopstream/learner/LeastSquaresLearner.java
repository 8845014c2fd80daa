package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Rotations;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.Pruning;
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
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d); a snapshot after new samples O(m³). Memory:
 * {@link LeastSquaresConfig#bytes}.
 *
 * @param <O> the type of the learned operator
 */
public final class LeastSquaresLearner<O extends TransitionOperator> implements StorableLearner<O>, Discountable {

    private static final double SMALLEST_WEIGHT = 1e-100;

    private final LeastSquaresConfig config;
    private final Function<TransitionOperator, O> view;
    private final SampleCoordinates sample = new SampleCoordinates();
    /** Null when every sample is learned for itself. */
    private final LeastSquaresBlock block;

    private PendingSamples pending;
    private CappedDictionary dictionary;
    private Matrix inputStatistics;
    private Matrix crossStatistics;
    /** Σ of the weights of all samples; equals their number when nothing is forgotten. */
    private double weight;
    /** Bounds the norm of what removals and refusals have left out of S and of T. */
    private double loss;

    private long samples;
    private O solved;
    /** What was removed since somebody last asked; null when nobody does. */
    private List<Removal> removals;

    /** A change of coordinates that took a point out. */
    record Removal(boolean input, Rotations rotations) {}

    private LeastSquaresLearner(LeastSquaresConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
        this.block = config.blockSize() == BlockSize.ONE ? null : new LeastSquaresBlock(new Products());
        DictionaryCap.requireRoom(config.maxDictionary(), config.input(), config.output(), config.matrices());
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
            StepOutcome outcome = learn(samples + 1, x, xNext);
            samples++;
            return outcome;
        }
        pending.add(x, xNext);
        samples++;
        solved = null;
        return samples % config.blockSize() == 0 ? learnPending() : StepOutcome.PENDING;
    }

    private StepOutcome learn(long number, double[] x, double[] xNext) {
        sample.measure(dictionary.inputs(), dictionary.outputs(), x, xNext);
        StepOutcome outcome = dictionary.decide(novelty() > config.epsilon(), sample);
        if (dictionary.mustMakeRoom()) {
            makeRoom();
            sample.measure(dictionary.inputs(), dictionary.outputs(), x, xNext);
            outcome = dictionary.decide(true, sample);
        }
        int columns = dictionary.inputs().size();
        int rows = dictionary.outputs().size();
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        reserve(outcome);
        dictionary.keep(outcome, sample, number, x, xNext);
        growStatistics();
        double[] alpha = sample.alpha();
        double[] beta = sample.beta();
        beta[columns] = Math.sqrt(sample.bSquared());
        alpha[rows] = Math.sqrt(sample.aSquared());
        inputStatistics.rankOne(config.forgetting(), 1.0, beta, beta);
        crossStatistics.rankOne(config.forgetting(), 1.0, alpha, beta);
        weigh();
        return outcome;
    }

    private double novelty() {
        return Math.sqrt(Math.max(sample.aSquared() * sample.kxx(), sample.bSquared() * sample.kyy()));
    }

    private void reserve(StepOutcome outcome) {
        SogdStep.reserve(outcome, dictionary, crossStatistics);
        int columns = dictionary.inputs().size() + (outcome.keepsInput() ? 1 : 0);
        inputStatistics.reserve(columns, columns);
    }

    /** What earlier samples had along a new direction was never recorded: at most ε each, it counts as zero. */
    private void growStatistics() {
        int columns = dictionary.inputs().size();
        inputStatistics.resize(columns, columns);
        crossStatistics.resize(dictionary.outputs().size(), columns);
    }

    private void weigh() {
        weight = Math.fma(config.forgetting(), weight, 1.0);
        loss = config.forgetting() * loss + lossOfRefusal();
        solved = null;
    }

    /** Learns all samples that wait; returns what became of the last. */
    private StepOutcome learnPending() {
        StepOutcome outcome = StepOutcome.PENDING;
        while (!pending.isEmpty()) {
            outcome = learnBlock();
        }
        return outcome;
    }

    /** Learns the waiting samples up to an exchange of points, which changes all coordinates: that sample is learned for itself. */
    private StepOutcome learnBlock() {
        long learned = samples - pending.size();
        Points x = pending.inputs();
        Points y = pending.outputs();
        block.measure(dictionary, x, y);
        StepOutcome outcome = StepOutcome.PENDING;
        int done = 0;
        try {
            for (int t = 0; t < x.size(); t++) {
                outcome = learnOne(learned + 1 + t, t, x, y);
                if (outcome == StepOutcome.PENDING) {
                    break;
                }
                done = t + 1;
            }
        } finally {
            // Also when memory ran out: what was decided is brought to its end, the rest goes on waiting.
            growStatistics();
            if (done > 0) {
                block.apply(inputStatistics, crossStatistics, config.forgetting(), done);
                pending.removeFirst(done);
            }
        }
        if (outcome == StepOutcome.PENDING) {
            outcome = learn(learned + done + 1, x.get(0), y.get(0));
            pending.removeFirst(1);
        }
        return outcome;
    }

    /** Decides on sample t of the block; {@link StepOutcome#PENDING} if it has to be learned for itself. */
    private StepOutcome learnOne(long number, int t, Points x, Points y) {
        sample.take(block.inputs(), block.outputs(), t);
        StepOutcome outcome = dictionary.decide(novelty() > config.epsilon(), sample);
        if (dictionary.mustMakeRoom()) {
            return StepOutcome.PENDING;
        }
        reserve(outcome);
        if (outcome.keepsInput() || outcome.keepsOutput()) {
            block.extend(outcome, config, x, y, t);
            dictionary.keep(outcome, sample, number, x.get(t), y.get(t));
        } else {
            dictionary.keep(outcome, sample, number, null, null);
        }
        weigh();
        return outcome;
    }

    /** Takes out the points whose places the sample needs: S and T become what they would be had those never been kept. */
    private void makeRoom() {
        double lost = 0;
        if (dictionary.losesInput()) {
            Rotations rotations = dictionary.removeInput();
            note(true, rotations);
            lost = CappedDictionary.dropColumn(crossStatistics, rotations);
            double across = CappedDictionary.dropColumn(inputStatistics, rotations);
            double down = CappedDictionary.dropRow(inputStatistics, rotations);
            // Rotated from both sides, it is symmetric only up to rounding.
            inputStatistics.mirrorLower();
            lost = Math.max(lost, Math.hypot(across, down));
        }
        if (dictionary.losesOutput()) {
            Rotations rotations = dictionary.removeOutput();
            note(false, rotations);
            lost += CappedDictionary.dropRow(crossStatistics, rotations);
        }
        loss += lost;
    }

    private void note(boolean input, Rotations rotations) {
        if (removals != null) {
            removals.add(new Removal(input, rotations));
        }
    }

    /** The removals since this was last asked, in order; from now on they are noted. For those who keep statistics of their own. */
    List<Removal> takeRemovals() {
        List<Removal> taken = removals == null ? List.of() : removals;
        if (removals == null || !removals.isEmpty()) {
            removals = new ArrayList<>();
        }
        return taken;
    }

    /** Whether no sample waits for its block. */
    boolean isSettled() {
        return pending.isEmpty();
    }

    /** The norm of what a sample with a side left outside does not add, to S or to T, whichever is more. */
    private double lossOfRefusal() {
        if (!dictionary.refusesInput() && !dictionary.refusesOutput()) {
            return 0;
        }
        double input = sample.kxx();
        double output = sample.kyy();
        double seenInput = dictionary.refusesInput() ? input - sample.bSquared() : input;
        double seenOutput = dictionary.refusesOutput() ? output - sample.aSquared() : output;
        double squared = Math.max(input * input - seenInput * seenInput, input * output - seenInput * seenOutput);
        return Math.sqrt(Math.max(0.0, squared));
    }

    /**
     * The minimiser for the statistics so far; solved once and kept until the next sample. Samples that wait for their block are learned on a
     * copy. O(m³).
     */
    @Override
    public O snapshot() {
        if (solved == null && !pending.isEmpty()) {
            solved = settledCopy().snapshot();
        }
        if (solved == null) {
            solved = view.apply(new TransitionOperator(
                    dictionary.inputs().copy(),
                    dictionary.outputs().copy(),
                    solve(),
                    samples,
                    pruning(counters(), weight)));
        }
        return solved;
    }

    /** What the cap has cost the mean covariances. */
    static Pruning pruning(Counters counters, double weight) {
        return new Pruning(counters.removals(), counters.refusals(), weight > 0 ? counters.loss() / weight : 0);
    }

    /** A copy with the waiting samples learned; it has noted what it removed. */
    LeastSquaresLearner<O> settledCopy() {
        LeastSquaresLearner<O> copy = copy();
        copy.takeRemovals();
        copy.learnPending();
        return copy;
    }

    /** M with M (S/n + λ) = T/n. */
    private Matrix solve() {
        return RidgeRegression.solve(inputStatistics, crossStatistics, weight, config.lambda());
    }

    /** S, T and n all shrink, so their ratios and with them M stay as they are until the next sample. O(m²). */
    @Override
    public void discount(double factor) {
        Discountable.requireFactor(factor);
        // A discount is for all that came before it.
        learnPending();
        // Below that the statistics would lose digits to underflow; they count for nothing against one sample anyway.
        if (weight * factor > SMALLEST_WEIGHT) {
            inputStatistics.scale(factor);
            crossStatistics.scale(factor);
            weight *= factor;
            loss *= factor;
            solved = null;
        }
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

    /** What was counted so far; samples that wait for their block count as samples only. */
    public Counters counters() {
        return dictionary.counters(samples, loss);
    }

    @Override
    public void reset() {
        dictionary = new CappedDictionary(
                config.maxDictionary(), new NewtonBasis(config.input()), new NewtonBasis(config.output()));
        pending = new PendingSamples(config.input(), config.output());
        inputStatistics = new Matrix(0, 0);
        crossStatistics = new Matrix(0, 0);
        weight = 0;
        loss = 0;
        samples = 0;
        solved = null;
    }

    @Override
    public LeastSquaresLearner<O> copy() {
        LeastSquaresLearner<O> copy = new LeastSquaresLearner<>(config, view);
        copy.restore(state());
        return copy;
    }

    /** Everything needed to go on, as an immutable value. */
    @Override
    public LeastSquaresState state() {
        return new LeastSquaresState(
                config,
                dictionary.kept(samples, loss),
                pending.copy(),
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
        dictionary = new CappedDictionary(config.maxDictionary(), state.kept());
        samples = state.samples();
        loss = state.counters().loss();
        pending = state.pending().copy();
        weight = state.weight();
        inputStatistics = state.inputStatistics().copy();
        crossStatistics = state.crossStatistics().copy();
        solved = null;
    }
}
