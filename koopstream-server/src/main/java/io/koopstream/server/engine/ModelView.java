package io.koopstream.server.engine;

import io.koopstream.InvalidQueryException;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.DelayEmbedding;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LearningCurve;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.EigenvalueSpread;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.spectrum.TrustReport;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.tuning.ChosenSettings.Explained;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A model as it was at one moment. Immutable: any number of threads may ask while learning goes on. What is costly is computed when first asked
 * for, once, and shared by all who ask.
 */
public final class ModelView {

    /** Fewer pairs kept aside say nothing about trust. */
    private static final int FEWEST_HELD_OUT = 48;

    /** Spectra are computed for so many eigenpairs at least, so that readers who ask for different numbers share one. */
    private static final int FEWEST_EIGENPAIRS = 8;

    /**
     * A stream.
     *
     * @param name empty for the one without a name
     * @param next the number expected next; -1 when its items have none
     */
    public record StreamInfo(String name, long next) {}

    /** What is known without computing. */
    record Facts(
            long version,
            long received,
            long unlearnable,
            int dimension,
            Phase phase,
            List<Explained> explained,
            List<String> warnings,
            double oneStepError,
            List<LearningCurve.Reading> curve,
            List<DriftEvent> driftEvents,
            long heldOut,
            List<StreamInfo> streams) {}

    private final ModelSettings settings;
    private final HeavyWork heavy;
    private final Facts facts;
    private final LearnerState state;
    private final double[][] recent;
    private final double[][] heldOutInputs;
    private final double[][] heldOutOutputs;
    private final HeavyWork.Once<LearnerState> settled;
    private final HeavyWork.Once<KoopmanOperator> operator;
    private final Map<Integer, HeavyWork.Once<Spectrum>> spectra = new ConcurrentHashMap<>();
    private final Map<Integer, HeavyWork.Once<TrustReport>> reports = new ConcurrentHashMap<>();

    /** Takes over its arguments. */
    ModelView(
            ModelSettings settings,
            HeavyWork heavy,
            Facts facts,
            LearnerState state,
            double[][] recent,
            double[][] heldOutInputs,
            double[][] heldOutOutputs) {
        this.settings = settings;
        this.heavy = heavy;
        this.facts = facts;
        this.state = state;
        this.recent = recent;
        this.heldOutInputs = heldOutInputs;
        this.heldOutOutputs = heldOutOutputs;
        this.settled = heavy.new Once<>(() -> state.settled());
        this.operator = heavy.new Once<>(() -> state.resumeKoopman().snapshot());
    }

    /** Pairs seen, learned or kept aside or waiting for settings: it never falls, and grows with everything that changes the model. */
    public long version() {
        return facts.version();
    }

    /** Items accepted and applied: pairs, or states. */
    public long received() {
        return facts.received();
    }

    /** Items that were accepted but could not be learned from, e.g. outside the domain of the kernel that was chosen later. */
    public long unlearnable() {
        return facts.unlearnable();
    }

    /** How far it has come. */
    public Phase phase() {
        return facts.phase();
    }

    /** Pairs learned. */
    public long samples() {
        return state == null ? 0 : state.samples();
    }

    /** How many samples are kept in the dictionary; those that wait for their block are not among them yet. */
    public int dictionarySize() {
        return state == null
                ? 0
                : Math.max(state.inputBasis().size(), state.outputBasis().size());
    }

    /** Coordinates of an observation; 0 before it is known. */
    public int dimension() {
        return facts.dimension();
    }

    /** Coordinates of a state of the model, delays included; 0 before they are known. */
    public int stateDimension() {
        return facts.dimension() == 0 ? 0 : DelayEmbedding.dimension(facts.dimension(), settings.delays());
    }

    /** What the coordinates are called. */
    public StateLabels labels() {
        return settings.labels();
    }

    /** What was asked for. */
    public ModelSettings settings() {
        return settings;
    }

    /** What is set, to what, and why; empty while settings are not chosen. */
    public List<Explained> explained() {
        return facts.explained();
    }

    /** What the settings do not promise, in words. */
    public List<String> warnings() {
        return facts.warnings();
    }

