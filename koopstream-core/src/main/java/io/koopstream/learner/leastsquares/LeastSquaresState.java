package io.koopstream.learner.leastsquares;

import static io.koopstream.InvalidStateException.require;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.DictionaryCap;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.LearnerState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.operator.TransitionOperator.Pruning;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The whole state of a {@link LeastSquaresLearner}: settings, counters, the factored dictionary (two of them with two spaces), the additive
 * statistics and the pairs held out. A learner resumed from it continues bit for bit, and every answer for any λ can be read from it. Immutable.
 */
public final class LeastSquaresState extends LearnerState {

    private static final String FIRST = "first_x";

    private final LeastSquaresConfig config;
    /** All pairs of the stream, as long as they are few. */
    private final PendingSamples first;

    private final LeastSquaresSums sums;
    private final HoldOut holdOut;
    private volatile LeastSquaresState settled;
    private volatile RidgeFamily family;
    private volatile LambdaChoice choice;
    private volatile LambdaChoice forecastChoice;

    /** Takes over its arguments, which come from a learner's own copies. */
    LeastSquaresState(
            LeastSquaresConfig config,
            KeptSamples kept,
            PendingSamples pending,
            PendingSamples first,
            LeastSquaresSums sums,
            HoldOut holdOut) {
        super(kept, pending);
        this.config = config;
        this.first = first;
        this.sums = sums;
        this.holdOut = holdOut;
    }

    /** A state in which no sample waits and no first pairs are remembered. */
    LeastSquaresState(LeastSquaresConfig config, KeptSamples kept, LeastSquaresSums sums, HoldOut holdOut) {
        this(config, kept, PendingSamples.none(kept), PendingSamples.none(kept), sums, holdOut);
    }

    @Override
    public void save(StateSink sink) {
        super.save(sink);
        sums.save(sink);
        first.save(sink, FIRST);
        if (config.holdOut().isOn()) {
            holdOut.save(sink, input().dimension(), output().dimension(), config.targets());
        }
    }

    /**
     * Reads what {@link #save} wrote, all checked.
     *
     * @throws InvalidStateException naming the part at fault
     */
    public static LeastSquaresState read(LeastSquaresConfig config, StateSource source) {
        KeptSamples kept =
                KeptSamples.read(source, config.input(), config.output(), config.isOneSpace(), config.maxDictionary());
        PendingSamples pending = readPending(source);
        long samples = kept.counters().samples();
        LeastSquaresSums sums = LeastSquaresSums.read(
                source,
                config.isOneSpace(),
                kept.inputBasis().size(),
                kept.outputBasis().size(),
                config.targets(),
                kept.counters().loss());
        requirePossible(sums, samples, config.blockSize());
        PendingSamples first = PendingSamples.read(source, FIRST);
        first.requirePossible(config.input(), config.output(), Math.min(samples, config.firstPairs()), FIRST);
        require(
                first.isEmpty() || first.size() == samples,
                "samples",
                first.size() + " first pairs of " + samples + " samples are remembered: must be all or none");
        HoldOut holdOut = config.holdOut().isOn()
                ? HoldOut.read(source, config.holdOut(), config.input(), config.output())
                : HoldOut.NOTHING;
        LeastSquaresState state = new LeastSquaresState(config, kept, pending, first, sums, holdOut);
        state.requirePending(samples % config.blockSize());
        return state;
    }

    private static void requirePossible(LeastSquaresSums sums, long samples, int blockSize) {
        double weight = sums.weight();
        require(
                weight >= 0 && weight <= samples * (1 + 1e-9) && (weight > 0 || samples < blockSize),
                "weight",
                weight + " for " + samples + " samples");
        Matrix input = sums.input();
        for (int j = 0; j < input.columns(); j++) {
            for (int i = 0; i < j; i++) {
                if (input.get(i, j) != input.get(j, i)) {
                    throw new InvalidStateException("S", "is not symmetric at (" + i + ", " + j + ")");
                }
            }
            require(input.get(j, j) >= 0, "S", "diagonal entry " + j + " is negative");
        }
        for (int c = 0; c < sums.squares().rows(); c++) {
            double square = sums.squares().get(c, 0);
            require(square >= 0, "squares", square + " must be a number >= 0");
        }
    }

    /**
     * The sum of states that share their dictionaries, point for point and bit for bit: what one learner with that dictionary would
     * hold after all their samples, up to the rounding of another order of addition. Statistics, weights and counters are added in the
     * order given, ((s_0 + s_1) + s_2) + …; settings and sample numbers are those of the first. Parts that forget are taken as
     * streams that ran at the same time. O(p m²) for p parts.
     *
     * @throws IncompatibleStatesException if there is no state, or settings other than λ and ε or dictionaries differ
     */
    public static LeastSquaresState merged(List<LeastSquaresState> parts) {
        return merged(parts.iterator());
    }

