package io.koopstream.flink;

import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.flink.state.Wire;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.io.StreamFile;
import io.koopstream.io.TimeAxis;
import io.koopstream.learner.LearnerState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Outcome;
import io.koopstream.rows.Preparation;
import io.koopstream.score.Scorer;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.LearningStreamState;
import io.koopstream.stream.StreamConfig;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * Everything one key owns: its {@link LearningStream}, the names of its coordinates, and which unreadable records it knows of. What it was is
 * restored bit for bit from what {@link ModelSerializer} wrote.
 *
 * <p>Young it costs bytes: as long as there are few records, they are all that is stored, and the stream is made of them when it is needed
 * (see {@link #sleep}). It is a function of its records, so nobody can tell.
 *
 * <p>It works without Flink too: a plain loop over {@link #accept} is the reference that a job must equal.
 *
 * <p>Mutable, one writer. In a job: ask the state for it on every record, never keep the reference, and give it back with
 * {@code update}; see docs/flink.md for what happens otherwise.
 */
@TypeInfo(ModelTypeInfo.Factory.class)
public final class KoopmanModel {

    private static final int MAX_NAMES = 1 << 20;

    /** Null while it sleeps. */
    private LearningStream stream;

    private Losses losses;
    private List<String> names;
    /** All records so far; null once they are too many. */
    private YoungRecords young;
    /** The settings that were last compared with this model's; not part of what is stored. */
    private LearnSettings following;

    private KoopmanModel() {}

    /** The model that a key starts with. */
    public static KoopmanModel start(LearnSettings settings) {
        KoopmanModel model = new KoopmanModel();
        model.young = YoungRecords.NONE;
        model.following = settings;
        return model;
    }

    /** The stream; made of the records again where it sleeps. */
    private LearningStream awake() {
        if (stream == null) {
            if (following == null) {
                throw new IllegalStateException("a young model of stored state needs settings: call follow first");
            }
            stream = following.newStream();
            losses = new Losses();
            names = following.names();
            young.forEach(this::take);
        }
        return stream;
    }

    /** The settings it follows; null for one of stored state that was not told yet. */
    LearnSettings following() {
        return following;
    }

    /** Whether it holds no more than its few records. */
    boolean isAsleep() {
        return stream == null;
    }

    /**
     * Lets go of whatever can be made of the records again, where those are few. Harmless whenever it comes, also on an object that the state has
     * replaced by a copy: what is stored does not change.
     */
    void sleep() {
        if (young != null) {
            stream = null;
            losses = null;
        }
    }

    /** A model of one coordinate that has learned nothing. */
    static KoopmanModel empty() {
        StreamConfig settings = StreamConfig.parse(Map.of("kernel", "gaussian(1)"));
        return start(LearnSettings.of(settings, 1).build());
    }

    /**
     * Makes sure that this model goes on as a job's settings say. How it learns and how states are made of observations must be what the model has:
     * that cannot be changed in the middle, and where the settings are for {@linkplain LearnSettings#newKeysOnly new keys only} it goes on with its own.
     * {@link LearnSettings#CHANGEABLE} words are taken over; where the search for drift is turned on or off, the watch starts anew, and where scores are
     * turned on, so does what they are ranked among.
     *
     * @throws IncompatibleStateException naming both settings
     */
    public void follow(LearnSettings settings) {
        if (settings == following) {
            return;
        }
        if (young != null && following == null) {
            // One that is stored as its records knows no settings but the job's, which were compared when it started.
            following = settings;
            return;
        }
        String mine = young != null ? following.lasting() : LearnSettings.lasting(stream);
        boolean same = LearnSettings.areSame(mine, settings.lasting());
        if (!same && !settings.newKeysOnly()) {
            throw IncompatibleStateException.otherSettings(mine, settings.lasting());
        }
        if (young != null) {
            sleep();
        } else if (same && !stream.settings().equals(settings.stream())) {
            LearningStreamState state = stream.state();
            stream = resumed(with(settings.stream(), state, state.learner()));
        }
        following = settings;
    }

    /** Goes on with another state of its learner, such as the same on a dictionary that was agreed on. */
    void learnOn(LearnerState learner) {
        LearningStreamState state = awake().state();
        stream = resumed(with(state.settings(), state, learner));
        young = null;
    }

    private static LearningStreamState with(StreamConfig settings, LearningStreamState state, LearnerState learner) {
        boolean sameWatch = settings.drift() == state.settings().drift();
        return new LearningStreamState(
                settings,
                state.dimension(),
                state.delays(),
                state.stride(),
                state.counts(),
                state.preparation(),
                state.maxGap(),
                state.trajectories(),
                state.missing(),
                state.waiting(),
                state.nextChoice(),
                state.explained(),
                state.warnings(),
                sameWatch ? state.watch() : settings.newWatch(),
                learner,
                scorer(settings, state),
                state.record());
    }

    /** No output of a job tells how good forecasts have been, so none is judged. */
    private static LearningStream resumed(LearningStreamState state) {
        return LearningStream.resume(state).withoutRecord();
    }

    private static Scorer scorer(StreamConfig settings, LearningStreamState state) {
        if (state.learner() == null || !settings.scores()) {
            return null;
        }
        int observed = state.preparation().dimension(state.dimension());
        return state.scorer() != null ? state.scorer() : new Scorer(observed, settings.alarmRate());
    }

    /**
     * What became of a record.
     *
     * @param learned the pair that was learned, if there was one
     * @param rejected why the record was not learned from, or began its trajectory anew
     * @param forgotten a trajectory that was given up for it because too many were open
     * @param drift changes of the dynamics that were noticed with it
     * @param scores how unusual it was, where that is asked for; with the record that ends the warm-up, of all that waited for it
     */
    public record Step(
            Optional<Learned> learned,
            Optional<RejectedSample> rejected,
            Optional<RejectedSample> forgotten,
            List<DriftNotice> drift,
            List<ScoreRecord> scores) {}

    /**
     * Takes the next record of a key. Whatever is wrong with the record is in the answer, and the learner is then as it was.
     *
     * @param key the key, for the answer
     * @param predictions whether the answer says what was predicted; what is learned does not depend on it
     */
    public Step accept(String key, SampleEvent event, boolean predictions) {
        return accept(key, event, predictions, null);
    }

    /** The same with predictions from another operator; null for the model's own. */
    Step accept(String key, SampleEvent event, boolean predictions, KoopmanOperator predictor) {
        Optional<RejectedSample> unstorable = RejectedSample.unstorable(key, event);
        if (unstorable.isPresent()) {
            return new Step(Optional.empty(), unstorable, Optional.empty(), List.of(), List.of());
        }
        long changes = awake().watch().changes();
        // What waits for settings is gone through again once they are chosen.
        long before = stream.isWarmingUp() ? 0 : stream.trajectories().forgotten();
        List<ScoreRecord> scores = listen(key);
        Outcome outcome = take(event);
        young = young == null ? null : young.and(event);
        boolean learned = outcome.kind() == Outcome.Kind.LEARNED || outcome.kind() == Outcome.Kind.HELD_OUT;
        return new Step(
                learned ? Optional.of(learned(key, event, outcome, predictions, predictor)) : Optional.empty(),
                RejectedSample.of(key, event, outcome),
                forgotten(key, event, before),
                notices(key, changes),
                scores);
    }

    /** The scores that will be given from now on; nobody is told those of young records when a stream is made of them again. */
    private List<ScoreRecord> listen(String key) {
        if (!stream.settings().scores()) {
            return List.of();
        }
        List<ScoreRecord> told = new ArrayList<>();
        stream.listen((observation, score) -> {
            if (score != null) {
                told.add(ScoreRecord.of(key, observation, score, stream.preparation()));
            }
        });
        return told;
    }

    private Outcome take(SampleEvent event) {
        losses.tell(event, stream::lost);
        return stream.accept(event.observation());
    }

    private Optional<RejectedSample> forgotten(String key, SampleEvent event, long before) {
        long count = stream.isWarmingUp() ? 0 : stream.trajectories().forgotten() - before;
        return count == 0
                ? Optional.empty()
                : Optional.of(RejectedSample.forgotten(
                        key,
                        event,
                        stream.trajectories().lastGivenUp(),
                        count,
                        stream.settings().openTrajectories()));
    }

    private Learned learned(
            String key, SampleEvent event, Outcome outcome, boolean predictions, KoopmanOperator predictor) {
        Learned learned = new Learned();
        learned.key = key;
        learned.trajectory = event.trajectory == null ? "" : event.trajectory;
        learned.step = event.step;
        learned.time = event.time;
        learned.version = version();
        learned.dictionary = dictionarySize();
        learned.error = Double.NaN;
        KoopmanOperator operator =
                predictor != null ? predictor : stream.watch().operator().orElseThrow();
        if (predictions && operator.dictionarySize() > 0) {
            learned.predictedBy = operator.samples();
            learned.prediction = operator.predict(outcome.from());
            learned.error = operator.predictionError(outcome.from(), outcome.to());
        }
        return learned;
    }

    /** The changes of the dynamics after a number of earlier ones. */
    private List<DriftNotice> notices(String key, long earlier) {
        return stream.watch().eventsAfter(earlier).stream()
                .map(event -> DriftNotice.of(key, event, names))
                .toList();
    }

    /** A record was left out before it came here: nothing pairs across it, where neither step nor time would show that. */
    void leftOut(SampleEvent event) {
        if (!event.isPair() && Double.isNaN(event.step) && Double.isNaN(event.time)) {
            awake().interrupt(event.trajectory == null ? "" : event.trajectory);
            young = null;
        }
    }

    /**
     * Chooses settings from what waits for them, if that did not happen yet.
     *
     * @return what was noticed in it
     * @throws io.koopstream.KoopstreamException if nothing can be told from it
     */
    Step endWarmUp(String key) {
        long changes = awake().watch().changes();
        List<ScoreRecord> scores = listen(key);
        if (stream.isWarmingUp()) {
            stream.endWarmUp();
            young = null;
        }
        return new Step(Optional.empty(), Optional.empty(), Optional.empty(), notices(key, changes), scores);
    }

    /** Where the stream stands, as an immutable value; {@link StreamFile} writes it. */
    public LearningStreamState stream() {
        return awake().state();
    }

    /** Whether the key's settings are still to be chosen, so that there is nothing to publish. */
    public boolean isWarmingUp() {
        return awake().isWarmingUp();
    }

    /** How many pairs were taken, learned or held out: never falls, over restarts and rescaling. */
    public long version() {
        return awake().pairs();
    }

    /** Kept samples. */
    public int dictionarySize() {
        return awake().learner().map(learner -> learner.dictionarySize()).orElse(0);
    }

    /**
     * About how many bytes it takes on the heap; {@code ModelWeightTest} compares. Seven matrices with the room that they grow into, of the learner and of the
     * operator that predicts; the rows of a block in the coordinates of the kept points, four times; rows that are remembered, as first pairs and to choose
     * λ, of which there are about 2,400 at most; and what does not grow.
     */
    long weight() {
        if (isAsleep()) {
            return 256L + young.size();
        }
        long m = dictionarySize();
        long coordinates = Math.max(1, stream.dimension()) * (stream.delays() + 1L);
        return 20_000 + 55 * m * m + 2400 * m + 3 * Math.min(version(), 2400) * (16 + 8 * coordinates);
    }

    /** The running one-step error; NaN before the first pair. */
    double error() {
        return awake().watch().curve().error();
    }

    /** The learner's state, as an immutable value; there is none while the key {@linkplain #isWarmingUp() warms up}. */
    public LearnerState state() {
        return awake().learner().orElseThrow().state();
    }

    /** The model as it is stored in a model file. */
    public StoredModel stored() {
        Preparation preparation = awake().preparation();
        TimeAxis time = preparation.hasCalendar()
                ? new TimeAxis(stream.trajectories().interval(), stream.maxGap(), "")
                : TimeAxis.NONE;
        return new StoredModel(state(), new StateLabels(names, stream.delays(), stream.stride(), preparation, time));
    }

    /** An independent model in the same state. */
    public KoopmanModel copy() {
        KoopmanModel copy = new KoopmanModel();
        copy.following = following;
        copy.young = young;
        if (young == null) {
            copy.stream = resumed(stream.state());
            copy.names = names;
            copy.losses = losses.copy();
        }
        return copy;
    }

    /** Since format 4: the records of a young one; or the stream, the names of the coordinates, the losses. */
    void writeTo(DataOutput target) throws IOException {
        target.writeBoolean(young != null);
        if (young != null) {
            young.writeTo(target);
            return;
        }
        StreamFile.write(target, stream.state());
        target.writeInt(names.size());
        for (String name : names) {
            Wire.writeText(target, name);
        }
        losses.writeTo(target);
    }

    static KoopmanModel readFrom(DataInput source) throws IOException {
        KoopmanModel model = new KoopmanModel();
        if (source.readBoolean()) {
            model.young = YoungRecords.readFrom(source);
            return model;
        }
        model.stream = resumed(StreamFile.read(source));
        List<String> names = new ArrayList<>();
        for (int i = Wire.readCount(source, "names", 0, MAX_NAMES); i > 0; i--) {
            names.add(Wire.readText(source));
        }
        model.names = List.copyOf(names);
        model.losses = Losses.readFrom(source);
        return model;
    }
}
