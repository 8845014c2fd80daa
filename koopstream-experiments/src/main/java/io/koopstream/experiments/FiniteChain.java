package io.koopstream.experiments;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.RealSchur;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.leastsquares.RidgeRegression;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.theory.Mixing;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A chain on the grid −1, −0.95, …, 1 with x⁺ near c x + j sign(x), and K, U_λ and all distances from K as sums over its 41 states. With j = 0 it is {@code gridchain-v1}; a
 * jump j takes x ↦ E[φ(x⁺) given x] out of the smoother interpolation spaces, which is the mis-specified setting of the paper.
 */
public final class FiniteChain {

    private static final int HALF = 20;
    private static final double VARIANCE = 0.36;
    /** Below that an eigenvalue of a matrix of norm one is rounding. */
    private static final double ROUNDING = 1e-13;

    private final double[][] states = new double[2 * HALF + 1][];
    private final double[][] transition = new double[states.length][states.length];
    private final double[] law = new double[states.length];
    private final NewtonBasis basis;
    /** Columns φ(x) in an orthonormal basis. */
    private final Matrix features;
    /** Columns E[φ(x⁺) given x]. */
    private final Matrix means;
    /** Of L_κ in L₂(π). */
    private final RealSchur eigen;

    /**
     * A chain.
     *
     * @param coefficient c
     * @param jump j
     */
    public FiniteChain(double coefficient, double jump) {
        for (int i = 0; i < states.length; i++) {
            states[i] = new double[] {(double) (i - HALF) / HALF};
        }
        for (int i = 0; i < states.length; i++) {
            double mean = coefficient * states[i][0] + jump * Math.signum(states[i][0]);
            for (int j = 0; j < states.length; j++) {
                double distance = states[j][0] - mean;
                transition[i][j] = StrictMath.exp(-distance * distance / (2 * VARIANCE));
            }
            double sum = Arrays.stream(transition[i]).sum();
            for (int j = 0; j < states.length; j++) {
                transition[i][j] /= sum;
            }
        }
        settle();
        basis = NewtonBasis.spanning(new Rkhs(ConvergenceExperiment.KERNEL, 1), Points.of(1, states));
        features = basis.coordinates(Points.of(1, states));
        means = features.times(Matrix.ofRows(transition, states.length).transposed());
        double[][] gram = new double[states.length][states.length];
        for (int i = 0; i < states.length; i++) {
            for (int j = 0; j < states.length; j++) {
                gram[i][j] = Math.sqrt(law[i] * law[j]) * ConvergenceExperiment.KERNEL.value(states[i], states[j]);
            }
        }
        eigen = RealSchur.of(gram);
    }

    /** π by iteration until it moves no more; each step brings it closer by the Dobrushin coefficient. */
    private void settle() {
        Arrays.fill(law, 1.0 / states.length);
        double moved = 1;
        for (int n = 0; n < 10_000 && moved > 0; n++) {
            double[] next = new double[law.length];
            for (int i = 0; i < law.length; i++) {
                for (int j = 0; j < law.length; j++) {
                    next[j] += law[i] * transition[i][j];
                }
            }
            double total = Arrays.stream(next).sum();
            moved = 0;
            for (int j = 0; j < law.length; j++) {
                moved += Math.abs(next[j] / total - law[j]);
                law[j] = next[j] / total;
            }
        }
    }

    /** Number of states. */
    public int size() {
        return states.length;
    }

    /** State i, shared. */
    public double[] state(int i) {
        return states[i];
    }

    /** The successor of state i for a random number. */
    public int next(int i, UniformRandomProvider random) {
        double left = random.nextDouble();
        int j = 0;
        while (j < states.length - 1 && left >= transition[i][j]) {
            left -= transition[i][j];
            j++;
        }
        return j;
    }

    /** Mixing constants that hold by proof. */
    public Mixing mixing() {
        return Mixing.ofChain(transition);
    }

    /** U_λ. */
    public TransitionOperator minimiser(double lambda) {
        Matrix covariance = new Matrix(basis.size(), basis.size());
        Matrix cross = new Matrix(basis.size(), basis.size());
        for (int i = 0; i < law.length; i++) {
            covariance.rankOne(1, law[i], features.column(i), features.column(i));
            cross.rankOne(1, law[i], means.column(i), features.column(i));
        }
        return new TransitionOperator(basis, basis.copy(), RidgeRegression.solve(covariance, cross, 1.0, lambda), 0);
    }

    /** B_src² of Assumption 2 for an exponent β: ‖K‖² in HS(H, [H]^β). */
    public double source(double beta) {
        return squaredNorm(means, beta);
    }

    /** ‖[K_t] − K‖² in HS(H, [H]^γ) for K_t = U_t*. */
    public double squaredError(TransitionOperator u, double gamma) {
        return squaredNorm(u.matrixIn(basis, basis).times(features).minus(means), gamma);
    }

    /** The squared norm of a map x ↦ column, by the eigenfunctions of the kernel in L₂(π). */
    private double squaredNorm(Matrix columns, double gamma) {
        double sum = 0;
        for (int k = 0; k < law.length; k++) {
            double sigma = eigen.triangle(k, k);
            if (sigma > ROUNDING) {
                double[] coefficient = new double[columns.rows()];
                for (int x = 0; x < law.length; x++) {
                    double weight = Math.sqrt(law[x]) * eigen.vector(x, k);
                    double[] column = columns.column(x);
                    for (int i = 0; i < coefficient.length; i++) {
                        coefficient[i] += weight * column[i];
                    }
                }
                sum += StrictMath.pow(sigma, -gamma)
                        * Arrays.stream(coefficient).map(c -> c * c).sum();
            }
        }
        return sum;
    }
}
