package io.koopstream.forecast;

import java.util.Arrays;

/**
 * The linear kind of a {@link Mixture}: a {@link RidgeAutoregression} on as many observations as starts remember, and one on those of a state for
 * starts that have no more, both fitted in turn. Immutable.
 */
final class LinearMember {

    /** Orders beyond the period are looked at up to this one. */
    private static final int MIN_ORDER = 24;

    /** So many steps are wanted for each coefficient before the order is higher than that of a state. */
    private static final int STEPS_PER_FEATURE = 6;

    /** For each part of the stream and for all of it; null when there are too few steps. */
    private final RidgeAutoregression[] near;
    /** Regression with more delays than a state has; null when there are too few observations. */
    private final RidgeAutoregression[] far;

    private LinearMember(RidgeAutoregression[] near, RidgeAutoregression[] far) {
        this.near = near;
        this.far = far;
    }

    /**
     * Fitted to what is remembered of a stream.
     *
     * @param period of the observations, 0 when there is none
     * @param depth observations that starts remember
     * @param unitRoots coordinates that are forecast by increments alone, see {@link RidgeAutoregression#inTurn}
     * @return null where there is too little to fit
     */
    static LinearMember of(DelayLayout layout, RememberedRows remembered, int period, int depth, boolean[] unitRoots) {
        if (layout.stride() > 1 || remembered.series().isEmpty()) {
            return null;
        }
        RidgeAutoregression[] near =
                RidgeAutoregression.inTurn(remembered, layout, unitRoots).orElse(null);
        int order = Math.min(depth - 1, Math.max(period, MIN_ORDER));
        while (order > layout.delays()
                && RidgeAutoregression.steps(remembered, ofOrder(layout, order))
                        < STEPS_PER_FEATURE * ofOrder(layout, order).dimension()) {
            order--;
        }
        RidgeAutoregression[] far = order <= layout.delays()
                ? null
                : RidgeAutoregression.inTurn(remembered, ofOrder(layout, order), unitRoots)
                        .orElse(null);
        return near == null && far == null ? null : new LinearMember(near, far);
    }

    private static DelayLayout ofOrder(DelayLayout layout, int order) {
        return new DelayLayout(layout.observed(), order, 1, layout.ahead());
    }

    /** Number of observations looked back on. */
    int history() {
        return (far == null ? near : far)[0].history();
    }

    /**
     * The regression iterated from a start.
     *
     * @param part of what is remembered in which the start is; {@link RememberedRows#PARTS} for one after all of it
     * @param history observations up to the start, oldest first
     * @return null when there are too few of them
     */
    Path path(IncrementMap map, int part, double[][] history) {
        RidgeAutoregression[] fits = far != null && history.length >= far[part].history() ? far : near;
        return fits == null ? null : new Path(fits[part], map, history);
    }

    /** A linear regression iterated from a start, within the bounds of the path. Not thread-safe. */
    static final class Path {
        private final RidgeAutoregression regression;
        private final IncrementMap map;
        private final double[][] rows;

        private Path(RidgeAutoregression regression, IncrementMap map, double[][] history) {
            this.regression = regression;
            this.map = map;
            this.rows = Arrays.copyOfRange(history, history.length - regression.history(), history.length);
        }

        /** The next observation; what is known ahead may be written to it before the next step. */
        double[] step() {
            double[] last = rows[rows.length - 1];
            double[] next = regression.next(rows, rows.length - 1);
            for (int c = 0; c < next.length; c++) {
                next[c] = map.bounded(c, last[c], next[c] - last[c]);
            }
            System.arraycopy(rows, 1, rows, 0, rows.length - 1);
            rows[rows.length - 1] = next;
            return next;
        }
    }
}
