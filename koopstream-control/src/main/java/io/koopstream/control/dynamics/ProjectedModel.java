package io.koopstream.control.dynamics;

import io.koopstream.InvalidQueryException;
import io.koopstream.control.env.ActionGrid;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scaled;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;

/**
 * A learned model whose prediction, an element of the output RKHS, is replaced by the nearest distribution on the dictionary's
 * successor points: the nearest point of the cone of non-negative weights, scaled to a sum of one.
 *
 * <p>Only the candidates nearest to the predicted mean take part. Where the inputs are unlike all data, the readout of the constant
 * one falls below a trusted mass, usually {@link #TRUSTED_MASS}, and the weights shrink with it: the rest is probability of the unknown.
 */
public final class ProjectedModel implements SuccessorModel {

    /** Candidates of a projection: three or four carry weight on a surface, the rest is room to find them. */
    static final int CANDIDATES = 20;
    /** A prediction is trusted fully when at least this much of the constant one is predicted. */
    public static final double TRUSTED_MASS = 0.5;
    /** A predicted state is trusted fully when the support points capture at least this share of its feature. */
    private static final double COVERED = 0.5;
    /** Candidates are looked up anew when the predicted mean has moved so far that κ to where they were taken falls below this. */
    private static final double SAME_PLACE = 0.9;

    private final Rkhs inputSpace;
    private final Points inputs;
    private final Rkhs outputSpace;
    private final Points outputs;
    /** The output kernel with its units taken out once: they are the same in every one of many short rows. */
    private final Kernel outputKernel;

    private final CoordinateView outputView;
    private final Matrix gram;
    private final int stateDimension;
    /** Coefficients, on the kernel row of the input, of the predicted mean (or increment), and last of the constant one. */
    private final double[][] readout;

    private final boolean increments;
    /** Rows i: coefficients of ⟨φ(y_i), μ(z)⟩ on the kernel row of z; null when the prediction is the feature of the mean. */
    private final double[][] innerProducts;

    private final double trustedMass;

    /**
     * A model from its parts; they are kept, not copied.
     *
     * @param inputs kept inputs z
     * @param outputs kept successors, the support points
     * @param readout rows of coefficients on the kernel row of an input: the predicted mean, and last the constant one
     * @param increments whether the mean is that of x⁺ − x
     * @param innerProducts rows i: coefficients of ⟨φ(y_i), μ(z)⟩ on the kernel row of z; null when the prediction is the feature of
     *     the mean
     * @param trustedMass how much of the constant one must be predicted for full trust
     */
    public ProjectedModel(
            Rkhs inputSpace,
            Points inputs,
            Rkhs outputSpace,
            Points outputs,
            double[][] readout,
            boolean increments,
            double[][] innerProducts,
            double trustedMass) {
        if (outputs.size() == 0 || inputs.size() == 0) {
            throw new InvalidQueryException("nothing was learned yet: give transitions before planning");
        }
        this.inputSpace = inputSpace;
        this.inputs = inputs;
        this.outputSpace = outputSpace;
        this.outputs = outputs;
        Kernel kernel = outputSpace.kernel();
        boolean scaled = kernel instanceof Scaled;
        this.outputKernel = scaled ? ((Scaled) kernel).kernel() : kernel;
        this.outputView = scaled
                ? outputSpace
                        .view()
                        .dividedBy(((Scaled) kernel)
                                .scales().stream()
                                        .mapToDouble(Double::doubleValue)
                                        .toArray())
                : outputSpace.view();
        this.stateDimension = outputSpace.dimension();
        this.readout = readout;
        this.increments = increments;
        this.innerProducts = innerProducts;
        this.trustedMass = trustedMass;
        this.gram = Matrix.ofColumns(outputSpace.kernel().block(outputs, outputs), outputs.size());
    }

    /** The space of the inputs z. */
    public Rkhs inputSpace() {
        return inputSpace;
    }

    /** The kept inputs; not to be changed. */
    public Points inputs() {
        return inputs;
    }

    /** The space of the states. */
    public Rkhs outputSpace() {
        return outputSpace;
    }

    /** The kept successors; not to be changed. */
    public Points outputs() {
        return outputs;
    }

    /** The coefficients of the mean and of the constant one; not to be changed. */
    public double[][] readout() {
        return readout;
    }

    /** The coefficients of the embedding, or null without one; not to be changed. */
    public double[][] innerProducts() {
        return innerProducts;
    }

