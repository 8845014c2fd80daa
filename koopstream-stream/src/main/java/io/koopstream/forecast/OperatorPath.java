package io.koopstream.forecast;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.operator.KoopmanOperator;

/**
 * Expectations of the observation by powers of the operator: E[o_s] = Gᵀ A^{s−1} β(x), divided by the mass that the ridge shrinks a little
 * with every step, which would otherwise pull every path towards the origin. Immutable; O(m²) a step.
 */
final class OperatorPath {

    /** Less mass than this is no answer. */
    static final double MIN_MASS = 1e-3;

    private final KoopmanOperator operator;
    private final int observed;
    /** Mᵀ L⁻¹ (1, o) at the kept outputs, m × (1 + d). */
    private final Matrix moments;

    OperatorPath(KoopmanOperator operator, int observed) {
        this.operator = operator;
        this.observed = observed;
        int rows = operator.outputBasis().size();
        moments = new Matrix(operator.inputBasis().size(), 1 + observed);
        for (int c = 0; c <= observed; c++) {
            double[] values = new double[rows];
            for (int i = 0; i < rows; i++) {
                values[i] = c == 0 ? 1 : operator.outputBasis().points().get(i, c - 1);
            }
            moments.setColumn(c, 1, operator.pullBack(values));
        }
    }

    KoopmanOperator operator() {
        return operator;
    }

    /** Coordinates of starts, one per column. */
    Matrix start(double[][] states) {
        return operator.inputBasis().coordinates(Points.of(operator.domain().dimension(), states));
    }

    /** One step further. */
    Matrix next(Matrix seen) {
        return operator.oneStep().times(seen);
    }

    /** The expected observation one step after what is seen in a column; NaN where no mass is left. */
    double[] expected(Matrix seen, int column) {
        double[] mean = new double[observed];
        double mass = Vectors.dot(moments.column(0), seen.column(column), seen.rows());
        for (int c = 0; c < observed; c++) {
            double sum = Vectors.dot(moments.column(1 + c), seen.column(column), seen.rows());
            mean[c] = mass > MIN_MASS && Double.isFinite(sum) ? sum / mass : Double.NaN;
        }
        return mean;
    }

    /** For each of ascending horizons the matrix that takes coordinates of a start to mass and observation. */
    Matrix[] moments(int[] horizons) {
        Matrix[] result = new Matrix[horizons.length];
        Matrix step = operator.oneStep();
        Matrix at = moments.copy();
        int h = 1;
        for (int g = 0; g < horizons.length; g++) {
            while (h < horizons[g]) {
                at = step.transposedTimes(at);
                h++;
            }
            result[g] = at.copy();
        }
        return result;
    }

    /** The distribution of the state after some steps, on the kept outputs. */
    StateDistribution[] distributions(double[] start, int steps) {
        NearestDistribution nearest = new NearestDistribution(operator);
        double[][] weights = operator.weights(start, steps);
        StateDistribution[] result = new StateDistribution[steps];
        for (int s = 0; s < steps; s++) {
            double mass = 0;
            for (double weight : weights[s]) {
                mass += weight;
            }
            if (!(mass > MIN_MASS)) {
                throw new InvalidQueryException("after " + (s + 1) + " steps the forecast has mass " + mass
                        + " left: the start lies where nothing was learned; start nearer to the data");
            }
            result[s] = new StateDistribution(operator.outputBasis().points(), nearest.of(weights[s]));
        }
        return result;
    }
}
