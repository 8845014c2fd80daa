package io.koopstream.learner;

import io.koopstream.dictionary.Dictionary;
import io.koopstream.dictionary.Dictionary.Verdict;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Rkhs;
import io.koopstream.linalg.Products;
import io.koopstream.linalg.Rotations;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Online least squares on an adaptive dictionary: statistics that add up ({@link LeastSquaresSums}), from which the minimiser of the
 * regularised risk R_λ over operators on the kept points, M = (T/n)(S/n + λ)⁻¹, is read for any λ when somebody asks. No step size, no
 * fluctuation, and the order of the samples matters only through which of them are kept.
 *
 * <p>In the Koopman case states x and x⁺ share one dictionary, so every state of a trajectory is measured once: a pair whose x is the x⁺ of the
 * pair before goes on from there. With two spaces, e.g. from (state, action) to the next state, each has its own. A state is kept when the
 * dictionary misses more than ε of it and it is numerically new. What earlier samples had along a new direction counts as zero, but for the first
 * {@link LeastSquaresConfig#firstPairs()} pairs, which are remembered and counted again: a short stream is learned as exactly as in two passes.
 *
 * <p>This goes beyond the paper: Algorithm 1 descends towards the same minimiser one gradient at a time.
 *
 * <p>One writer, see {@link Learner}. A sample costs O(m² + m d): a kernel row, m² flops for the coordinates, m² for S, 2m² for T. A snapshot
 * after new samples costs O(m³). Memory: {@link LeastSquaresConfig#bytes}.
 *
 * @param <O> the type of the learned operator
 */
public final class LeastSquaresLearner<O extends TransitionOperator> implements StorableLearner<O>, Discountable {

    private static final int RECOUNT_BLOCK = 64;

    private final LeastSquaresConfig config;
    private final Function<TransitionOperator, O> view;
    private final boolean oneSpace;
    private final LeastSquaresBlock block;

    private final HoldOut.Store holdOut;
    private PendingSamples pending;
    /** All pairs of the stream, as long as they are few; then none. */
    private PendingSamples first;
    /** The kept inputs; in the Koopman case all kept states. */
    private Dictionary inputs;
    /** The kept outputs; in the Koopman case the same object. */
    private Dictionary outputs;

    private LeastSquaresSums sums;
    private StateCoordinates from = new StateCoordinates();
    private StateCoordinates to = new StateCoordinates();

    private long samples;
    private long dependents;
    private long removed;
    private long refusals;
    private O solved;
    /** What was removed since somebody last asked; null when nobody does. */
    private List<Removal> removals;

    /** A change of coordinates that took a point out. */
    record Removal(boolean input, Rotations rotations) {}

    private LeastSquaresLearner(LeastSquaresConfig config, Function<TransitionOperator, O> view) {
        this.config = config;
        this.view = view;
        this.oneSpace = config.isOneSpace();
        this.block = new LeastSquaresBlock(new Products(), oneSpace);
        this.holdOut = new HoldOut.Store(config.holdOut());
        DictionaryCap.requireRoom(config.maxDictionary(), config.matrices(), config.numbersPerPoint());
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
     * <p>{@link StepOutcome#HELD_OUT} for a pair that is kept aside. With blocks, {@link StepOutcome#PENDING} for all but the last sample of a
     * block, which is told what became of itself.
     */
    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        if (holdOut.takes(x, xNext)) {
            solved = null;
            return StepOutcome.HELD_OUT;
        }
        return accept(x, xNext);
    }

    private StepOutcome accept(double[] x, double[] xNext) {
        if (forgetsFirstNext()) {
            // They were all counted with all points; from now on the sums go on alone.
            recount();
            first = new PendingSamples(config.input(), config.output());
        }
        boolean remembers = samples < config.firstPairs() && first.size() == samples;
        if (remembers) {
            first.reserve(1);
        }
        StepOutcome outcome = StepOutcome.PENDING;
        if (config.blockSize() == BlockSize.ONE) {
            outcome = learn(samples + 1, x, xNext);
            samples++;
        } else {
            pending.add(x, xNext);
            samples++;
            solved = null;
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

    /**
     * Counts all pairs of the stream again, as long as they are remembered, with the dictionary as it is now: what they have along points that
     * were kept after them is in the sums then.
     */
    private void recount() {
        if (first.isEmpty()) {
            return;
        }
        LeastSquaresSums again = emptySums();
        count(again, 0, first.size());
        again.lose(sums.loss());
        sums = again;
        solved = null;
    }

    private LeastSquaresSums emptySums() {
        return new LeastSquaresSums(oneSpace, inputs.size(), outputs.size(), config.targets());
    }

    /** Adds first pairs from one to before another, with the dictionary as it is now. */
    private void count(LeastSquaresSums into, int begin, int end) {
        for (int from = begin; from < end; from += RECOUNT_BLOCK) {
            PendingSamples part = first.range(from, Math.min(end, from + RECOUNT_BLOCK));
            block.measure(inputs, outputs, part);
            block.addTo(into, config.forgetting(), part.size());
        }
    }

    /** Whether all pairs of the stream are remembered. */
    boolean remembersAll() {
        return !first.isEmpty();
    }

    /** Whether the first pairs are counted for good, and forgotten, before the next pair is learned. */
    boolean forgetsFirstNext() {
        return samples == config.firstPairs() && !first.isEmpty();
    }

    /** The sums after so many of the first pairs, in ascending order, with the dictionary as it is now. */
    List<LeastSquaresSums> sumsAfter(long... ends) {
        List<LeastSquaresSums> result = new ArrayList<>(ends.length);
        LeastSquaresSums running = emptySums();
        int counted = 0;
        for (long end : ends) {
            count(running, counted, (int) end);
            counted = (int) end;
            result.add(running.copy());
        }
        return result;
    }

    private StepOutcome learn(long number, double[] x, double[] xNext) {
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        reserve(oneSpace ? 2 : 1);
        StateCoordinates first = from;
        if (oneSpace && to.holds(x, inputs)) {
            // The state that the sample before led to: measured already.
            first = to;
            to = from;
            from = first;
        } else {
            first.measure(inputs, x);
        }
        Verdict input = admit(true, first, number, x);
        to.measure(outputs, xNext);
        long before = removed;
        Verdict output = admit(false, to, number, xNext);
        boolean leftOut = input == Verdict.REFUSE;
        if (removed > before && oneSpace) {
            // The exchange has turned all coordinates, and x itself may have made room.
            first.measure(inputs, x);
            leftOut |= first.isNovel(Math.max(config.epsilon(), Math.sqrt(NewtonBasis.FLOOR)));
        }
        double[] beta = first.padded(inputs.size());
        double[] alpha = to.padded(outputs.size());
        sums.grow(inputs.size(), outputs.size());
        sums.add(config.forgetting(), beta, alpha, x, xNext);
        lose(first, leftOut, to, output == Verdict.REFUSE);
        refuse(input, output);
        return outcome(input, output);
    }

    private void reserve(int more) {
        inputs.reserve(more);
        outputs.reserve(more);
        sums.reserve(inputs.size() + more, outputs.size() + more);
        from.reserve(inputs.size() + more);
        to.reserve(outputs.size() + more);
        solved = null;
    }

    /**
     * Keeps a state that was measured if it deserves it; null when it is not novel, {@link Verdict#EXCHANGE} when it was kept in the place of
     * another.
     */
    private Verdict admit(boolean input, StateCoordinates state, long number, double[] point) {
        if (!state.isNovel(config.epsilon())) {
            return null;
        }
        Dictionary dictionary = input ? inputs : outputs;
        Verdict verdict = state.judge(dictionary);
        if (verdict == Verdict.EXCHANGE) {
            exchange(input, dictionary);
            state.measure(dictionary, point);
            if (state.judge(dictionary) != Verdict.KEEP) {
                return Verdict.DEPENDENT;
            }
        }
        if (verdict == Verdict.KEEP || verdict == Verdict.EXCHANGE) {
            state.keep(dictionary, number, point);
        }
        return verdict;
    }

    /** Takes out the point whose place is needed: the sums become what they would be had it never been kept. */
    private void exchange(boolean input, Dictionary dictionary) {
        Rotations rotations = dictionary.exchange();
        sums.grow(inputs.size() + (input || oneSpace ? 1 : 0), outputs.size() + (!input || oneSpace ? 1 : 0));
        sums.follow(input || oneSpace, rotations);
        removed++;
        if (removals != null) {
            removals.add(new Removal(input || oneSpace, rotations));
        }
    }

    private static boolean isKept(Verdict verdict) {
        return verdict == Verdict.KEEP || verdict == Verdict.EXCHANGE;
    }

    private StepOutcome outcome(Verdict input, Verdict output) {
        if (isKept(input) || isKept(output)) {
            return StepOutcome.overBudget(isKept(input), isKept(output));
        }
        if (input == Verdict.REFUSE || output == Verdict.REFUSE) {
            return StepOutcome.REFUSED;
        }
        if (input == Verdict.DEPENDENT || output == Verdict.DEPENDENT) {
            dependents++;
            return StepOutcome.DEPENDENT;
        }
        return StepOutcome.PROJECTED;
    }

    private void refuse(Verdict input, Verdict output) {
        refusals += (input == Verdict.REFUSE ? 1 : 0) + (output == Verdict.REFUSE ? 1 : 0);
    }

    /** Accounts for the norm of what a sample with a side left out does not add, to S or to T, whichever is more. */
    private void lose(StateCoordinates x, boolean inputLeftOut, StateCoordinates y, boolean outputLeftOut) {
        if (!inputLeftOut && !outputLeftOut) {
            return;
        }
        double seenInput = x.squaredNorm() - (inputLeftOut ? x.missed() : 0);
        double seenOutput = y.squaredNorm() - (outputLeftOut ? y.missed() : 0);
        double squared = Math.max(
                x.squaredNorm() * x.squaredNorm() - seenInput * seenInput,
                x.squaredNorm() * y.squaredNorm() - seenInput * seenOutput);
        sums.lose(Math.sqrt(Math.max(0.0, squared)));
    }

    /** Learns all samples that wait; returns what became of the last. */
    StepOutcome learnPending() {
        StepOutcome outcome = StepOutcome.PENDING;
        while (!pending.isEmpty()) {
            outcome = learnBlock();
        }
        return outcome;
    }

    /** Learns the waiting samples up to an exchange of points, which changes all coordinates: that sample is learned for itself. */
    private StepOutcome learnBlock() {
        long learned = samples - pending.size();
        block.measure(inputs, outputs, pending);
        StepOutcome outcome = StepOutcome.PENDING;
        int done = 0;
        try {
            for (int s = 0; s < block.pairs(); s++) {
                outcome = decide(learned + 1 + s, s);
                if (outcome == StepOutcome.PENDING) {
                    break;
                }
                done = s + 1;
            }
        } finally {
            // Also when memory ran out: what was decided is brought to its end, the rest goes on waiting.
            sums.grow(inputs.size(), outputs.size());
            if (done > 0) {
                block.addTo(sums, config.forgetting(), done);
                pending.removeFirst(done);
            }
        }
        if (outcome == StepOutcome.PENDING) {
            outcome = learn(
                    learned + done + 1,
                    pending.inputs().get(0),
                    pending.outputs().get(0));
            pending.removeFirst(1);
        }
        return outcome;
    }

    /** Decides on pair s of the block; {@link StepOutcome#PENDING} if it has to be learned for itself. */
    private StepOutcome decide(long number, int s) {
        solved = null;
        if (!block.isNovel(s, config.epsilon())) {
            return StepOutcome.PROJECTED;
        }
        reserve(oneSpace ? 2 : 1);
        Verdict input = admit(true, number, s);
        Verdict output = input == Verdict.EXCHANGE ? Verdict.EXCHANGE : admit(false, number, s);
        if (input == Verdict.EXCHANGE || output == Verdict.EXCHANGE) {
            return StepOutcome.PENDING;
        }
        lose(from, input == Verdict.REFUSE, to, output == Verdict.REFUSE);
        refuse(input, output);
        return outcome(input, output);
    }

    private Verdict admit(boolean input, long number, int s) {
        StateCoordinates state = input ? from : to;
        Dictionary dictionary = input ? inputs : outputs;
        block.take(input, s, state);
        if (!state.isNovel(config.epsilon())) {
            return null;
        }
        Verdict verdict = state.judge(dictionary);
        if (verdict == Verdict.KEEP) {
            state.keep(dictionary, number, block.keep(input, s));
        }
        return verdict;
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

    /** The sums so far, for reading; S may be known below the diagonal only. */
    LeastSquaresSums sums() {
        return sums;
    }

    /**
     * The minimiser for the statistics so far with the ridge of {@link LeastSquaresState#operator()}; solved once and kept until the next
     * sample. Samples that wait for their block are learned on a copy. O(m³).
     */
    @Override
    public O snapshot() {
        if (solved == null) {
            solved = view.apply(state().operator());
        }
        return solved;
    }

    /** {@inheritDoc} With a fixed ridge, so that nothing has to be chosen. */
    @Override
    public O predictor() {
        return view.apply(state().predictor());
    }

    /** A copy with the waiting samples learned and the first pairs counted again; it has noted what it removed. */
    LeastSquaresLearner<O> settledCopy() {
        LeastSquaresLearner<O> copy = copy();
        copy.takeRemovals();
        copy.learnPending();
        copy.recount();
        return copy;
    }

    /**
     * Learns the pairs that were held out and are remembered, at the end of a stream. What they say about λ is kept before: see
     * {@link LeastSquaresState#choice()}.
     */
    public void learnHeldOut() {
        HoldOut aside = holdOut.value();
        holdOut.clear();
        double[][] x = aside.inputs();
        double[][] xNext = aside.outputs();
        for (int i = 0; i < x.length; i++) {
            accept(x[i], xNext[i]);
        }
        solved = null;
    }

    /** S, T, V and n all shrink, so all answers stay as they are until the next sample; held-out pairs would judge the new by the old. O(m²). */
    @Override
    public void discount(double factor) {
        Discountable.requireFactor(factor);
        // A discount is for all that came before it.
        learnPending();
        recount();
        first = new PendingSamples(config.input(), config.output());
        sums.scale(factor);
        if (factor < 1) {
            holdOut.clear();
        }
        solved = null;
    }

    @Override
    public long samples() {
        return samples;
    }

    /** {@inheritDoc} Without the samples that wait for their block. */
    @Override
    public int dictionarySize() {
        return Math.max(inputs.size(), outputs.size());
    }

    /** What was counted so far; samples that wait for their block count as samples only. */
    public Counters counters() {
        return new Counters(samples, dependents, removed, refusals, sums.loss());
    }

    /** How many pairs came, learned or held out. */
    public long pairs() {
        return config.holdOut().isOn() ? holdOut.seen() : samples;
    }

    /** What is kept aside so far, as an immutable value. */
    public HoldOut holdOut() {
        return holdOut.value();
    }

    @Override
    public void reset() {
        inputs = new Dictionary(new NewtonBasis(config.input()), config.maxDictionary());
        outputs = oneSpace ? inputs : new Dictionary(new NewtonBasis(config.output()), config.maxDictionary());
        pending = new PendingSamples(config.input(), config.output());
        first = new PendingSamples(config.input(), config.output());
        sums = new LeastSquaresSums(oneSpace, 0, 0, config.targets());
        holdOut.reset();
        samples = 0;
        dependents = 0;
        removed = 0;
        refusals = 0;
        from.forget();
        to.forget();
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
        NewtonBasis input = inputs.basis().copy();
        KeptSamples kept = new KeptSamples(
                counters(), input, oneSpace ? input : outputs.basis().copy());
        return new LeastSquaresState(config, kept, pending.copy(), first.copy(), sums.copy(), holdOut.value());
    }

    /**
     * Adds what others learned on the same dictionary, as {@link LeastSquaresState#merged} does with this learner's state first.
     * Refused parts leave this learner as it was.
     *
     * @throws IncompatibleStatesException if settings other than λ and ε or dictionaries differ
     */
    public void merge(List<LeastSquaresState> others) {
        List<LeastSquaresState> parts = new ArrayList<>(others.size() + 1);
        parts.add(state());
        parts.addAll(others);
        restore(LeastSquaresState.merged(parts));
    }

    private void restore(LeastSquaresState state) {
        reset();
        inputs = new Dictionary(state.inputBasis().copy(), config.maxDictionary());
        outputs = oneSpace ? inputs : new Dictionary(state.outputBasis().copy(), config.maxDictionary());
        Counters counters = state.counters();
        samples = counters.samples();
        dependents = counters.dependents();
        removed = counters.removals();
        refusals = counters.refusals();
        pending = state.pending().copy();
        first = state.first().copy();
        sums = state.sums().copy();
        holdOut.restore(state.holdOut());
    }
}
