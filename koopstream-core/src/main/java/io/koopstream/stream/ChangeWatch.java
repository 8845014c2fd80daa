package io.koopstream.stream;

import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.Learner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.score.OneStep;
import io.koopstream.stream.DriftEvent.Change;
import io.koopstream.stream.DriftEvent.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Notices lasting changes and tells their kinds. A reference operator, taken anew only when the pairs are four times as many, predicts every pair; of the residuals r and
 * the states x four kinds of charts are kept per coordinate, each the mean over blocks of {@value #BLOCK} pairs: the level x, the residual r, its size |r|, and
 * the products of residuals with predicted increments, r·Δ. Each chart is Page's cumulative sum to both sides (as {@link DriftDetector}'s), in standard
 * deviations of its own past blocks, widened by their correlation. Noise is white whatever the dynamics are, so r and |r| tell of a level and of the noise; only dynamics other
 * than the reference's make residuals depend on what it predicts. The raw level counts only where it leaves all that was seen before: moving between
 * places that are known is no change.
 *
 * <p>One writer. O(m² / 2) per pair, memory one operator and {@value #RECENT} blocks.
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
    private static final int TOLD_AFTER = 8;
    /** By how much a slope must fit better than a step, or a step than a slope. */
    private static final double DECISIVE = 8;

    /** Blocks after which that is decided whatever the difference. */
    private static final int MAX_UNDECIDED = 160;

    /** Standard errors beyond which the mean of a few blocks is another one. */
    private static final double SIGNIFICANT = 5;
    /** Products of all coordinates with all are watched up to so many; beyond, each with itself. */
    private static final int MAX_CROSSED = 3;

    private final int observed;
    private final int products;
    private final int charts;
    private KoopmanOperator reference;
    private OneStep predictor;
    private final Scratch scratch = new Scratch();
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
     * Everything needed to go on.
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

    /** Everything needed to go on. */
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
        double[] expected = predictor.expected(x, scratch);
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
        DriftEvent event = fired < 0 ? null : event(fired, pair, row, time);
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
    private double deviation(int k) {
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

    /** Where the charts of a block are kept, with the place where it begins. */
    private int slot(long block) {
        return recent + (int) (block % RECENT) * (charts + PLACE);
    }

    /** The values of a chart in the newest blocks, oldest first. */
    private double[] newest(int k, int length) {
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = numbers[slot((long) numbers[BLOCKS] - length + i) + k];
        }
        return values;
    }

    /** How many standard errors the newest blocks are away from those before, by their own scatter if that is larger. */
    private double away(int k, int length) {
        double[] values = newest(k, length);
        if (k >= 3 * observed) {
            unshift(k, values);
        }
        double mean = mean(values);
        double square = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (length - 1);
        double scale = Math.max(Math.sqrt(square), deviation(k));
        return scale > 0 ? Math.abs(mean - numbers[means + k]) / scale * Math.sqrt(length) : 0;
    }

    /** Takes out of products what a mean residual does to them: predicted increments are then its opposite on average. */
    private void unshift(int k, double[] values) {
        int c = (k - 3 * observed) / (products / observed);
        int j = products == observed ? c : (k - 3 * observed) % observed;
        double offset = mean(newest(observed + c, values.length));
        double[] other = newest(observed + j, values.length);
        for (int i = 0; i < values.length; i++) {
            values[i] += offset * other[i];
        }
    }

    private int farthest(int from, int to, int length) {
        int best = from;
        for (int k = from + 1; k < to; k++) {
            best = away(k, length) > away(best, length) ? k : best;
        }
        return best;
    }

    /** The change that a chart shows; null while its kind cannot be told. */
    private DriftEvent event(int fired, long pair, long row, double time) {
        int rise = (int) Math.min(RECENT, numbers[lengths + fired]);
        int length = longest(fired / 2, fired / 2 + 1, rise, 0);
        if (length < TOLD_AFTER) {
            return null;
        }
        int offset = farthest(observed, 2 * observed, length);
        int product = farthest(3 * observed, charts, length);
        boolean shifted = away(offset, length) >= SIGNIFICANT;
        boolean turned = away(product, length) >= SIGNIFICANT;
        int level = moved(fired / 2, length);
        if (level >= 0 || (shifted && !turned)) {
            int coordinate = level >= 0 ? level : offset % observed;
            int step = longest(coordinate, 2 * observed, RECENT, 0);
            int slope = longest(coordinate, 2 * observed, RECENT, 1);
            double lead = gain(coordinate, 2 * observed, slope, 1) - gain(coordinate, 2 * observed, step, 0);
            if (Math.abs(lead) < DECISIVE && length < MAX_UNDECIDED) {
                return null;
            }
            boolean drifts = lead > 0 && slope > 2 * TOLD_AFTER;
            return event(
                    drifts ? Kind.SLOW_DRIFT : Kind.LEVEL_SHIFT,
                    coordinate,
                    drifts ? slope : length,
                    numbers[rises + fired],
                    pair,
                    row,
                    time);
        }
        if (!turned && length < 2 * TOLD_AFTER) {
            return null;
        }
        return event(
                turned ? Kind.CHANGED_SPECTRUM : Kind.VARIANCE_CHANGE,
                turned || fired / 2 >= 3 * observed
                        ? (product - 3 * observed) / (products / observed)
                        : fired / 2 % observed,
                length,
                numbers[rises + fired],
                pair,
                row,
                time);
    }

    private DriftEvent event(Kind kind, int coordinate, int length, double score, long pair, long row, double time) {
        boolean levels = kind == Kind.SLOW_DRIFT || kind == Kind.LEVEL_SHIFT;
        int shown = levels ? coordinate : 2 * observed + coordinate;
        double errorBefore = 0;
        double errorAfter = 0;
        for (int k = 2 * observed; k < 3 * observed; k++) {
            double after = mean(newest(k, length));
            errorBefore += numbers[means + k] * numbers[means + k];
            errorAfter += after * after;
        }
        // Of a drift the newest blocks say where it has got to.
        double to = mean(newest(shown, kind == Kind.SLOW_DRIFT ? TOLD_AFTER : length));
        int start = slot((long) numbers[BLOCKS] - length) + charts;
        return new DriftEvent(
                pair,
                (long) numbers[start + 2],
                Math.sqrt(errorBefore),
                Math.sqrt(errorAfter),
                score,
                new Change(
                        kind,
                        coordinate,
                        numbers[means + shown],
                        to,
                        (long) numbers[start],
                        numbers[start + 1],
                        row,
                        time));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    /** The coordinate whose level is another one than before; −1 for none. */
    private int moved(int chart, int length) {
        int best = chart < observed ? chart : -1;
        double most = chart < observed ? Double.POSITIVE_INFINITY : SIGNIFICANT;
        for (int c = 0; c < observed; c++) {
            double level = mean(newest(c, length));
            boolean beyond = level < numbers[lows + c] || level > numbers[highs + c];
            double far = beyond ? Double.MAX_VALUE : away(c, length);
            if (far >= most) {
                best = c;
                most = far;
            }
        }
        return best;
    }

    /** The number of newest blocks over which a step, or a slope, fits best. */
    private int longest(int from, int to, int most, int power) {
        int best = 2;
        double largest = 0;
        for (int n = 2; n <= Math.min(most, Math.min(RECENT, numbers[BLOCKS])); n++) {
            double gain = gain(from, to, n, power);
            best = gain > largest ? n : best;
            largest = Math.max(largest, gain);
        }
        return best;
    }

    /**
     * What a step, or a slope, over the newest blocks takes off the sums of squares of charts, in their variances: of every {@code observed}-th chart from one on
     * up to another.
     */
    private double gain(int from, int to, int length, int power) {
        double gain = 0;
        for (int k = from; k < to; k += observed) {
            double[] values = newest(k, length);
            double top = 0;
            double bottom = 0;
            for (int i = 0; i < length; i++) {
                double weight = power == 0 ? 1 : i + 1;
                top += weight * (values[i] - numbers[means + k]);
                bottom += weight * weight;
            }
            double scale = deviation(k);
            gain += scale > 0 ? top * top / bottom / (scale * scale) : 0;
        }
        return gain;
    }

    private void restart(int k) {
        for (int part : new int[] {counts, means, squares, lagged, last}) {
            numbers[part + k] = 0;
        }
        numbers[rises + 2 * k] = 0;
        numbers[rises + 2 * k + 1] = 0;
    }

    /** After a change everything is learned anew; only where levels have been stays known, the new one among them. */
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