    /** Merges parts that are taken one by one, so that no more than two of them have to be in memory. */
    public static LeastSquaresState merged(Iterator<LeastSquaresState> parts) {
        return StatisticsMerge.of(parts);
    }

    /**
     * This dictionary with nothing learned on it and ε such that nothing is ever kept: where the parts of a distributed pass
     * begin, so that their statistics can be {@linkplain #merged merged}.
     */
    public LeastSquaresState dictionaryOnly() {
        return dictionaryOnly(config.holdOut());
    }

    /** This dictionary with other pairs held out. */
    public LeastSquaresState dictionaryOnly(HoldOutConfig heldOut) {
        return emptied(config.fixedDictionary().toBuilder().holdOut(heldOut).build());
    }

    /** These settings and this dictionary with nothing learned. */
    public LeastSquaresState emptied() {
        return emptied(config);
    }

    /** These settings and this dictionary without a limit: where the parts of a stream begin that agree on a dictionary that grows, and on its limit. */
    public LeastSquaresState emptiedToGrow() {
        return emptied(config.toBuilder().maxDictionary(DictionaryCap.NONE).build());
    }

    private LeastSquaresState emptied(LeastSquaresConfig with) {
        NewtonBasis inputs = settled().inputBasis().inherited();
        NewtonBasis outputs =
                config.isOneSpace() ? inputs : settled().outputBasis().inherited();
        KeptSamples fresh = new KeptSamples(Counters.of(0, 0), inputs, outputs);
        return new LeastSquaresState(
                with,
                fresh,
                new LeastSquaresSums(config.isOneSpace(), inputs.size(), outputs.size(), config.targets()),
                HoldOut.NOTHING);
    }

    /**
     * This state with a delta of all its parts, which have agreed on the dictionary of this state: it holds the sum of theirs, and its dictionary grows to at most
     * {@code maxDictionary} by those of their proposals, in order, that it misses by more than ε. A delta about more points than those of this state is refused.
     */
    public LeastSquaresState plus(StatisticsDelta delta, int maxDictionary) {
        return StatisticsMerge.added(this, delta, maxDictionary);
    }

    /** Number of leading points the dictionaries of two states share. */
    public int commonWith(LeastSquaresState other) {
        return inputBasis().commonWith(other.inputBasis());
    }

    /** This state's statistics on the dictionary of another state, as far as that sees it; later points count as zero for the past. O(m³). */
    public LeastSquaresState on(LeastSquaresState other) {
        NewtonBasis basis = other.settled().inputBasis();
        return StatisticsMerge.moved(this, basis, settled().inputBasis().commonWith(basis));
    }

    /**
     * The sum of states with the same settings whose dictionaries may differ: on the first one's, grown by the points of the others, in order, that it
     * misses by more than ε, to at most {@code maxDictionary}. Statistics follow the change of the basis; of a sample at most ε is lost. Where all
     * dictionaries are equal this is {@link #merged}.
     *
     * @throws IncompatibleStatesException if there is no state, or settings differ
     */
    public static LeastSquaresState united(List<LeastSquaresState> parts, int maxDictionary) {
        return parts.isEmpty() ? merged(parts) : StatisticsMerge.united(parts, maxDictionary);
    }

    @Override
    public LeastSquaresState settled() {
        if (pending().isEmpty() && first.isEmpty()) {
            return this;
        }
        LeastSquaresState known = settled;
        if (known == null) {
            known = LeastSquaresLearner.settled(this);
            // Settled once is settled: counting again gives the same bits.
            known.settled = known;
            settled = known;
        }
        return known;
    }

    /** {@inheritDoc} First pairs are counted again only where samples wait for their block. */
    @Override
    public TransitionOperator predictor() {
        return (pending().isEmpty() ? this : settled()).solved(config.givenLambda());
    }

    /** The first pairs of the stream, as long as they are remembered, for reading. */
    public PendingSamples first() {
        return first;
    }

    /** This state with its ridge fixed and nothing held out any more: after {@link LeastSquaresLearner#learnHeldOut}. */
    public LeastSquaresState withLambda(double lambda) {
        LeastSquaresConfig fixed =
                config.toBuilder().lambda(lambda).holdOut(HoldOutConfig.NONE).build();
        return new LeastSquaresState(fixed, kept(), pending(), first, sums, HoldOut.NOTHING);
    }

    @Override
    public LeastSquaresConfig config() {
        return config;
    }

    LeastSquaresSums sums() {
        return sums;
    }

    /** Total weight of the samples; their number when nothing is forgotten. */
    public double weight() {
        return sums.weight();
    }

    /** S = Σ β(x) β(x)ᵀ, for reading. */
    public Matrix inputStatistics() {
        return sums.input();
    }

    /** S/n as rows, copied. */
    public double[][] meanCovariance() {
        Matrix mean = sums.input().copy();
        mean.scale(1 / (weight() > 0 ? weight() : 1));
        return mean.toRows();
    }

    /** T = Σ β(x⁺) β(x)ᵀ, for reading. */
    public Matrix crossStatistics() {
        return sums.cross();
    }

