package io.koopstream.cli.learn;

import io.koopstream.answers.HeavyWork;
import io.koopstream.answers.LearnedModel;
import io.koopstream.answers.StreamFacts;
import io.koopstream.change.LearningCurve;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.io.ModelFile;
import io.koopstream.io.ModelFormatException;
import io.koopstream.io.Reading;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.io.TimeAxis;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Projection;
import io.koopstream.spectrum.TrustRule;
import io.koopstream.stream.LearningStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A stream under way as a command sees it: how far to trust what it has learned, and how it is saved. */
public final class Training {

    private final LearningStream stream;
    private final List<String> names;
    private final String timeStyle;
    private final Reading reading;
    /** Null where the columns themselves are learned. */
    private final Projection projection;
    /** The ridge that was chosen before the held-out pairs were learned too; NaN before that. */
    private double lambda = Double.NaN;

    /** Observations without times. */
    public Training(LearningStream stream, List<String> names) {
        this(stream, names, "", Reading.NONE, null);
    }

    /**
     * @param names of the coordinates of an observation; empty when they have none
     * @param timeStyle how times are written; empty when there are none
     * @param reading the options that reading the data took
     * @param projection of the rows to what is learned; null where that is their columns
     */
    Training(LearningStream stream, List<String> names, String timeStyle, Reading reading, Projection projection) {
        this.reading = reading;
        this.projection = projection;
        this.stream = stream;
        this.names = names;
        this.timeStyle = timeStyle;
    }

    LearningStream stream() {
        return stream;
    }

    Projection projection() {
        return projection;
    }

    /** How learning went. */
    public LearningCurve curve() {
        return stream.watch().curve();
    }

    StateLabels labels() {
        double found = stream.trajectories().interval();
        return new StateLabels(
                names,
                stream.delays(),
                stream.stride(),
                stream.preparation(),
                new TimeAxis(Double.isNaN(found) ? stream.settings().interval() : found, stream.maxGap(), timeStyle),
                reading);
    }

    /** Names of the state's coordinates. */
    List<String> names() {
        return labels().coordinates(learner().input().dimension());
    }

    private Learner<KoopmanOperator> learner() {
        return stream.learner().orElseThrow(() -> new IllegalStateException("settings are not chosen yet"));
    }

    private Optional<LeastSquaresLearner<KoopmanOperator>> leastSquares() {
        return stream.learner()
                .map(learner -> learner instanceof LeastSquaresLearner<KoopmanOperator> squares ? squares : null);
    }

    /**
     * Writes what was learned, and replaces the file if it exists. Nothing waits in the model; beside it stands the state of the stream, from which
     * learning can be resumed.
     */
    public void save(Path file) {
        StoredModel model = Double.isNaN(lambda)
                ? StoredModel.of(stream.state(), state(), labels())
                : new StoredModel(state(), labels());
        ModelFile.write(file, model.projectedBy(projection));
    }

    /**
     * Reads a file that {@link #save} wrote, as whoever asks it or resumes from it will.
     *
     * @return whether there was memory enough to do so
     * @throws CommandFailure if the file holds another model
     */
    boolean readBack(Path file) {
        try {
            StoredModel read = ModelFile.load(file);
            String digest = read.state().digest();
            read.stream();
            if (!digest.equals(state().digest())) {
                throw CommandFailure.file(file + ": does not hold what was learned; save it on another disk");
            }
            return true;
        } catch (ModelFormatException e) {
            // Writing has refused what is too large for any reader.
            if (e.reason() == ModelFormatException.Reason.TOO_LARGE) {
                return false;
            }
            throw e;
        } catch (OutOfMemoryError e) {
            // The copy is free again, and the file is as it was.
            return false;
        }
    }

    /** What was learned so far, nothing waiting. */
    public LearnerState state() {
        LearnerState settled = learner().state().settled();
        return settled instanceof LeastSquaresState learned && !Double.isNaN(lambda)
                ? learned.withLambda(lambda)
                : settled;
    }

    /** Learns what was held out, at the end of the data; the ridge that it chose stays. */
    void useAll() {
        leastSquares().filter(learner -> learner.holdOut().size() > 0).ifPresent(learner -> {
            lambda = learner.state().spectrumLambda();
            learner.learnHeldOut();
        });
    }

    /** How many pairs were held out so far. */
    long heldOut() {
        return leastSquares().map(learner -> learner.holdOut().offered()).orElse(0L);
    }

    /** What was learned so far, to which questions are put. */
    LearnedModel learned(TrustRule rule) {
        StreamFacts facts = StreamFacts.of(stream);
        return new LearnedModel(state(), labels(), () -> Optional.of(facts), rule, new HeavyWork(Integer.MAX_VALUE));
    }

    /** The operator learned so far. */
    public KoopmanOperator snapshot() {
        return learner().snapshot();
    }

    /** Pairs that came, those held out among them. */
    public long samples() {
        return stream.pairs();
    }

    /** How many states the dictionary keeps; 0 before settings are chosen. */
    public int dictionarySize() {
        return stream.learner().map(Learner::dictionarySize).orElse(0);
    }
}
