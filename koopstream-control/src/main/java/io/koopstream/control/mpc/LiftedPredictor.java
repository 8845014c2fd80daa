package io.koopstream.control.mpc;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.Transitions;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The linear predictor of Korda and Mezić, <i>Linear predictors for nonlinear dynamical systems: Koopman operator meets model predictive
 * control</i>, Automatica 93 (2018), in dictionary coordinates: ψ⁺ = A ψ + B u with ψ = (x, 1, β(x)), fitted by least squares to transitions.
 * The response to the actions is the same along all paths, so one factorisation serves all decisions. One thread.
 */
public final class LiftedPredictor implements Predictor {

    private static final double MAX_LAMBDA = 1e-2;
    private static final double MIN_LAMBDA = 1e-11;
    /** One run in so many is held out. */
    private static final int HELD_OUT = 5;

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
     * Fits A and B with the ridge that predicts held-out runs best over a horizon. A ridge chosen for one step ahead will not do: the smallest
     * predicts one step best and may make A unstable, so that paths grow without bound (lab/records/control.md).
     *
     * @param data transitions of which some follow each other, each beginning where the one before ended
     * @param space κ_X: what the dictionary coordinates are made of
     * @param points most dictionary points, taken from the states, those that are missed most first
     * @param steps length of the horizon, >= 1
     */
    public static LiftedPredictor learn(Transitions data, Rkhs space, int points, int steps) {
        List<int[]> runs = runs(data, steps);
        if (runs.size() < 2) {
            throw new InvalidConfigException(
                    "transitions",
                    runs.size() + " runs of " + steps + " steps",
                    "at least two must be there to choose a ridge: give longer trajectories, or the ridge itself");
        }
        Transitions kept = new Transitions(data.stateDimension(), data.actionDimension());
        List<int[]> judged = new ArrayList<>();
        for (int r = 0; r < runs.size(); r++) {
            if (r % HELD_OUT == HELD_OUT - 1 || (r == runs.size() - 1 && judged.isEmpty())) {
                judged.add(runs.get(r));
                continue;
            }
            for (int i = runs.get(r)[0]; i < runs.get(r)[1]; i++) {
                kept.add(data.state(i), data.action(i), data.successor(i));
            }
        }
        NewtonBasis basis = basis(data, space, points);
        LiftedPredictor empty = new LiftedPredictor(basis, data.actionDimension(), null);
        Matrix[] sums = empty.sums(kept);
        double best = Double.POSITIVE_INFINITY;
        double chosen = MAX_LAMBDA;
        for (double lambda = MAX_LAMBDA; lambda >= MIN_LAMBDA; lambda /= 10) {
            Matrix weights = empty.solve(sums, kept.size() * lambda);
            double error = weights == null
                    ? Double.POSITIVE_INFINITY
                    : new LiftedPredictor(basis, data.actionDimension(), weights).error(data, judged);
            if (error < best) {
                best = error;
                chosen = lambda;
            }
        }
        return fit(data, basis, chosen);
    }

    /** The same with a given ridge of the mean risk, > 0. */
    public static LiftedPredictor withLambda(Transitions data, Rkhs space, int points, double lambda) {
        return fit(data, basis(data, space, points), lambda);
    }

    private static LiftedPredictor fit(Transitions data, NewtonBasis basis, double lambda) {
        InvalidConfigException.requirePositive("lambda", lambda, "ridge; leave it out to have it chosen");
        LiftedPredictor empty = new LiftedPredictor(basis, data.actionDimension(), null);
        Matrix weights = empty.solve(empty.sums(data), data.size() * lambda);
        if (weights == null) {
            throw new InvalidConfigException("lambda", lambda, "is too small for these transitions to be told apart");
        }
        return new LiftedPredictor(basis, data.actionDimension(), weights);
    }

    private static NewtonBasis basis(Transitions data, Rkhs space, int points) {
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
        return NewtonBasis.spanning(space, best);
    }

    /** First and last, exclusive, of pieces of the given length in which every transition begins where the one before ended. */
    private static List<int[]> runs(Transitions data, int steps) {
        List<int[]> runs = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < data.size(); i++) {
            if (i > first && !Arrays.equals(data.state(i), data.successor(i - 1))) {
                first = i;
            }
            if (i - first + 1 == steps) {
                runs.add(new int[] {first, i + 1});
                first = i + 1;
            }
        }
        return runs;
    }

    /** The mean square of what runs are missed by, in units of each coordinate's spread. */
    private double error(Transitions data, List<int[]> runs) {
        double[] spreads = new double[d];
        Arrays.setAll(spreads, c -> Math.max(data.spread(c), Double.MIN_NORMAL));
        double sum = 0;
        for (int[] run : runs) {
            double[][] actions = new double[run[1] - run[0]][];
            Arrays.setAll(actions, k -> data.action(run[0] + k));
            double[][] states = new double[actions.length][d];
            roll(data.state(run[0]), actions, states);
            for (int k = 0; k < actions.length; k++) {
                double[] truth = data.successor(run[0] + k);
                for (int c = 0; c < d; c++) {
                    double off = (states[k][c] - truth[c]) / spreads[c];
                    sum += off * off;
                }
            }
        }
        return sum / runs.size();
    }

    /** Σ (ψ, u)(ψ, u)ᵀ and Σ (ψ, u) ψ⁺ᵀ. */
    private Matrix[] sums(Transitions data) {
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
        return new Matrix[] {inputs.transposedTimes(inputs), inputs.transposedTimes(outputs)};
    }

    /** The weights with a ridge of the sums, or null when it is too small. */
    private Matrix solve(Matrix[] sums, double ridge) {
        Matrix normal = sums[0].copy();
        for (int j = 0; j < size + p; j++) {
            normal.set(j, j, normal.get(j, j) + ridge);
        }
        Matrix factor = Triangular.cholesky(normal);
        if (factor == null) {
            return null;
        }
        Matrix solution = sums[1].copy();
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
