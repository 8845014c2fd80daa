package io.koopstream.change;

import static io.koopstream.InvalidStateException.require;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.sogd.SogdState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.score.Renewal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Error of pairs before they are learned, ‖φ(x⁺) − U φ(x)‖, and whether that changes: the running error, its curve along the stream, and
 * changes of the dynamics.
 *
 * <p>Only some pairs are judged, so that it costs little: every one of the first {@value #FEW}, every fourth of the first {@value #MANY}, every
 * {@value #SELDOM}th after, and for changes also every fourth after one and while the error seems to rise, so that it is noticed much sooner (Reynolds, Amin and
 * Arnold, <i>CUSUM charts with variable sampling intervals</i>, Technometrics 32, 1990). U is taken anew from the learner now and then
 * ({@link Renewal}), but not while the error seems to rise. All of it follows from the pairs alone. Pairs from where nothing was learned yet say nothing about a change: entering a new region is none.
 *
 * <p>One writer. O(m²) per judged pair, memory one operator.
 */
public final class Watch {

    /** Share of φ(x) that must be known for an error to say something about the dynamics. */
    public static final double MIN_COVERAGE = 0.9;

    /** Pairs up to which every one is judged, so that there is a curve from the start, and up to which every {@value #OFTEN}th is. */
    private static final long FEW = 64;

    private static final long MANY = 2048;
    /** Pairs at the start, and after a change, whose errors tell of what is yet to be learned. */
    private static final long LEARNING = 1024;

    /** One pair of this many is judged while little was learned and while the error seems to rise, and in the long run: judging costs as much as learning. */
    private static final int OFTEN = 4;

    private static final int SELDOM = 16;

    /** Pairs for which an operator predicts at least. */
    private static final long LEAST_USE = 4;

    /** Changes that are remembered: a bound on memory. */
    private static final int MAX_EVENTS = 100;

    private final LearningCurve curve = new LearningCurve();
    /** Null where changes are not looked for, or with their kinds. */
    private DriftDetector detector;

    private final Deque<DriftEvent> events = new ArrayDeque<>();
    /** True if the kinds of changes are asked for, in place of the detector. */
    private final boolean kinds;
    /** Null before the first pair. */
    private ChangeWatch changeWatch;

    private KoopmanOperator operator;
    private long nextRenewal;
    private long changes;

    /**
     * A watch that has seen nothing.
     *
     * @param drift whether changes are looked for
     * @param kinds whether they are reported with their kinds
     */
    public Watch(boolean drift, boolean kinds) {
        this.detector = drift && !kinds ? new DriftDetector() : null;
        this.kinds = kinds;
    }

    /** An independent watch in the same state. The operators in it are immutable and shared. */
    public Watch copy() {
        return new Watch(false, kinds).parts(StateParts.copied(this::parts));
    }

    /**
     * Everything needed to continue; restored into a watch that has seen nothing.
     *
     * @throws InvalidStateException for parts that no watch can have
     */
    public Watch parts(StateParts parts) {
        curve.parts(parts);
        if (parts.flag("detector", detector != null)) {
            detector = detector == null ? new DriftDetector() : detector;
            detector.parts(parts);
        } else {
            detector = null;
        }
        List<DriftEvent> all = parts.list(
                "events", events, (sink, event) -> event.save(sink), source -> DriftEvent.read(source, kinds));
        changes = parts.count("changes", changes);
        nextRenewal = parts.count("nextRenewal", nextRenewal);
        operator = operator(parts, "operator", operator);
        if (kinds && parts.flag("kinds", changeWatch != null)) {
            changeWatch = ChangeWatch.parts(parts, changeWatch);
        }
        if (parts.restores()) {
            events.addAll(all);
            require(
                    all.size() <= MAX_EVENTS
                            && changes >= all.size()
                            && nextRenewal >= 0
                            && !(kinds && detector != null),
                    "watch",
                    all.size() + " events of " + changes + " changes");
        }
        return this;
    }

    /** An operator, stored as the model that holds it; null where there is none. */
    static KoopmanOperator operator(StateParts parts, String name, KoopmanOperator operator) {
        return parts.flag(name, operator != null)
                ? parts.model(
                        name,
                        operator,
                        SogdState::holding,
                        model -> model.operator().asKoopman())
                : null;
    }

    /** Refuses a watch that does not look for what is asked for, or of states of another space. */
    public void requireOf(boolean drift, boolean asksForKinds, int observed, Rkhs space) {
        require(kinds == asksForKinds && drift == (kinds || detector != null), "changes", "not as the settings say");
        require(changeWatch == null || changeWatch.isOf(observed, space), "changes", "of other states");
        require(operator == null || operator.domain().equals(space), "watch", "an operator of other states");
    }

    /**
     * Takes a pair that is not learned yet.
     *
     * @param seen pairs before this one
     * @param observed coordinates of an observation, the first ones of a state
     * @param row the row of xNext, counted from 1
     * @param time its time; NaN without times
     * @return the change of the dynamics that it gave away
     */
    public Optional<DriftEvent> accept(
            long seen,
            Learner<KoopmanOperator> learner,
            int observed,
            double[] x,
            double[] xNext,
            long row,
            double time) {
        Optional<DriftEvent> event = recordErrorAndDetect(seen, learner, x, xNext);
        if (kinds) {
            changeWatch = changeWatch == null ? new ChangeWatch(observed) : changeWatch;
            event = Optional.ofNullable(changeWatch.accept(seen + 1, learner, x, xNext, row, time));
        }
        event.ifPresent(this::keep);
        return event;
    }

    private Optional<DriftEvent> recordErrorAndDetect(
            long seen, Learner<KoopmanOperator> learner, double[] x, double[] xNext) {
        // After a change everything begins anew.
        long age = seen - (events.isEmpty() ? 0 : events.getLast().sample());
        boolean rising = detector != null && detector.isRising();
        // An operator that learned a change would not show it.
        if (seen >= nextRenewal && !rising) {
            operator = learner.predictor();
            nextRenewal = Renewal.after(seen, age, LEAST_USE, operator.dictionarySize());
        }
        boolean usual = seen < FEW || seen % (seen < MANY ? OFTEN : SELDOM) == 0;
        boolean closely = detector != null && (rising || age < MANY) && seen % OFTEN == 0;
        if (!usual && !closely) {
            return Optional.empty();
        }
        TransitionOperator.Judged judged = operator.judge(x, xNext);
        if (usual) {
            curve.add(seen + 1, learner.dictionarySize(), judged.error());
        }
        if (detector == null || age < LEARNING || judged.coverage() < MIN_COVERAGE) {
            return Optional.empty();
        }
        return detector.add(judged.error()).map(found -> inPairs(found, seen + 1));
    }

    /** The detector counts errors; whoever reads an event counts pairs. Of a rise the first block is judged seldom, the others are often. */
    private static DriftEvent inPairs(DriftEvent event, long pair) {
        long often = event.sample() - event.since() + 1 - DriftDetector.BLOCK;
        long since = pair - (long) DriftDetector.BLOCK * SELDOM - often * OFTEN;
        return new DriftEvent(pair, Math.max(1, since), event.errorBefore(), event.errorAfter(), event.score(), null);
    }

    private void keep(DriftEvent event) {
        if (events.size() == MAX_EVENTS) {
            events.removeFirst();
        }
        events.addLast(event);
        changes++;
        nextRenewal = 0;
    }

    /** The error along the stream. */
    public LearningCurve curve() {
        return curve;
    }

    /** The newest changes of the dynamics, oldest first. */
    public List<DriftEvent> events() {
        return List.copyOf(events);
    }

    /** The newest changes, oldest first, without a number of earlier ones. */
    public List<DriftEvent> eventsAfter(long earlier) {
        return events.stream()
                .skip(Math.max(0, events.size() - (changes - earlier)))
                .toList();
    }

    /** Number of changes of the dynamics so far. */
    public long changes() {
        return changes;
    }

    /** The operator that predicts; empty before the first pair. */
    public Optional<KoopmanOperator> operator() {
        return Optional.ofNullable(operator);
    }
}
