package io.koopstream.score;

import io.koopstream.InvalidStateException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.LeastSquaresState;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Triangular;
import io.koopstream.linalg.Vectors;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;

/**
 * What a learner expects of the next observation, as it was at some time: linear in the coordinates β(x) of a state. Least squares predicts the increment,
 * (V/n)(S/n + λ)⁻¹ β(x), SOGD the observation itself. Immutable, for reading.
 *
 * @param basis the kept states
 * @param readout what takes β(x) to each coordinate of an observation, m × d
 * @param increments whether that is the increment
 * @param density the mean of β over the states learned from, m × 1, which gives the density of states near to one, (1/n) Σ κ(x_i, x) = β(x)ᵀ mean; no
 *     column where that is not known or the kernel is no measure of nearness
 */
public record OneStep(NewtonBasis basis, Matrix readout, boolean increments, Matrix density) {

    /** Refuses parts that do not go together. */
    public OneStep {
        if (readout.rows() != basis.size()
                || density.rows() != basis.size()
                || density.columns() > 1
                || readout.columns() > basis.space().dimension()) {
            throw new InvalidStateException("scores", "a readout of other kept states");
        }
    }

    /** The space of the states. */
    public Rkhs space() {
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

    /** What is expected after a state. */
    public double[] expected(double[] state, Scratch scratch) {
        int m = basis.size();
        double[] beta = new double[m];
        basis.gramRow(state, beta, scratch);
        Triangular.solve(basis.factor(), beta);
        double[] next = new double[readout.columns()];
        for (int c = 0; c < next.length; c++) {
            next[c] = (increments ? state[c] : 0) + Vectors.dot(readout.column(c), beta, m);
        }
        return next;
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
