package io.koopstream.flink;

import io.koopstream.InvalidSampleException;
import io.koopstream.flink.IncompatibleStateException.Reason;
import io.koopstream.io.CustomSchedules;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.DriftAwareLearner;
import io.koopstream.learner.DriftConfig;
import io.koopstream.learner.DriftDetector;
import io.koopstream.learner.DriftEvent;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.learner.SogdState;
import io.koopstream.learner.StepOutcome;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.KoopmanOperator;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * Everything one key owns: its learner, the open ends of its trajectories, and the watch over its prequential error. Records go in,
 * pairs are predicted and then learned; what it was is restored bit for bit from what {@link ModelSerializer} wrote.
 *
 * <p>It works without Flink too: a plain loop over {@link #accept} is the reference that a job must equal.
 *
 * <p>Mutable, one writer. In a job: ask the state for it on every record, never keep the reference, and give it back with
 * {@code update}; see docs/flink.md for what happens otherwise.
 */
@TypeInfo(ModelTypeInfo.Factory.class)
public final class KoopmanModel {

    private final StorableLearner<KoopmanOperator> learner;
    private final StateLabels labels;
    private Trajectories trajectories;
    /** Pairs that the learner kept aside. */
    private long heldOut;

    /** Null when errors are not watched. */
    private DriftAwareLearner<KoopmanOperator> watched;

    private DriftConfig driftConfig;
    private double discount = 1;
    /** The settings that were last compared with this model's; not part of what is stored. */
    private LearnSettings following;

    private KoopmanModel(StorableLearner<KoopmanOperator> learner, StateLabels labels, Trajectories trajectories) {
        this.learner = learner;
        this.labels = labels;
        this.trajectories = trajectories;
    }

    private static KoopmanModel of(StoredModel stored, Trajectories trajectories) {
        KoopmanModel model = new KoopmanModel(stored.state().resumeKoopman(), stored.labels(), trajectories);
        model.heldOut = heldOut(stored.state());
        return model;
    }

    private static long heldOut(LearnerState state) {
        return state instanceof LeastSquaresState statistics
                ? statistics.holdOut().offered()
                : 0;
    }

    /** The version of a model in this state: the pairs it has taken, learned or kept aside. */
    static long version(LearnerState state) {
        return state.samples() + heldOut(state);
    }

    /** The model that a key starts with. */
    public static KoopmanModel start(LearnSettings settings) {
        KoopmanModel model = of(settings.start(), Trajectories.of(settings));
        model.watchAnew(settings);
        model.following = settings;
        return model;
    }

    /** A model of one coordinate that has learned nothing. */
    static KoopmanModel empty() {
        LeastSquaresConfig config =
                LeastSquaresConfig.forState(1, Kernels.gaussian(1)).build();
        return start(
                LearnSettings.startingFrom(LeastSquaresLearner.koopman(config).state())
                        .build());
    }

    private void watchAnew(LearnSettings settings) {
        driftConfig = settings.drift().orElse(null);
        discount = settings.discount();
        watched = driftConfig == null ? null : new DriftAwareLearner<>(learner, driftConfig, discount);
    }

    /**
     * Makes sure that this model goes on as a job's settings say. The learner's own settings and the delays must be those of the model:
     * they cannot be changed in the middle. Where the watch has other settings it starts anew.
     *
     * @throws IncompatibleStateException naming both settings
     */
    public void follow(LearnSettings settings) {
        if (settings == following) {
            return;
        }
        StoredModel start = settings.start();
        String mine = learner.state().config() + delays(labels);
        String theirs = start.state().config() + delays(start.labels());
        if (!mine.equals(theirs)) {
            throw new IncompatibleStateException(
                    Reason.OTHER_SETTINGS,
                    "the restored model was learned with " + mine + ", the job says " + theirs
                            + ": give the job the settings of the savepoint, or start it without one");
        }
        if (trajectories.most() != settings.openTrajectories()) {
            trajectories = trajectories.withRoomFor(settings.openTrajectories());
        }
        if (!settings.drift().equals(Optional.ofNullable(driftConfig)) || settings.discount() != discount) {
            watchAnew(settings);
        }
        following = settings;
    }

    private static String delays(StateLabels labels) {
        return ", " + labels.delays() + " delays with stride " + labels.stride();
    }

    /**
     * What became of a record.
     *
     * @param learned the pair that was learned, if there was one
     * @param rejected why the record was not learned from, or began its trajectory anew
     * @param drift changes of the dynamics that were noticed with it
     */
    public record Step(Optional<Learned> learned, Optional<RejectedSample> rejected, List<DriftNotice> drift) {

        private static Step rejected(RejectedSample rejected) {
            return new Step(Optional.empty(), Optional.of(rejected), List.of());
        }
    }

    /**
     * Takes the next record of a key: predicts, then learns. Whatever is wrong with the record is in the answer, and the learner is then as
     * it was.
     *
     * @param key the key, for the answer
     * @param predictions whether predicted states are wanted
     */
    public Step accept(String key, SampleEvent event, boolean predictions) {
        Trajectories.Pairing pairing = trajectories.next(key, event);
        if (pairing.xNext() == null) {
            return new Step(Optional.empty(), Optional.ofNullable(pairing.rejected()), List.of());
        }
        try {
            learner.input().requireSample(pairing.xNext(), "state");
            if (!pairing.isPair()) {
                return new Step(Optional.empty(), Optional.ofNullable(pairing.rejected()), List.of());
            }
            return learn(key, event, pairing, predictions);
        } catch (InvalidSampleException e) {
            boolean explicit = event.next != null;
            if (!explicit) {
                trajectories.interrupt(event);
            }
            return Step.rejected(RejectedSample.of(
                    key,
                    event,
                    RejectedSample.Reason.of(e.reason()),
                    e.getMessage() + (explicit ? "; the pair is left out" : "; its trajectory begins anew")));
        }
    }

    private Step learn(String key, SampleEvent event, Trajectories.Pairing pairing, boolean predictions) {
        learner.input().requireSample(pairing.x(), "state");
        Learned learned = new Learned();
        learned.key = key;
        learned.trajectory = event.trajectory == null ? "" : event.trajectory;
        learned.step = event.step;
        learned.time = event.time;
        learned.error = Double.NaN;
        List<DriftNotice> notices = new ArrayList<>();
        if (watched == null) {
            count(learner.update(pairing.x(), pairing.xNext()));
        } else {
            Optional<KoopmanOperator> operator = watched.reference();
            operator.ifPresent(u -> {
                learned.predictedBy = u.samples();
                learned.prediction = predictions && u.dictionarySize() > 0 ? u.predict(pairing.x()) : null;
            });
            long before = watched.predicted();
            // Before events are told, which name the version.
            count(watched.update(pairing.x(), pairing.xNext()));
            if (watched.predicted() > before) {
                learned.error = watched.lastError();
            }
            for (DriftEvent drift : watched.drainEvents()) {
                notices.add(DriftNotice.of(key, version(), drift));
            }
        }
        learned.version = version();
        learned.dictionary = learner.dictionarySize();
        return new Step(Optional.of(learned), Optional.ofNullable(pairing.rejected()), notices);
    }

    private void count(StepOutcome outcome) {
        if (outcome == StepOutcome.HELD_OUT) {
            heldOut++;
        }
    }

    /** How many pairs were taken, learned or kept aside: rises by one with every pair, over restarts and rescaling. */
    public long version() {
        return learner.samples() + heldOut;
    }

    /** Kept samples. */
    public int dictionarySize() {
        return learner.dictionarySize();
    }

    /** Mean prequential error so far; not-a-number when errors are not watched or there was none. */
    public double meanError() {
        return watched == null || watched.predicted() == 0 ? Double.NaN : watched.meanError();
    }

    Trajectories trajectories() {
        return trajectories;
    }

    /** Trajectories that were given up because too many were open. */
    public long forgottenTrajectories() {
        return trajectories.forgotten();
    }

    /** The learner's state, as an immutable value. */
    public LearnerState state() {
        return learner.state();
    }

    /** The model as it is stored in a model file. */
    public StoredModel stored() {
        return new StoredModel(learner.state(), labels);
    }

    /** An independent model in the same state. */
    public KoopmanModel copy() {
        KoopmanModel copy = new KoopmanModel(learner.copy(), labels, trajectories.copy());
        copy.heldOut = heldOut;
        copy.driftConfig = driftConfig;
        copy.discount = discount;
        copy.watched =
                watched == null ? null : DriftAwareLearner.resume(copy.learner, driftConfig, discount, watched.watch());
        copy.following = following;
        return copy;
    }

    /** Format 1: the learner and the open trajectories. Format 2: the watch as well. */
    void writeTo(DataOutput target) throws IOException {
        ModelFile.writeFramed(target, stored());
        trajectories.writeTo(target);
        target.writeBoolean(watched != null);
        if (watched != null) {
            writeDrift(target, driftConfig, discount);
            writeWatch(target, watched.watch());
        }
    }

    static KoopmanModel readFrom(DataInput source, int format) throws IOException {
        StoredModel stored = ModelFile.readFramed(source, CustomSchedules.none());
        KoopmanModel model = of(stored, Trajectories.readFrom(source));
        if (format >= 2 && source.readBoolean()) {
            model.readWatch(source);
        }
        return model;
    }

    private static void writeDrift(DataOutput target, DriftConfig config, double discount) throws IOException {
        target.writeInt(config.warmup());
        target.writeInt(config.block());
        target.writeInt(config.baseline());
        target.writeDouble(config.slack());
        target.writeDouble(config.threshold());
        target.writeInt(config.refresh());
        target.writeDouble(discount);
    }

    private static void writeWatch(DataOutput target, DriftAwareLearner.Watch<KoopmanOperator> watch)
            throws IOException {
        DriftDetector.State detector = watch.detector();
        target.writeLong(detector.samples());
        target.writeLong(detector.sinceEvent());
        target.writeDouble(detector.blockSum());
        target.writeInt(detector.blockSize());
        target.writeLong(detector.baselineBlocks());
        target.writeDouble(detector.baselineMean());
        target.writeDouble(detector.baselineSquares());
        target.writeDouble(detector.score());
        target.writeLong(detector.riseStart());
        target.writeDouble(detector.riseSum());
        target.writeLong(detector.riseBlocks());
        target.writeBoolean(watch.due());
        target.writeLong(watch.seen());
        target.writeDouble(watch.lastError());
        target.writeDouble(watch.errorSum());
        target.writeLong(watch.errorCount());
        target.writeBoolean(watch.reference() != null);
        if (watch.reference() != null) {
            ModelFile.writeFramed(target, new StoredModel(SogdState.holding(watch.reference()), StateLabels.NONE));
        }
    }

    private void readWatch(DataInput source) throws IOException {
        driftConfig = new DriftConfig(
                source.readInt(),
                source.readInt(),
                source.readInt(),
                source.readDouble(),
                source.readDouble(),
                source.readInt());
        discount = source.readDouble();
        DriftDetector.State detector = new DriftDetector.State(
                source.readLong(),
                source.readLong(),
                source.readDouble(),
                source.readInt(),
                source.readLong(),
                source.readDouble(),
                source.readDouble(),
                source.readDouble(),
                source.readLong(),
                source.readDouble(),
                source.readLong());
        boolean due = source.readBoolean();
        long seen = source.readLong();
        double lastError = source.readDouble();
        double errorSum = source.readDouble();
        long errorCount = source.readLong();
        KoopmanOperator reference = source.readBoolean()
                ? ModelFile.readFramed(source, CustomSchedules.none())
                        .state()
                        .operator()
                        .asKoopman()
                : null;
        // Events are drained with every record, so none wait between two.
        watched = DriftAwareLearner.resume(
                (Learner<KoopmanOperator>) learner,
                driftConfig,
                discount,
                new DriftAwareLearner.Watch<>(
                        detector, reference, due, seen, lastError, errorSum, errorCount, List.of()));
    }
}