    /** Running mean of the error of predicting pairs before they are learned; NaN before there is one. */
    public double oneStepError() {
        return facts.oneStepError();
    }

    /** The error and the dictionary along the stream. */
    public List<LearningCurve.Reading> curve() {
        return facts.curve();
    }

    /** The newest changes of the dynamics that were noticed, oldest first; sample numbers count pairs. */
    public List<DriftEvent> driftEvents() {
        return facts.driftEvents();
    }

    /** How many pairs were kept aside. */
    public long heldOut() {
        return facts.heldOut();
    }

    /** The streams, in the order in which they came. */
    public List<StreamInfo> streams() {
        return facts.streams();
    }

    /** The newest states as they were sent, oldest first, copied. */
    public double[][] recentStates() {
        double[][] rows = new double[recent.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = recent[i].clone();
        }
        return rows;
    }

    private boolean isLearned() {
        return state != null && state.samples() > 0;
    }

    /** The learner's state, with samples that may wait for their block; empty before the first pair was learned. */
    public Optional<LearnerState> state() {
        return isLearned() ? Optional.of(state) : Optional.empty();
    }

    /**
     * The model as a file would hold it, nothing waiting.
     *
     * @throws InvalidQueryException before the first pair was learned
     */
    public StoredModel model() {
        requireLearned();
        return new StoredModel(settled.get(), settings.labels());
    }

    /** The operator; empty before the first pair was learned. */
    public Optional<KoopmanOperator> operator() {
        return isLearned() ? Optional.of(operator.get()) : Optional.empty();
    }

    private KoopmanOperator requireLearned() {
        if (!isLearned()) {
            throw new InvalidQueryException(
                    facts.phase() == Phase.WARMING
                            ? "nothing is learned yet: " + facts.version() + " of " + settings.warmUp()
                                    + " pairs from which settings are chosen have come; send more"
                            : "nothing is learned yet; send samples first");
        }
        return operator.get();
    }

    /**
     * The leading eigenpairs: at least this many, or all there are.
     *
     * @param k how many, >= 1
     * @throws InvalidQueryException before the first pair was learned
     */
    public Spectrum spectrum(int k) {
        KoopmanOperator learned = requireLearned();
        if (k < 1) {
            throw new InvalidQueryException("k = " + k + ": must be at least 1");
        }
        int count = Math.min(shared(k), learned.inputBasis().size());
        if (count == 0) {
            throw new InvalidQueryException("nothing was kept yet: no eigenpairs; send more samples");
        }
        return spectra.computeIfAbsent(count, n -> heavy.new Once<>(() -> Spectrum.leading(learned, n)))
                .get();
    }

    /** The next power of two. */
    private static int shared(int k) {
        return k <= FEWEST_EIGENPAIRS ? FEWEST_EIGENPAIRS : Integer.highestOneBit(Math.min(k, 1 << 29) - 1) << 1;
    }

    /** How far the eigenpairs of {@link #spectrum} can be trusted, in the same order; empty while too few pairs were kept aside. */
    public Optional<TrustReport> trust(int k) {
        Spectrum judged = spectrum(k);
        if (heldOutInputs.length < FEWEST_HELD_OUT) {
            return Optional.empty();
        }
        TrustRule rule = settings.deterministic() ? TrustRule.deterministic() : TrustRule.stochastic();
        return Optional.of(reports.computeIfAbsent(judged.size(), n -> heavy.new Once<>(() -> judge(judged, rule)))
                .get());
    }

    private TrustReport judge(Spectrum judged, TrustRule rule) {
        if (state instanceof LeastSquaresState learned) {
            EigenvalueSpread spread = EigenvalueSpread.fromHeldOut(
                    judged, heldOutInputs, heldOutOutputs, learned.config().lambda(), learned.samples());
            return TrustReport.of(judged, spread, heldOutInputs, heldOutOutputs, rule);
        }
        // The statistics of Algorithm 1 do not add up, so nothing is known about its spread.
        return TrustReport.of(judged, heldOutInputs, heldOutOutputs, rule);
    }

    /** Computes something costly about this view, when there is room for it beside what others compute. */
    public <T> T compute(java.util.function.Supplier<T> answer) {
        return heavy.compute(answer);
    }
}
