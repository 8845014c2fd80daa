package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Arrays;

/**
 * One-step forecast of a learner, as it was at some time: linear in the coordinates β(x) of a state. Least squares predicts the increment,
 * (V/n)(S/n + λ)⁻¹ β(x), SOGD the observation itself. Immutable, for reading.
 *
 * <p>Most questions are answered from the kernel row k of a state alone: a readout r has the weights w = L⁻ᵀ r on it, r·β = w·k. Only how well a state
 * is known needs β = L⁻¹ k itself, O(m² / 2).
 */
public final class OneStep {

    private final NewtonBasis basis;
    private final Matrix readout;
    private final boolean increments;
    private final Matrix density;
    /** On a kernel row: one column for each of the readout, and the density's, which is a share of κ. */
    private final Matrix weights;

    /**
     * From its parts, which are taken over.
     *
     * @param basis the kept states
     * @param readout what takes β(x) to each coordinate of an observation, m × d
     * @param increments whether that is the increment
     * @param density the mean of β over the states learned from, m × 1, which gives the density of states near to one, (1/n) Σ κ(x_i, x) = β(x)ᵀ mean; no
     *     column where that is not known or the kernel is no measure of nearness
     */
    private OneStep(NewtonBasis basis, Matrix readout, boolean increments, Matrix density) {
        InvalidStateException.require(
                basis.size() > 0 || density.columns() == 0, "scores", "a density without kept states");
        this.basis = basis;
        this.readout = readout;
        this.increments = increments;
        this.density = density;
        this.weights = new Matrix(basis.size(), readout.columns() + density.columns());
        for (int c = 0; c < weights.columns(); c++) {
            boolean reads = c < readout.columns();
            // Where there is a density κ(x, x) is one number.
            double unit = reads ? 1 : basis.squaredNorm(basis.points().get(0));
            weights.setColumn(c, 1 / unit, basis.coefficients(reads ? readout.column(c) : density.column(0)));
        }
    }

    /**
     * Writes the kept states with the numbers of their samples, the columns of the factor from the diagonal down, and what is read from
     * coordinates.
     */
    void save(StateSink.Ordered sink) {
        int m = basis.size();
        sink.size("kept", m);
        for (int i = 0; i < m; i++) {
            sink.count("sample", basis.sampleNumber(i));
            for (double value : basis.points().get(i)) {
                sink.number("point", value);
            }
            for (int k = i; k < m; k++) {
                sink.number("factor", basis.factor().get(k, i));
            }
        }
        sink.size("observed", readout.columns());
        saveColumns(sink, readout);
        sink.flag("increments", increments);
        sink.flag("density", density.columns() > 0);
        saveColumns(sink, density);
    }

    private static void saveColumns(StateSink.Ordered sink, Matrix matrix) {
        for (int c = 0; c < matrix.columns(); c++) {
            for (int i = 0; i < matrix.rows(); i++) {
                sink.number("readout", matrix.get(i, c));
            }
        }
    }

    /** Reads what {@link #save} wrote. */
    static OneStep read(StateSource.Ordered source, Rkhs space) {
        int m = source.size("kept");
        long[] numbers = new long[0];
        Points points = new Points(space.dimension());
        // Grows as its columns are read: a count alone takes no memory.
        double[][] columns = new double[0][];
        for (int i = 0; i < m; i++) {
            if (i == columns.length) {
                int more = Math.min(m, Math.max(64, 2 * i));
                columns = Arrays.copyOf(columns, more);
                numbers = Arrays.copyOf(numbers, more);
            }
            numbers[i] = source.count("sample");
            double[] point = new double[space.dimension()];
            for (int c = 0; c < point.length; c++) {
                point[c] = source.number("point");
            }
            space.requireSample(point, "kept state");
            points.add(point);
            columns[i] = column(source, "factor", i, m);
        }
        NewtonBasis basis = NewtonBasis.restore(space, points, Matrix.ofColumns(columns, m), numbers);
        Matrix readout = columns(source, Math.min(source.size("observed"), space.dimension()), m);
        boolean increments = source.flag("increments");
        return new OneStep(basis, readout, increments, columns(source, source.flag("density") ? 1 : 0, m));
    }

    private static Matrix columns(StateSource.Ordered source, int count, int m) {
        double[][] columns = new double[count][];
        for (int c = 0; c < count; c++) {
            columns[c] = column(source, "readout", 0, m);
        }
        return Matrix.ofColumns(columns, m);
    }

