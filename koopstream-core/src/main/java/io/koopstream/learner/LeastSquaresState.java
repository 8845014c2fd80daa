package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import java.util.List;

/**
 * The whole state of a {@link LeastSquaresLearner}: settings, counters, both factored dictionaries and the additive statistics.
 * Going on from it is going on, bit for bit. Immutable.
 */
public final class LeastSquaresState extends LearnerState {

    private final LeastSquaresConfig config;
    private final double weight;
    private final Matrix inputStatistics;
    private final Matrix crossStatistics;

    /** Takes over its arguments, which come from a learner's own copies. */
    LeastSquaresState(
            LeastSquaresConfig config,
            KeptSamples kept,
            PendingSamples pending,
            double weight,
            Matrix inputStatistics,
            Matrix crossStatistics) {
        super(kept, pending);
        this.config = config;
        this.weight = weight;
        this.inputStatistics = inputStatistics;
        this.crossStatistics = crossStatistics;
    }

    /**
     * A state from stored parts, all checked.
     *
     * @param config the settings
     * @param counters what was counted
     * @param inputs the kept inputs
     * @param outputs the kept outputs
     * @param weight total weight of the samples
     * @param inputStatistics S
     * @param crossStatistics T
     * @throws InvalidStateException naming the part at fault
     */
    public static LeastSquaresState restore(
            LeastSquaresConfig config,
            Counters counters,
            StoredSide inputs,
            StoredSide outputs,
            double weight,
            Matrix inputStatistics,
            Matrix crossStatistics) {
        KeptSamples kept =
                KeptSamples.restore(config.input(), config.output(), config.maxDictionary(), counters, inputs, outputs);
        long samples = counters.samples();
        int rows = kept.outputBasis().size();
        int columns = kept.inputBasis().size();
        KeptSamples.require(
                weight >= 0 && weight <= samples * (1 + 1e-9) && (weight > 0 || samples < config.blockSize()),
                "weight",
                weight + " for " + samples + " samples");
        KeptSamples.requireFinite(inputStatistics, columns, columns, "S");
        KeptSamples.requireFinite(crossStatistics, rows, columns, "T");
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < j; i++) {
                if (inputStatistics.get(i, j) != inputStatistics.get(j, i)) {
                    throw new InvalidStateException("S", "is not symmetric at (" + i + ", " + j + ")");
                }
            }
            KeptSamples.require(inputStatistics.get(j, j) >= 0, "S", "diagonal entry " + j + " is negative");
        }
        return new LeastSquaresState(config, kept, nonePending(kept), weight, inputStatistics, crossStatistics);
    }

    /**
     * The sum of states that share both dictionaries, point for point and bit for bit: what one learner with that dictionary would
     * hold after all their samples, up to the rounding of another order of addition. S, T, weights and counters are added in the
     * order given, ((s_0 + s_1) + s_2) + …; settings and sample numbers are those of the first. Parts that forget are taken as
     * streams that ran at the same time. O(p m²) for p parts.
     *
     * @throws IncompatibleStatesException if there is no state, or settings other than ε or dictionaries differ
     */
    public static LeastSquaresState merged(List<LeastSquaresState> parts) {
        return StatisticsMerge.of(parts);
    }

    /**
     * The same dictionary with nothing learned on it and ε such that nothing is ever kept: where the parts of a distributed pass
     * begin, so that their statistics can be {@linkplain #merged merged}.
     */
    public LeastSquaresState dictionaryOnly() {
        NewtonBasis inputs = settled().inputBasis().inherited();
        NewtonBasis outputs = settled().outputBasis().inherited();
        KeptSamples fresh = new KeptSamples(Counters.of(0, 0), inputs, outputs);
        return new LeastSquaresState(
                config.fixedDictionary(),
                fresh,
                nonePending(fresh),
                0,
                new Matrix(inputs.size(), inputs.size()),
                new Matrix(outputs.size(), inputs.size()));
    }

    @Override
    public LeastSquaresState withPending(Points inputs, Points outputs) {
        return new LeastSquaresState(
                config,
                kept(),
                requirePending(inputs, outputs, samples() % config.blockSize()),
                weight,
                inputStatistics,
                crossStatistics);
    }

    @Override
    public LeastSquaresState settled() {
        return pending().isEmpty()
                ? this
                : LeastSquaresLearner.resumeTransition(this).settledCopy().state();
    }

    /** The settings. */
    public LeastSquaresConfig config() {
        return config;
    }

    /** Total weight of the samples; their number when nothing is forgotten. */
    public double weight() {
        return weight;
    }

    /** S = Σ β βᵀ, for reading. */
    public Matrix inputStatistics() {
        return inputStatistics;
    }

    /** T = Σ α βᵀ, for reading. */
    public Matrix crossStatistics() {
        return crossStatistics;
    }

    /** The minimiser for these statistics with another ridge: what the learner would have found with it. O(m³). */
    public TransitionOperator operator(double lambda) {
        InvalidConfigException.requirePositive("lambda", lambda, "regularisation of R_λ; try 1e-5");
        Matrix matrix = RidgeRegression.solve(inputStatistics, crossStatistics, weight, lambda);
        return new TransitionOperator(
                inputBasis(), outputBasis(), matrix, samples(), LeastSquaresLearner.pruning(counters(), weight));
    }

    @Override
    public String digest() {
        StateDigest digest = new StateDigest().add(config.canonicalText());
        kept().digest(digest);
        digest.add(weight).add(inputStatistics).add(crossStatistics);
        pending().digest(digest);
        return digest.finish();
    }

    @Override
    public LeastSquaresLearner<KoopmanOperator> resumeKoopman() {
        return LeastSquaresLearner.resumeKoopman(this);
    }

    @Override
    public LeastSquaresLearner<TransitionOperator> resumeTransition() {
        return LeastSquaresLearner.resumeTransition(this);
    }
}
