package io.koopstream.control.env;

import io.koopstream.InvalidConfigException;
import java.util.ArrayList;
import java.util.List;

/**
 * Equally spaced actions in a box, ends included: what a planner minimises over. Between grid points {@code GreedyPolicy} refines.
 * Immutable.
 */
public final class ActionGrid {

    private final Box bounds;
    private final List<Integer> counts;
    private final double[][] actions;

    private ActionGrid(Box bounds, List<Integer> counts, double[][] actions) {
        this.bounds = bounds;
        this.counts = counts;
        this.actions = actions;
    }

    /**
     * A grid over a box.
     *
     * @param counts points along each coordinate, at least 2 each
     */
    public static ActionGrid of(Box bounds, int... counts) {
        if (counts.length == 0) {
            throw new InvalidConfigException("actions", "[]", "the action set is empty: give points per coordinate");
        }
        if (counts.length != bounds.dimension()) {
            throw new InvalidConfigException(
                    "actions", counts.length, "needs one count for each of " + bounds.dimension() + " coordinates");
        }
        long total = 1;
        List<Integer> sizes = new ArrayList<>();
        for (int c = 0; c < counts.length; c++) {
            if (counts[c] < 2) {
                throw new InvalidConfigException(
                        "actions", counts[c], "needs at least 2 points per coordinate, or the action set is empty");
            }
            if (!Double.isFinite(bounds.high().get(c) - bounds.low().get(c))) {
                throw new InvalidConfigException("actions", bounds, "a grid needs finite bounds");
            }
            total *= counts[c];
            if (total > 1_000_000) {
                throw new InvalidConfigException("actions", total, "more than a million grid points; use fewer");
            }
            sizes.add(counts[c]);
        }
        double[][] actions = new double[(int) total][counts.length];
        for (int a = 0; a < total; a++) {
            int rest = a;
            for (int c = counts.length - 1; c >= 0; c--) {
                double fraction = (double) (rest % counts[c]) / (counts[c] - 1);
                actions[a][c] = bounds.low().get(c)
                        + fraction * (bounds.high().get(c) - bounds.low().get(c));
                rest /= counts[c];
            }
        }
        return new ActionGrid(bounds, List.copyOf(sizes), actions);
    }

    /** Number of actions. */
    public int size() {
        return actions.length;
    }

    /** Number of coordinates of an action. */
    public int dimension() {
        return counts.size();
    }

    /** Action a, copied. */
    public double[] action(int a) {
        return actions[a].clone();
    }

    /** Action a itself, for reading. */
    public double[] shared(int a) {
        return actions[a];
    }

    /** Index of the action in the middle of the grid. */
    public int middle() {
        int index = 0;
        for (int count : counts) {
            index = index * count + count / 2;
        }
        return index;
    }

    /** Index distance between neighbours along a coordinate. */
    private int stride(int coordinate) {
        int stride = 1;
        for (int c = counts.size() - 1; c > coordinate; c--) {
            stride *= counts.get(c);
        }
        return stride;
    }

    /**
     * The minimiser between grid points: along each coordinate the vertex of the parabola through the best grid point and its two
     * neighbours, kept within them. On the border of the grid, and where the three values are not convex, the grid point stays.
     *
     * @param best index of the smallest value
     * @param values one value an action
     */
    public double[] refine(int best, double[] values) {
        double[] action = actions[best].clone();
        for (int c = 0; c < action.length; c++) {
            int stride = stride(c);
            int position = best / stride % counts.get(c);
            if (position == 0 || position == counts.get(c) - 1) {
                continue;
            }
            double before = values[best - stride];
            double here = values[best];
            double after = values[best + stride];
            double curvature = before - 2 * here + after;
            if (curvature > 0) {
                double spacing = actions[best + stride][c] - actions[best][c];
                double shift = 0.5 * (before - after) / curvature;
                action[c] = bounds.clip(c, action[c] + spacing * Math.min(Math.max(shift, -1), 1));
            }
        }
        return action;
    }
}
