package io.koopstream.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.RealSchur;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.theory.FiniteTimeBound.Constants;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Lemmas of the paper on the grid chain, whose 41 states make every expectation a finite sum: the bias of the gradient along a trajectory, its
 * bounds, and the distance from K in the intermediate spaces.
 */
class ChainTheoryTest {

    private static final double LAMBDA = 0.05;

    /** κ(x,x) = 1 here. */
    private static final double KERNEL_BOUND = 1;

    private static final Constants CONSTANTS = new Constants(KERNEL_BOUND, LAMBDA, 0, 1e-3, 0);

    private final ConvergenceExperiment experiment = new ConvergenceExperiment(1, 1);
    private final double[][] states = experiment.chain().states();
    private final double[][] transition = experiment.chain().transitionMatrix();
    private final double[] law = experiment.chain().stationaryLaw();
    private final NewtonBasis basis =
            NewtonBasis.spanning(new Rkhs(ConvergenceExperiment.KERNEL, 1), Points.of(1, states));
    /** Columns φ(x) in an orthonormal basis. */
    private final Matrix features = basis.coordinates(Points.of(1, states));
    /** Columns μ(x) = E[φ(x⁺) given x]. */
    private final Matrix means =
            features.times(Matrix.ofRows(transition, law.length).transposed());

    /** Σ_x weights(x) ∇̃R_λ(x, ·; U), the expected gradient where x has this law. */
    private Matrix gradient(Matrix u, double[] weights) {
        Matrix errors = u.times(features).minus(means);
        Matrix sum = new Matrix(u.rows(), u.columns());
        for (int x = 0; x < weights.length; x++) {
            sum.rankOne(1, weights[x], errors.column(x), features.column(x));
        }
        sum.add(LAMBDA, u);
        return sum;
    }

    private Matrix zero() {
        return new Matrix(basis.size(), basis.size());
    }

    private Matrix minimiser() {
        return experiment.minimiser(LAMBDA).matrixIn(basis, basis);
    }

    private Matrix random(long seed, double scale) {
        SplittableRandom random = new SplittableRandom(seed);
        Matrix result = zero();
        for (int i = 0; i < result.rows(); i++) {
            for (int j = 0; j < result.columns(); j++) {
                result.set(i, j, scale * (2 * random.nextDouble() - 1));
            }
        }
        return result;
    }

    private List<Matrix> operators() {
        return List.of(zero(), minimiser(), random(1, 0.1), random(2, 1));
    }

    private static double[] after(double[] weights, double[][] transition) {
        double[] next = new double[weights.length];
        for (int i = 0; i < weights.length; i++) {
            for (int j = 0; j < next.length; j++) {
                next[j] += weights[i] * transition[i][j];
            }
        }
        return next;
    }

    private double[] startIn(int state) {
        double[] weights = new double[law.length];
        weights[state] = 1;
        return weights;
    }

    private double bias(Matrix u, double[] weights) {
        return gradient(u, weights).minus(gradient(u, law)).frobeniusNorm();
    }

    private double leastBias(Matrix u) {
        return IntStream.range(0, law.length)
                .mapToDouble(state -> bias(u, startIn(state)))
                .min()
                .orElseThrow();
    }

    /** assumption.asy.a.b.c: with x_t known the bias has a bound from below over all states, at the start and at the end, so that Σ η_t a_t is infinite with Σ η_t (erratum 11). */
    @Test
    void alongATrajectoryTheGradientIsBiasedInEveryState() {
        assertThat(leastBias(zero())).isCloseTo(0.33295, within(5e-6));
        assertThat(leastBias(minimiser())).isCloseTo(0.03208, within(5e-6));
    }

    /** assumption.asy.a.b.c: a pair drawn from the invariant law has no bias, and its gradient vanishes at U_λ (lemma.CME.gradient). */
    @Test
    void independentPairsHaveNoBias() {
        assertThat(gradient(minimiser(), law).frobeniusNorm()).isLessThan(1e-12);
        assertThat(bias(random(3, 1), after(law, transition))).isLessThan(1e-12);
    }

    /** lemma.CME.mixing: given x_s, t steps later the bias is at most 2 (B_∞ + λ) R γ^t (‖U‖ + 1). */
    @Test
    void theBiasFallsWithTheMixingOfTheChain() {
        for (Matrix u : operators()) {
            for (int state = 0; state < law.length; state++) {
                double[] weights = startIn(state);
                for (int t = 0; t < 12; t++) {
                    double bound = 2
                            * (KERNEL_BOUND + LAMBDA)
                            * experiment.mixing().distanceAfter(t)
                            * (u.frobeniusNorm() + 1);
                    assertThat(bias(u, weights))
                            .as("state %d, t = %d", state, t)
                            .isLessThanOrEqualTo(bound + 1e-12);
                    weights = after(weights, transition);
                }
            }
        }
    }

    /** lemma.CME.mixing (erratum 12): the next pair begins where this one ends, so that given the whole pair one step has mixed nothing. */
    @Test
    void givenAPairTheNextOneIsNoCloserToTheInvariantLaw() {
        assertThat(experiment.mixing().rate()).isCloseTo(0.324, within(5e-4));
        for (int successor = 0; successor < law.length; successor++) {
            double distance = 0;
            double[] next = startIn(successor);
            for (int x = 0; x < law.length; x++) {
                distance += Math.abs(next[x] - law[x]) / 2;
            }
            assertThat(distance).isGreaterThan(2 * experiment.mixing().distanceAfter(1));
        }
    }

