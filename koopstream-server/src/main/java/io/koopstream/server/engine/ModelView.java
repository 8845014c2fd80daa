package io.koopstream.server.engine;

import io.koopstream.answers.HeavyWork;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.NotReadyException;
import io.koopstream.answers.Phase;
import io.koopstream.answers.Regularisation;
import io.koopstream.answers.StreamFacts;
import io.koopstream.io.StateLabels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.DelayVectors;
import io.koopstream.rows.Preparation;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.stream.LearningStream;
import java.util.List;
import java.util.Optional;

/** A model as it was at one moment: facts about its stream, and what it has learned, to which questions are put. Immutable: any number of threads may ask while learning goes on. */
public final class ModelView {

    /**
     * A stream.
     *
     * @param name empty for the one without a name
     * @param next the number expected next; -1 when its items have none
     */
    public record StreamInfo(String name, long next) {}

    private final ModelSettings settings;
    private final long version;
    private final long received;
    private final List<StreamInfo> streams;
    private final StreamFacts facts;
    private final ScoreBoard.Facts scores;
    private final int dimension;
    private final StateLabels labels;
    /** Null before the first pair was learned. */
    private final LearnedModel learned;

    private final double[][] recent;
    private final ResponseCache answers = new ResponseCache();

    /**
     * The view of a stream as it is now.
     *
     * @param version pairs that came
     * @param received items that came
     * @param scores null where rows are not scored
     * @param recent the newest states; taken over
     */
    ModelView(
            ModelSettings settings,
            HeavyWork heavy,
            LearningStream stream,
            long version,
            long received,
            List<StreamInfo> streams,
            ScoreBoard.Facts scores,
            double[][] recent) {
        this.settings = settings;
        this.version = version;
        this.received = received;
        this.streams = streams;
        this.facts = StreamFacts.of(stream);
        this.scores = scores;
        this.recent = recent;
        this.dimension = stream.dimension();
        double interval = stream.trajectories() == null
                ? Double.NaN
                : stream.trajectories().interval();
        this.labels =
                settings.labels(stream.delays(), stream.stride(), stream.preparation(), interval, stream.maxGap());
        LearnerState state = stream.learner().map(Learner::state).orElse(null);
        this.learned = state == null || state.samples() == 0
                ? null
                : new LearnedModel(
                        state,
                        labels,
                        () -> Optional.of(facts),
                        settings.deterministic() ? TrustRule.deterministic() : TrustRule.stochastic(),
                        heavy);
    }

    /** Items that made a pair when they came, learned, held out or waiting for settings: it never falls, and grows with everything that changes the model. */
    public long version() {
        return version;
    }

    /** Items accepted and applied: pairs, or states. */
    public long received() {
        return received;
    }

    /** Facts about the stream. */
    public StreamFacts facts() {
        return facts;
    }

    /** What has been learned; empty before the first pair was learned. */
    public Optional<LearnedModel> ifLearned() {
        return Optional.ofNullable(learned);
    }

    /**
     * What has been learned.
     *
     * @throws NotReadyException before the first pair was learned
     */
    public LearnedModel learned() {
        if (learned == null) {
            throw new NotReadyException(
                    facts.phase() == Phase.WARMING
                            ? "nothing is learned yet: " + facts.warmUp().waiting() + " of "
                                    + facts.warmUp().awaited()
                                    + " observations needed to choose settings have arrived; send more"
                            : "nothing is learned yet: " + version
                                    + " pairs received; send more samples, then ask again");
        }
        return learned;
    }

    /** Pairs learned. */
    public long samples() {
        return learned == null ? 0 : learned.state().samples();
    }

    /** Number of samples kept in the dictionary; those that wait for their block are not among them yet. */
    public int dictionarySize() {
        return learned == null ? 0 : learned.state().dictionarySize();
    }

    /** Coordinates of an observation; 0 before it is known. */
    public int dimension() {
        return dimension;
    }

    /** Coordinates of a state of the model, delays included; 0 before they are known. */
    public int stateDimension() {
        return dimension == 0 ? 0 : DelayVectors.dimension(preparation().dimension(dimension), labels.delays());
    }

    /** The changes that observations undergo before they are learned, a calendar that was chosen included. */
    public Preparation preparation() {
        return labels.preparation();
    }

    /** What the coordinates are called. */
    public StateLabels labels() {
        return labels;
    }

    /** Names of the coordinates of an observation; those that were given before more is known. */
    public List<String> names() {
        return dimension == 0 ? settings.names() : labels.observed(stateDimension());
    }

    /** What was asked for. */
    public ModelSettings settings() {
        return settings;
    }

    /** How unusual the newest rows were; empty where rows are not scored. */
    public Optional<ScoreBoard.Facts> scores() {
        return Optional.ofNullable(scores);
    }

    /** The streams, in the order in which they came. */
    public List<StreamInfo> streams() {
        return streams;
    }

    /** The newest states as they were sent, oldest first, copied. */
    public double[][] recentStates() {
        double[][] rows = new double[recent.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = recent[i].clone();
        }
        return rows;
    }

    /** The learner's state, with samples that may wait for their block; empty before the first pair was learned. */
    public Optional<LearnerState> state() {
        return ifLearned().map(LearnedModel::state);
    }

    /** The operator as it serves spectra; empty before the first pair was learned. */
    public Optional<KoopmanOperator> operator() {
        return ifLearned().map(model -> model.forSpectra(Regularisation.USUAL).operator());
    }

    /** Answers that were given about it. */
    public ResponseCache answers() {
        return answers;
    }
}
