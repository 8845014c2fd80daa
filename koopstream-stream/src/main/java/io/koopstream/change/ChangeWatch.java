package io.koopstream.change;

import io.koopstream.InvalidStateException;
import io.koopstream.learner.Learner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.score.OneStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Detects lasting changes and their kinds. A reference operator, renewed only when the pairs are four times as many, predicts every pair; of the residuals r and
 * the states x four kinds of charts are kept per coordinate, each the mean over blocks of {@value #BLOCK} pairs: the level x, the residual r, its size |r|, and
 * the products of residuals with predicted increments, r·Δ. Each chart is Page's cumulative sum to both sides (as {@link DriftDetector}'s), in standard
 * deviations of its own past blocks, widened by their correlation. Noise is white whatever the dynamics are, so r and |r| tell of a level and of the noise; only dynamics other
 * than the reference's make residuals depend on what it predicts. The raw level counts only where it leaves all that was seen before: moving between
 * places that are known is no change.
 *
 * <p>One writer. O(m d) per pair, memory one operator and {@value #RECENT} blocks.
 */
public final class ChangeWatch {

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
    /** All numbers but the operator, one after another; see the constructor. */
    private final double[] numbers;

    private final int sums;
    private final int counts;
    private final int means;
    private final int squares;
    private final int lagged;
    private final int last;
    private final int rises;
    private final int lengths;
    private final int lows;
    private final int highs;
    private final int recent;
    private static final int SEEN = 0;
    private static final int RENEWAL = 1;
    private static final int FILLED = 2;
    private static final int BLOCKS = 3;
    private static final int BLOCK_ROW = 4;
    private static final int BLOCK_TIME = 5;
    private static final int BLOCK_PAIR = 6;
    private static final int FIRST = 7;
    /** Row, time and number of a pair. */
    private static final int PLACE = 3;

    /**
     * Everything needed to continue.
     *
     * @param observed coordinates that are watched
     * @param reference what predicts; null before there is one
     * @param numbers sums, charts and recent blocks, in a fixed order
     */
    public record State(int observed, KoopmanOperator reference, List<Double> numbers) {

        /** Keeps its own list; refuses what does not fit. */
        public State {
            numbers = List.copyOf(numbers);
            if (observed < 1
                    || numbers.size() != new ChangeWatch(observed).numbers.length
                    || (reference != null && reference.domain().dimension() < observed)
                    || !(numbers.get(FILLED) >= 0 && numbers.get(FILLED) < BLOCK)
                    || !(numbers.get(BLOCKS) >= 0)) {
                throw new InvalidStateException("changes", "numbers of another watch");
            }
        }
    }

    /** A watch that has seen nothing, of so many coordinates. */
    public ChangeWatch(int observed) {
        this.observed = observed;
        products = observed <= MAX_CROSSED ? observed * observed : observed;
        charts = 3 * observed + products;
        sums = FIRST;
        counts = sums + charts;
        means = counts + charts;
        squares = means + charts;
        lagged = squares + charts;
        last = lagged + charts;
        rises = last + charts;
        lengths = rises + 2 * charts;
        lows = lengths + 2 * charts;
        highs = lows + observed;
        recent = highs + observed;
        numbers = new double[recent + RECENT * (charts + PLACE)];
        Arrays.fill(numbers, lows, highs, Double.POSITIVE_INFINITY);
        Arrays.fill(numbers, highs, recent, Double.NEGATIVE_INFINITY);
        numbers[RENEWAL] = LEARNING;
    }

    /** Goes on from a stored state, bit for bit. */
    public ChangeWatch(State state) {
        this(state.observed);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = state.numbers.get(i);
        }
        refer(state.reference);
    }

    /** Everything needed to continue. */
    public State state() {
        return new State(observed, reference, Arrays.stream(numbers).boxed().toList());
    }

    private void refer(KoopmanOperator operator) {
        reference = operator;
        predictor = operator == null ? null : OneStep.of(operator, observed);
    }

    /**
     * Called with every pair before it is learned.
     *
     * @param seen pairs before this one, from the beginning of the stream
     * @return the change that it gave away; null for none
     */
    DriftEvent before(long seen, Learner<KoopmanOperator> learner, double[] x, double[] xNext, long row, double time) {
        double age = numbers[SEEN]++;
        if (age >= numbers[RENEWAL] && largestRise() <= CALM) {
            refer(learner.predictor());
            numbers[RENEWAL] = 4 * age;
            for (int k = observed; k < charts; k++) {
                restart(k);
            }
            numbers[FILLED] = 0;
            Arrays.fill(numbers, sums, counts, 0);
        }
        if (predictor == null) {
            return null;
        }
        add(x, xNext, seen + 1, row, time);
        return numbers[FILLED] < BLOCK ? null : judge(seen + 1, row, time);
    }

    private void add(double[] x, double[] xNext, long pair, long row, double time) {
        if (numbers[FILLED]++ == 0) {
            numbers[BLOCK_PAIR] = pair;
            numbers[BLOCK_ROW] = row;
            numbers[BLOCK_TIME] = time;
        }
        view.look(predictor, x);
        double[] expected = new double[observed];
        for (int c = 0; c < observed; c++) {
            expected[c] = view.expected(c);
        }
        int product = sums + 3 * observed;
        for (int c = 0; c < observed; c++) {
            double residual = xNext[c] - expected[c];
            numbers[sums + c] += xNext[c] / BLOCK;
            numbers[sums + observed + c] += residual / BLOCK;
            numbers[sums + 2 * observed + c] += Math.abs(residual) / BLOCK;
            for (int j = 0; j < products / observed; j++) {
                int other = products == observed ? c : j;
                numbers[product++] += residual * (expected[other] - x[other]) / BLOCK;
            }
        }
    }

    private DriftEvent judge(long pair, long row, double time) {
        int slot = slot((long) numbers[BLOCKS]++);
        System.arraycopy(numbers, sums, numbers, slot, charts);
        System.arraycopy(numbers, BLOCK_ROW, numbers, slot + charts, PLACE);
        Arrays.fill(numbers, sums, counts, 0);
        numbers[FILLED] = 0;
        int fired = -1;
        for (int k = 0; k < charts; k++) {
            double value = numbers[slot + k];
            double z = numbers[counts + k] < BASELINE ? 0 : standardised(k, value);
            for (int side = 0; side < 2; side++) {
                boolean known = k < observed && (side == 0 ? value <= numbers[highs + k] : value >= numbers[lows + k]);
                rise(2 * k + side, known ? Math.min(0, side == 0 ? z : -z) : side == 0 ? z : -z);
                double g = numbers[rises + 2 * k + side];
                if (g > THRESHOLD && (fired < 0 || g > numbers[rises + fired])) {
                    fired = 2 * k + side;
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
                join(k, numbers[slot + k]);
            }
        }
        return null;
    }

    private double largestRise() {
        double largest = 0;
        for (int i = rises; i < lengths; i++) {
            largest = Math.max(largest, numbers[i]);
        }
        return largest;
    }

    private void rise(int i, double z) {
        double before = numbers[rises + i];
        // What has fired goes on for as long as it takes to tell the kind.
        numbers[rises + i] =
                before > THRESHOLD ? Math.max(before, before + z - SLACK) : Math.max(0, before + z - SLACK);
        if (before == 0) {
            numbers[lengths + i] = 0;
        }
        numbers[lengths + i]++;
    }

    /** A block joins the past of a chart: Welford's recurrence, and the products of neighbours for their correlation. */
    private void join(int k, double value) {
        double n = ++numbers[counts + k];
        double delta = value - numbers[means + k];
        numbers[means + k] += delta / n;
        double off = value - numbers[means + k];
        numbers[squares + k] += delta * off;
        numbers[lagged + k] += n > 1 ? off * (numbers[last + k] - numbers[means + k]) : 0;
        numbers[last + k] = value;
        if (k < observed) {
            numbers[lows + k] = Math.min(numbers[lows + k], value);
            numbers[highs + k] = Math.max(numbers[highs + k], value);
        }
    }

    /** The standard deviation of a block's mean, as it counts for a sum of many. */
    double deviation(int k) {
        double n = numbers[counts + k];
        double correlation = numbers[squares + k] > 0
                ? Math.max(0, Math.min(MAX_CORRELATION, numbers[lagged + k] / numbers[squares + k]))
                : 0;
        double least = k < observed
                ? MIN_DEVIATION * numbers[means + 2 * observed + k]
                : k < 3 * observed ? MIN_DEVIATION * numbers[means + 2 * observed + k % observed] : 0;
        return Math.max(Math.sqrt(numbers[squares + k] / (n - 1)), least)
                * Math.sqrt((1 + correlation) / (1 - correlation) * (1 + 1 / n));
    }

    private double standardised(int k, double value) {
        double scale = deviation(k);
        double difference = value - numbers[means + k];
        return scale > 0
                ? Math.max(-MAX_SCORE, Math.min(MAX_SCORE, difference / scale))
                : Math.signum(difference) * MAX_SCORE;
    }

    /** Slot of the charts of a block. */
    private int slot(long block) {
        return recent + (int) (block % RECENT) * (charts + PLACE);
    }

    /** The values of a chart in the newest blocks, oldest first. */
    double[] newest(int k, int length) {
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = numbers[slot((long) numbers[BLOCKS] - length + i) + k];
        }
        return values;
    }

    /** The mean of a chart over all blocks before. */
    double past(int k) {
        return numbers[means + k];
    }

    /** Rise of a chart to one side, and the number of blocks it took. */
    double rise(int side) {
        return numbers[rises + side];
    }

    int risingFor(int side) {
        return (int) Math.min(remembered(), numbers[lengths + side]);
    }

    /** Blocks that are remembered. */
    int remembered() {
        return (int) Math.min(RECENT, numbers[BLOCKS]);
    }

    /** True if a level is beyond all those before. */
    boolean isBeyond(int coordinate, double level) {
        return level < numbers[lows + coordinate] || level > numbers[highs + coordinate];
    }

    /** Row, time and number of the pair with which the oldest of the newest blocks begins. */
    double place(int length, int which) {
        return numbers[slot((long) numbers[BLOCKS] - length) + charts + which];
    }

    private void restart(int k) {
        for (int part : new int[] {counts, means, squares, lagged, last}) {
            numbers[part + k] = 0;
        }
        numbers[rises + 2 * k] = 0;
        numbers[rises + 2 * k + 1] = 0;
    }

    /** After a change everything is learned again; only where levels have been stays known, the new one among them. */
    private void startAnew() {
        int length = (int) Math.min(RECENT, numbers[BLOCKS]);
        List<double[]> levels = new ArrayList<>();
        for (int c = 0; c < observed; c++) {
            levels.add(newest(c, Math.min(length, TOLD_AFTER)));
        }
        double[] lowest = Arrays.copyOfRange(numbers, lows, recent);
        Arrays.fill(numbers, 0);
        System.arraycopy(lowest, 0, numbers, lows, lowest.length);
        for (int c = 0; c < observed; c++) {
            for (double level : levels.get(c)) {
                numbers[lows + c] = Math.min(numbers[lows + c], level);
                numbers[highs + c] = Math.max(numbers[highs + c], level);
            }
        }
        numbers[RENEWAL] = LEARNING;
        refer(null);
    }
}
