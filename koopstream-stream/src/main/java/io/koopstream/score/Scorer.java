package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Scores observations before they are learned: predicts each from the one before, in units of the usual error near to it, and asks the {@link Evidence} how
 * unusual the stream is now.
 *
 * <p>What predicts is taken from the learner now and then ({@link Renewal}).
 *
 * <p>One writer. O(m d) per observation, one kernel row.
 */
public final class Scorer {

    /** Pairs for which a predictor serves at least: a younger one would differ little and cost as much. */
    private static final long FIRST_USE = 32;
    /** Pairs up to which the ridge is chosen anew when they have doubled, after that when there are eight times as many: it costs as much as learning thousands. */
    private static final long YOUNG = 4096;

    /** Share of observations in the band around what was expected, as {@link Score#spread} says. */
    private static final double BAND = 0.95;

    /** An error counts as so many usual sizes at most, so that sums stay finite. */
    private static final double MAX_SIZES = 1e300;

    /** Parts that may follow in a saved scorer; before there was evidence, other signs were kept, of seasons only in the end. */
    private static final int WITH_PREDICTOR = 1;

    private static final int WITH_SEASON = 2;
    private static final int WITH_EVIDENCE = 4;

    private final int observed;
    private final double alarmRate;
    private OneStep predictor;
    private double lambda = Double.NaN;
    private long nextChoice;
    private long nextRenewal = FIRST_USE;
    private long judged;
    private final UsualSizes sizes;
    private final Season season;
    private final Evidence evidence;
    private long alarms;
    private long heldBack;

    /** The state that was looked at last: the next pair mostly begins with it. */
    private OneStep.View seen;

    private final Scratch scratch = new Scratch();

    /**
     * A scorer that has seen nothing.
     *
     * @param observed coordinates of an observation, the first ones of a state
     * @param alarmRate alarms per observation while nothing changes
     */
    public Scorer(int observed, double alarmRate) {
        this.observed = observed;
        this.alarmRate = Score.requireRate(alarmRate);
        this.sizes = new UsualSizes(observed);
        this.season = new Season(observed);
        this.evidence = new Evidence(observed);
    }

    /** An independent scorer in the same state, with its own rate of alarms. */
    public Scorer copy(double rate) {
        return new Scorer(observed, rate).parts(StateParts.copied(original -> parts(original, null)), null);
    }

    /**
     * Everything needed to continue but the rate of alarms; restored into a scorer that has seen nothing. Of what versions before 0.3 saved all is kept but
     * the past of signs that there are no more; those that there are instead begin anew.
     *
     * @param space of the states, where they are read
     * @throws InvalidStateException for parts that no scorer can have
     */
    public Scorer parts(StateParts parts, Rkhs space) {
        int layout = parts.code("layout", WITH_EVIDENCE + (predictor != null ? WITH_PREDICTOR : 0));
        boolean older = (layout & WITH_EVIDENCE) == 0;
        if ((layout & WITH_PREDICTOR) != 0) {
            predictor = parts.part(
                    predictor, (sink, step) -> step.save(sink), source -> OneStep.read(source, space, older));
        }
        lambda = parts.number("lambda", lambda);
        nextChoice = parts.count("nextChoice", nextChoice);
        nextRenewal = parts.count("nextRenewal", nextRenewal);
        judged = parts.count("judged", judged);
        sizes.parts(parts, predictor == null ? 0 : predictor.kept());
        if (older) {
            olderSigns(parts, (layout & WITH_SEASON) != 0);
        } else {
            season.parts(parts);
            evidence.parts(parts);
        }
        alarms = parts.count("alarms", alarms);
        heldBack = parts.count("heldBack", heldBack);
        if (older) {
            parts.size("heldBackInARow", 0);
        }
        if (parts.restores()) {
            require(sizes.observed() == observed && (predictor == null || predictor.observed() == observed));
            require(Double.isNaN(lambda) || lambda > 0);
            require(LongStream.of(judged, nextChoice, nextRenewal, alarms, heldBack)
                    .allMatch(count -> count >= 0));
        }
        return this;
    }

