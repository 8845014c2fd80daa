package io.koopstream.spectrum;

import static io.koopstream.InvalidQueryException.require;

import io.koopstream.internal.linalg.SmallSystem;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;

/**
 * One step of the process seen from the metastable sets: a k×k transition matrix, and what follows from it for a Markov chain on
 * the sets, mean exit times and mean first passage times.
 *
 * <p>With χ the memberships at n states (n×k) and (Kχ)(x) = Σ_i α_i(x) χ(y_i) / Σ_i α_i(x) their expectations one step later, the matrix is
 * the Galerkin projection P = (χᵀχ)⁻¹ χᵀ Kχ (Kube and Weber, <i>A coarse graining method for the identification of transition rates
 * between molecular conformations</i>, J. Chem. Phys. 126, 024103, 2007). Its rows sum to 1, and it keeps the slow eigenvalues of
 * the process, which counts of jumps between crisp sets do not: these also count those who turn back at the border. An entry can
 * fall below 0; {@link #matrix} shows it, exit and passage times use the entries cut off at 0 with rows divided by their sum.
 *
 * <p>Immutable. O(n m²) for n states and m kept points.
 */
public final class SetTransitions {

    private final double[][] matrix;
    private final double[][] probabilities;
    private final double[][] chain;
    private final double dt;

    private SetTransitions(double[][] matrix, double[][] probabilities, double dt) {
        this.matrix = matrix;
        this.probabilities = probabilities;
        this.chain = stochastic(matrix);
        this.dt = dt;
    }

    /**
     * The step of an operator between sets, on given states.
     *
     * @param operator whose step is taken: the one the sets come from, a power of it, or one learned at another lag
     * @param sets the sets
     * @param states per sample of the process, one per row; states where nothing was learned are left out
     * @param dt the time the operator's step takes
     */
    public static SetTransitions of(KoopmanOperator operator, MetastableSets sets, double[][] states, double dt) {
        require(dt > 0 && !Double.isInfinite(dt), "dt = " + dt + ": the time of a step must be a finite number > 0");
        int k = sets.count();
        double[][] outputs = sets.memberships(operator.outputPoints());
        double[][] overlap = new double[k][k];
        double[][] flow = new double[k][k];
        double[] weight = new double[k];
        double[][] now = sets.memberships(states);
        for (int n = 0; n < states.length; n++) {
            double[] next = Arrays.stream(now[n]).sum() > 0 ? expected(operator, outputs, states[n]) : null;
            for (int s = 0; next != null && s < k; s++) {
                weight[s] += now[n][s];
                Vectors.axpy(now[n][s], now[n], overlap[s], 0, k);
                Vectors.axpy(now[n][s], next, flow[s], 0, k);
            }
        }
        double[][] matrix = SmallSystem.solve(overlap, flow);
        require(matrix != null, "the states do not tell the " + k + " sets apart; give states from all of them");
        for (int s = 0; s < k; s++) {
            Vectors.scale(1 / weight[s], flow[s], k);
        }
        return new SetTransitions(matrix, flow, dt);
    }

    /** Memberships expected one step later, sum 1; null where the operator has learned too little to say. */
    private static double[] expected(KoopmanOperator operator, double[][] outputs, double[] state) {
        double[] alpha = operator.weights(state);
        double[] next = new double[outputs[0].length];
        for (int i = 0; i < alpha.length; i++) {
            Vectors.axpy(alpha[i], outputs[i], next, 0, next.length);
        }
        double mass = Arrays.stream(next).sum();
        if (!(mass >= InnerSimplex.MIN_CONSTANT)) {
            return null;
        }
        Vectors.scale(1 / mass, next, next.length);
        return next;
    }

    private static double[][] stochastic(double[][] matrix) {
        double[][] chain = new double[matrix.length][];
        for (int s = 0; s < matrix.length; s++) {
            chain[s] = Arrays.stream(matrix[s]).map(p -> Math.max(0.0, p)).toArray();
            Vectors.scale(1 / Arrays.stream(chain[s]).sum(), chain[s], chain[s].length);
        }
        return chain;
    }

    /** Number of sets. */
    public int count() {
        return matrix.length;
    }

    /** P, copied: result[s][t] is the share of set s that belongs to set t one step later; rows sum to 1, entries may fall below 0. */
    public double[][] matrix() {
        return copy(matrix);
    }

    /**
     * The probability to be found in set t one step after a start drawn from set s, Σ_x χ_s(x) (Kχ_t)(x) / Σ_x χ_s(x), copied: what data
     * show directly, and what a Chapman–Kolmogorov check compares (docs/answers.md).
     */
    public double[][] probabilities() {
        return copy(probabilities);
    }

    private static double[][] copy(double[][] rows) {
        return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }

    /** Mean time that the process stays in set s before it settles in another: dt / (1 − P_ss). */
    public double meanExitTime(int s) {
        requireSet(s);
        double left = 1 - chain[s][s];
        return left > 0 ? dt / left : Double.POSITIVE_INFINITY;
    }

    /**
     * The share of time that the chain spends in each set in the long run, π = πP with Σ π = 1; NaN where that is not one distribution, as when the
     * process cannot come from one set to the others.
     */
    public double[] populations() {
        int k = count();
        double[][] system = new double[k][k];
        double[][] right = new double[k][1];
        for (int s = 0; s < k; s++) {
            for (int t = 0; t < k; t++) {
                system[t][s] = t == k - 1 ? 1 : chain[s][t] - (s == t ? 1 : 0);
            }
        }
        right[k - 1][0] = 1;
        double[][] shares = SmallSystem.solve(system, right);
        double[] result = new double[k];
        for (int s = 0; s < k; s++) {
            result[s] = shares == null || !(shares[s][0] >= -1e-9) ? Double.NaN : Math.max(0.0, shares[s][0]);
        }
        return result;
    }

    /**
     * Mean first passage times between sets: result[s][t] is the mean time from set s until set t is reached, zero on the diagonal. They
     * solve τ_s = dt + Σ_{u ≠ t} P_su τ_u (Norris, <i>Markov Chains</i>, 1997, theorem 1.3.5); infinite where t is not always
     * reached.
     */
    public double[][] meanFirstPassageTimes() {
        int k = count();
        double[][] result = new double[k][k];
        for (int t = 0; t < k; t++) {
            double[][] system = new double[k - 1][k - 1];
            double[][] right = new double[k - 1][];
            for (int s = 0; s < k - 1; s++) {
                for (int u = 0; u < k - 1; u++) {
                    system[s][u] = (s == u ? 1 : 0) - chain[skip(s, t)][skip(u, t)];
                }
                right[s] = new double[] {dt};
            }
            double[][] times = SmallSystem.solve(system, right);
            for (int s = 0; s < k - 1; s++) {
                double time = times == null ? Double.POSITIVE_INFINITY : times[s][0];
                result[skip(s, t)][t] = time >= dt ? time : Double.POSITIVE_INFINITY;
            }
        }
        return result;
    }

    /** The s-th index that is not t. */
    private static int skip(int s, int t) {
        return s < t ? s : s + 1;
    }

    private void requireSet(int s) {
        require(s >= 0 && s < count(), "set " + s + ": there are sets 0 to " + (count() - 1));
    }
}
