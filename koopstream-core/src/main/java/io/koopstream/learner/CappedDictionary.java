package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Rotations;
import io.koopstream.linalg.Vectors;

/**
 * The kept inputs and outputs of a learner, and the rule by which they are kept: a side of a sample that is over the budget is added
 * when it is numerically new, and, if its dictionary is full, when it can take the place of a point that is worth less.
 *
 * <p>A newcomer that the others miss by b² replaces the point whose exchange makes the Gram determinant (of normalised features)
 * largest, if it grows by a factor of {@value #GAIN} at least. The factor for point i is b² (G⁻¹)_ii + c_i², where c = G⁻¹ κ(x) are the
 * coefficients of the newcomer's projection. A determinant that is at most one can grow so only finitely often: exchanges end, and the
 * points kept spread over all that was visited.
 *
 * <p>Mutable, one writer.
 */
final class CappedDictionary {

    /** How much larger the determinant must become for an exchange. */
    static final double GAIN = 2;

    private final Side inputs;
    private final Side outputs;
    private long dependents;
    private long removals;
    private long refusals;

    /** Empty dictionaries. */
    CappedDictionary(int cap, NewtonBasis inputs, NewtonBasis outputs) {
        this.inputs = new Side(inputs, cap);
        this.outputs = new Side(outputs, cap);
    }

    /** Goes on from a state; copies what will be written. */
    CappedDictionary(int cap, KeptSamples kept) {
        this(cap, kept.inputBasis().copy(), kept.outputBasis().copy());
        Counters counters = kept.counters();
        dependents = counters.dependents();
        removals = counters.removals();
        refusals = counters.refusals();
    }

    NewtonBasis inputs() {
        return inputs.basis;
    }

    NewtonBasis outputs() {
        return outputs.basis;
    }

    /** The larger side. */
    int size() {
        return Math.max(inputs.basis.size(), outputs.basis.size());
    }

    long dependents() {
        return dependents;
    }

    /**
     * Decides what is to be kept of a sample. If {@link #mustMakeRoom()} then, the caller removes what has to go, measures the sample
     * again and asks again.
     */
    StepOutcome decide(boolean overBudget, SampleCoordinates sample) {
        inputs.clear();
        outputs.clear();
        if (!overBudget) {
            return StepOutcome.PROJECTED;
        }
        boolean input = inputs.wants(sample.bSquared(), sample.kxx(), sample.beta(), sample.work());
        boolean output = outputs.wants(sample.aSquared(), sample.kyy(), sample.alpha(), sample.work());
        StepOutcome outcome = StepOutcome.overBudget(input, output);
        boolean refused = inputs.refused || outputs.refused;
        return outcome == StepOutcome.DEPENDENT && refused ? StepOutcome.REFUSED : outcome;
    }

    /** Whether points have to go before the sample can be kept. */
    boolean mustMakeRoom() {
        return losesInput() || losesOutput();
    }

    boolean losesInput() {
        return inputs.victim >= 0;
    }

    boolean losesOutput() {
        return outputs.victim >= 0;
    }

    /** Takes the input out whose place is needed; matrices whose columns are inputs follow by {@link #dropColumn}. */
    Rotations removeInput() {
        removals++;
        return inputs.remove();
    }

    /** Takes the output out whose place is needed; matrices whose rows are outputs follow by {@link #dropRow}. */
    Rotations removeOutput() {
        removals++;
        return outputs.remove();
    }

    /** The columns of a matrix after an input has gone; returns the norm of what is cut off. */
    static double dropColumn(Matrix matrix, Rotations rotations) {
        rotations.applyToColumns(matrix);
        int last = matrix.columns() - 1;
        double norm = Vectors.norm(matrix.column(last), matrix.rows());
        matrix.truncate(matrix.rows(), last);
        return norm;
    }

