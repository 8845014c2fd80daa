package io.koopstream.change;

import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.score.OneStep;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Detects lasting changes and their kinds. A reference operator, renewed only when the pairs are four times as many, predicts every pair; of the residuals r and
 * the states x four kinds of charts are kept per coordinate, each the mean over blocks of {@value #BLOCK} pairs: the level x, the residual r, its size |r|, and
 * the products of residuals with predicted increments, r·Δ. Each chart is Page's {@linkplain Cusum cumulative sum} to both sides, in standard
 * deviations of its own past blocks, widened by their correlation. Noise is white whatever the dynamics are, so r and |r| tell of a level and of the noise; only dynamics other
 * than the reference's make residuals depend on what it predicts. The raw level counts only where it leaves all that was seen before: moving between
 * places that are known is no change.
 *
 * <p>One writer. O(m d) per pair, memory one operator and {@value #RECENT} blocks.
 */
final class ChangeWatch {

    private static final int BLOCK = 16;
    private static final int RECENT = 256;
    /** Pairs at the start, and after a change, that tell of what is yet to be learned. */
    private static final long LEARNING = 1024;

    private static final int BASELINE = 60;
    private static final double SLACK = 0.4;
    private static final double THRESHOLD = 22;
    /** No cumulated sum is larger when nothing seems to change. */
    private static final double CALM = 4;

    private static final double MAX_SCORE = 4;
    /** The deviation of a block's mean counts as at least this share of the usual size: less is of no interest. */
    private static final double MIN_DEVIATION = 0.05;

    private static final double MAX_CORRELATION = 0.95;
    /** Blocks after which the kind of a change can be told. */
    static final int TOLD_AFTER = 8;
    /** Products of all coordinates with all are watched up to so many; beyond, each with itself. */
    private static final int MAX_CROSSED = 3;

    private final int observed;
    private final int products;
    private final int charts;
    private KoopmanOperator reference;
    private OneStep predictor;
    private final OneStep.View view = new OneStep.View();
    /** Pairs since the beginning or the last change, and those after which the reference is renewed. */
    private long seen;

    private long renewal = LEARNING;
    /** Pairs of the block under way; the row, time and number of its first; and the sums of each chart. */
    private long filled;

    private final double[] place = new double[PLACE];
    private final double[] sums;
    /** Blocks so far; of the newest {@value #RECENT} the means of all charts and the place. */
    private long blocks;

    private final double[] recent;
    /** Of each chart the past blocks: their number, mean, squared deviations, products of neighbours' deviations, and the last. */
    private final double[] counts;

    private final double[] means;
    private final double[] squares;
    private final double[] lagged;
    private final double[] last;
    /** Of chart k upwards at 2k, downwards at 2k + 1. */
    private final Cusum[] rises;
    /** Of each level the range of the past blocks. */
    private final double[] lows;

    private final double[] highs;
    /** Row, time and number of a pair. */
    private static final int PLACE = 3;

    /** A watch of this number of coordinates that has seen nothing. */
    ChangeWatch(int observed) {
        this.observed = observed;
        products = observed <= MAX_CROSSED ? observed * observed : observed;
        charts = 3 * observed + products;
        sums = new double[charts];
        counts = new double[charts];
        means = new double[charts];
        squares = new double[charts];
        lagged = new double[charts];
        last = new double[charts];
        rises = new Cusum[2 * charts];
        Arrays.setAll(rises, i -> new Cusum(SLACK, THRESHOLD));
        lows = new double[observed];
        highs = new double[observed];
        recent = new double[RECENT * (charts + PLACE)];
        Arrays.fill(lows, Double.POSITIVE_INFINITY);
        Arrays.fill(highs, Double.NEGATIVE_INFINITY);
    }

    /** An independent watch in the same state. */
    ChangeWatch copy() {
        ChangeWatch copy = new ChangeWatch(observed);
        copy.resume(numbers());
        copy.reference = reference;
        copy.predictor = predictor;
        return copy;
    }

    /** Writes everything needed to continue. */
    void save(LearnerState.Sink sink) {
        sink.size("observed", observed);
        Watch.saveOperator(sink, "reference", reference);
        sink.numbers("numbers", numbers());
    }

    /**
     * A watch that continues from a saved one, bit for bit.
     *
     * @throws InvalidStateException for parts that no watch can have
     */
    static ChangeWatch read(LearnerState.Source source) {
        int observed = source.size("observed");
        KoopmanOperator reference = Watch.readOperator(source, "reference");
        double[] numbers = source.numbers("numbers");
        // Before anything of this size is made.
        require(observed > 0 && observed <= numbers.length / RECENT);
        require(reference == null || reference.domain().dimension() >= observed);
        ChangeWatch watch = new ChangeWatch(observed);
        watch.resume(numbers);
        watch.refer(reference);
        return watch;
    }

    /** All numbers, in the order in which files have them. */
    private double[] numbers() {
        DoubleBuffer buffer = DoubleBuffer.allocate(size());
        buffer.put(new double[] {seen, renewal, filled, blocks}).put(place);
        for (double[] part : List.of(sums, counts, means, squares, lagged, last)) {
            buffer.put(part);
        }
        for (Cusum rise : rises) {
            buffer.put(rise.sum());
        }
        for (Cusum rise : rises) {
            buffer.put((double) rise.length());
        }
        return buffer.put(lows).put(highs).put(recent).array();
    }

    private int size() {
        return 4 + PLACE + 10 * charts + 2 * observed + recent.length;
    }

    private void resume(double[] numbers) {
        require(numbers.length == size());
        DoubleBuffer buffer = DoubleBuffer.wrap(numbers);
        seen = count(buffer.get());
        renewal = count(buffer.get());
        filled = count(buffer.get());
        blocks = count(buffer.get());
        require(filled < BLOCK);
        buffer.get(place);
        for (double[] part : List.of(sums, counts, means, squares, lagged, last)) {
            buffer.get(part);
        }
        int lengths = buffer.position() + rises.length;
        for (int i = 0; i < rises.length; i++) {
            rises[i].resume(buffer.get(), count(numbers[lengths + i]));
        }
        buffer.position(lengths + rises.length);
        buffer.get(lows).get(highs).get(recent);
    }

    private static long count(double number) {
        require(number >= 0 && number <= 0x1p53);
        return (long) number;
    }

    private static void require(boolean holds) {
        InvalidStateException.require(holds, "changes", "numbers of another watch");
    }

    /** True if it watches this number of coordinates of the states of a space. */
    boolean isOf(int coordinates, Rkhs space) {
        return space != null
                && observed == coordinates
                && (reference == null || reference.domain().equals(space));
    }

    private void refer(KoopmanOperator operator) {
        reference = operator;
        predictor = operator == null ? null : OneStep.of(operator, observed);
    }

    /**
     * Takes a pair that is not learned yet.
     *
     * @param before pairs before this one, from the beginning of the stream
     * @return the change that it gave away; null for none
     */
    DriftEvent accept(
            long before, Learner<KoopmanOperator> learner, double[] x, double[] xNext, long row, double time) {
        long age = seen++;
        if (age >= renewal && largestRise() <= CALM) {
            refer(learner.predictor());
            renewal = 4 * age;
            for (int k = observed; k < charts; k++) {
                restart(k);
            }
            filled = 0;
            Arrays.fill(sums, 0);
        }
        if (predictor == null) {
            return null;
        }
        add(x, xNext, before + 1, row, time);
        return filled < BLOCK ? null : judge(before + 1, row, time);
    }

    private void add(double[] x, double[] xNext, long pair, long row, double time) {
        if (filled++ == 0) {
            place[0] = row;
            place[1] = time;
            place[2] = pair;
        }
        view.look(predictor, x);
        double[] expected = new double[observed];
        for (int c = 0; c < observed; c++) {
            expected[c] = view.expected(c);
        }
        int product = 3 * observed;
        for (int c = 0; c < observed; c++) {
            double residual = xNext[c] - expected[c];
            sums[c] += xNext[c] / BLOCK;
            sums[observed + c] += residual / BLOCK;
            sums[2 * observed + c] += Math.abs(residual) / BLOCK;
            for (int j = 0; j < products / observed; j++) {
                int other = products == observed ? c : j;
                sums[product++] += residual * (expected[other] - x[other]) / BLOCK;
            }
        }
    }

    private DriftEvent judge(long pair, long row, double time) {
        int slot = slot(blocks++);
        System.arraycopy(sums, 0, recent, slot, charts);
        System.arraycopy(place, 0, recent, slot + charts, PLACE);
        Arrays.fill(sums, 0);
        filled = 0;
        int fired = -1;
        for (int k = 0; k < charts; k++) {
            double value = recent[slot + k];
            double z = counts[k] < BASELINE ? 0 : standardised(k, value);
            for (int side = 0; side < 2; side++) {
                boolean known = k < observed && (side == 0 ? value <= highs[k] : value >= lows[k]);
                int i = 2 * k + side;
                rises[i].add(known ? Math.min(0, side == 0 ? z : -z) : side == 0 ? z : -z);
                if (rises[i].isBeyond() && (fired < 0 || rise(i) > rise(fired))) {
                    fired = i;
                }
            }
        }
        DriftEvent event = fired < 0 ? null : new ChangeKinds(this, observed, products).event(fired, pair, row, time);
        if (event != null) {
            startAnew();
            return event;
        }
        if (largestRise() <= THRESHOLD / 2) {
            for (int k = 0; k < charts; k++) {
                join(k, recent[slot + k]);
            }
        }
        return null;
    }

    private double largestRise() {
        double largest = 0;
        for (Cusum rise : rises) {
            largest = Math.max(largest, rise.sum());
        }
        return largest;
    }

    /** A block joins the past of a chart: Welford's recurrence, and the products of neighbours for their correlation. */
    private void join(int k, double value) {
        double n = ++counts[k];
        double delta = value - means[k];
        means[k] += delta / n;
        double off = value - means[k];
        squares[k] += delta * off;
        lagged[k] += n > 1 ? off * (last[k] - means[k]) : 0;
        last[k] = value;
        if (k < observed) {
            lows[k] = Math.min(lows[k], value);
            highs[k] = Math.max(highs[k], value);
        }
    }

    /** The standard deviation of a block's mean, as it counts for a sum of many. */
    double deviation(int k) {
        double n = counts[k];
        double correlation = squares[k] > 0 ? Math.max(0, Math.min(MAX_CORRELATION, lagged[k] / squares[k])) : 0;
        double least = k < observed
                ? MIN_DEVIATION * means[2 * observed + k]
                : k < 3 * observed ? MIN_DEVIATION * means[2 * observed + k % observed] : 0;
        return Math.max(Math.sqrt(squares[k] / (n - 1)), least)
                * Math.sqrt((1 + correlation) / (1 - correlation) * (1 + 1 / n));
    }

    private double standardised(int k, double value) {
        double scale = deviation(k);
        double difference = value - means[k];
        return scale > 0
                ? Math.max(-MAX_SCORE, Math.min(MAX_SCORE, difference / scale))
                : Math.signum(difference) * MAX_SCORE;
    }

    /** Slot of the charts of a block. */
    private int slot(long block) {
        return (int) (block % RECENT) * (charts + PLACE);
    }

    /** The values of a chart in the newest blocks, oldest first. */
    double[] newest(int k, int length) {
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = recent[slot(blocks - length + i) + k];
        }
        return values;
    }

    /** The mean of a chart over all blocks before. */
    double past(int k) {
        return means[k];
    }

    /** Rise of a chart to one side, and the number of blocks it took. */
    double rise(int side) {
        return rises[side].sum();
    }

    int risingFor(int side) {
        return (int) Math.min(remembered(), rises[side].length());
    }

    /** Blocks that are remembered. */
    int remembered() {
        return (int) Math.min(RECENT, blocks);
    }

    /** True if a level is beyond all those before. */
    boolean isBeyond(int coordinate, double level) {
        return level < lows[coordinate] || level > highs[coordinate];
    }

    /** Row, time and number of the pair with which the oldest of the newest blocks begins. */
    double place(int length, int which) {
        return recent[slot(blocks - length) + charts + which];
    }

    private void restart(int k) {
        for (double[] part : List.of(counts, means, squares, lagged, last)) {
            part[k] = 0;
        }
        rises[2 * k].reset();
        rises[2 * k + 1].reset();
    }

    /** After a change everything is learned again; only where levels have been stays known, the new one among them. */
    private void startAnew() {
        for (int c = 0; c < observed; c++) {
            for (double level : newest(c, Math.min(remembered(), TOLD_AFTER))) {
                lows[c] = Math.min(lows[c], level);
                highs[c] = Math.max(highs[c], level);
            }
        }
        for (double[] part : List.of(place, sums, counts, means, squares, lagged, last, recent)) {
            Arrays.fill(part, 0);
        }
        for (Cusum rise : rises) {
            rise.resume(0, 0);
        }
        seen = 0;
        filled = 0;
        blocks = 0;
        renewal = LEARNING;
        refer(null);
    }
}
