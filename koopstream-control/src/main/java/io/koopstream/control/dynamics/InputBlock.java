package io.koopstream.control.dynamics;

import io.koopstream.control.env.ActionGrid;
import io.koopstream.control.env.Transitions;
import io.koopstream.kernel.Concatenated;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;
import java.util.List;

/**
 * Linear functions f_c(z) = Σ_j r_cj κ_Z(z_j, z) at a block of states and all actions of a grid, as products of coefficients and Gram
 * blocks. When κ_Z is a product of a kernel on the state and one on the action, one Gram block of the states serves all actions: the
 * action's factor goes into the coefficients, once for all blocks. One thread.
 */
final class InputBlock {

    private final Rkhs space;
    private final Points points;
    private final ActionGrid actions;
    private final int stateDimension;
    private final int functions;
    private final Scratch scratch = new Scratch();
    private final double[] row;
    /** κ_U(u_j, u_a), one row an action, or null when the kernel is no product. */
    private final double[][] actionFactors;

    private final List<Concatenated.Part> parts;
    /** Row j: the coefficients of point j, for every function, or for every action and function when the kernel is a product. */
    private final double[][] coefficients;
    /** Gram block, row j: κ of point j to the states of the block; the factor of the state when the kernel is a product. */
    private final double[][] gram;

    private double[][] states = new double[0][];
    /** Results: row (a, c), one entry a state. */
    private final double[][] results;

    InputBlock(Rkhs space, Points points, ActionGrid actions, int stateDimension, double[][] readout) {
        this.space = space;
        this.points = points;
        this.actions = actions;
        this.stateDimension = stateDimension;
        this.functions = readout.length;
        this.row = new double[points.size()];
        this.parts = productParts();
        this.actionFactors = parts == null ? null : actionFactors();
        this.coefficients = coefficients(readout);
        this.gram = new double[points.size()][SuccessorModel.Query.BLOCK];
        this.results = new double[actions.size() * functions][SuccessorModel.Query.BLOCK];
    }

    private List<Concatenated.Part> productParts() {
        return space.kernel() instanceof Concatenated product
                        && product.parts().size() == 2
                        && product.parts().get(0).dimension() == stateDimension
                ? product.parts()
                : null;
    }

    private double[][] actionFactors() {
        double[][] factors = new double[actions.size()][points.size()];
        double[] input = new double[space.dimension()];
        CoordinateView view = space.view().part(stateDimension, parts.get(1).dimension());
        for (int a = 0; a < factors.length; a++) {
            System.arraycopy(actions.shared(a), 0, input, stateDimension, actions.dimension());
            parts.get(1).kernel().row(view, points, input, factors[a], scratch);
        }
        return factors;
    }

    private double[][] coefficients(double[][] readout) {
        int copies = parts == null ? 1 : actions.size();
        double[][] rows = new double[points.size()][copies * functions];
        for (int j = 0; j < rows.length; j++) {
            for (int a = 0; a < copies; a++) {
                for (int c = 0; c < functions; c++) {
                    rows[j][a * functions + c] = readout[c][j] * (parts == null ? 1 : actionFactors[a][j]);
                }
            }
        }
        return rows;
    }

    /** Turns to a block of states. */
    void at(double[][] block) {
        states = block;
        if (parts != null) {
            fillGram(parts.get(0).kernel(), space.view().part(0, stateDimension), 0);
            multiply(0, actions.size() * functions);
            return;
        }
        for (int a = 0; a < actions.size(); a++) {
            fillGram(space.kernel(), space.view(), a);
            multiply(a * functions, functions);
        }
    }

    /** The Gram block, state by state because the points are many and stored for it, laid out for the product. */
    private void fillGram(Kernel kernel, CoordinateView view, int a) {
        for (int b = 0; b < states.length; b++) {
            kernel.row(view, points, Transitions.concatenate(states[b], actions.shared(a)), row, scratch);
            for (int j = 0; j < row.length; j++) {
                gram[j][b] = row[j];
            }
        }
    }

    /** Rows [first, first + count) of the results = coefficientsᵀ times the Gram block; point after point, whatever the block's size. */
    private void multiply(int first, int count) {
        if (states.length == 1) {
            multiplyOne(first, count);
            return;
        }
        int n = states.length;
        int whole = gram.length & ~3;
        for (int r = 0; r < count; r++) {
            double[] result = results[first + r];
            Arrays.fill(result, 0, n, 0.0);
            for (int j = 0; j < whole; j += 4) {
                addFour(
                        coefficients[j][r],
                        gram[j],
                        coefficients[j + 1][r],
                        gram[j + 1],
                        coefficients[j + 2][r],
                        gram[j + 2],
                        coefficients[j + 3][r],
                        gram[j + 3],
                        result,
                        n);
            }
            for (int j = whole; j < gram.length; j++) {
                addOne(coefficients[j][r], gram[j], result, n);
            }
        }
    }

    /** The same sums in the same order, but with the loop over the functions inside: a block of one has no other loop to vectorise. */
    private void multiplyOne(int first, int count) {
        double[] sums = new double[count];
        int whole = gram.length & ~3;
        for (int j = 0; j < whole; j += 4) {
            addFour(
                    gram[j][0],
                    coefficients[j],
                    gram[j + 1][0],
                    coefficients[j + 1],
                    gram[j + 2][0],
                    coefficients[j + 2],
                    gram[j + 3][0],
                    coefficients[j + 3],
                    sums,
                    count);
        }
        for (int j = whole; j < gram.length; j++) {
            addOne(gram[j][0], coefficients[j], sums, count);
        }
        for (int r = 0; r < count; r++) {
            results[first + r][0] = sums[r];
        }
    }

    private static void addFour(
            double a0,
            double[] x0,
            double a1,
            double[] x1,
            double a2,
            double[] x2,
            double a3,
            double[] x3,
            double[] sum,
            int n) {
        for (int i = 0; i < n; i++) {
            sum[i] = Math.fma(a3, x3[i], Math.fma(a2, x2[i], Math.fma(a1, x1[i], Math.fma(a0, x0[i], sum[i]))));
        }
    }

    private static void addOne(double a, double[] x, double[] sum, int n) {
        for (int i = 0; i < n; i++) {
            sum[i] = Math.fma(a, x[i], sum[i]);
        }
    }

    /** f_c(x, u_a) at a state of the block. */
    double value(int state, int a, int c) {
        return results[a * functions + c][state];
    }

    /** out_j = κ_Z((x_j, u_j), (x, u_a)) for a state of the block. */
    void row(int state, int a, double[] out) {
        if (parts == null) {
            double[] input = Transitions.concatenate(states[state], actions.shared(a));
            space.kernel().row(space.view(), points, input, out, scratch);
            return;
        }
        double[] actionFactor = actionFactors[a];
        for (int j = 0; j < gram.length; j++) {
            out[j] = gram[j][state] * actionFactor[j];
        }
    }
}
