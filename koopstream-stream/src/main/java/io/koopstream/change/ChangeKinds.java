package io.koopstream.change;

import io.koopstream.change.DriftEvent.Change;
import io.koopstream.change.DriftEvent.Kind;
import java.util.Arrays;

/** Tells which kind a change is that a {@link ChangeWatch} has noticed, from the blocks since it began. */
final class ChangeKinds {

    /** By how much a slope must fit better than a step, or a step than a slope: e^(8/2) times as likely. */
    private static final double DECISIVE = 8;

    /** Blocks after which that is decided whatever the difference: a change that is certain is reported in the end. */
    private static final int MAX_UNDECIDED = 160;

    /** Standard errors beyond which the mean of a few blocks is another one: the largest of many charts is compared, over a stretch that was chosen after the fact. */
    private static final double SIGNIFICANT = 5;

    private final ChangeWatch watch;
    private final int observed;
    private final int products;

    ChangeKinds(ChangeWatch watch, int observed, int products) {
        this.watch = watch;
        this.observed = observed;
        this.products = products;
    }

    /** Distance, in standard errors, of the newest blocks from those before, by their own scatter if that is larger. */
    private double away(int k, int length) {
        double[] values = watch.newest(k, length);
        if (k >= 3 * observed) {
            unshift(k, values);
        }
        double mean = mean(values);
        double square = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (length - 1);
        double scale = Math.max(Math.sqrt(square), watch.deviation(k));
        return scale > 0 ? Math.abs(mean - watch.past(k)) / scale * Math.sqrt(length) : 0;
    }

    /** Takes out of products what a mean residual does to them: predicted increments are then its opposite on average. */
    private void unshift(int k, double[] values) {
        int c = coordinate(k);
        int j = products == observed ? c : (k - 3 * observed) % observed;
        double offset = mean(watch.newest(observed + c, values.length));
        double[] other = watch.newest(observed + j, values.length);
        for (int i = 0; i < values.length; i++) {
            values[i] += offset * other[i];
        }
    }

    /** The coordinate that a chart of products is about. */
    private int coordinate(int product) {
        return (product - 3 * observed) / (products / observed);
    }

    private int farthest(int from, int to, int length) {
        int best = from;
        for (int k = from + 1; k < to; k++) {
            best = away(k, length) > away(best, length) ? k : best;
        }
        return best;
    }

    /**
     * The change that a chart shows.
     *
     * @param fired the side of a chart, as in {@link ChangeWatch#rise}
     * @return null while its kind cannot be told
     */
    DriftEvent event(int fired, long pair, long row, double time) {
        int chart = fired / 2;
        int length = longest(chart, chart + 1, watch.rise(fired).length(), 0);
        if (length < ChangeWatch.TOLD_AFTER) {
            return null;
        }
        int offset = farthest(observed, 2 * observed, length);
        int product = farthest(3 * observed, 3 * observed + products, length);
        boolean shifted = away(offset, length) >= SIGNIFICANT;
        boolean turned = away(product, length) >= SIGNIFICANT;
        int level = moved(chart, length);
        Kind kind;
        int coordinate;
        int since = length;
        if (level >= 0 || (shifted && !turned)) {
            coordinate = level >= 0 ? level : offset % observed;
            int step = longest(coordinate, 2 * observed, watch.remembered(), 0);
            int slope = longest(coordinate, 2 * observed, watch.remembered(), 1);
            double lead = gain(coordinate, 2 * observed, slope, 1) - gain(coordinate, 2 * observed, step, 0);
            if (Math.abs(lead) < DECISIVE && length < MAX_UNDECIDED) {
                return null;
            }
            boolean drifts = lead > 0 && slope > 2 * ChangeWatch.TOLD_AFTER;
            kind = drifts ? Kind.SLOW_DRIFT : Kind.LEVEL_SHIFT;
            since = drifts ? slope : length;
        } else if (!turned && length < 2 * ChangeWatch.TOLD_AFTER) {
            return null;
        } else {
            kind = turned ? Kind.CHANGED_SPECTRUM : Kind.VARIANCE_CHANGE;
            coordinate = turned || chart >= 3 * observed ? coordinate(product) : chart % observed;
        }
        return event(kind, coordinate, since, watch.rise(fired).sum(), pair, row, time);
    }

    private DriftEvent event(Kind kind, int coordinate, int length, double score, long pair, long row, double time) {
        boolean levels = kind == Kind.SLOW_DRIFT || kind == Kind.LEVEL_SHIFT;
        int shown = levels ? coordinate : 2 * observed + coordinate;
        double errorBefore = 0;
        double errorAfter = 0;
        for (int k = 2 * observed; k < 3 * observed; k++) {
            double after = mean(watch.newest(k, length));
            errorBefore += watch.past(k) * watch.past(k);
            errorAfter += after * after;
        }
        // Of a drift the newest blocks say where it has got to.
        double to = mean(watch.newest(shown, kind == Kind.SLOW_DRIFT ? ChangeWatch.TOLD_AFTER : length));
        ChangeWatch.Place onset = watch.place(length);
        return new DriftEvent(
                pair,
                (long) onset.pair(),
                Math.sqrt(errorBefore),
                Math.sqrt(errorAfter),
                score,
                new Change(kind, coordinate, watch.past(shown), to, (long) onset.row(), onset.time(), row, time));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    /** The coordinate whose level is another one than before; −1 for none. */
    private int moved(int chart, int length) {
        if (chart < observed) {
            return chart;
        }
        int best = -1;
        double most = SIGNIFICANT;
        for (int c = 0; c < observed; c++) {
            boolean beyond = watch.isBeyond(c, mean(watch.newest(c, length)));
            double far = beyond ? Double.MAX_VALUE : away(c, length);
            if (far >= most) {
                best = c;
                most = far;
            }
        }
        return best;
    }

    /** The number of newest blocks over which a step, or a slope, fits best. */
    private int longest(int from, int to, long most, int power) {
        int best = 2;
        double largest = 0;
        for (int n = 2; n <= Math.min(most, watch.remembered()); n++) {
            double gain = gain(from, to, n, power);
            best = gain > largest ? n : best;
            largest = Math.max(largest, gain);
        }
        return best;
    }

    /**
     * Reduction that a step, or a slope, over the newest blocks brings to the sums of squares of charts, in their variances: of every {@code observed}-th chart from one on
     * up to another.
     *
     * @param power 0 for a step, 1 for a slope
     */
    private double gain(int from, int to, int length, int power) {
        double gain = 0;
        for (int k = from; k < to; k += observed) {
            double[] values = watch.newest(k, length);
            double top = 0;
            double bottom = 0;
            for (int i = 0; i < length; i++) {
                double weight = power == 0 ? 1 : i + 1;
                top += weight * (values[i] - watch.past(k));
                bottom += weight * weight;
            }
            double scale = watch.deviation(k);
            gain += scale > 0 ? top * top / bottom / (scale * scale) : 0;
        }
        return gain;
    }
}
