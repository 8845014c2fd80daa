package io.koopstream.control.mpc;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Policy;
import io.koopstream.internal.linalg.Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Model-predictive control: in every step the actions of a horizon are improved by quadratic programs along the predicted path, and the first of
 * them is taken. With a linear predictor one program is exact; with a nonlinear one it is sequential quadratic programming, damped after Levenberg and Marquardt. The plan of
 * one step is where the next begins; the first is the best of random ones. One episode, one thread; {@link #restart} begins another.
 */
public final class ModelPredictiveControl implements Policy {

    /** Price of a unit beyond a bound of the states, for comparing paths; the programs themselves keep the bounds exactly. */
    private static final double VIOLATION = 1e3;

    private static final double TOLERANCE = 1e-4;
    private static final int MAX_ITERATIONS = 400;

    /** Programs along one path, each with a stiffer plan than the one before: where a path bends, a full step may lead astray. */
    private static final int ATTEMPTS = 4;

    /** Random plans at the beginning, how many of the best are improved, and how often. */
    private static final int RANDOM_STARTS = 100;

    private static final int TRIED = 4;
    private static final int FIRST_IMPROVEMENTS = 30;

    /** Plans keep this share of the width between bounds away from them: predictions are a little wrong, and what is bound must not be left. */
    static final double MARGIN = 0.02;

    private final Predictor predictor;
    private final Horizon horizon;
    /** Where the states of a plan may be. */
    private final Box kept;

    private final IntFunction<double[]> reference;
    private final int improvements;
    private final int d;
    private final int p;

    private double[][] plan;
    private double[][] states;
    private int time;
    private boolean started;
    /** Levenberg and Marquardt's: added to the diagonal, in units of its mean. */
    private double damping;

    private boolean met = true;
    private double least;

    /**
     * A controller.
     *
     * @param reference the state wanted after so many steps of the episode
     * @param improvements quadratic programs a step, >= 1; one is enough for a linear predictor
     */
    public ModelPredictiveControl(
            Predictor predictor, Horizon horizon, IntFunction<double[]> reference, int improvements) {
        this.predictor = predictor;
        this.horizon = horizon;
        this.reference = reference;
        this.improvements = improvements;
        this.d = predictor.stateDimension();
        this.p = predictor.actionDimension();
        if (horizon.states().dimension() != d || horizon.actions().dimension() != p || improvements < 1) {
            throw new InvalidConfigException(
                    "horizon",
                    horizon.states().dimension() + " and " + horizon.actions().dimension(),
                    "the predictor has states of dimension " + d + " and actions of dimension " + p
                            + ", and at least one improvement is needed");
        }
        this.kept = horizon.states().shrunk(MARGIN);
        restart();
    }

    /** Forgets the plan: a new episode begins. */
    @Override
    public void restart() {
        plan = new double[horizon.steps()][p];
        states = new double[horizon.steps()][d];
        time = 0;
        started = false;
        damping = 0;
    }

    /**
     * Goes on from a plan in place of a search.
     *
     * @param rows what {@link #plan} returned after the last decision: an action for every step
     */
    public void resume(double[][] rows) {
        boolean fits = rows.length == horizon.steps();
        for (int k = 0; fits && k < rows.length; k++) {
            fits = rows[k].length == p;
            for (int j = 0; fits && j < p; j++) {
                fits = Double.isFinite(rows[k][j]);
                plan[k][j] = horizon.actions().clip(j, rows[k][j]);
            }
        }
        if (!fits) {
            restart();
            throw new InvalidQueryException("a plan has " + horizon.steps() + " rows of " + p + " finite numbers");
        }
        started = true;
    }

    /** The actions planned after the last decision, one row a step, copied. */
    public double[][] plan() {
        return Arrays.stream(plan).map(double[]::clone).toArray(double[][]::new);
    }

    /** What the horizon minimises, along the plan of the last decision. */
    public double cost() {
        return least;
    }

    /** Whether the program of the last decision was solved to its tolerance with all bounds; if not, what was found is used. */
    public boolean isMet() {
        return met;
    }

    /** The states predicted along the plan of the last decision, copied. */
    public double[][] predicted() {
        return Arrays.stream(states).map(double[]::clone).toArray(double[][]::new);
    }

    @Override
    public double[] action(double[] observation) {
        if (!started) {
            search(observation);
            started = true;
        } else {
            damping = 0;
            for (int i = 0; i < improvements && improve(observation); i++) {
                // Each program starts from what the last one found.
            }
        }
        least = cost(observation, plan);
        double[] now = plan[0].clone();
        for (int k = 0; k + 1 < plan.length; k++) {
            plan[k] = plan[k + 1];
        }
        plan[plan.length - 1] = plan[plan.length - 1].clone();
        time++;
        return now;
    }

    /** The best of doing nothing and of random actions, each held for a while, after some programs. */
    private void search(double[] observation) {
        SplittableRandom random = new SplittableRandom(1);
        List<double[][]> starts = new ArrayList<>();
        starts.add(new double[horizon.steps()][p]);
        for (int s = 0; s < RANDOM_STARTS; s++) {
            int stay = 1 + horizon.steps() / (2 + s % 8);
            double[][] candidate = new double[horizon.steps()][];
            for (int k = 0; k < candidate.length; k++) {
                candidate[k] = k % stay == 0 ? horizon.actions().sample(random) : candidate[k - 1].clone();
            }
            starts.add(candidate);
        }
        starts.sort(Comparator.comparingDouble(candidate -> cost(observation, candidate)));
        double lowest = Double.POSITIVE_INFINITY;
        double[][] best = starts.get(0);
        for (double[][] candidate : starts.subList(0, Math.min(TRIED, starts.size()))) {
            plan = candidate;
            damping = 0;
            for (int i = 0; i < FIRST_IMPROVEMENTS && improve(observation); i++) {
                // As in every later step, but for longer.
            }
            double cost = cost(observation, plan);
            if (cost < lowest) {
                lowest = cost;
                best = plan;
            }
        }
        plan = best;
    }

    private double cost(double[] observation, double[][] actions) {
        predictor.roll(observation, actions, states);
        double cost = 0;
        for (int k = 0; k < actions.length; k++) {
            double[] wanted = reference.apply(time + k + 1);
            for (int c = 0; c < d; c++) {
                double off = states[k][c] - wanted[c];
                cost += weight(k, c) * off * off;
                double beyond =
                        Math.max(states[k][c] - kept.high().get(c), kept.low().get(c) - states[k][c]);
                cost += beyond > 0 ? VIOLATION * beyond : 0;
            }
            for (int j = 0; j < p; j++) {
                cost += horizon.actionWeights().get(j) * actions[k][j] * actions[k][j];
            }
        }
        return Double.isNaN(cost) ? Double.POSITIVE_INFINITY : cost;
    }

    private double weight(int k, int c) {
        return horizon.stateWeights().get(c) * (k == horizon.steps() - 1 ? horizon.finalWeight() : 1);
    }

    /** Quadratic programs along the path of the plan until one makes it better. Whether one did. */
    private boolean improve(double[] observation) {
        double before = cost(observation, plan);
        double[][] path = predicted();
        Matrix response = predictor.response(observation, plan, states, horizon.hold());
        if (!Double.isFinite(before) || !Double.isFinite(response.frobeniusNorm())) {
            // The path runs away: no program can be set up along it.
            met = false;
            return false;
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            double[] change = program(response, path);
            if (change == null) {
                return false;
            }
            double[][] trial = new double[plan.length][p];
            for (int k = 0; k < plan.length; k++) {
                for (int j = 0; j < p; j++) {
                    trial[k][j] = horizon.actions().clip(j, plan[k][j] + change[k / horizon.hold() * p + j]);
                }
            }
            if (cost(observation, trial) < before) {
                damping /= 4;
                plan = trial;
                return true;
            }
            damping = Math.max(1e-3, 30 * damping);
        }
        return false;
    }

    /** The change of the plan, or null where the path runs away so far that no program is convex in its rounded numbers. */
    private double[] program(Matrix response, double[][] path) {
        int n = horizon.blocks() * p;
        List<int[]> bounded = new ArrayList<>();
        for (int c = 0; c < d; c++) {
            boolean bound = Double.isFinite(kept.low().get(c))
                    || Double.isFinite(kept.high().get(c));
            for (int k = 0; bound && k < horizon.steps(); k++) {
                bounded.add(new int[] {k, c});
            }
        }
        Matrix weighted = response.copy();
        double[] off = new double[horizon.steps() * d];
        for (int k = 0; k < horizon.steps(); k++) {
            double[] wanted = reference.apply(time + k + 1);
            for (int c = 0; c < d; c++) {
                off[k * d + c] = path[k][c] - wanted[c];
                for (int j = 0; j < n; j++) {
                    weighted.column(j)[k * d + c] *= weight(k, c);
                }
            }
        }
        Matrix hessian = weighted.transposedTimes(response);
        double stiffness = damping * hessian.trace() / n;
        double[] linear = new double[n];
        weighted.multiplyTransposed(off, linear);
        int m = n + bounded.size();
        Matrix rows = new Matrix(m, n);
        double[] low = new double[m];
        double[] high = new double[m];
        for (int j = 0; j < n; j++) {
            int first = j / p * horizon.hold();
            int held = Math.min(horizon.hold(), horizon.steps() - first);
            double price = horizon.actionWeights().get(j % p);
            double now = plan[first][j % p];
            hessian.set(j, j, hessian.get(j, j) + held * price + stiffness + 1e-9);
            linear[j] += held * price * now;
            rows.set(j, j, 1);
            low[j] = horizon.actions().low().get(j % p) - now;
            high[j] = horizon.actions().high().get(j % p) - now;
        }
        for (int i = 0; i < bounded.size(); i++) {
            int k = bounded.get(i)[0];
            int c = bounded.get(i)[1];
            for (int j = 0; j < n; j++) {
                rows.set(n + i, j, response.get(k * d + c, j));
            }
            low[n + i] = kept.low().get(c) - path[k][c];
            high[n + i] = kept.high().get(c) - path[k][c];
        }
        QuadraticProgram program = new QuadraticProgram(hessian, rows, TOLERANCE, MAX_ITERATIONS);
        QuadraticProgram.Outcome outcome = program.solve(linear, low, high);
        met = outcome.solved();
        return outcome.iterations() == 0 ? null : program.solution();
    }
}