    /** lemma.CME.gradients: both gradients are Lipschitz with B_κ = B_∞ + λ and grow at most like B_κ (‖U‖ + 1). */
    @Test
    void gradientsAreLipschitzAndGrowAffinely() {
        double lipschitz = CONSTANTS.growth();
        assertThat(lipschitz).isEqualTo(KERNEL_BOUND + LAMBDA);
        for (Matrix u : operators()) {
            for (int x = 0; x < law.length; x++) {
                for (int y = 0; y < law.length; y += 8) {
                    Matrix one = sample(u, x, y);
                    assertThat(one.frobeniusNorm()).isLessThanOrEqualTo(lipschitz * (u.frobeniusNorm() + 1));
                    for (Matrix v : operators()) {
                        assertThat(one.minus(sample(v, x, y)).frobeniusNorm())
                                .isLessThanOrEqualTo(lipschitz * u.minus(v).frobeniusNorm() + 1e-12);
                    }
                }
            }
            assertThat(gradient(u, law).frobeniusNorm()).isLessThanOrEqualTo(lipschitz * (u.frobeniusNorm() + 1));
            for (Matrix v : operators()) {
                assertThat(gradient(u, law).minus(gradient(v, law)).frobeniusNorm())
                        .isLessThanOrEqualTo(lipschitz * u.minus(v).frobeniusNorm() + 1e-12);
            }
        }
    }

    /** ∇̃R_λ(x, y; U) = (U φ(x) − φ(y)) ⊗ φ(x) + λ U. */
    private Matrix sample(Matrix u, int x, int y) {
        double[] error = new double[u.rows()];
        u.multiply(features.column(x), error);
        for (int k = 0; k < error.length; k++) {
            error[k] -= features.column(y)[k];
        }
        Matrix result = zero();
        result.add(LAMBDA, u);
        result.rankOne(1, 1, error, features.column(x));
        return result;
    }

    /** lemma.CME.gradients.convex: the gradient points away from U_λ at least λ times as strongly as the distance. */
    @Test
    void theRiskIsStronglyConvexAroundItsMinimiser() {
        for (Matrix u : operators()) {
            Matrix difference = u.minus(minimiser());
            double norm = difference.frobeniusNorm();
            assertThat(gradient(u, law).inner(difference)).isGreaterThanOrEqualTo(LAMBDA * norm * norm - 1e-12);
        }
    }

    /** ‖[A]‖² in HS(H, [H]^γ) of the map x ↦ A(x), by the eigenfunctions of the kernel in L₂(π); K itself is −μ with U = 0. */
    private double squaredNorm(Matrix u, double gamma) {
        int n = law.length;
        double[][] gram = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                gram[i][j] = Math.sqrt(law[i] * law[j]) * ConvergenceExperiment.KERNEL.value(states[i], states[j]);
            }
        }
        RealSchur eigen = RealSchur.of(gram);
        Matrix errors = u.times(features).minus(means);
        double sum = 0;
        for (int k = 0; k < n; k++) {
            double sigma = eigen.triangle(k, k);
            // Below that an eigenvalue of a matrix of norm one is rounding.
            if (sigma > 1e-13) {
                double[] coefficient = new double[errors.rows()];
                for (int x = 0; x < n; x++) {
                    for (int i = 0; i < coefficient.length; i++) {
                        coefficient[i] += Math.sqrt(law[x]) * eigen.vector(x, k) * errors.column(x)[i];
                    }
                }
                for (double c : coefficient) {
                    sum += StrictMath.pow(sigma, -gamma) * c * c;
                }
            }
        }
        return sum;
    }

    /** assumption.src: K is Hilbert–Schmidt into [H]^β with these B_src², computed; the zero operator is no further away, before anything is learned. */
    @Test
    void theSourceConditionOfTheChain() {
        assertThat(squaredNorm(zero(), 0.1)).isCloseTo(0.62, within(0.005));
        assertThat(squaredNorm(zero(), 0.5)).isCloseTo(0.83, within(0.005));
        assertThat(squaredNorm(zero(), 0.9)).isCloseTo(1.42, within(0.005));
    }

    /** lemma.Kt, and what its second term can be replaced with: the bias in [H]^γ is at most λ^(β−γ) B_src² for γ ≤ β (erratum 12). */
    @Test
    void theDistanceFromTheKoopmanOperatorIsWithinLemmaFive() {
        for (double beta = 0.1; beta < 0.95; beta += 0.2) {
            double source = squaredNorm(zero(), beta);
            for (Matrix u : operators()) {
                double distance = u.minus(minimiser()).frobeniusNorm();
                assertThat(squaredNorm(u, beta))
                        .isLessThanOrEqualTo(CONSTANTS.koopmanError(distance * distance, beta, Math.sqrt(source)));
            }
            for (double gamma = 0; gamma <= beta; gamma += 0.1) {
                assertThat(squaredNorm(minimiser(), gamma))
                        .as("beta %s, gamma %s", beta, gamma)
                        .isLessThanOrEqualTo(StrictMath.pow(LAMBDA, beta - gamma) * source);
            }
        }
    }

    /** lemma.CME.bound: ‖U_λ‖ stays below the bound that needs no data, for every λ. */
    @Test
    void theNormOfTheMinimiserIsBelowItsBound() {
        for (double lambda = 1e-4; lambda < 20; lambda *= 3) {
            double norm = experiment.minimiser(lambda).norm();
            assertThat(norm).as("lambda %s", lambda).isLessThan(Constants.largestNorm(KERNEL_BOUND, lambda));
            assertThat(Constants.largestNorm(KERNEL_BOUND, lambda)).isLessThan(KERNEL_BOUND / lambda);
        }
    }
}
