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
 * Scores observations before they are learned, from four signs: the residual of the one-step prediction, in units of its usual size near to the state; the
 * mean evidence of the last {@value #WINDOW} residuals, so that a lasting oddity counts for more than its parts; and the rarity of the state, from the density of
 * those learned so far or, where that is not known, from how much of it is new; and, where observations repeat after a period, how far they are from those at the same
 * phase of the last cycles ({@link Season}).
 * Each is ranked among its own past ({@link TailDistribution}), so the score is calibrated whatever the residuals look like; the joint probability is
 * Bonferroni's. While an alarm lasts nothing enters the past, for {@value #MAX_HOLD} observations at most: an anomaly does not make itself usual.
 *
 * <p>What predicts is taken from the learner now and then ({@link Renewal}).
 *
 * <p>One writer. O(m d) per observation, one kernel row; where the density of states is not known O(m² / 2).
 */
public final class Scorer {

    /** Residuals whose mean evidence is a sign of its own: a few, so that a lasting oddity is noticed soon after it began. */
    static final int WINDOW = 10;

    /** Observations kept out of the past while an alarm lasts; what lasts longer is the new normal. */
    static final int MAX_HOLD = 256;

    /** Usual observations after which an alarm is over, so that one event alarms once. */
    static final int REARM = 100;

    /** Pairs for which a predictor serves at least: a younger one would differ little and cost as much. */
    private static final long FIRST_USE = 32;
    /** Pairs up to which the ridge is chosen anew when they have doubled, after that when there are eight times as many: it costs as much as learning thousands. */
    private static final long YOUNG = 4096;

    /** Without a known density: a state of which more than this share is unknown is new whatever was usual. */
    private static final double NOVEL = 0.1;

    /** A state is nearly as rare as the one before: in the long run one of this many is remembered, so that a slow excursion is not compared with itself. */
    private static final int RARITY_EVERY = 16;

    /** Of residuals, which are counted in their present sizes, and of the means of the last {@value #WINDOW} one of this many says as much as all. */
    private static final int RESIDUAL_EVERY = 4;

    /** Judged observations up to which all are remembered: at first every one counts. */
    private static final int REMEMBER_ALL = 1024;

    /** Rare states are passed through now and then: what counts is to stay there, so rarity is a mean over about this many. */
    private static final int RARITY_MEMORY = 50;

    /** A density below is rounding; its logarithm bounds the rarity. */
    private static final double MIN_DENSITY = 1e-12;

    /** One residual counts for no more in the mean of the last {@value #WINDOW}: a spike of e^-20 is a sign of its own already. */
    private static final double MAX_EVIDENCE = 20;

    /** Share of observations in the band around what was expected, as {@link Score#spread} says. */
    private static final double BAND = 0.95;

    /** The signs, by their places in {@link #past}. */
    private static final int RESIDUAL = 0;

    private static final int EVIDENCE = 1;
    private static final int RARITY = 2;
    private static final int EXCESS = 3;
    private static final int SIGNS = 4;

    /** Parts that may follow in a saved scorer; there were no seasons and heights of alarms at first. */
    private static final int WITH_PREDICTOR = 1;

    private static final int WITH_SEASON = 2;

    /** The excess over the season is a mean over about this number of observations, so that only staying away counts. */
    private static final int SEASON_MEMORY = 12;

    /** An observation rarer than one in a thousand is held back where that is asked for. */
    private static final double OUTLYING = 0.3;

    /** Rows held back in a row; what persists for longer is a change, not an outlier, and is learned. */
    static final int MAX_HELD_BACK = 50;

    private final int observed;
    private final double alarmRate;
    private OneStep predictor;
    private double lambda = Double.NaN;
    private long nextChoice;
    private long nextRenewal = FIRST_USE;
    private long judged;
    private final UsualSizes sizes;
    /** The past of each sign. */
    private final TailDistribution[] past = new TailDistribution[SIGNS];

    private final Season season;

    private double lastingRarity;
    private double lastingExcess;
    private final double[] window = new double[WINDOW];
    private int windowNext;
    private int held;
    private int quiet = REARM;
    private long alarms;
    private long heldBack;
    private int heldBackInARow;

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
        Arrays.setAll(past, sign -> new TailDistribution());
    }

    /** An independent scorer in the same state, with its own rate of alarms. */
    public Scorer copy(double rate) {
        return new Scorer(observed, rate).parts(StateParts.copied(original -> parts(original, null)), null);
    }

    /**
     * Everything needed to continue but the rate of alarms; restored into a scorer that has seen nothing.
     *
     * @param space of the states, where they are read
     * @throws InvalidStateException for parts that no scorer can have
     */
    public Scorer parts(StateParts parts, Rkhs space) {
        int layout = parts.code("layout", WITH_SEASON + (predictor != null ? WITH_PREDICTOR : 0));
        if ((layout & WITH_PREDICTOR) != 0) {
            predictor = parts.part(predictor, (sink, step) -> step.save(sink), source -> OneStep.read(source, space));
        }
        lambda = parts.number("lambda", lambda);
        nextChoice = parts.count("nextChoice", nextChoice);
        nextRenewal = parts.count("nextRenewal", nextRenewal);
        judged = parts.count("judged", judged);
        sizes.parts(parts, predictor == null ? 0 : predictor.kept());
        boolean seasonal = (layout & WITH_SEASON) != 0;
        past[RESIDUAL].parts(parts, seasonal);
        past[EVIDENCE].parts(parts, seasonal);
        past[RARITY].parts(parts, seasonal);
        lastingRarity = parts.number("lastingRarity", lastingRarity);
        if (seasonal) {
            past[EXCESS].parts(parts, true);
            lastingExcess = parts.number("lastingExcess", lastingExcess);
            season.parts(parts);
        }
        double[] evidence = new double[WINDOW];
        Arrays.setAll(evidence, i -> window[(windowNext + i) % WINDOW]);
        evidence = parts.numbers("window", evidence);
        held = parts.size("held", held);
        quiet = parts.size("quiet", quiet);
        alarms = parts.count("alarms", alarms);
        heldBack = parts.count("heldBack", heldBack);
        heldBackInARow = parts.size("heldBackInARow", heldBackInARow);
        if (parts.restores()) {
            require(sizes.observed() == observed && (predictor == null || predictor.observed() == observed));
            require(requireSizes(evidence).length == WINDOW);
            System.arraycopy(evidence, 0, window, 0, WINDOW);
            require(isSize(lastingRarity) && isSize(lastingExcess) && (Double.isNaN(lambda) || lambda > 0));
            require(LongStream.of(judged, nextChoice, nextRenewal, alarms, heldBack)
                    .allMatch(count -> count >= 0));
            require(held <= MAX_HOLD && quiet <= REARM && heldBackInARow <= MAX_HELD_BACK + 1);
        }
        return this;
    }

    private static boolean isSize(double number) {
        return number >= 0 && number < Double.POSITIVE_INFINITY;
    }

    private static void require(boolean holds) {
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
                scorer.score(null, from[i], to[i]);
            }
        }
        scorer.calm();
        scorer.alarms = 0;
        scorer.judged = 0;
        scorer.quiet = REARM;
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
        boolean outlies = score.score() > OUTLYING;
        if (outlies) {
            heldBackInARow = Math.min(heldBackInARow, MAX_HELD_BACK) + 1;
        } else if (quiet >= REARM) {
            heldBackInARow = 0;
        }
        boolean holds = outlies && heldBackInARow <= MAX_HELD_BACK;
        heldBack += holds ? 1 : 0;
        return holds;
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
     * The score of a state that follows none: whether it is known.
     *
     * @param position of the observation among those of a regular stream; null for one after the last
     */
    public Score first(Long position, double[] state) {
        season.add(place(position), state, judged);
        if (predictor == null) {
            return Score.unknown(() -> Double.NaN);
        }
        seen = look(state);
        return Score.unknown(seen::known);
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
        long place = place(position);
        double excess = season.excess(place, xNext);
        season.add(place, xNext, judged);
        if (predictor == null) {
            return Score.unknown(() -> Double.NaN);
        }
        Step step = step(x, xNext);
        seen = look(xNext);
        return judge(step, excess);
    }

    /**
     * The score of a step by itself: by its residual alone, whatever came before, and nothing is remembered of it, so the answer is a function of the arguments.
     * No alarm begins with it.
     */
    public Score alone(double[] x, double[] xNext) {
        if (predictor == null) {
            return Score.unknown(() -> Double.NaN);
        }
        Step step = step(x, xNext);
        double p = past[RESIDUAL].tail(step.statistic());
        double[] state = xNext.clone();
        OneStep now = predictor;
        return new Score(score(p), p, false, step.residual, spread(step), () -> now.known(state));
    }

    /**
     * A state's successor beside its expected value.
     *
     * @param near the kept state that is nearest
     * @param largest the largest coordinate of the residual, in its usual size
     * @param usual usual size near the state
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Step(double[] residual, int near, double largest, double usual) {

        double statistic() {
            return Math.min(largest / usual, Double.MAX_VALUE);
        }
    }

    private Step step(double[] x, double[] xNext) {
        OneStep.View from = seen != null && Arrays.equals(seen.state(), x) ? seen : look(x);
        double[] residual = new double[observed];
        Arrays.setAll(residual, c -> xNext[c] - from.expected(c));
        int nearest = from.nearest();
        return new Step(residual, nearest, sizes.largest(residual), sizes.near(nearest));
    }

    private static double score(double probability) {
        double score = Math.min(1, -StrictMath.log10(probability) / 10);
        // −0.0 for a probability of one.
        return score == 0 ? 0 : score;
    }

    private double[] spread(Step step) {
        TailDistribution residuals = past[RESIDUAL];
        return sizes.times(
                residuals.size() < TailDistribution.MIN_SIZE ? Double.NaN : residuals.quantile(BAND) * step.usual);
    }

    private Score judge(Step step, double excess) {
        double statistic = step.statistic();
        double p = past[RESIDUAL].tail(statistic);
        boolean hasSeason = !Double.isNaN(excess);
        double rarity = rarity(seen);
        lastingRarity = judged == 0 ? rarity : lastingRarity + (rarity - lastingRarity) / RARITY_MEMORY;
        lastingExcess = hasSeason ? lastingExcess + (excess - lastingExcess) / SEASON_MEMORY : 0;
        double[] signs = {statistic, meanEvidence(p), lastingRarity, lastingExcess};
        double joint = Double.NaN;
        if (!Double.isNaN(p)) {
            boolean[] tells = {true, true, predictor.hasDensity() || rarity > NOVEL, hasSeason};
            joint = past[RESIDUAL].joint(p, statistic, SIGNS, judged);
            for (int sign = EVIDENCE; sign < SIGNS; sign++) {
                joint = tells[sign] ? Math.min(joint, past[sign].joint(signs[sign], SIGNS, judged)) : joint;
            }
        }
        double[] spread = spread(step);
        boolean odd = joint <= alarmRate;
        boolean wasCalm = quiet >= REARM;
        boolean alarm = odd && wasCalm;
        quiet = odd ? 0 : Math.min(REARM, quiet + 1);
        boolean isCalm = quiet >= REARM;
        alarms += alarm ? 1 : 0;
        held = isCalm ? 0 : held;
        if (odd) {
            for (int sign = 0; sign < SIGNS; sign++) {
                past[sign].alarm(signs[sign]);
            }
        } else if (isCalm && !wasCalm) {
            calm();
        }
        if (!isCalm && held < MAX_HOLD) {
            held++;
        } else {
            remember(step, signs, !Double.isNaN(p), hasSeason);
        }
        judged++;
        return new Score(score(joint), p, alarm, step.residual, spread, seen::known);
    }

    private void calm() {
        for (TailDistribution one : past) {
            one.calm();
        }
    }

    /** The mean evidence of the last residuals, the present one included. */
    private double meanEvidence(double p) {
        window[windowNext] = Double.isNaN(p) ? 0 : Math.min(MAX_EVIDENCE, -StrictMath.log(p));
        windowNext = (windowNext + 1) % WINDOW;
        double sum = 0;
        // Oldest first, wherever the ring begins: a resumed scorer adds in the same order.
        for (int i = 0; i < WINDOW; i++) {
            sum += window[(windowNext + i) % WINDOW];
        }
        return sum / WINDOW;
    }

    private void remember(Step step, double[] signs, boolean hasEvidence, boolean hasSeason) {
        boolean first = judged == 0 && past[RESIDUAL].size() == 0;
        sizes.add(step.residual, past[RESIDUAL].size());
        if (first) {
            return;
        }
        sizes.addNear(step.near, step.largest);
        if (isRemembered(RARITY_EVERY)) {
            past[RARITY].add(signs[RARITY]);
            if (hasSeason) {
                past[EXCESS].add(signs[EXCESS]);
            }
        }
        if (isRemembered(RESIDUAL_EVERY)) {
            past[RESIDUAL].add(step.statistic());
            if (hasEvidence) {
                past[EVIDENCE].add(signs[EVIDENCE]);
            }
        }
    }

    /** True if the present observation is remembered: all at first, in the long run one of {@code every}. */
    private boolean isRemembered(int every) {
        return judged % Math.min(every, 1 + judged / REMEMBER_ALL) == 0;
    }

    private OneStep.View look(double[] state) {
        return predictor.view(state.clone(), scratch);
    }

    /** Rarity of a state: the negative logarithm of its density or, where that is not known, the unknown share of it. */
    private double rarity(OneStep.View view) {
        double density = view.density();
        double rarity =
                Double.isNaN(density) ? 1 - view.known() : -StrictMath.log(Math.max(MIN_DENSITY, Math.min(1, density)));
        // Not −0.0.
        return rarity == 0 ? 0 : rarity;
    }
}