    /** Reads the errors, the season, and what is kept no more: ranks of evidence, rarity and season, and how long alarms lasted. */
    private void olderSigns(StateParts parts, boolean seasonal) {
        evidence.errors().olderParts(parts, seasonal);
        new TailDistribution().olderParts(parts, seasonal);
        new TailDistribution().olderParts(parts, seasonal);
        parts.number("lastingRarity", 0);
        if (seasonal) {
            new TailDistribution().olderParts(parts, true);
            parts.number("lastingExcess", 0);
            season.parts(parts);
        }
        parts.numbers("window", new double[0]);
        parts.size("held", 0);
        parts.size("quiet", 0);
    }

    private static boolean isSize(double number) {
        return number >= 0 && number < Double.POSITIVE_INFINITY;
    }

    static void require(boolean holds) {
        InvalidStateException.require(holds, "scores", "numbers that no scorer can have");
    }

    /** Refuses numbers that are no sizes, finite and not negative. */
    static double[] requireSizes(double[] sizes) {
        require(Arrays.stream(sizes).allMatch(Scorer::isSize));
        return sizes;
    }

    /** Refuses states of another space, or observations with another number of coordinates. */
    public void requireOf(int coordinates, Rkhs space) {
        InvalidStateException.require(
                observed == coordinates
                        && (predictor == null || predictor.space().equals(space)),
                "scores",
                "of other states");
    }

    /** True if it can score. */
    public boolean isReady() {
        return predictor != null;
    }

    /**
     * A scorer for a model that learns no more, with the residuals of its held-out pairs for a past.
     *
     * @param observed coordinates of an observation
     */
    public static Scorer of(LearnerState state, int observed, double alarmRate) {
        Scorer scorer = new Scorer(observed, alarmRate);
        scorer.renew(Long.MAX_VALUE / 2, () -> state);
        if (state instanceof LeastSquaresState learned) {
            double[][] from = learned.holdOut().inputs();
            double[][] to = learned.holdOut().outputs();
            for (int i = 0; i < from.length; i++) {
                Step step = scorer.step(from[i], to[i]);
                scorer.evidence.remember(to[i], step.statistic());
                scorer.addSizes(step, i);
            }
        }
        return scorer;
    }

    /** Alarms so far. */
    public long alarms() {
        return alarms;
    }

    /**
     * Holds back an observation that is too unusual to be learned from, unless that persists. Once per observation.
     *
     * @return whether it is held back
     */
    public boolean holdBack(Score score) {
        heldBack += score.outlies() ? 1 : 0;
        return score.outlies();
    }

    /** Observations that were not to be learned. */
    public long heldBack() {
        return heldBack;
    }

    /** Observations that were judged so far. */
    public long judged() {
        return judged;
    }

    private void renew(long pairs, Supplier<LearnerState> learner) {
        if (pairs < nextRenewal) {
            return;
        }
        LearnerState state = learner.get();
        if (state.dictionarySize() == 0) {
            return;
        }
        if (state instanceof LeastSquaresState leastSquares && pairs >= nextChoice) {
            lambda = leastSquares
                    .config()
                    .lambda()
                    .orElseGet(() -> leastSquares.forecastChoice().forecast());
            nextChoice = pairs * (pairs < YOUNG ? 2 : 8);
        }
        OneStep fresh = OneStep.of(state, observed, lambda);
        sizes.move(predictor, fresh);
        predictor = fresh;
        seen = null;
        nextRenewal = Renewal.after(pairs, pairs, FIRST_USE, fresh.kept());
    }

    private long place(Long position) {
        return position == null ? season.last() + 1 : position;
    }

