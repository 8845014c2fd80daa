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
    private final int observed;
    private final boolean increments;
    /** Readout of coordinates: a column for each coordinate of an observation. */
    private final Matrix readout;
    /** Readout of a kernel row. */
    private final Matrix weights;

    /**
     * From its parts, which are taken over.
     *
     * @param basis the kept states
     * @param observed coordinates of an observation
     * @param increments whether the columns of the readout give its increment
     * @param readout what takes β(x) to each coordinate of an observation
     */
    private OneStep(NewtonBasis basis, int observed, boolean increments, Matrix readout) {
        this.basis = basis;
        this.observed = observed;
        this.increments = increments;
        this.readout = readout;
        this.weights = new Matrix(basis.size(), readout.columns());
        for (int c = 0; c < weights.columns(); c++) {
            weights.setColumn(c, 1, basis.coefficients(readout.column(c)));
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
        sink.size("observed", observed);
        for (int c = 0; c < observed; c++) {
            for (int i = 0; i < readout.rows(); i++) {
                sink.number("readout", readout.get(i, c));
            }
        }
        sink.flag("increments", increments);
    }

    /**
     * Reads what {@link #save} wrote.
     *
     * @param density whether a density of states may follow, as earlier versions wrote it
     */
    static OneStep read(StateSource.Ordered source, Rkhs space, boolean density) {
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
        int observed = Math.min(source.size("observed"), space.dimension());
        double[][] readout = new double[observed][];
        for (int c = 0; c < observed; c++) {
            readout[c] = column(source, "readout", 0, m);
        }
        boolean increments = source.flag("increments");
        if (density && source.flag("density")) {
            column(source, "readout", 0, m);
        }
        return new OneStep(basis, observed, increments, Matrix.ofColumns(readout, m));
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
        return observed;
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
        if (!(state instanceof LeastSquaresState learned)) {
            return of(state.operator().asKoopman(), observed);
        }
        NewtonBasis basis = learned.inputBasis();
        Matrix increments = learned.increments(lambda);
        Matrix readout = new Matrix(basis.size(), observed);
        for (int c = 0; c < observed; c++) {
            readout.setColumn(c, 1, increments.column(c));
        }
        return new OneStep(basis, observed, true, readout);
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
        return new OneStep(operator.inputBasis(), observed, false, Matrix.ofColumns(columns, kept));
    }

    /**
     * The expectation after a state. O(m d), one kernel row.
     *
     * @param state kept, and not to be changed
     * @param scratch the caller's
     */
    public View view(double[] state, Scratch scratch) {
        double[] row = new double[basis.size()];
        basis.gramRow(state, row, scratch);
        return new View(this, state, row);
    }

    /** A state with its kernel row. Immutable. */
    public static final class View {

        private final OneStep step;
        private final double[] state;
        private final double[] row;

        private View(OneStep step, double[] state, double[] row) {
            this.step = step;
            this.state = state;
            this.row = row;
        }

        /** The state itself. */
        double[] state() {
            return state;
        }

        /** A coordinate of what is expected after the state. */
        public double expected(int c) {
            return (step.increments ? state[c] : 0) + Vectors.dot(step.weights.column(c), row, row.length);
        }

        /** The kept state that is nearest, by the kernel. */
        int nearest() {
            int m = row.length;
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

        /** Knownness of the state, ‖β‖²/κ from 0 to 1. O(m² / 2). */
        double known() {
            return step.known(state);
        }
    }

    /** Knownness of a state, ‖β‖²/κ from 0 to 1. O(m² / 2). */
    double known(double[] state) {
        double squaredNorm = basis.squaredNorm(state);
        double missed = basis.coordinates(state, squaredNorm, new double[basis.size()], new Scratch());
        return squaredNorm > 0 ? Math.min(1, 1 - missed / squaredNorm) : 0;
    }
}
