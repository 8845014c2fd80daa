package io.koopstream.change;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.Learner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.score.OneStep;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

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

    /** Pairs whose means are one value of a chart: nearly Gaussian, whatever the pairs are. */
    private static final int BLOCK = 16;

    /** Blocks that are remembered: a change whose kind is undecided for longer is called by what they show. */
    private static final int RECENT = 256;
    /** Pairs at the start, and after a change, that tell of what is yet to be learned. */
    private static final long LEARNING = 1024;

    /** Blocks before a chart is judged: fewer do not show how much they scatter, and the charts are many. */
    private static final int BASELINE = 60;

    /** Standard deviations that are always tolerated, and what accumulates beyond them until a change is taken for certain: chosen on the false alarms and delays in docs/measurements/accuracy.md. */
    private static final double SLACK = 0.4;

    private static final double THRESHOLD = 22;
    /** No cumulated sum is larger when nothing seems to change. */
    private static final double CALM = 4;

    /** The deviation of a block's mean counts as at least this share of the usual size: less is of no interest. */
    private static final double MIN_DEVIATION = 0.05;

    /** Blocks after which the kind of a change can be told. */
    static final int TOLD_AFTER = 8;
    /** Coordinates up to which products of all with all are watched; of more each with itself, so that the charts stay few. */
    private static final int MAX_CROSSED = 3;

    /** Parts of a saved baseline, in their order. */
    private static final List<ToDoubleFunction<Baseline>> PARTS =
            List.of(Baseline::count, Baseline::mean, Baseline::squares, Baseline::lagged, Baseline::last);

    /**
     * The first pair of a block.
     *
     * @param row row of its second state
     * @param time its time
     * @param pair its number
     */
    record Place(double row, double time, double pair) {
        private static final Place NONE = new Place(0, 0, 0);

        private Place numbers(DoubleUnaryOperator one) {
            return new Place(one.applyAsDouble(row), one.applyAsDouble(time), one.applyAsDouble(pair));
        }
    }

    /** Means of all charts over a block of pairs. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Block(double[] means, Place place) {}

    private final int observed;
    private final int products;
    private final int charts;
    private KoopmanOperator reference;
    private OneStep predictor;
    private final Scratch scratch = new Scratch();
    /** Pairs since the beginning or the last change, and those after which the reference is renewed. */
    private long seen;

    private long renewal = LEARNING;
    /** Pairs of the block under way, its place, and the sums of each chart. */
    private long filled;

    private Place place = Place.NONE;
    private final double[] sums;
    /** Blocks since the last change, and the newest of them: a ring. */
    private long blocks;

    private final Block[] recent = new Block[RECENT];
    private final Baseline[] past;
    /** Of chart k upwards at 2k, downwards at 2k + 1. */
    private final Cusum[] rises;
    /** Of each level the range of the past blocks. */
    private final double[] lows;

    private final double[] highs;

    /** A watch of this number of coordinates that has seen nothing. */
    ChangeWatch(int observed) {
        this.observed = observed;
        products = observed <= MAX_CROSSED ? observed * observed : observed;
        charts = 3 * observed + products;
        sums = new double[charts];
        past = new Baseline[charts];
        rises = new Cusum[2 * charts];
        lows = new double[observed];
        highs = new double[observed];
        Arrays.fill(lows, Double.POSITIVE_INFINITY);
        Arrays.fill(highs, Double.NEGATIVE_INFINITY);
        clear();
    }

    /**
     * Everything needed to continue.
     *
     * @param watch null where one is restored
     * @return the watch, or the restored one
     * @throws InvalidStateException for parts that no watch can have
     */
    static ChangeWatch parts(StateParts parts, ChangeWatch watch) {
        boolean known = watch != null;
        int observed = parts.size("observed", known ? watch.observed : 0);
        KoopmanOperator reference = Watch.operator(parts, "reference", known ? watch.reference : null);
        double[] numbers = parts.numbers("numbers", known ? watch.numbers() : null);
        if (known) {
            return watch;
        }
        // Before anything of this size is made.
        require(observed > 0 && observed <= numbers.length / RECENT);
        require(reference == null || reference.domain().dimension() >= observed);
        ChangeWatch restored = new ChangeWatch(observed);
        restored.resume(numbers);
        restored.refer(reference);
        return restored;
    }

    private int size() {
        return 4 + 3 + 10 * charts + 2 * observed + RECENT * (charts + 3);
    }

    private double[] numbers() {
        DoubleBuffer buffer = DoubleBuffer.allocate(size());
        numbers(value -> {
            buffer.put(value);
            return value;
        });
        return buffer.array();
    }

    private void resume(double[] numbers) {
        require(numbers.length == size());
        DoubleBuffer buffer = DoubleBuffer.wrap(numbers);
        numbers(value -> buffer.get());
    }

    /**
     * All numbers, in the order in which files have them.
     *
     * @param one takes a number as it stands and gives it as it is to stand
     */
    private void numbers(DoubleUnaryOperator one) {
        seen = count(one.applyAsDouble((double) seen));
        renewal = count(one.applyAsDouble((double) renewal));
        filled = count(one.applyAsDouble((double) filled));
        blocks = count(one.applyAsDouble((double) blocks));
        require(filled < BLOCK);
        place = place.numbers(one);
        Arrays.setAll(sums, i -> one.applyAsDouble(sums[i]));
        double[][] parts = PARTS.stream()
                .map(part -> Arrays.stream(past).mapToDouble(part).map(one).toArray())
                .toArray(double[][]::new);
        Arrays.setAll(past, k -> new Baseline(parts[0][k], parts[1][k], parts[2][k], parts[3][k], parts[4][k]));
        double[] rise = Arrays.stream(rises).mapToDouble(Cusum::sum).map(one).toArray();
        double[] lengths =
                Arrays.stream(rises).mapToDouble(Cusum::length).map(one).toArray();
        Arrays.setAll(rises, i -> new Cusum(rise[i], count(lengths[i])));
        Arrays.setAll(lows, c -> one.applyAsDouble(lows[c]));
        Arrays.setAll(highs, c -> one.applyAsDouble(highs[c]));
        Arrays.setAll(
                recent,
                i -> new Block(Arrays.stream(recent[i].means).map(one).toArray(), recent[i].place.numbers(one)));
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
     * @param pair its number
     * @return the change that it gave away; null for none
     */
    DriftEvent accept(long pair, Learner<KoopmanOperator> learner, double[] x, double[] xNext, long row, double time) {
        long age = seen++;
        if (age >= renewal && largestRise() <= CALM) {
            refer(learner.predictor());
            renewal = 4 * age;
            for (int k = observed; k < charts; k++) {
                past[k] = Baseline.EMPTY;
                rises[2 * k] = rises[2 * k].reset();
                rises[2 * k + 1] = rises[2 * k + 1].reset();
            }
            filled = 0;
            Arrays.fill(sums, 0);
        }
        if (predictor == null) {
            return null;
        }
        if (filled++ == 0) {
            place = new Place(row, time, pair);
        }
        add(x, xNext);
        return filled < BLOCK ? null : judge(pair, row, time);
    }

    private void add(double[] x, double[] xNext) {
        OneStep.View view = predictor.view(x, scratch);
        double[] expected = new double[observed];
        Arrays.setAll(expected, view::expected);
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
        double[] means = sums.clone();
        recent[(int) (blocks++ % RECENT)] = new Block(means, place);
        Arrays.fill(sums, 0);
        filled = 0;
        int fired = -1;
        for (int k = 0; k < charts; k++) {
            double z = past[k].count() < BASELINE ? 0 : past[k].standardised(means[k], deviation(k));
            for (int side = 0; side < 2; side++) {
                boolean known = k < observed && (side == 0 ? means[k] <= highs[k] : means[k] >= lows[k]);
                double towards = side == 0 ? z : -z;
                int i = 2 * k + side;
                rises[i] = rises[i].add(known ? Math.min(0, towards) : towards, SLACK, THRESHOLD);
                if (rises[i].sum() > THRESHOLD && (fired < 0 || rises[i].sum() > rises[fired].sum())) {
                    fired = i;
                }
            }
        }
        DriftEvent event = fired < 0 ? null : new ChangeKinds(this, observed, products).event(fired, pair, row, time);
        if (event != null) {
            startAnew();
        } else if (largestRise() <= THRESHOLD / 2) {
            for (int k = 0; k < charts; k++) {
                past[k] = past[k].with(means[k]);
            }
            widen(means);
        }
        return event;
    }

    private double largestRise() {
        return Arrays.stream(rises).mapToDouble(Cusum::sum).reduce(0, Math::max);
    }

    private void widen(double[] levels) {
        for (int c = 0; c < observed; c++) {
            lows[c] = Math.min(lows[c], levels[c]);
            highs[c] = Math.max(highs[c], levels[c]);
        }
    }

    /** The standard deviation of a block's mean, as it counts for a sum of many. */
    double deviation(int k) {
        double least = k < 3 * observed ? MIN_DEVIATION * past[2 * observed + k % observed].mean() : 0;
        return past[k].deviation(least, past[k].correlation());
    }

    /** The newest block at 1, older ones beyond. */
    private Block newest(int back) {
        return recent[(int) ((blocks - back) % RECENT)];
    }

    /** The values of a chart in the newest blocks, oldest first. */
    double[] newest(int k, int length) {
        double[] values = new double[length];
        Arrays.setAll(values, i -> newest(length - i).means[k]);
        return values;
    }

    /** Place of the oldest of the newest blocks. */
    Place place(int length) {
        return newest(length).place;
    }

    /** The mean of a chart over all blocks before. */
    double past(int k) {
        return past[k].mean();
    }

    /** Rise of a chart to one side. */
    Cusum rise(int side) {
        return rises[side];
    }

    /** Blocks that are remembered. */
    int remembered() {
        return (int) Math.min(RECENT, blocks);
    }

    /** True if a level is beyond all those before. */
    boolean isBeyond(int coordinate, double level) {
        return level < lows[coordinate] || level > highs[coordinate];
    }

    /** After a change everything is learned again; only where levels have been stays known, the new one among them. */
    private void startAnew() {
        for (int back = Math.min(remembered(), TOLD_AFTER); back > 0; back--) {
            widen(newest(back).means);
        }
        clear();
        seen = 0;
        filled = 0;
        blocks = 0;
        renewal = LEARNING;
        refer(null);
    }

    private void clear() {
        place = Place.NONE;
        Arrays.fill(sums, 0);
        Arrays.fill(past, Baseline.EMPTY);
        Arrays.fill(rises, Cusum.NEW);
        Arrays.fill(recent, new Block(new double[charts], Place.NONE));
    }
}