    /** Vᵀ = Σ β(x) (x⁺ − x, 1)ᵀ, m × (d + 1), for reading. */
    public Matrix incrementStatistics() {
        return sums.increments();
    }

    /** Σ (x⁺ − x)² of each coordinate, copied. */
    public double[] squaredIncrements() {
        return Arrays.copyOf(sums.squares().column(0), sums.squares().rows());
    }

    @Override
    public long pairs() {
        return config.holdOut().isOn() ? holdOut.seen() : samples();
    }

    /**
     * The regression of the increment for the sums as they are, m × (d + 1) like {@link RidgeFamily#increments}: samples that wait are not counted,
     * and neither are the first ones again. O(m³/3), much less than a whole family.
     */
    public Matrix increments(double lambda) {
        return RidgeRegression.solve(sums.input(), sums.increments().transposed(), weight(), lambda)
                .transposed();
    }

    /** The held-out pairs. */
    public HoldOut holdOut() {
        return holdOut;
    }

    /** The answers for all λ; found on first use, O(m³), and kept. Samples that wait for their block are learned on a copy. */
    public RidgeFamily family() {
        RidgeFamily known = family;
        if (known == null) {
            LeastSquaresState all = settled();
            known = all == this ? new RidgeFamily(sums) : all.family();
            family = known;
        }
        return known;
    }

    /** The λ for each kind of question, chosen on the held-out pairs on first use and kept. */
    public LambdaChoice choice() {
        LambdaChoice known = choice;
        if (known == null) {
            LeastSquaresState all = settled();
            known = all == this ? new LambdaChoice(this, true) : all.choice();
            choice = known;
        }
        return known;
    }

    /** The part of {@link #choice()} that is about forecasts alone, for much less. */
    public LambdaChoice forecastChoice() {
        LambdaChoice known = choice != null ? choice : forecastChoice;
        if (known == null) {
            known = new LambdaChoice(settled(), false);
            forecastChoice = known;
        }
        return known;
    }

    /** The minimiser with the ridge that the settings fix, or that {@link #choice()} finds for spectra. O(m³). */
    @Override
    public TransitionOperator operator() {
        return operator(spectrumLambda());
    }

    /** The minimiser for these statistics with any ridge. O(m³). */
    public TransitionOperator operator(double lambda) {
        LeastSquaresConfig.requireLambda(lambda);
        return settled().solved(lambda);
    }

    private TransitionOperator solved(double lambda) {
        Matrix matrix = RidgeRegression.solve(inputStatistics(), crossStatistics(), weight(), lambda);
        double left = weight() > 0 ? counters().loss() / weight() : 0;
        // (U − U')(C' + λ) = (T − T')/n − U (S − S')/n, and the norm of (C' + λ)⁻¹ is at most 1/λ.
        double bound = left == 0 ? 0 : left * (1 + matrix.frobeniusNorm()) / lambda;
        return operator(matrix, new Pruning(counters().removals(), counters().refusals(), bound));
    }

    @Override
    public TransitionOperator forecastOperator() {
        return operator(forecastLambda());
    }

    /**
     * The ridge for forecasts by powers of the operator: fixed by the settings, or the smaller of the two that were chosen, because what a ridge
     * takes off in one step it takes off in every step.
     */
    public double forecastLambda() {
        return config.lambda().orElseGet(() -> Math.min(choice().forecast(), choice().spectrum()));
    }

    /**
     * The minimiser of a limited rank, see {@link RidgeFamily}. O(m³).
     *
     * @param rank from 1 to the number of kept points
     * @param by what the rank keeps
     */
    public TransitionOperator operator(double lambda, int rank, RidgeFamily.By by) {
        LeastSquaresConfig.requireLambda(lambda);
        LeastSquaresState all = settled();
        Pruning pruning = all.solved(lambda).pruning();
        return all.operator(family().operator(lambda, rank, by), pruning).ofRank(rank);
    }

    /** The rank that held-out pairs choose for {@link #operator(double, int, RidgeFamily.By)} by prediction; all with too few of them. */
    public int chosenRank(double lambda) {
        LeastSquaresConfig.requireLambda(lambda);
        return LambdaChoice.rank(settled(), lambda);
    }

    /** The ridge for spectra: fixed by the settings, or chosen. */
    public double spectrumLambda() {
        return config.lambda().orElseGet(() -> choice().spectrum());
    }

    private TransitionOperator operator(Matrix matrix, Pruning pruning) {
        return new TransitionOperator(inputBasis(), outputBasis(), matrix, samples(), pruning);
    }

    @Override
    public LeastSquaresLearner<KoopmanOperator> resumeKoopman() {
        return LeastSquaresLearner.koopman(config).restored(this);
    }

    @Override
    public LeastSquaresLearner<TransitionOperator> resumeTransition() {
        return LeastSquaresLearner.transition(config).restored(this);
    }
}