    @Override
    public int stateDimension() {
        return stateDimension;
    }

    @Override
    public int actionDimension() {
        return inputSpace.dimension() - stateDimension;
    }

    @Override
    public int size() {
        return outputs.size();
    }

    @Override
    public double[] point(int i) {
        return outputs.get(i);
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

        private final InputBlock block;
        private final int middle;
        private final double[] inputRow = new double[inputs.size()];
        private final double[] outputRow = new double[outputs.size()];
        private final double[] mean = new double[stateDimension];
        private final double[] center = new double[stateDimension];
        private final int count = Math.min(CANDIDATES, outputs.size());
        private final int[] candidates = new int[count];
        private final double[] nearness = new double[count];
        private final double[] inner = new double[count + 1];
        private final ConeProjection cone = new ConeProjection(gram, count);
        private final Scratch scratch = new Scratch();
        private double[][] states = new double[0][];
        private int current;
        private Points candidatePoints;
        private double centerSquaredNorm;
        private double mass;

        ProjectionQuery(ActionGrid actions) {
            this.block = new InputBlock(inputSpace, inputs, actions, stateDimension, readout);
            this.middle = actions.middle();
        }

        @Override
        public void at(double[]... asked) {
            if (asked.length == 0 || asked.length > BLOCK) {
                throw new InvalidQueryException(
                        "a block has 1 to " + BLOCK + " states, got " + asked.length + ": ask block by block");
            }
            for (double[] state : asked) {
                outputSpace.requireQuery(state, "state");
            }
            states = asked;
            current = -1;
            block.at(asked);
        }

        @Override
        public void successors(int state, int a, SuccessorWeights out) {
            if (state != current) {
                // Always from the middle of the grid, so that the candidates do not depend on what was asked before.
                current = state;
                predictMean(middle);
                lookUpCandidates();
            }
            predictMean(a);
            out.clear();
            nearnessOfMean();
            if (!(inner[count] >= SAME_PLACE * centerSquaredNorm)) {
                lookUpCandidates();
                nearnessOfMean();
            }
            if (innerProducts != null) {
                block.row(state, a, inputRow);
                for (int i = 0; i < count; i++) {
                    inner[i] = Vectors.dot(innerProducts[candidates[i]], inputRow, inputRow.length);
                }
            }
            double[] weights = cone.project(inner);
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += weights[i];
            }
            if (!(sum > 0)) {
                return;
            }
            // Rounding must not lift the sum above one: the contraction rests on it.
            double scale = trust(weights) * (1 - 1e-15) / sum;
            for (int i = 0; i < count; i++) {
                if (weights[i] > 0) {
                    out.add(candidates[i], weights[i] * scale);
                }
            }
        }

        /**
         * How much of the prediction the planner may count on. A predicted state that no support point is near would otherwise be moved to the nearest one,
         * however far: the share of φ(x⁺) that the projection captures falls below {@link #COVERED} there.
         */
        private double trust(double[] weights) {
            double trust = mass / trustedMass;
            if (innerProducts == null) {
                double captured = Vectors.dot(weights, inner, count);
                trust = Math.min(trust, captured / (COVERED * centerSquaredNorm));
            }
            return Math.min(1.0, Math.max(0.0, trust));
        }

        /** κ of the predicted mean to the candidates, and last to the place where they were looked up. */
        private void nearnessOfMean() {
            outputKernel.row(outputView, candidatePoints, mean, inner, scratch);
        }

        private void predictMean(int a) {
            mass = block.value(current, a, stateDimension);
            for (int c = 0; c < stateDimension; c++) {
                double predicted = block.value(current, a, c);
                // The ridge shrinks a mean towards zero, and the mass with it; an increment may as well be small.
                mean[c] = increments ? states[current][c] + predicted : predicted / Math.max(mass, 1e-3);
            }
        }

        /** The dictionary points with the largest κ to the predicted mean, largest first; ties by index. */
        private void lookUpCandidates() {
            System.arraycopy(mean, 0, center, 0, stateDimension);
            outputKernel.row(outputView, outputs, mean, outputRow, scratch);
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
            candidatePoints.reserve(count + 1);
            for (int i = 0; i < count; i++) {
                candidatePoints.add(outputs.get(candidates[i]));
            }
            candidatePoints.add(center);
            cone.among(candidates, count);
            centerSquaredNorm = outputKernel.value(outputView, center, center);
        }
    }
}
