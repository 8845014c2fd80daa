package io.koopstream.control.env;

import io.koopstream.InvalidConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A product of closed intervals: where actions and observations live.
 *
 * @param low lower bounds, one per coordinate
 * @param high upper bounds, each above its lower bound
 */
public record Box(List<Double> low, List<Double> high) {

    /** Refuses bounds that do not match, are not numbers, or enclose nothing. */
    public Box {
        low = List.copyOf(low);
        high = List.copyOf(high);
        if (low.isEmpty() || low.size() != high.size()) {
            throw new InvalidConfigException(
                    "box", low + " to " + high, "needs as many lower as upper bounds, and at least one");
        }
        for (int c = 0; c < low.size(); c++) {
            if (!(low.get(c) < high.get(c))) {
                throw new InvalidConfigException(
                        "box", low + " to " + high, "bound " + c + " must have its lower end below its upper end");
            }
        }
    }

    /** The interval [low, high] in one dimension. */
    public static Box interval(double low, double high) {
        return new Box(List.of(low), List.of(high));
    }

    /** The box [−r_1, r_1] × [−r_2, r_2] × … . */
    public static Box symmetric(Double... radii) {
        return new Box(List.of(radii).stream().map(r -> -r).toList(), List.of(radii));
    }

    /** Number of coordinates. */
    public int dimension() {
        return low.size();
    }

    /** Whether the point has the right length and lies inside, borders included; false for NaN. */
    public boolean contains(double[] point) {
        if (point.length != dimension()) {
            return false;
        }
        for (int c = 0; c < point.length; c++) {
            if (!(point[c] >= low.get(c) && point[c] <= high.get(c))) {
                return false;
            }
        }
        return true;
    }

    /** The nearest value inside along one coordinate. */
    public double clip(int coordinate, double value) {
        return Math.min(Math.max(value, low.get(coordinate)), high.get(coordinate));
    }

    /** The same box with every finite interval made smaller by a share of its width at either end; half-open ones stay. */
    public Box shrunk(double share) {
        List<Double> lower = new ArrayList<>(low);
        List<Double> upper = new ArrayList<>(high);
        for (int c = 0; c < dimension(); c++) {
            double margin = share * (high.get(c) - low.get(c));
            if (Double.isFinite(margin)) {
                lower.set(c, low.get(c) + margin);
                upper.set(c, high.get(c) - margin);
            }
        }
        return new Box(lower, upper);
    }

    /** A point drawn uniformly; the bounds must be finite. */
    public double[] sample(SplittableRandom random) {
        double[] point = new double[dimension()];
        for (int c = 0; c < point.length; c++) {
            point[c] = low.get(c) + (high.get(c) - low.get(c)) * random.nextDouble();
        }
        return point;
    }
}
