package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.spectrum.TrustRule.Noise;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Trust in each eigenpair of a spectrum, judged on pairs it was not learned from.
 *
 * <p>For a pair (λ, f) let r = f(x⁺) − λ f(x). Then E|r|² = E Var[f(x⁺)|x] + E|K f(x) − λ f(x)|²: noise and bias (the variance and
 * the residual of Colbrook, Li, Raut, Townsend, <i>Beyond expectations: residual dynamic mode decomposition and variance for stochastic
 * dynamical systems</i>, Nonlinear Dynamics 112, 2024). The bias is E[r|x], so it is what a regression of r on functions of x finds. Here
 * the regression is on p principal features of the held-out inputs with the hat matrix h, and its squared length is estimated without
 * the terms in which a pair explains itself,
 *
 * <pre>bias² = Σ_{i≠j} h_ij Re(r̄_i r_j) / (n − p),</pre>
 *
 * which has mean zero when there is no bias, however the noise varies with x: given the inputs, the r_i are uncorrelated, also along a
 * trajectory. What pure noise would scatter around zero is (2 Σ_{i≠j} h_ij² |r_i|² |r_j|²)^½ / (n − p).
 *
 * <p>Limits: a bias that is orthogonal to all p features is taken for noise; it is for the caller to say with {@link Noise#DETERMINISTIC} that
 * there is none. Immutable. O(n m² + k n p²) for n held-out pairs and k eigenpairs.
 *
 * <pre>{@code
 * LeastSquaresLearner<KoopmanOperator> learner = LeastSquaresLearner.koopman(
 *         LeastSquaresConfig.forState(2, Kernels.gaussian(0.5)).holdOut(0.1).build());
 * learner.fitTrajectory(states, 1);
 * HoldOut kept = learner.holdOut();
 * Spectrum spectrum = Spectrum.leading(learner.snapshot(), 4);
 * System.out.println(TrustReport.of(spectrum, kept.inputs(), kept.outputs(), TrustRule.stochastic()));
 * }</pre>
 *
 * @param pairs all judgements, in the order of the spectrum
 * @param heldOut number of held-out pairs it rests on
 * @param features number of features that the bias is looked for in
 */
public record TrustReport(List<TrustReport.Eigenpair> pairs, int heldOut, int features) {

    /**
     * Trust in one eigenpair. Nothing is hidden: a spurious pair is reported with the reasons.
     *
     * @param eigenvalue λ
     * @param residual ‖f(x⁺) − λ f(x)‖ / ‖f(x)‖ over the held-out pairs; infinite where f vanishes on all of them
     * @param noise the part of the residual that x does not explain: the system's own noise, (E Var[f(x⁺)|x])^½ / ‖f‖
     * @param bias the part that x explains, ‖K f − λ f‖ / ‖f‖; residual² = noise² + bias²
     * @param biasScore the estimated squared bias in standard errors of what pure noise would give
     * @param standardError of λ; NaN when no block statistics were given
     * @param reasons why it is spurious; empty when it is not
     */
    public record Eigenpair(
            Complex eigenvalue,
            double residual,
            double noise,
            double bias,
            double biasScore,
            double standardError,
            List<String> reasons) {

        /** Keeps its own list of reasons. */
        public Eigenpair {
            reasons = List.copyOf(reasons);
        }

        /** True if any of the rules objects. */
        public boolean spurious() {
            return !reasons.isEmpty();
        }

        /** One line for a table. */
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.5f%+.5fi residual %.4f noise %.4f bias %.4f std. error %s %s",
                    eigenvalue.re(),
                    eigenvalue.im(),
                    residual,
                    noise,
                    bias,
                    Double.isNaN(standardError) ? "-" : String.format(Locale.ROOT, "%.5f", standardError),
                    spurious() ? "SPURIOUS: " + String.join("; ", reasons) : "ok");
        }
    }

    /** Fewer held-out pairs say nothing about trust: enough for a dozen stretches of four. */
    public static final int MIN_HELD_OUT = 48;

    /** Keeps its own list. */
    public TrustReport {
        pairs = List.copyOf(pairs);
    }

    /** Judges without standard errors, for operators that were not learned by least squares. */
    public static TrustReport of(Spectrum spectrum, double[][] x, double[][] xNext, TrustRule rule) {
        return of(spectrum, null, x, xNext, rule);
    }

    /** Judges every eigenpair, with standard errors found elsewhere; null when there are none. */
    public static TrustReport of(
            Spectrum spectrum, double[] standardErrors, double[][] x, double[][] xNext, TrustRule rule) {
        HeldOutFeatures heldOut = new HeldOutFeatures(spectrum.operator(), x, xNext, rule.features());
        List<Eigenpair> pairs = new ArrayList<>();
        for (int k = 0; k < spectrum.size(); k++) {
            double error = standardErrors == null ? Double.NaN : standardErrors[k];
            pairs.add(judge(spectrum.eigenvalue(k), spectrum.rightVectors()[k], heldOut, error, rule));
        }
        return new TrustReport(pairs, heldOut.size(), heldOut.count());
    }

    private static Eigenpair judge(
            Complex lambda, double[][] vector, HeldOutFeatures heldOut, double standardError, TrustRule rule) {
        int n = heldOut.size();
        double[][] before = new double[2][n];
        double[][] r = new double[2][n];
        for (int part = 0; part < 2; part++) {
            heldOut.inputs.multiplyTransposed(vector[part], before[part]);
            heldOut.outputs.multiplyTransposed(vector[part], r[part]);
        }
        double squaredNorm = Vectors.squaredNorm(before[0], n) + Vectors.squaredNorm(before[1], n);
        for (int i = 0; i < n; i++) {
            r[0][i] -= lambda.re() * before[0][i] - lambda.im() * before[1][i];
            r[1][i] -= lambda.re() * before[1][i] + lambda.im() * before[0][i];
        }
        double[] squares = new double[n];
        double total = 0;
        for (int i = 0; i < n; i++) {
            squares[i] = r[0][i] * r[0][i] + r[1][i] * r[1][i];
            total += squares[i];
        }
        if (!(squaredNorm > 0)) {
            List<String> reasons = List.of("its eigenfunction vanishes on all held-out inputs");
            double infinite = Double.POSITIVE_INFINITY;
            return new Eigenpair(lambda, infinite, infinite, infinite, 0, standardError, reasons);
        }
        double explained = explained(heldOut, r, squares);
        double scatter = scatter(heldOut, squares);
        double noiseLevel = Math.sqrt(2 * scatter);
        double score = noiseLevel > 0 ? explained / noiseLevel : 0;
        boolean random = rule.noise() == Noise.STOCHASTIC;
        // The left-out diagonal holds a share p/n of the bias as well as of the noise.
        explained *= (double) n / (n - heldOut.count());
        double biasPart = random ? Math.min(total, Math.max(0.0, explained)) : total;
        double bias = Math.sqrt(biasPart / squaredNorm);
        List<String> reasons = new ArrayList<>();
        if (lambda.modulus() > 1 + rule.outside()) {
            reasons.add(text("modulus %.4f is outside the unit circle", lambda.modulus()));
        }
        if (bias > rule.largestBias() && (!random || score > rule.significance())) {
            reasons.add(text("residual beyond noise %.3f exceeds %.3f", bias, rule.largestBias()));
        }
        if (standardError > rule.largestSpread()) {
            reasons.add(text("standard error %.3f exceeds %.3f", standardError, rule.largestSpread()));
        }
        return new Eigenpair(
                lambda,
                Math.sqrt(total / squaredNorm),
                Math.sqrt(Math.max(0.0, total - biasPart) / squaredNorm),
                bias,
                score,
                standardError,
                reasons);
    }

    /** Σ_{i≠j} h_ij Re(r̄_i r_j) with h = ΨᵀΨ/n, through Ψ r. */
    private static double explained(HeldOutFeatures heldOut, double[][] r, double[] squares) {
        Matrix features = heldOut.features;
        double sum = 0;
        for (int part = 0; part < 2; part++) {
            double[] projected = new double[features.rows()];
            features.multiply(r[part], projected);
            sum += Vectors.squaredNorm(projected, projected.length);
        }
        for (int i = 0; i < squares.length; i++) {
            sum -= squares[i] * Vectors.squaredNorm(features.column(i), features.rows());
        }
        return sum / squares.length;
    }

    /** Σ_{i≠j} h_ij² s_i s_j, without the n×n matrix: the sum over all i, j is ‖Σ_i s_i ψ_i ψ_iᵀ‖²_F / n². */
    private static double scatter(HeldOutFeatures heldOut, double[] squares) {
        Matrix features = heldOut.features;
        int p = features.rows();
        Matrix weighted = new Matrix(p, p);
        double diagonal = 0;
        for (int i = 0; i < squares.length; i++) {
            double[] psi = features.column(i);
            weighted.rankOne(1.0, squares[i], psi, psi);
            double leverage = squares[i] * Vectors.squaredNorm(psi, p);
            diagonal = Math.fma(leverage, leverage, diagonal);
        }
        double all = weighted.frobeniusNorm();
        return Math.max(0.0, all * all - diagonal) / ((double) squares.length * squares.length);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The judgement of eigenpair k, in the order of the spectrum. */
    public Eigenpair pair(int k) {
        InvalidQueryException.require(
                k >= 0 && k < pairs.size(), "eigenpair " + k + ": there are 0 to " + (pairs.size() - 1));
        return pairs.get(k);
    }

    /** One line an eigenpair. */
    @Override
    public String toString() {
        return pairs.stream().map(Eigenpair::toString).collect(Collectors.joining("\n"));
    }
}
