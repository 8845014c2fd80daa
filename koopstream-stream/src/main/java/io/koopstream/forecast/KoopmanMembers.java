package io.koopstream.forecast;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Arrays;

/** The path and the expectations of what a learner knew at some row, as a {@link ForecastRecord} judges them. Immutable. */
final class KoopmanMembers {

    private final IncrementMap map;
    private final boolean exact;
    private final Matrix[] moments;
    /** Pairs that the learner knew when they were made; -1 where they were read. */
    private final long pairs;

    private KoopmanMembers(IncrementMap map, boolean exact, Matrix[] moments, long pairs) {
        this.map = map;
        this.exact = exact;
        this.moments = moments;
        this.pairs = pairs;
    }

    /** True if they were made from this state of their learner, so that making them again would give the same bits. */
    boolean isOf(LeastSquaresState state) {
        return state != null && pairs == state.pairs();
    }

    static KoopmanMembers of(LeastSquaresState state, DelayLayout layout, int[] horizons) {
        double ridge = Forecaster.ridge(state);
        IncrementMap map = new IncrementMap(state, layout, ridge);
        double[] squares = state.family().expectedSquares(ridge, state.weight(), state.squaredIncrements());
        double[] missed =
                Arrays.stream(squares, 0, layout.observed()).map(Math::sqrt).toArray();
        OperatorPath operator = new OperatorPath(Forecaster.operator(state), layout.forecast());
        return new KoopmanMembers(map, map.needsExact(missed), operator.moments(horizons), state.pairs());
    }

    int size() {
        return map.basis().size();
    }

    /** Multiplications that a step of the path takes. */
    double stepCost() {
        DelayLayout layout = map.layout();
        double solve = exact && !map.isAffine() ? (double) size() * size() : 0;
        return solve + (map.isAffine() ? layout.observed() : size()) * (layout.dimension() + layout.observed() + 10.0);
    }

    /** The path after rows that make up a state. */
    double[][] path(double[][] history, int steps, KnownAhead ahead) {
        PathBlock block = new PathBlock(map, new double[][][] {history}, new Products());
        double[][] path = new double[steps][];
        for (int s = 0; s < steps; s++) {
            block.step(exact, ahead);
            path[s] = block.newest(0).clone();
        }
        return path;
    }

    /** Expectations at the horizons of the grid; NaN where no mass is left. */
    double[][] expected(double[][] history) {
        double[] beta = new double[size()];
        map.basis().coordinates(map.layout().state(history), beta, new Scratch());
        double[][] result = new double[moments.length][map.layout().forecast()];
        for (int g = 0; g < moments.length; g++) {
            double mass = Vectors.dot(moments[g].column(0), beta, beta.length);
            for (int c = 0; c < result[g].length; c++) {
                double sum = Vectors.dot(moments[g].column(1 + c), beta, beta.length);
                result[g][c] = mass > OperatorPath.MIN_MASS ? sum / mass : Double.NaN;
            }
        }
        return result;
    }

    void save(StateSink.Ordered sink) {
        int m = size();
        sink.size("points", m);
        sink.flag("exact", exact);
        for (int i = 0; i < m; i++) {
            sink.numbers("point", map.basis().points().get(i));
            sink.numbers("factor", Arrays.copyOfRange(map.basis().factor().column(i), i, m));
        }
        for (int c = 0; c < map.layout().observed(); c++) {
            sink.numbers("increments", Arrays.copyOf(map.readout(true).column(c), m));
        }
        sink.numbers("low", map.low());
        sink.numbers("high", map.high());
        if (map.layout().inputs() > 0 && saysGain(sink)) {
            map.gain().save(sink);
        }
        for (Matrix one : moments) {
            for (int c = 0; c < one.columns(); c++) {
                sink.numbers("moments", Arrays.copyOf(one.column(c), m));
            }
        }
    }

    private boolean saysGain(StateSink.Ordered sink) {
        sink.flag("gain", map.gain() != null);
        return map.gain() != null;
    }

    static KoopmanMembers read(StateSource.Ordered source, Rkhs space, DelayLayout layout, int horizons) {
        int m = source.size("points");
        boolean exact = source.flag("exact");
        if (m == 0) {
            throw new InvalidStateException("record", "a path without points");
        }
        Points points = new Points(layout.dimension());
        Matrix factor = new Matrix(0, 0);
        for (int i = 0; i < m; i++) {
            points.add(LinearSums.numbers(source, "point", layout.dimension()));
            double[] column = LinearSums.numbers(source, "factor", m - i);
            if (i == 0) {
                factor = new Matrix(m, m);
            }
            System.arraycopy(column, 0, factor.column(i), i, m - i);
        }
        Matrix increments = new Matrix(m, layout.observed());
        for (int c = 0; c < layout.observed(); c++) {
            increments.setColumn(c, 1, LinearSums.numbers(source, "increments", m));
        }
        double[] low = LinearSums.numbers(source, "low", layout.observed());
        double[] high = LinearSums.numbers(source, "high", layout.observed());
        InputGain gain = layout.inputs() > 0 && source.flag("gain") ? InputGain.read(source, layout) : null;
        Matrix[] moments = new Matrix[horizons];
        for (int g = 0; g < horizons; g++) {
            moments[g] = new Matrix(m, 1 + layout.forecast());
            for (int c = 0; c <= layout.forecast(); c++) {
                moments[g].setColumn(c, 1, LinearSums.numbers(source, "moments", m));
            }
        }
        NewtonBasis basis = NewtonBasis.restore(space, points, factor, new long[m]);
        return new KoopmanMembers(new IncrementMap(layout, basis, increments, low, high, gain), exact, moments, -1);
    }
}
