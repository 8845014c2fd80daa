package io.koopstream.score;

import io.koopstream.kernel.Scratch;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Triangular;
import io.koopstream.linalg.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Scores observations before they are learned, from four signs: the residual of the one-step prediction, in units of its usual size near to the state; the
 * mean evidence of the last {@value #WINDOW} residuals, so that a lasting oddity counts for more than its parts; and the rarity of the state, from the density of
 * those learned so far or, where that is not known, from how much of it is new; and, where observations repeat after a period, how far they are from those at the same
 * phase of the last cycles ({@link Season}).
 * Each is ranked among its own past ({@link TailDistribution}), so the score is calibrated whatever the residuals look like; the joint probability is
 * Bonferroni's. While an alarm lasts nothing enters the past, for {@value #MAX_HOLD} observations at most: an anomaly does not make itself usual.
 *
 * <p>What predicts is taken from the learner whenever its pairs have grown by a quarter, and at least every {@value #MAX_USE}, or more for large dictionaries.
 *
 * <p>One writer. O(m² / 2 + m d) per observation, one kernel row.
 */
public final class Scorer {

    static final int WINDOW = 10;
    static final int MAX_HOLD = 256;
    static final int REARM = 100;
    private static final long MAX_USE = 16_384;
    private static final int SMALL_DICTIONARY = 128;
    private static final long FIRST_USE = 32;

    /** A state known by less is new whatever was usual. */
    private static final double NOVEL = 0.1;

    /** A state is nearly as rare as the one before: in the long run one of so many is remembered, so that a slow excursion is not compared with itself. */
    private static final int RARITY_EVERY = 16;

    /** As long as so few were judged all are remembered. */
    private static final int RARITY_ALL = 1024;

    /** Rare states are passed through now and then: what counts is to stay there, so rarity is a mean over about so many. */
    private static final int RARITY_MEMORY = 50;

    private static final double MIN_DENSITY = 1e-12;
    private static final double MAX_EVIDENCE = 20;
    private static final double BAND = 0.95;
    private static final int SIGNS = 4;

    /** What counts is to stay away from the season: the excess is a mean over about so many. */
    private static final int SEASON_MEMORY = 12;

    private static final double MAX_EXCESS = 5;
    private static final int MEMORY = 1000;
    /** The usual size of residuals near to a kept state counts as many observations of the size everywhere. */
    private static final double PRIOR = 20;

    /** An observation rarer than one in a thousand is held back where that is asked for. */
    private static final double OUTLYING = 0.3;

    /** What persists for longer is no outlier but a change: it is learned. */
    static final int MAX_HELD_BACK = 50;

    private final int observed;
    private final double alarmRate;
    private OneStep predictor;
    /** L⁻¹ of the predictor's kept states: one product per state instead of a solve, whose every step waits for the one before. */
    private Matrix inverse;

    private double lambda = Double.NaN;
    private long nextChoice;
    private long nextRenewal = FIRST_USE;
    private long judged;
    private final double[] sizes;
    /** For each kept state the sum of residuals near to it, in usual sizes, and their number. */
    private double[] nearSums = new double[0];

    private double[] nearCounts = new double[0];
    private final TailDistribution residuals;
    private final TailDistribution evidences;
    private final TailDistribution rarities;
    private final TailDistribution excesses;
    private final Season season;
    /** Where the next observation stands; null for one after the last. */
    private Long position;

    private double lastingExcess;
    private final double[] window = new double[WINDOW];
    private int windowNext;
    private int held;
    private int quiet = REARM;
    private long alarms;
    private long heldBack;
    private int heldBackInARow;

    /** The state that was looked at last, with what is expected after it. */
    private double[] seen;

    private final double[] expected;
    private double known;
    private double rarity;
    private double lastingRarity;
    private int nearest;
    private double[] row = new double[0];
    private double[] beta = new double[0];
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
        this.sizes = new double[observed];
        this.expected = new double[observed];
        residuals = new TailDistribution();
        evidences = new TailDistribution();
        rarities = new TailDistribution();
        excesses = new TailDistribution();
        season = new Season(observed);
    }

    /** Goes on from a stored state, bit for bit. */
    public Scorer(ScorerState state, double alarmRate) {
        this.observed = state.sizes().size();
        this.alarmRate = Score.requireRate(alarmRate);
        this.sizes = numbers(state.sizes());
        this.expected = new double[observed];
        predictor = state.predictor();
        inverse =
                predictor == null ? null : Triangular.inverse(predictor.basis().factor());
        lambda = state.lambda();
        nextChoice = state.nextChoice();
        nextRenewal = state.nextRenewal();
        judged = state.judged();
        nearSums = numbers(state.nearSums());
        nearCounts = numbers(state.nearCounts());
        residuals = new TailDistribution(state.residuals());
        evidences = new TailDistribution(state.evidences());
        rarities = new TailDistribution(state.rarities());
        excesses = new TailDistribution(state.excesses());
        season = new Season(observed, state.season());
        lastingExcess = state.lastingExcess();
        lastingRarity = state.lastingRarity();
        System.arraycopy(numbers(state.window()), 0, window, 0, WINDOW);
        held = state.held();
        quiet = state.quiet();
        alarms = state.alarms();
        heldBack = state.heldBack();
        heldBackInARow = state.heldBackInARow();
    }

    private static double[] numbers(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<Double> list(double[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    /** Everything needed to continue. */
    public ScorerState state() {
        List<Double> recent = new ArrayList<>(WINDOW);
        for (int i = 0; i < WINDOW; i++) {
            recent.add(window[(windowNext + i) % WINDOW]);
        }
        return new ScorerState(
                predictor,
                lambda,
                nextChoice,
                nextRenewal,
                judged,
                list(sizes),
                list(nearSums),
                list(nearCounts),
                residuals.state(),
                evidences.state(),
                rarities.state(),
                lastingRarity,
                excesses.state(),
                lastingExcess,
                season.state(),
                recent,
                held,
                quiet,
                alarms,
                heldBack,
                heldBackInARow);
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
                scorer.score(from[i], to[i]);
            }
        }
        scorer.alarms = 0;
        scorer.judged = 0;
        scorer.quiet = REARM;
        return scorer;
    }

    /** Alarms so far. */
    public long alarms() {
        return alarms;
    }

    /** Whether an observation is too unusual to be learned from; what persists is learned. */
    public boolean holdsBack(Score score) {
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

    /**
     * Renews the predictor if it is time. To be called before pairs are scored, while they are learned.
     *
     * @param pairs pairs so far
     * @param learner gives what was learned up to now
     */
    public void renew(long pairs, Supplier<LearnerState> learner) {
        if (pairs < nextRenewal) {
            return;
        }
        LearnerState state = learner.get();
        if (state.dictionarySize() == 0) {
            return;
        }
        if (state instanceof LeastSquaresState leastSquares) {
            if (pairs >= nextChoice) {
                lambda = leastSquares
                        .config()
                        .lambda()
                        .orElseGet(() -> leastSquares.forecastChoice().forecast());
                nextChoice = 2 * pairs;
            }
        }
        OneStep fresh = OneStep.of(state, observed, lambda);
        moveNear(fresh);
        predictor = fresh;
        inverse = Triangular.inverse(fresh.basis().factor());
        seen = null;
        long longest = MAX_USE * Math.max(1, fresh.basis().size() / SMALL_DICTIONARY);
        nextRenewal = pairs + Math.min(Math.max(pairs / 4, FIRST_USE), longest);
    }

    /** Kept states stay in their places while a dictionary grows; one that took another's place starts over. */
    private void moveNear(OneStep fresh) {
        int before = nearSums.length;
        int kept = fresh.basis().size();
        nearSums = Arrays.copyOf(nearSums, kept);
        nearCounts = Arrays.copyOf(nearCounts, kept);
        for (int i = 0; i < Math.min(before, kept); i++) {
            if (!Arrays.equals(
                    fresh.basis().points().get(i), predictor.basis().points().get(i))) {
                nearSums[i] = 0;
                nearCounts[i] = 0;
            }
        }
    }

    /** Where the next observation stands among those of a regular stream; null for one after the last. */
    public void at(Long next) {
        position = next;
    }

    private long place() {
        long place = position == null ? season.last() + 1 : position;
        position = null;
        return place;
    }

    /** The score of a state that follows none: whether it is known. */
    public Score first(double[] state) {
        season.add(place(), state);
        if (predictor == null) {
            return Score.unknown(Double.NaN);
        }
        look(state);
        return Score.unknown(known);
    }

    /** The score of the observation that led from one state to another. */
    public Score score(double[] x, double[] xNext) {
        long place = place();
        double excess = season.excess(place, xNext);
        season.add(place, xNext);
        if (predictor == null) {
            return Score.unknown(Double.NaN);
        }
        if (seen == null || !Arrays.equals(seen, x)) {
            look(x);
        }
        double[] residual = new double[observed];
        double largest = 0;
        for (int c = 0; c < observed; c++) {
            residual[c] = xNext[c] - expected[c];
            double size = Math.abs(residual[c]);
            largest = Math.max(largest, sizes[c] > 0 ? size / sizes[c] : size > 0 ? MAX_EXCESS : 0);
        }
        int near = nearest;
        double usual = (nearSums[near] + PRIOR) / (nearCounts[near] + PRIOR);
        double statistic = Math.min(largest / usual, Double.MAX_VALUE);
        look(xNext);
        return judge(residual, near, largest, usual, statistic, excess);
    }

    private Score judge(double[] residual, int near, double largest, double usual, double statistic, double excess) {
        double p = residuals.tail(statistic);
        double evidence = Double.isNaN(p) ? 0 : Math.min(MAX_EVIDENCE, -StrictMath.log(p));
        window[windowNext] = evidence;
        windowNext = (windowNext + 1) % WINDOW;
        double mean = 0;
        // Oldest first, wherever the ring begins: a resumed scorer adds in the same order.
        for (int i = 0; i < WINDOW; i++) {
            mean += window[(windowNext + i) % WINDOW] / WINDOW;
        }
        lastingRarity = judged == 0 ? rarity : lastingRarity + (rarity - lastingRarity) / RARITY_MEMORY;
        boolean hasSeason = !Double.isNaN(excess);
        lastingExcess = hasSeason ? lastingExcess + (excess - lastingExcess) / SEASON_MEMORY : 0;
        double joint = Double.NaN;
        if (!Double.isNaN(p)) {
            boolean tellsRarity = predictor.density().columns() > 0 || rarity > NOVEL;
            joint = residuals.joint(p, statistic, SIGNS, judged);
            joint = Math.min(joint, evidences.joint(evidences.tail(mean), mean, SIGNS, judged));
            joint = tellsRarity
                    ? Math.min(joint, rarities.joint(rarities.tail(lastingRarity), lastingRarity, SIGNS, judged))
                    : joint;
            joint = hasSeason
                    ? Math.min(joint, excesses.joint(excesses.tail(lastingExcess), lastingExcess, SIGNS, judged))
                    : joint;
        }
        double score = Double.isNaN(joint) ? Double.NaN : Math.min(1, -StrictMath.log10(joint) / 10);
        // −0.0 for a probability of one.
        score = score == 0 ? 0 : score;
        boolean odd = joint <= alarmRate;
        boolean alarm = odd && quiet >= REARM;
        double half = residuals.quantile(BAND) * usual;
        double[] spread = new double[observed];
        for (int c = 0; c < observed; c++) {
            spread[c] = residuals.size() < TailDistribution.MIN_SIZE ? Double.NaN : half * sizes[c];
        }
        quiet = odd ? 0 : Math.min(REARM, quiet + 1);
        alarms += alarm ? 1 : 0;
        held = quiet >= REARM ? 0 : held;
        if (odd) {
            residuals.alarm(statistic);
            evidences.alarm(mean);
            rarities.alarm(lastingRarity);
            excesses.alarm(lastingExcess);
        } else if (quiet >= REARM) {
            residuals.calm();
            evidences.calm();
            rarities.calm();
            excesses.calm();
        }
        if (quiet < REARM && held < MAX_HOLD) {
            held++;
        } else {
            remember(residual, near, largest, statistic, Double.isNaN(p) ? Double.NaN : mean, hasSeason);
        }
        judged++;
        return new Score(score, p, known, alarm, Score.row(residual), Score.row(spread));
    }

    private void remember(
            double[] residual, int near, double largest, double statistic, double mean, boolean hasSeason) {
        double share = 1.0 / Math.min(residuals.size() + 1, MEMORY);
        for (int c = 0; c < observed; c++) {
            double size = Math.abs(residual[c]);
            // A coordinate that stood still until now has no size to cut at.
            sizes[c] += share * ((sizes[c] > 0 ? Math.min(size, MAX_EXCESS * sizes[c]) : size) - sizes[c]);
        }
        if (judged > 0 || residuals.size() > 0) {
            nearSums[near] += Math.min(largest, MAX_EXCESS);
            nearCounts[near]++;
            residuals.add(statistic);
            if (judged % Math.min(RARITY_EVERY, 1 + judged / RARITY_ALL) == 0) {
                rarities.add(lastingRarity);
                if (hasSeason) {
                    excesses.add(lastingExcess);
                }
            }
            if (!Double.isNaN(mean)) {
                evidences.add(mean);
            }
        }
    }

    /** What is expected after a state, and how well it is known. */
    private void look(double[] state) {
        int m = predictor.basis().size();
        if (beta.length < m) {
            row = new double[Math.max(m, 2 * beta.length)];
            beta = new double[row.length];
        }
        predictor.basis().gramRow(state, row, scratch);
        int largest = 0;
        for (int i = 1; i < m; i++) {
            largest = row[i] > row[largest] ? i : largest;
        }
        nearest = largest;
        double squaredNorm = predictor.basis().squaredNorm(state);
        Triangular.multiply(inverse, row, beta);
        double inside = Vectors.squaredNorm(beta, m);
        known = squaredNorm > 0 ? Math.min(1, inside / squaredNorm) : 0;
        rarity = 1 - known;
        if (predictor.density().columns() > 0) {
            double density = Vectors.dot(predictor.density().column(0), beta, m) / squaredNorm;
            rarity = -StrictMath.log(Math.max(MIN_DENSITY, Math.min(1, density)));
            rarity = rarity == 0 ? 0 : rarity;
        }
        for (int c = 0; c < observed; c++) {
            double linear = Vectors.dot(predictor.readout().column(c), beta, m);
            expected[c] = predictor.increments() ? state[c] + linear : linear;
        }
        seen = state.clone();
    }
}
