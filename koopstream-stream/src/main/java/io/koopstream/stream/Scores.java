package io.koopstream.stream;

import io.koopstream.learner.Learner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.rows.Observation;
import io.koopstream.score.Score;
import io.koopstream.score.Scorer;

/** The scores of a stream's observations: none where the settings do not ask for them. One writer. */
public final class Scores {

    /** Positions beyond are not told apart by numbers. */
    private static final double MAX_POSITION = 1e15;

    private final StreamConfig settings;
    private ScoreListener listener = (observation, score) -> {};
    /** Null where observations are not scored, and before there is a learner. */
    private Scorer scorer;

    private Score last;

    Scores(StreamConfig settings) {
        this.settings = settings;
    }

    /** There is a learner now, of observations with so many coordinates as they are prepared. */
    void begin(int observed) {
        scorer = settings.scores() ? new Scorer(observed, settings.alarmRate()) : null;
    }

    void resume(Scorer stored) {
        scorer = stored == null ? null : stored.copy(settings.alarmRate());
    }

    Scorer state() {
        return scorer == null ? null : scorer.copy(settings.alarmRate());
    }

    /** Another observation comes. */
    void next() {
        last = null;
    }

    /**
     * The position of an observation among those of a regular stream.
     *
     * @param time NaN where it has none
     * @param interval NaN where none is known
     * @return null where nothing is known
     */
    static Long position(double time, double interval) {
        return Math.abs(time / interval) < MAX_POSITION ? Math.round(time / interval) : null;
    }

    /** Scores an observation that made no pair, completing a state or none. */
    void first(Long position, double[] state) {
        last = scorer == null || state == null ? null : scorer.first(position, state);
    }

    /**
     * Scores a pair that is not learned yet.
     *
     * @return whether it is to be held back
     */
    boolean accept(long pairs, Learner<KoopmanOperator> learner, Long position, double[] x, double[] xNext) {
        if (scorer == null) {
            return false;
        }
        scorer.renew(pairs, learner::state);
        last = scorer.score(position, x, xNext);
        return settings.robust() && scorer.holdsBack(last);
    }

    /** @param waited whether there was no learner yet: the observation will be told of when it is learned */
    void tell(Observation observation, boolean waited) {
        if (scorer != null && !waited) {
            listener.scored(observation, last);
        }
    }

    /** A listener for every score; it replaces the one before. */
    public void listen(ScoreListener told) {
        listener = told;
    }

    /** Score of the last observation; null where it was not scored. */
    public Score last() {
        return last;
    }

    /** Alarms so far. */
    public long alarms() {
        return scorer == null ? 0 : scorer.alarms();
    }

    /** Observations that were judged so far. */
    public long judged() {
        return scorer == null ? 0 : scorer.judged();
    }

    /** Pairs that were not learned because they were too unusual. */
    public long heldBack() {
        return scorer == null ? 0 : scorer.heldBack();
    }
}
