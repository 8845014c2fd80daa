package io.koopstream.control;

import io.koopstream.InvalidQueryException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Vectors;
import java.util.Arrays;

/**
 * A learned model whose prediction, an element of the output RKHS, is replaced by the nearest distribution on the dictionary's
 * successor points: the nearest point of the cone of non-negative weights, scaled to a sum of one.
 *
 * <p>Only the candidates nearest to the predicted mean take part. Where the inputs are unlike all data, the readout of the constant
 * one falls below {@link #TRUSTED_MASS} and the weights shrink with it: the rest is probability of the unknown.
 */
final class ProjectedModel implements SuccessorModel {

    /** Candidates of a projection: three or four carry weight on a surface, the rest is room to find them. */
    static final int CANDIDATES = 20;
    /** A prediction is trusted fully when at least this much of the constant one is predicted. */
    private static final double TRUSTED_MASS = 0.5;
    /** Candidates are looked up anew when the predicted mean has moved so far that κ to where they were taken falls below this. */
    private static final double SAME_PLACE = 0.9;

    private final NewtonBasis inputs;
    private final NewtonBasis outputs;
    private final Matrix gram;
    private final int stateDimension;
    /** Coefficients, on the kernel row of the input, of the predicted mean (or increment), and last of the constant one. */
    private final double[][] readout;

    private final boolean increments;
    /** Rows i: coefficients of ⟨φ(y_i), μ(z)⟩ on the kernel row of z; null when the prediction is the feature of the mean. */
    private final double[][] innerProducts;

    ProjectedModel(
            NewtonBasis inputs, NewtonBasis outputs, double[][] readout, boolean increments, double[][] innerProducts) {
        if (outputs.size() == 0 || inputs.size() == 0) {
            throw new InvalidQueryException("nothing was learned yet: give transitions before planning");
        }
        this.inputs = inputs;
        this.outputs = outputs;
        this.stateDimension = outputs.space().dimension();
        this.readout = readout;
        this.increments = increments;
        this.innerProducts = innerProducts;
        Points points = outputs.points();
        this.gram = Matrix.ofColumns(outputs.space().kernel().block(points, points), points.size());
    }

    @Override
    public int stateDimension() {
        return stateDimension;
    }

    @Override
    public int actionDimension() {
        return inputs.space().dimension() - stateDimension;
    }

    @Override
    public int size() {
        return outputs.size();
    }

    @Override
    public double[] point(int i) {
        return outputs.points().get(i);
    }

    @Override
    public Query query(ActionGrid actions) {
        if (actions.dimension() != actionDimension()) {
            throw new InvalidQueryException("the model was learned with actions of dimension " + actionDimension()
                    + ", the grid has " + actions.dimension());
        }
        return new ProjectionQuery(actions);
    }

    private final class ProjectionQuery implements Query {

        private final InputRows rows;
        private final int middle;
        private final double[] inputRow = new double[inputs.size()];
        private final double[] outputRow = new double[outputs.size()];
        private final double[] state = new double[stateDimension];
        private final double[] mean = new double[stateDimension];
        private final double[] center = new double[stateDimension];
        private final int count = Math.min(CANDIDATES, outputs.size());
        private final int[] candidates = new int[count];
        private final double[] nearness = new double[count];
        private final double[] inner = new double[count + 1];
        private final ConeProjection cone = new ConeProjection(gram, count);
        private final Scratch scratch = new Scratch();
        private Points candidatePoints;
        private double centerSquaredNorm;
        private double mass;

        ProjectionQuery(ActionGrid actions) {
            this.rows = new InputRows(inputs, actions, stateDimension);
            this.middle = actions.middle();
        }

        @Override
        public void at(double[] x) {
            outputs.space().requireQuery(x, "state");
            System.arraycopy(x, 0, state, 0, stateDimension);
            rows.at(state);
            rows.row(middle, inputRow);
            predictMean();
            lookUpCandidates();
        }

        @Override
        public void successors(int a, SuccessorWeights out) {
            rows.row(a, inputRow);
            predictMean();
            out.clear();
            nearnessOfMean();
            if (!(inner[count] >= SAME_PLACE * centerSquaredNorm)) {
                lookUpCandidates();
                nearnessOfMean();
            }
            if (innerProducts != null) {
                for (int i = 0; i < count; i++) {
                    inner[i] = Vectors.dot(innerProducts[candidates[i]], inputRow, inputRow.length);
                }
            }
            double[] weights = cone.project(candidates, count, inner);
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += weights[i];
            }
            if (!(sum > 0)) {
                return;
            }
            // Rounding must not lift the sum above one: the contraction rests on it.
            double scale = Math.min(1.0, Math.max(0.0, mass / TRUSTED_MASS)) * (1 - 1e-15) / sum;
            for (int i = 0; i < count; i++) {
                if (weights[i] > 0) {
                    out.add(candidates[i], weights[i] * scale);
                }
            }
        }

        /** κ of the predicted mean to the candidates, and last to the place where they were looked up. */
        private void nearnessOfMean() {
            Rkhs space = outputs.space();
            space.kernel().row(space.view(), candidatePoints, mean, inner, scratch);
        }

        private void predictMean() {
            int m = inputRow.length;
            mass = Vectors.dot(readout[stateDimension], inputRow, m);
            for (int c = 0; c < stateDimension; c++) {
                double predicted = Vectors.dot(readout[c], inputRow, m);
                // The ridge shrinks a mean towards zero, and the mass with it; an increment may as well be small.
                mean[c] = increments ? state[c] + predicted : predicted / Math.max(mass, 1e-3);
            }
        }

        /** The dictionary points with the largest κ to the predicted mean, largest first; ties by index. */
        private void lookUpCandidates() {
            System.arraycopy(mean, 0, center, 0, stateDimension);
            outputs.gramRow(mean, outputRow, scratch);
            Arrays.fill(nearness, Double.NEGATIVE_INFINITY);
            for (int i = 0; i < outputRow.length; i++) {
                double value = outputRow[i];
                if (value > nearness[count - 1]) {
                    int place = count - 1;
                    while (place > 0 && nearness[place - 1] < value) {
                        nearness[place] = nearness[place - 1];
                        candidates[place] = candidates[place - 1];
                        place--;
                    }
                    nearness[place] = value;
                    candidates[place] = i;
                }
            }
            candidatePoints = new Points(stateDimension);
            for (int i = 0; i < count; i++) {
                candidatePoints.add(outputs.points().get(candidates[i]));
            }
            candidatePoints.add(center);
            centerSquaredNorm = outputs.squaredNorm(center);
        }
    }
}
