package io.koopstream.control.mpc;

import io.koopstream.InvalidConfigException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import java.util.Arrays;

/**
 * min ½ xᵀ P x + qᵀ x subject to l ≤ A x ≤ u, with P positive semidefinite and dense: the operator splitting of Stellato, Banjac, Goulart,
 * Bemporad and Boyd, <i>OSQP</i>, Math. Prog. Comp. 12 (2020), for the few hundred unknowns of a horizon. P and A are fixed, q and the bounds
 * change from call to call; every call begins where the last one ended. One thread.
 */
public final class QuadraticProgram {

    /**
     * How a call ended.
     *
     * @param solved whether both residuals are below the tolerance
     * @param iterations how many were made; 0 when P is not positive semidefinite in its rounded numbers
     * @param primal the largest violation of l ≤ A x ≤ u
     * @param dual ‖P x + q + Aᵀ y‖_∞
     */
    public record Outcome(boolean solved, int iterations, double primal, double dual) {}

    private static final double SIGMA = 1e-6;
    private static final double RELAXATION = 1.6;
    /** Iterations between two looks at the residuals. */
    private static final int CHECK = 10;
    /** The step ρ at first. */
    private static final double FIRST_STEP = 0.1;
    /** The step ρ follows the residuals when their ratio is beyond this. */
    private static final double STEP_CHANGE = 5;

    private final Matrix p;
    private final Matrix a;
    private final int n;
    private final int m;
    private final double tolerance;
    private final int maxIterations;
    private final Matrix gram;
    private Matrix factor;
    private double rho;

    private final double[] x;
    private final double[] z;
    private final double[] y;
    private final double[] trial;
    private final double[] image;
    private final double[] rows;
    private final double[] gradient;

    /**
     * A program without bounds yet.
     *
     * @param p n × n, symmetric, positive semidefinite
     * @param a m × n
     * @param tolerance what both residuals must fall below, > 0
     * @param maxIterations most iterations of a call, >= 1
     */
    public QuadraticProgram(Matrix p, Matrix a, double tolerance, int maxIterations) {
        InvalidConfigException.requirePositive("tolerance", tolerance, "largest residual of a solution; try 1e-4");
        if (p.rows() != p.columns() || a.columns() != p.rows() || maxIterations < 1) {
            throw new InvalidConfigException(
                    "program",
                    p.rows() + " x " + p.columns() + ", " + a.rows() + " x " + a.columns(),
                    "P must be square, A must have as many columns, and at least one iteration must be allowed");
        }
        this.p = p;
        this.a = a;
        this.n = p.rows();
        this.m = a.rows();
        this.tolerance = tolerance;
        this.maxIterations = maxIterations;
        this.gram = a.transposedTimes(a);
        this.x = new double[n];
        this.z = new double[m];
        this.y = new double[m];
        this.trial = new double[n];
        this.image = new double[m];
        this.rows = new double[m];
        this.gradient = new double[n];
    }

    /** Whether P + σ + ρ AᵀA has a factor: not when P is not positive semidefinite in its rounded numbers. */
    private boolean factorise(double step) {
        rho = step;
        Matrix k = p.copy();
        k.add(rho, gram);
        for (int i = 0; i < n; i++) {
            k.set(i, i, k.get(i, i) + SIGMA);
        }
        factor = Triangular.cholesky(k);
        return factor != null;
    }

    /** Where the next call begins: unknowns, and A x with it; the prices of the bounds stay. */
    public void start(double[] unknowns) {
        System.arraycopy(unknowns, 0, x, 0, n);
        a.multiply(x, z);
    }

    /**
     * Solves for a linear term and bounds.
     *
     * @param q n numbers
     * @param low m lower bounds, may be −∞
     * @param high m upper bounds, may be +∞
     */
    public Outcome solve(double[] q, double[] low, double[] high) {
        for (int i = 0; i < m; i++) {
            if (!(low[i] <= high[i])) {
                throw new InvalidConfigException(
                        "bounds", "[" + low[i] + ", " + high[i] + "] of row " + i, "the lower one is above the upper");
            }
        }
        double primal = Double.POSITIVE_INFINITY;
        double dual = Double.POSITIVE_INFINITY;
        if (factor == null && !factorise(FIRST_STEP)) {
            return new Outcome(false, 0, primal, dual);
        }
        for (int iteration = 1; iteration <= maxIterations; iteration++) {
            step(q, low, high);
            if (iteration % CHECK != 0 && iteration != maxIterations) {
                continue;
            }
            a.multiply(x, image);
            primal = 0;
            double primalScale = 1e-10;
            for (int i = 0; i < m; i++) {
                primal = Math.max(primal, Math.abs(image[i] - z[i]));
                primalScale = Math.max(primalScale, Math.max(Math.abs(image[i]), Math.abs(z[i])));
            }
            dual = dualResidual(q);
            if (primal <= tolerance && dual <= tolerance) {
                return new Outcome(true, iteration, primal, dual);
            }
            if (!adapt(primal / primalScale, dual / dualScale(q))) {
                return new Outcome(false, iteration, primal, dual);
            }
        }
        return new Outcome(false, maxIterations, primal, dual);
    }

    private void step(double[] q, double[] low, double[] high) {
        for (int i = 0; i < m; i++) {
            rows[i] = rho * z[i] - y[i];
        }
        a.multiplyTransposed(rows, trial);
        for (int j = 0; j < n; j++) {
            trial[j] += SIGMA * x[j] - q[j];
        }
        Triangular.solve(factor, trial);
        Triangular.solveTransposed(factor, trial);
        a.multiply(trial, image);
        for (int j = 0; j < n; j++) {
            x[j] += RELAXATION * (trial[j] - x[j]);
        }
        for (int i = 0; i < m; i++) {
            double relaxed = RELAXATION * image[i] + (1 - RELAXATION) * z[i];
            double wanted = relaxed + y[i] / rho;
            z[i] = Math.min(Math.max(wanted, low[i]), high[i]);
            y[i] = rho * (wanted - z[i]);
        }
    }

    private double dualResidual(double[] q) {
        p.multiply(x, gradient);
        a.multiplyTransposed(y, trial);
        double largest = 0;
        for (int j = 0; j < n; j++) {
            largest = Math.max(largest, Math.abs(gradient[j] + q[j] + trial[j]));
        }
        return largest;
    }

    /** After {@link #dualResidual}: the largest of its terms. */
    private double dualScale(double[] q) {
        double largest = 1e-10;
        for (int j = 0; j < n; j++) {
            largest = Math.max(largest, Math.max(Math.abs(gradient[j]), Math.max(Math.abs(q[j]), Math.abs(trial[j]))));
        }
        return largest;
    }

    /** A larger ρ lowers the violation of the bounds, a smaller one the gradient. */
    private boolean adapt(double primal, double dual) {
        double wanted = rho * Math.sqrt(primal / Math.max(dual, 1e-12));
        wanted = Math.min(Math.max(wanted, 1e-6), 1e6);
        return !(wanted > STEP_CHANGE * rho || wanted < rho / STEP_CHANGE) || factorise(wanted);
    }

    /** The unknowns of the last call; not to be changed. */
    public double[] solution() {
        return x;
    }

    /** The prices y of the rows, copied: positive at an upper bound, negative at a lower one. */
    public double[] prices() {
        return Arrays.copyOf(y, m);
    }
}