    /**
     * The score of a state that follows none: whether its level and its phase are usual.
     *
     * @param position of the observation among those of a regular stream; null for one after the last
     */
    public Score first(Long position, double[] state) {
        Evidence.Finding finding = find(seasonExcess(position, state), state, null, null);
        if (predictor == null) {
            return Score.withoutPrediction(finding, () -> Double.NaN);
        }
        seen = look(state);
        return Score.withoutPrediction(finding, seen::known);
    }

    /** How far an observation is from its season, to which it is added. */
    private double seasonExcess(Long position, double[] state) {
        long place = place(position);
        double excess = season.excess(place, state);
        season.add(place, state, judged);
        return excess;
    }

    private Evidence.Finding find(double excess, double[] x, double[] from, double[] error) {
        Evidence.Finding finding = evidence.judge(x, from, error, excess, alarmRate);
        alarms += finding.alarm() ? 1 : 0;
        return finding;
    }

    /**
     * The score of a pair that is about to be learned; the predictor is renewed first if it is time.
     *
     * @param pairs pairs so far
     * @param learner gives what was learned up to now
     * @param position of the observation among those of a regular stream; null for one after the last
     */
    public Score score(long pairs, Supplier<LearnerState> learner, Long position, double[] x, double[] xNext) {
        renew(pairs, learner);
        return score(position, x, xNext);
    }

    /**
     * The score of the observation that led from one state to another.
     *
     * @param position of the observation among those of a regular stream; null for one after the last
     */
    public Score score(Long position, double[] x, double[] xNext) {
        if (predictor == null) {
            return first(position, xNext);
        }
        double excess = seasonExcess(position, xNext);
        Step step = step(x, xNext);
        seen = look(xNext);
        double[] spread = spread(step);
        Evidence.Finding finding = find(excess, xNext, x, step.error);
        if (!finding.outlies()) {
            addSizes(step, judged);
        }
        judged++;
        return Score.of(finding, step.residual, spread, seen::known);
    }

    /** The usual sizes with those of a step. */
    private void addSizes(Step step, long before) {
        sizes.add(step.residual, before);
        sizes.addNear(step.near, step.largest);
    }

    /**
     * The score of a step by itself: by its residual alone, whatever came before, and nothing is remembered of it, so the answer is a function of the arguments.
     * No alarm begins with it.
     */
    public Score alone(double[] x, double[] xNext) {
        if (predictor == null) {
            return Score.withoutPrediction(Evidence.Finding.NOTHING, () -> Double.NaN);
        }
        Step step = step(x, xNext);
        double p = evidence.errors().tail(step.statistic());
        double[] state = xNext.clone();
        OneStep now = predictor;
        return new Score(Score.of(p), p, null, 0, false, step.residual, spread(step), () -> now.known(state));
    }

    /**
     * A state's successor beside its expected value.
     *
     * @param near the kept state that is nearest
     * @param largest the largest coordinate of the residual, in its usual size
     * @param usual usual size near the state
     * @param error the residual in usual sizes near the state
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Step(double[] residual, int near, double largest, double usual, double[] error) {

        double statistic() {
            return Math.min(largest / usual, MAX_SIZES);
        }
    }

    private Step step(double[] x, double[] xNext) {
        OneStep.View from = seen != null && Arrays.equals(seen.state(), x) ? seen : look(x);
        double[] residual = new double[observed];
        Arrays.setAll(residual, c -> xNext[c] - from.expected(c));
        int nearest = from.nearest();
        double usual = sizes.near(nearest);
        double[] error = new double[observed];
        Arrays.setAll(error, c -> Math.max(-MAX_SIZES, Math.min(MAX_SIZES, sizes.in(c, residual[c]) / usual)));
        return new Step(residual, nearest, sizes.largest(residual), usual, error);
    }

    private double[] spread(Step step) {
        TailDistribution errors = evidence.errors();
        return sizes.times(errors.size() < TailDistribution.MIN_SIZE ? Double.NaN : errors.quantile(BAND) * step.usual);
    }

    private OneStep.View look(double[] state) {
        return predictor.view(state.clone(), scratch);
    }
}