    private static double[] column(StateSource.Ordered source, String name, int first, int m) {
        double[] column = new double[m];
        for (int i = first; i < m; i++) {
            column[i] = source.number(name);
            InvalidStateException.require(Double.isFinite(column[i]), "scores", name + " " + column[i]);
        }
        return column;
    }

    /** Number of kept states. */
    int kept() {
        return basis.size();
    }

    /** A kept state. */
    double[] keptState(int i) {
        return basis.points().get(i);
    }

    /** Coordinates of an observation. */
    int observed() {
        return readout.columns();
    }

    /** True if the density of states is known. */
    boolean hasDensity() {
        return density.columns() > 0;
    }

    /** The space of the states. */
    Rkhs space() {
        return basis.space();
    }

    /**
     * As a learner would predict now; samples that wait for their block are not counted.
     *
     * @param observed coordinates of an observation, the first ones of a state
     * @param lambda ridge, for least squares
     */
    static OneStep of(LearnerState state, int observed, double lambda) {
        if (state instanceof LeastSquaresState learned) {
            return new OneStep(
                    learned.inputBasis(), learned.increments(lambda).firstColumns(observed), true, density(learned));
        }
        return of(state.operator().asKoopman(), observed);
    }

    /** As an operator predicts the coordinates themselves. */
    public static OneStep of(KoopmanOperator operator, int observed) {
        Points outputs = operator.outputBasis().points();
        double[][] columns = new double[observed][];
        for (int c = 0; c < observed; c++) {
            double[] values = new double[outputs.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = outputs.get(i, c);
            }
            columns[c] = operator.pullBack(values);
        }
        int kept = operator.inputBasis().size();
        return new OneStep(operator.inputBasis(), Matrix.ofColumns(columns, kept), false, new Matrix(kept, 0));
    }

    /** One reader's view of a state. Not thread-safe, one per reader. */
    public static final class View {

        private OneStep step;
        private double[] state;
        private double[] row = new double[0];
        private final Scratch scratch = new Scratch();

        /** Looks at a state, which is not changed meanwhile. */
        public void look(OneStep with, double[] at) {
            step = with;
            state = at;
            if (row.length < step.basis.size()) {
                row = new double[step.basis.size() + (step.basis.size() >> 1)];
            }
            step.basis.gramRow(state, row, scratch);
        }

        /** A coordinate of what is expected after the state. */
        public double expected(int c) {
            return (step.increments ? state[c] : 0) + Vectors.dot(step.weights.column(c), row, step.basis.size());
        }

        /** The kept state that is nearest, by the kernel. */
        int nearest() {
            int m = step.basis.size();
            double largest = row[0];
            for (int i = 1; i < m; i++) {
                largest = Math.max(largest, row[i]);
            }
            int nearest = 0;
            while (nearest < m - 1 && row[nearest] < largest) {
                nearest++;
            }
            return nearest;
        }

        /** The density of states near to this one, as a share of κ; NaN where that is not known. */
        double density() {
            int column = step.readout.columns();
            return column < step.weights.columns()
                    ? Vectors.dot(step.weights.column(column), row, step.basis.size())
                    : Double.NaN;
        }
    }

    /** Knownness of a state, ‖β‖²/κ from 0 to 1. O(m² / 2). */
    double known(double[] state) {
        double squaredNorm = basis.squaredNorm(state);
        double missed = basis.coordinates(state, squaredNorm, new double[basis.size()], new Scratch());
        return squaredNorm > 0 ? Math.min(1, 1 - missed / squaredNorm) : 0;
    }

    private static Matrix density(LeastSquaresState state) {
        NewtonBasis basis = state.inputBasis();
        double[] norms = new double[basis.size()];
        basis.squaredNorms(basis.points(), norms, new Scratch());
        Matrix sums = state.incrementStatistics();
        // κ(x, x) is one number for kernels of the distance; others do not fade.
        boolean near = Arrays.stream(norms).allMatch(norm -> norm == norms[0]);
        Matrix mean = new Matrix(basis.size(), near ? 1 : 0);
        if (near) {
            mean.setColumn(0, 1 / Math.max(state.weight(), Double.MIN_NORMAL), sums.column(sums.columns() - 1));
        }
        return mean;
    }
}