    /** The rows of a matrix after an output has gone; returns the norm of what is cut off. */
    static double dropRow(Matrix matrix, Rotations rotations) {
        rotations.applyToRows(matrix);
        int last = matrix.rows() - 1;
        double[] row = new double[matrix.columns()];
        for (int j = 0; j < row.length; j++) {
            row[j] = matrix.get(last, j);
        }
        matrix.truncate(last, matrix.columns());
        return Vectors.norm(row, row.length);
    }

    /** Makes room in memory for what is to be kept, so that {@link #keep} cannot fail. */
    void reserve(StepOutcome outcome) {
        if (outcome.keepsInput()) {
            inputs.basis.reserveOne();
        }
        if (outcome.keepsOutput()) {
            outputs.basis.reserveOne();
        }
    }

    /** Adds what is kept of sample t, and counts what is not. */
    void keep(StepOutcome outcome, SampleCoordinates sample, long t, double[] x, double[] y) {
        if (outcome.keepsInput()) {
            inputs.append(t, x, sample.beta(), sample.bSquared());
        }
        if (outcome.keepsOutput()) {
            outputs.append(t, y, sample.alpha(), sample.aSquared());
        }
        if (outcome == StepOutcome.DEPENDENT) {
            dependents++;
        }
        refusals += (inputs.refused ? 1 : 0) + (outputs.refused ? 1 : 0);
    }

    /** Whether the input of the sample just decided on is new but has to stay outside. */
    boolean refusesInput() {
        return inputs.refused;
    }

    /** Whether the output of the sample just decided on is new but has to stay outside. */
    boolean refusesOutput() {
        return outputs.refused;
    }

    /** The counters, with those that the learner itself keeps. */
    Counters counters(long samples, double loss) {
        return new Counters(samples, dependents, removals, refusals, loss);
    }

    /** What is kept now, as a value. */
    KeptSamples kept(long samples, double loss) {
        return new KeptSamples(counters(samples, loss), inputs.basis.copy(), outputs.basis.copy());
    }

    /** One of the two dictionaries. */
    private static final class Side {

        private static final int NOBODY = -1;

        private final NewtonBasis basis;
        private final int cap;
        /** κ(p_i, p_i), and its product with (G⁻¹)_ii; found when a full dictionary is first asked after a change. */
        private double[] norms;

        private double[] worths;
        /** What {@link #wants} decided on the present sample. */
        private int victim = NOBODY;

        private boolean refused;

        Side(NewtonBasis basis, int cap) {
            this.basis = basis;
            this.cap = cap;
        }

        void clear() {
            victim = NOBODY;
            refused = false;
        }

        boolean wants(double squaredResidual, double squaredNorm, double[] coordinates, double[] work) {
            if (!basis.isIndependent(squaredResidual, squaredNorm, coordinates, work)) {
                return false;
            }
            if (basis.size() >= cap) {
                // The check has left the coefficients of the projection in the work array.
                victim = victim(squaredResidual, squaredNorm, work);
                refused = victim == NOBODY;
            }
            return !refused;
        }

        /** The point whose place the newcomer deserves most. */
        private int victim(double squaredResidual, double squaredNorm, double[] coefficients) {
            if (worths == null) {
                value();
            }
            int best = NOBODY;
            double largest = GAIN;
            for (int i = 0; i < basis.size(); i++) {
                double c = coefficients[i];
                double gain = (squaredResidual * worths[i] + c * c * norms[i]) / squaredNorm;
                if (gain > largest) {
                    largest = gain;
                    best = i;
                }
            }
            return best;
        }

        private void value() {
            double[] inverse = basis.inverseGramDiagonal();
            double[] squared = new double[basis.size()];
            for (int i = 0; i < squared.length; i++) {
                squared[i] = basis.squaredNorm(basis.points().get(i));
                inverse[i] *= squared[i];
            }
            norms = squared;
            worths = inverse;
        }

        Rotations remove() {
            Rotations rotations = basis.remove(victim);
            victim = NOBODY;
            worths = null;
            return rotations;
        }

        void append(long t, double[] point, double[] coordinates, double squaredResidual) {
            basis.append(t, point, coordinates, Math.sqrt(squaredResidual));
            worths = null;
        }
    }
}
