package io.koopstream.control.mpc;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.Transitions;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Triangular;

/**
 * The linear predictor of Korda and Mezić, <i>Linear predictors for nonlinear dynamical systems: Koopman operator meets model predictive
 * control</i>, Automatica 93 (2018), in dictionary coordinates: ψ⁺ = A ψ + B u with ψ = (x, 1, β(x)), fitted by least squares to transitions.
 * The response to the actions is the same along all paths, so one factorisation serves all decisions. One thread.
 */
public final class LiftedPredictor implements Predictor {

    private final NewtonBasis basis;
    private final int d;
    private final int p;
    private final int size;
    /** (A B) as rows of the transpose: row i has the effects of coordinate i of (ψ, u). */
    private final Matrix weights;

    private final Scratch scratch = new Scratch();
    private Matrix known;
    private int knownSteps;
    private int knownHold;

    private LiftedPredictor(NewtonBasis basis, int p, Matrix weights) {
        this.basis = basis;
        this.d = basis.space().dimension();
        this.p = p;
        this.size = d + 1 + basis.size();
        this.weights = weights;
    }

    /**
     * Fits A and B.
     *
     * @param space κ_X: what the dictionary coordinates are made of
     * @param points most dictionary points, taken from the states, those that are missed most first
     * @param lambda ridge of the mean risk, > 0
     */
    public static LiftedPredictor learn(Transitions data, Rkhs space, int points, double lambda) {
        InvalidConfigException.requirePositive("lambda", lambda, "ridge; try 1e-8 without noise");
        if (data.size() < 2 || points < 1) {
            throw new InvalidConfigException(
                    "transitions", data.size(), "at least two, and at least one point, are needed");
        }
        Points states = new Points(data.stateDimension());
        // A thousand states in even steps are enough to choose the dictionary from.
        int stride = Math.max(1, data.size() / 1000);
        for (int i = 0; i < data.size(); i += stride) {
            states.add(data.state(i));
        }
        NewtonBasis all = NewtonBasis.spanning(space, states);
        Points best = new Points(data.stateDimension());
        for (int i = 0; i < Math.min(points, all.size()); i++) {
            best.add(all.points().get(i));
        }
        NewtonBasis basis = NewtonBasis.spanning(space, best);
        LiftedPredictor unfitted = new LiftedPredictor(basis, data.actionDimension(), null);
        return new LiftedPredictor(basis, data.actionDimension(), unfitted.fit(data, lambda));
    }

    private Matrix fit(Transitions data, double lambda) {
        int n = data.size();
        Matrix inputs = new Matrix(n, size + p);
        Matrix outputs = new Matrix(n, size);
        for (int i = 0; i < n; i++) {
            double[] from = Transitions.concatenate(lift(data.state(i)), data.action(i));
            double[] to = lift(data.successor(i));
            for (int j = 0; j < from.length; j++) {
                inputs.set(i, j, from[j]);
            }
            for (int j = 0; j < size; j++) {
                outputs.set(i, j, to[j]);
            }
        }
        Matrix normal = inputs.transposedTimes(inputs);
        for (int j = 0; j < size + p; j++) {
            normal.set(j, j, normal.get(j, j) + n * lambda);
        }
        Matrix factor = Triangular.cholesky(normal);
        Matrix solution = inputs.transposedTimes(outputs);
        for (int j = 0; j < size; j++) {
            Triangular.solve(factor, solution.column(j));
            Triangular.solveTransposed(factor, solution.column(j));
        }
        return solution;
    }

    private double[] lift(double[] state) {
        double[] psi = new double[size];
        System.arraycopy(state, 0, psi, 0, d);
        psi[d] = 1;
        double[] beta = new double[basis.size()];
        basis.coordinates(state, beta, scratch);
        System.arraycopy(beta, 0, psi, d + 1, beta.length);
        return psi;
    }

    @Override
    public int stateDimension() {
        return d;
    }

    @Override
    public int actionDimension() {
        return p;
    }

    @Override
    public void roll(double[] start, double[][] actions, double[][] states) {
        double[] psi = lift(start);
        for (int k = 0; k < actions.length; k++) {
            psi = step(Transitions.concatenate(psi, actions[k]));
            System.arraycopy(psi, 0, states[k], 0, d);
        }
    }

    private double[] step(double[] psiAndAction) {
        double[] next = new double[size];
        weights.multiplyTransposed(psiAndAction, next);
        return next;
    }

    @Override
    public Matrix response(double[] start, double[][] actions, double[][] states, int hold) {
        if (known != null && knownSteps == actions.length && knownHold == hold) {
            return known;
        }
        int n = actions.length;
        Matrix response = new Matrix(n * d, (n + hold - 1) / hold * p);
        for (int c = 0; c < p; c++) {
            // The answer to a unit of action c at step 0; every other step has the same, later.
            double[] impulse = new double[size + p];
            impulse[size + c] = 1;
            double[] psi = step(impulse);
            for (int age = 0; age < n; age++) {
                for (int k = age; k < n; k++) {
                    double[] column = response.column((k - age) / hold * p + c);
                    for (int i = 0; i < d; i++) {
                        column[k * d + i] += psi[i];
                    }
                }
                psi = step(Transitions.concatenate(psi, new double[p]));
            }
        }
        known = response;
        knownSteps = n;
        knownHold = hold;
        return response;
    }
}
