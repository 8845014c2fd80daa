package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * How unusual the present rows of a stream are. Every {@link Sign} is a number that is ranked among its own past ({@link TailDistribution}), which gives a
 * p-value; the row's is their harmonic mean, which counts as evidence whatever the dependence between them (Wilson, PNAS 116, 2019; Vovk and Wang,
 * <i>Combining p-values via averaging</i>, Biometrika 107, 2020). A row is news if none of the last {@value #EPISODE} was as unusual, and how
 * often rows of a p-value are news is read from the stream's own record, so that a score has a meaning: the share of rows that score as high
 * while nothing changes.
 *
 * <p>One writer. O(d) per row and a rank per sign.
 */
final class Evidence {

    /** Rows after which an event is over or, if it still lasts, usual. */
    static final int EPISODE = 50;

    /** The two spans over which errors add up, beside one row: the forecast horizons at which leaks and stuck sensors first show. */
    private static final int SHORT = 8;

    private static final int LONG = 24;

    /** A row at least as rare begins an episode, of which nothing but its first row is remembered. */
    private static final double UNUSUAL = 1e-3;

    /** Where news is counted: the rarest level at which a few thousand rows show dozens. */
    private static final double COUNTED = 0.01;

    /** News beyond e⁻³ of that level is counted as just beyond: what is no chance must not set the level of chance. */
    private static final double MAX_EXCESS = 3;

    /** The rate of news before there is any, as if so many rows of the {@link #COUNTED} had been seen, every second one news. */
    private static final double PRIOR = 5;

    /** How fast news becomes rarer, as if so many had confirmed the p-values: a slope is less certain than a count. */
    private static final double SLOPE_PRIOR = 100;

    /** After an alarm only what is ten times as rare as the alarm is news. */
    private static final double TOLD = 0.1;

    /** Beyond the rarest that a score can say, all is equally rare: what grows on is not news again. */
    private static final double LEAST = 1e-12;

    /** One error counts for no more in {@link Sign#NOISE}: a spike of e⁻²⁰ is a sign by itself. */
    private static final double MAX_NATS = 20;

    /** Steps outside 10⁻⁶ and 10⁶ of the spread count as these. */
    private static final double MAX_LOG_STEP = StrictMath.log(1e6);

    /** The distance from the season is a mean over about this number of rows: only what stays away counts. */
    private static final double SEASON_MEMORY = 12;

    private final int width;
    /** The past of each {@link Sign}. */
    private final Map<Sign, TailDistribution> past = new EnumMap<>(Sign.class);

    private final Level level;
    /** The last errors in usual sizes, the evidence in each and the logarithm of each step: a ring of {@link #LONG}. */
    private final double[] errors;

    private final double[] nats = new double[LONG];
    private final double[] steps = new double[LONG];
    private long pairs;
    private double lastingExcess;
    /** The p-values of the last rows; those in which an alarm lasted count as rarer. */
    private final double[] recent = new double[EPISODE];

    private long rows;
    private int sinceUnusual = EPISODE;
    private int lasts;
    private int sinceAlarm = EPISODE;
    private double news;
    private double inside;
    private double excess;

    /**
     * What a row shows.
     *
     * @param p of the error; NaN while unknown, and without a prediction
     * @param score 0 where nothing is new; NaN while unknown
     * @param outlies whether it is unusual, and its episode young
     * @param cause the most unusual sign, null unless an alarm begins
     * @param coordinate in which it is the largest, from 1; 0 where it is not one alone
     */
    record Finding(double p, double score, boolean outlies, Sign cause, int coordinate) {

        static final Finding NOTHING = new Finding(Double.NaN, Double.NaN, false, null, 0);

        boolean alarm() {
            return cause != null;
        }
    }

    Evidence(int width) {
        this.width = width;
        this.level = new Level(width);
        this.errors = new double[LONG * width];
        for (Sign sign : Sign.values()) {
            past.put(sign, new TailDistribution());
        }
        Arrays.fill(recent, 1);
    }

    /** All there is to continue with. */
    void parts(StateParts parts) {
        for (TailDistribution one : past.values()) {
            one.parts(parts);
        }
        level.parts(parts);
        take(parts.numbers("errors", errors), errors);
        take(parts.numbers("nats", nats), nats);
        take(parts.numbers("steps", steps), steps);
        pairs = parts.count("pairs", pairs);
        lastingExcess = parts.number("lastingExcess", lastingExcess);
        take(parts.numbers("recent", recent), recent);
        rows = parts.count("rows", rows);
        sinceUnusual = parts.size("sinceUnusual", sinceUnusual);
        lasts = parts.size("lasts", lasts);
        sinceAlarm = parts.size("sinceAlarm", sinceAlarm);
        news = parts.number("news", news);
        inside = parts.number("inside", inside);
        excess = parts.number("excess", excess);
        if (parts.restores()) {
            Scorer.requireSizes(new double[] {lastingExcess, news, inside, excess});
            Scorer.requireSizes(recent);
            Scorer.requireSizes(nats);
            Scorer.require(inside <= news && pairs >= 0 && rows >= 0);
            Scorer.require(Math.max(sinceUnusual, sinceAlarm) <= EPISODE && lasts <= EPISODE + 1);
            Scorer.require(DoubleStream.concat(Arrays.stream(errors), Arrays.stream(steps))
                    .allMatch(Double::isFinite));
        }
    }

    private static void take(double[] saved, double[] into) {
        if (saved != into) {
            InvalidStateException.require(saved.length == into.length, "scores", "rows of another length");
            System.arraycopy(saved, 0, into, 0, into.length);
        }
    }

    /** The past of the one-step errors. */
    TailDistribution errors() {
        return past.get(Sign.ERROR);
    }

    /** Remembers a row that was not in its place among others. */
    void remember(double[] x, double error) {
        errors().add(error);
        level.add(x);
    }

    /**
     * Judges a row, and remembers it.
     *
     * @param from the row before, null where nothing follows from it
     * @param error of the prediction per coordinate, in usual sizes; null as {@code from}
     * @param season distance from the rows of the same phase; NaN where there are none
     * @param alarmRate news as rare is an alarm
     */
    Finding judge(double[] x, double[] from, double[] error, double season, double alarmRate) {
        Map<Sign, Double> signs = new EnumMap<>(Sign.class);
        double[][] away = {level.away(x, 1), level.away(x, -1)};
        signs.put(Sign.HIGH, largestOf(away[0]));
        signs.put(Sign.LOW, largestOf(away[1]));
        lastingExcess = Double.isNaN(season) ? 0 : lastingExcess + (season - lastingExcess) / SEASON_MEMORY;
        if (!Double.isNaN(season)) {
            signs.put(Sign.SEASON, lastingExcess);
        }
        double p = Double.NaN;
        if (error != null) {
            signs.put(Sign.ERROR, largestOf(error));
            p = errors().tail(signs.get(Sign.ERROR));
            follow(signs, x, from, error, p);
        }
        level.add(x);
        Map<Sign, Double> ranks = new EnumMap<>(Sign.class);
        signs.forEach((sign, value) -> {
            double rank = past.get(sign).tail(value);
            if (!Double.isNaN(rank)) {
                ranks.put(sign, rank);
            }
        });
        double joint = errors().size() < TailDistribution.MIN_SIZE ? Double.NaN : harmonicMean(ranks.values());
        boolean unusual = joint <= UNUSUAL;
        sinceUnusual = unusual ? 0 : Math.min(EPISODE, sinceUnusual + 1);
        lasts = sinceUnusual == EPISODE ? 0 : Math.min(EPISODE, lasts) + 1;
        if (lasts <= 1 || lasts > EPISODE) {
            signs.forEach((sign, value) -> past.get(sign).add(value));
        }
        if (Double.isNaN(joint)) {
            return new Finding(p, Double.NaN, false, null, 0);
        }
        double shown = Math.max(joint, LEAST);
        double rate = rate(shown);
        double score = isNews(shown, rate <= alarmRate) ? Score.of(rate) : 0;
        boolean alarm = rate <= alarmRate && sinceAlarm == EPISODE;
        sinceAlarm = rate <= alarmRate ? 0 : Math.min(EPISODE, sinceAlarm + 1);
        Sign cause = alarm
                ? Collections.min(ranks.entrySet(), Map.Entry.comparingByValue())
                        .getKey()
                : null;
        return new Finding(p, score, unusual && lasts <= EPISODE, cause, alarm ? coordinate(cause, error, away) : 0);
    }

    private int coordinate(Sign cause, double[] error, double[][] away) {
        return width == 1
                ? 1
                : switch (cause) {
                    case ERROR, NOISE -> 1 + largest(error);
                    case SHORT_ERROR -> 1 + largest(sums(SHORT));
                    case LONG_ERROR -> 1 + largest(sums(LONG));
                    case HIGH -> 1 + largest(away[0]);
                    case LOW -> 1 + largest(away[1]);
                    case STILLNESS, SEASON -> 0;
                };
    }

    /** The signs of errors and steps that follow each other. */
    private void follow(Map<Sign, Double> signs, double[] x, double[] from, double[] error, double p) {
        int place = (int) (pairs++ % LONG);
        System.arraycopy(error, 0, errors, place * width, width);
        nats[place] = Double.isNaN(p) ? 1 : Math.min(MAX_NATS, -StrictMath.log(p));
        steps[place] = -StrictMath.log(level.step(x, from));
        if (pairs >= SHORT) {
            signs.put(Sign.SHORT_ERROR, largestOf(sums(SHORT)));
            signs.put(Sign.NOISE, mean(nats, SHORT));
        }
        if (pairs >= LONG) {
            signs.put(Sign.LONG_ERROR, largestOf(sums(LONG)));
            signs.put(Sign.STILLNESS, MAX_LOG_STEP + Math.max(-MAX_LOG_STEP, mean(steps, LONG)));
        }
    }

    private double[] sums(int span) {
        double[] sums = new double[width];
        for (int i = 1; i <= span; i++) {
            int at = (int) ((pairs - i) % LONG) * width;
            for (int c = 0; c < width; c++) {
                sums[c] += errors[at + c];
            }
        }
        return sums;
    }

    private double mean(double[] ring, int span) {
        double sum = 0;
        for (int i = 1; i <= span; i++) {
            sum += ring[(int) ((pairs - i) % LONG)];
        }
        return sum / span;
    }

    private static double largestOf(double[] values) {
        return Math.abs(values[largest(values)]);
    }

    /** The index of the largest, whatever its sign. */
    private static int largest(double[] values) {
        int largest = 0;
        for (int i = 1; i < values.length; i++) {
            largest = Math.abs(values[i]) > Math.abs(values[largest]) ? i : largest;
        }
        return largest;
    }

    /** NaN of nothing. */
    private static double harmonicMean(Collection<Double> ranks) {
        double sum = 0;
        for (double rank : ranks) {
            sum += 1 / rank;
        }
        return ranks.isEmpty() ? Double.NaN : ranks.size() / sum;
    }

    /** Compares a row with the last ones, of which it becomes one, and counts it if it is news. */
    private boolean isNews(double joint, boolean alarming) {
        boolean isNews = Arrays.stream(recent).allMatch(one -> joint < one);
        recent[(int) (rows++ % EPISODE)] = alarming ? TOLD * joint : joint;
        if (isNews && joint <= COUNTED) {
            double beyond = StrictMath.log(COUNTED / joint);
            news++;
            inside += beyond < MAX_EXCESS ? 1 : 0;
            excess += Math.min(MAX_EXCESS, beyond);
        }
        return isNews;
    }

    /**
     * The share of rows that are news of a p-value or a smaller one while nothing changes: counted at {@link #COUNTED}, from there on a power of p whose
     * exponent is the likeliest for the news counted, those beyond {@link #MAX_EXCESS} known only to be beyond.
     */
    private double rate(double joint) {
        double counted = Math.min(1, (news + PRIOR / 2) / (rows * COUNTED + PRIOR));
        double slope = (inside + SLOPE_PRIOR) / (excess + SLOPE_PRIOR);
        double beyond = Math.max(0, StrictMath.log(COUNTED / joint));
        return Math.min(1, counted * Math.max(joint, COUNTED) * StrictMath.exp(-slope * beyond));
    }

    /** Mean and mean distance from it of every coordinate, over about {@value UsualSizes#MEMORY} rows, and where a row stands among them. One writer. */
    private static final class Level {

        private final UsualSizes distances;
        private double[] means;
        private long rows;

        Level(int width) {
            distances = new UsualSizes(width);
            means = new double[width];
        }

        void parts(StateParts parts) {
            means = parts.numbers("means", means);
            distances.parts(parts, 0);
            rows = parts.count("levels", rows);
            if (parts.restores()) {
                Scorer.require(means.length == distances.observed()
                        && Arrays.stream(means).allMatch(Double::isFinite)
                        && rows >= 0);
            }
        }

        /** How far above its mean each coordinate is, or below it, in its mean distance. */
        double[] away(double[] x, int side) {
            double[] away = new double[means.length];
            Arrays.setAll(
                    away,
                    c -> rows == 0
                            ? 0
                            : Math.min(Double.MAX_VALUE, Math.max(0, side * distances.in(c, x[c] - means[c]))));
            return away;
        }

        /** The largest step of a coordinate, in its mean distance, within the bounds. */
        double step(double[] x, double[] from) {
            double[] step = new double[means.length];
            Arrays.setAll(step, c -> x[c] - from[c]);
            double bound = StrictMath.exp(MAX_LOG_STEP);
            return Math.max(1 / bound, Math.min(bound, distances.largest(step)));
        }

        void add(double[] x) {
            double[] away = new double[means.length];
            for (int c = 0; c < away.length; c++) {
                away[c] = rows == 0 ? 0 : x[c] - means[c];
                means[c] =
                        rows == 0 ? x[c] : means[c] + distances.cut(c, away[c]) / Math.min(rows + 1, UsualSizes.MEMORY);
            }
            if (rows++ > 0) {
                distances.add(away, rows - 2);
            }
        }
    }
}
