package io.koopstream.forecast;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.SymmetricEigen;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.internal.parts.StateParts;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Arrays;

/**
 * Normal equations of linear forecasts: the next change of the observation regressed on the last observations, on what is known ahead of the next one and
 * on a constant. What is known ahead is the calendar, and in some records inputs, which are looked back on like what is forecast. Sums only, so that
 * nothing is fitted twice; before its first row a trajectory stood still. One thread.
 */
final class LinearSums {

    /** Features at most: the sums then cost about as much a row as those of a learner with as many kept points. */
    private static final int MAX_FEATURES = 128;

    /** Rows looked back on at most: two days of hours, so that both regressions see yesterday and the day before. */
    private static final int MAX_LAGS = 50;

    /** Ridges in units of the mean square of a feature, from next to none to nearly all. */
    private static final double[] RIDGES = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100};

    private final int forecast;
    /** Coordinates that are looked back on: those that are forecast, and inputs that are known ahead. */
    private final int lagged;

    private final int ahead;
    private final int lags;
    private final int features;
    private final Matrix gram;
    private final Matrix cross;
    private final double[] squares;
    private double count;
    /** The first row of all: sums of numbers far from zero would lose their digits. */
    private double[] offset;

    /**
     * No rows yet.
     *
     * @param forecast coordinates of a row that are forecast, its first ones
     * @param lagged those and inputs behind them
     * @param ahead coordinates that are known ahead, its last ones, inputs among them
     */
    LinearSums(int forecast, int lagged, int ahead) {
        this.forecast = forecast;
        this.lagged = lagged;
        this.ahead = ahead;
        lags = Math.max(1, Math.min(MAX_LAGS, (MAX_FEATURES - ahead - 1) / lagged));
        features = lags * lagged + ahead + 1;
        gram = new Matrix(features, features);
        cross = new Matrix(features, forecast);
        squares = new double[forecast];
    }

    /** True where there are few enough coordinates to regress on. */
    static boolean fits(int lagged, int ahead) {
        return lagged + ahead + 1 <= MAX_FEATURES;
    }

    int features() {
        return features;
    }

    /** Adds the newest row of a trajectory. */
    void add(RowHistory rows) {
        if (offset == null) {
            offset = Arrays.copyOf(rows.get(0), lagged);
        }
        int t = rows.size() - 1;
        if (t == 0) {
            return;
        }
        double[] x = new double[features];
        double[] newest = rows.get(t);
        double[] from = rows.get(t - 1);
        features(rows, t - 1, x);
        ahead(newest, x);
        for (int j = 0; j < features; j++) {
            Vectors.axpy(x[j], x, gram.column(j), j, features);
        }
        for (int c = 0; c < forecast; c++) {
            double change = newest[c] - from[c];
            Vectors.axpy(change, x, cross.column(c), 0, features);
            squares[c] += change * change;
        }
        count++;
    }

    /** What was added counts by a factor less. */
    void discount(double factor) {
        gram.scale(factor);
        cross.scale(factor);
        Vectors.scale(factor, squares, forecast);
        count *= factor;
    }

    /** A row and those before it, and 1; what is known ahead is left to the caller. */
    private void features(RowHistory rows, int at, double[] out) {
        for (int k = 0; k < lags; k++) {
            double[] row = rows.get(Math.max(0, at - k));
            for (int c = 0; c < lagged; c++) {
                out[k * lagged + c] = row[c] - offset[c];
            }
        }
        out[features - 1] = 1;
    }

    /** What is known ahead of a row. */
    private void ahead(double[] row, double[] out) {
        for (int i = 0; i < ahead; i++) {
            int c = forecast + i;
            out[lags * lagged + i] = row[c] - (c < lagged ? offset[c] : 0);
        }
    }

    /**
     * Fits the regression of every coordinate, with the order and the ridge of least generalised cross-validation (Golub, Heath and Wahba, Technometrics
     * 21, 1979).
     *
     * @param increments regresses on the last changes, not on the last rows: a series that wanders does not return to where it was
     */
    Fit fit(boolean increments) {
        Fit fit = new Fit(new Matrix(features, forecast));
        Matrix full = gram.copy();
        full.mirrorLower();
        double[] least = squares.clone();
        for (int order = lags; order >= (increments ? 2 : 1); order /= 2) {
            int size = (increments ? order - 1 : order) * lagged + ahead + 1;
            if (2 * size <= count) {
                solve(full, size, increments, least, fit);
            }
        }
        return fit;
    }

    private void solve(Matrix full, int size, boolean increments, double[] least, Fit fit) {
        int width = size - ahead - 1;
        int[] plus = new int[size];
        int[] minus = new int[size];
        for (int i = 0; i < size; i++) {
            plus[i] = i < width ? i : lags * lagged + i - width;
            // Of an input that is known ahead the change is that from the newest row on.
            int input = forecast + i - width;
            minus[i] = !increments ? -1 : i < width ? i + lagged : input < lagged ? input : -1;
        }
        Matrix moments = new Matrix(size, size);
        double[] units = new double[size];
        for (int i = 0; i < size; i++) {
            double square = entry(full, plus, minus, i, i);
            units[i] = square > 0 ? 1 / Math.sqrt(square) : 0;
            for (int j = 0; j <= i; j++) {
                moments.set(i, j, entry(full, plus, minus, i, j) * units[i] * units[j]);
            }
        }
        moments.mirrorLower();
        SymmetricEigen eigen = SymmetricEigen.of(moments);
        Matrix vectors = eigen.vectors();
        double[] right = new double[size];
        double[] seen = new double[size];
        for (int c = 0; c < forecast; c++) {
            double[] column = cross.column(c);
            for (int i = 0; i < size; i++) {
                right[i] = (column[plus[i]] - (minus[i] < 0 ? 0 : column[minus[i]])) * units[i];
            }
            vectors.multiplyTransposed(right, seen);
            double best = 0;
            for (double ridge : RIDGES) {
                double left = squares[c];
                double freedom = 0;
                for (int i = 0; i < size; i++) {
                    double value = Math.max(0, eigen.value(i));
                    double share = 1 / (value + ridge);
                    left -= seen[i] * seen[i] * share * (2 - value * share);
                    freedom += value * share;
                }
                double rest = 1 - freedom / count;
                double score = Math.max(left, 0) / (rest * rest);
                if (rest > 0 && score < least[c]) {
                    least[c] = score;
                    best = ridge;
                }
            }
            if (best > 0) {
                for (int i = 0; i < size; i++) {
                    seen[i] /= Math.max(0, eigen.value(i)) + best;
                }
                vectors.multiply(seen, right);
                double[] weights = fit.weights.column(c);
                Arrays.fill(weights, 0, features, 0);
                for (int i = 0; i < size; i++) {
                    weights[plus[i]] += right[i] * units[i];
                    if (minus[i] >= 0) {
                        weights[minus[i]] -= right[i] * units[i];
                    }
                }
            }
        }
    }

    private static double entry(Matrix full, int[] plus, int[] minus, int i, int j) {
        double sum = full.get(plus[i], plus[j]);
        if (minus[i] >= 0) {
            sum -= full.get(minus[i], plus[j]);
        }
        if (minus[j] >= 0) {
            sum -= full.get(plus[i], minus[j]);
        }
        return minus[i] >= 0 && minus[j] >= 0 ? sum + full.get(minus[i], minus[j]) : sum;
    }

    void parts(StateParts parts) {
        if (!parts.flag("begun", offset != null)) {
            return;
        }
        offset = offset == null ? new double[lagged] : offset;
        numbers(parts, "offset", offset, lagged);
        count = parts.number("count", count);
        if (!(count >= 0 && count < Double.POSITIVE_INFINITY)) {
            throw new InvalidStateException("record", "regression of " + count + " rows");
        }
        numbers(parts, "squares", squares, forecast);
        for (int j = 0; j < features; j++) {
            double[] lower = Arrays.copyOfRange(gram.column(j), j, features);
            numbers(parts, "gram", lower, lower.length);
            System.arraycopy(lower, 0, gram.column(j), j, lower.length);
        }
        for (int c = 0; c < forecast; c++) {
            numbers(parts, "column", cross.column(c), features);
        }
    }

    /** The first of some numbers as a part, finite where they are restored. */
    static void numbers(StateParts parts, String name, double[] values, int length) {
        double[] stand = parts.numbers(name, Arrays.copyOf(values, length));
        if (parts.restores()) {
            System.arraycopy(checked(name, stand, length), 0, values, 0, length);
        }
    }

    /** So many finite numbers. */
    static double[] numbers(StateSource.Ordered source, String name, int length) {
        return checked(name, source.numbers(name), length);
    }

    private static double[] checked(String name, double[] values, int length) {
        if (values.length != length || !Arrays.stream(values).allMatch(Double::isFinite)) {
            throw new InvalidStateException("record", name + " must be " + length + " finite numbers");
        }
        return values;
    }

    Fit readFit(StateSource.Ordered source) {
        Fit fit = new Fit(new Matrix(features, forecast));
        for (int c = 0; c < forecast; c++) {
            fit.weights.setColumn(c, 1, numbers(source, "column", features));
        }
        return fit;
    }

    /** Weights of the features for the next change. Immutable once fitted. */
    final class Fit {
        private final Matrix weights;

        private Fit(Matrix weights) {
            this.weights = weights;
        }

        /** Rows that it looks back on: one, and those whose weights are not zero. */
        int order() {
            int order = 1;
            for (int c = 0; c < forecast; c++) {
                for (int i = order * lagged; i < lags * lagged; i++) {
                    order = weights.get(i, c) == 0 ? order : i / lagged + 1;
                }
            }
            return order;
        }

        /**
         * The rows after the newest one, one step at a time.
         *
         * @param future is given what is known ahead
         */
        double[][] path(RowHistory rows, int steps, KnownAhead future) {
            double[][] path = new double[steps][forecast + ahead];
            double[] x = new double[features];
            double[] last = rows.get(rows.size() - 1);
            features(rows, rows.size() - 1, x);
            for (int s = 0; s < steps; s++) {
                future.fill(s + 1, path[s]);
                ahead(path[s], x);
                for (int c = 0; c < forecast; c++) {
                    path[s][c] = last[c] + Vectors.dot(weights.column(c), x, features);
                }
                System.arraycopy(x, 0, x, lagged, (lags - 1) * lagged);
                for (int c = 0; c < lagged; c++) {
                    x[c] = path[s][c] - offset[c];
                }
                last = path[s];
            }
            return path;
        }

        void save(StateSink.Ordered sink) {
            for (int c = 0; c < forecast; c++) {
                sink.numbers("column", Arrays.copyOf(weights.column(c), features));
            }
        }
    }
}
