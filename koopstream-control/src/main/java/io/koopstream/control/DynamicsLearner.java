package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Triangular;
import io.koopstream.linalg.Vectors;
import io.koopstream.operator.TransitionOperator;

/**
 * Learns where actions lead, from transitions (x, u, x⁺): a dictionary grown online by novelty, and on it the exact minimiser of the
 * regularised risk (docs/control.md).
 *
 * <p>Two models come out. {@link #embedding()} is the conditional mean embedding x⁺ | (x, u) of the paper, and
 * {@link #meanState()} the regression of the increment x⁺ − x in the same input space followed by the feature of the predicted
 * state. The second needs far fewer data when the system has little noise, because the increment is a much smoother function
 * of (x, u) than φ(x⁺).
 *
 * <p>The transitions are kept, and every fit is over all of them with the dictionary it finds: statistics gathered along the way alone
 * would lack what early samples had in directions admitted later ({@link InputStatistics} adds just that). 8 (2d + p + m) bytes a
 * transition. One writer. An update costs O(m²), all fits together O(n m²), and each of them O(n m + m³).
 */
public final class DynamicsLearner {

    private final DynamicsConfig config;
    private final Transitions transitions;
    private final NewtonBasis inputs;
    private final NewtonBasis outputs;
    private final InputStatistics statistics = new InputStatistics();
    private final Scratch scratch = new Scratch();
    private double[] alpha = new double[16];
    private double[] beta = new double[16];
    private double[] work = new double[16];
    private int kept;

    /** A learner that has seen nothing. */
    public DynamicsLearner(DynamicsConfig config) {
        this.config = config;
        int stateDimension = config.output().dimension();
        this.transitions = new Transitions(stateDimension, config.input().dimension() - stateDimension);
        this.inputs = new NewtonBasis(config.input());
        this.outputs = new NewtonBasis(config.output());
    }

    /** The settings. */
    public DynamicsConfig config() {
        return config;
    }

    /** How many transitions were learned. */
    public int samples() {
        return transitions.size();
    }

    /** How many transitions are kept in the dictionary. */
    public int dictionarySize() {
        return kept;
    }

    /** Learns from transitions in order. */
    public void update(Transitions many) {
        for (int i = 0; i < many.size(); i++) {
            update(many.state(i), many.action(i), many.successor(i));
        }
    }

    /** Learns from one transition; a refused one changes nothing. */
    public void update(double[] state, double[] action, double[] successor) {
        double[] input = Transitions.concatenate(state, action);
        config.input().requireSample(input, "(state, action)");
        config.output().requireSample(successor, "successor");
        transitions.add(state, action, successor);
        if (kept == config.maxDictionary()) {
            return;
        }
        if (work.length <= kept + 1) {
            alpha = new double[2 * work.length];
            beta = new double[2 * work.length];
            work = new double[2 * work.length];
        }
        double kzz = inputs.squaredNorm(input);
        double kyy = outputs.squaredNorm(successor);
        double missedInput = inputs.coordinates(input, beta, scratch);
        double missedOutput = outputs.coordinates(successor, alpha, scratch);
        if (Math.sqrt(Math.max(missedInput * kyy, missedOutput * kzz)) <= config.epsilon()) {
            return;
        }
        boolean newInput = inputs.isIndependent(missedInput, kzz, beta, work);
        boolean newOutput = outputs.isIndependent(missedOutput, kyy, alpha, work);
        if (newInput) {
            inputs.append(samples(), input, beta, Math.sqrt(missedInput));
        }
        if (newOutput) {
            outputs.append(samples(), successor, alpha, Math.sqrt(missedOutput));
        }
        if (newInput || newOutput) {
            kept++;
        }
    }

    /** The model that regresses the increment and takes the feature of the predicted state. */
    public SuccessorModel meanState() {
        Fit fit = new Fit();
        return new ProjectedModel(
                inputs.space(),
                inputs.points().copy(),
                outputs.space(),
                outputs.points().copy(),
                fit.readout(true),
                true,
                null,
                ProjectedModel.TRUSTED_MASS);
    }

    /** The model by the conditional mean embedding (equation (CME_update) of section 6.2). */
    public SuccessorModel embedding() {
        return embedding(operator(), ProjectedModel.TRUSTED_MASS);
    }

    /** The conditional mean embedding operator itself, from (x, u) to x⁺. */
    public TransitionOperator operator() {
        return new TransitionOperator(inputs.copy(), outputs.copy(), new Fit().operator(), samples());
    }

    /**
     * The model by any conditional mean embedding operator from (x, u) to x⁺, for instance one learned by Algorithm 1.
     *
     * @param trustedMass a prediction whose weights sum to at least this is trusted fully, below it less and less
     */
    public static SuccessorModel embedding(TransitionOperator operator, double trustedMass) {
        NewtonBasis in = operator.inputBasis();
        NewtonBasis out = operator.outputBasis();
        int d = out.space().dimension();
        double[][] coefficients = operator.coefficients();
        double[][] readout = new double[d + 1][in.size()];
        for (int i = 0; i < out.size(); i++) {
            for (int c = 0; c <= d; c++) {
                double y = c == d ? 1 : out.points().get(i, c);
                Vectors.axpy(y, coefficients[i], readout[c], 0, in.size());
            }
        }
        // ⟨φ(y_i), μ(z)⟩ = (L_Y M L_X⁻¹ κ_Z(z))_i: the rows of L_Y M L_X⁻¹, found as columns of its transpose L_X⁻ᵀ
        // (L_Y M)ᵀ.
        Matrix transposed =
                new Matrix(operator.matrix().rows(), operator.matrix().columns());
        for (int j = 0; j < transposed.columns(); j++) {
            Triangular.multiply(out.factor(), operator.matrix().column(j), transposed.column(j));
        }
        transposed = transposed.transposed();
        double[][] rows = new double[out.size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = in.coefficients(transposed.column(i));
        }
        return new ProjectedModel(
                in.space(), in.points(), out.space(), out.points(), readout, false, rows, trustedMass);
    }

    /** The regularised normal equations on all transitions. */
    private final class Fit {

        private final Matrix factor;

        Fit() {
            statistics.update(transitions, inputs);
            Matrix covariance = statistics.sum().copy();
            covariance.scale(1.0 / Math.max(1, samples()));
            for (int j = 0; j < covariance.columns(); j++) {
                covariance.set(j, j, covariance.get(j, j) + config.lambda());
            }
            factor = Triangular.cholesky(covariance);
            if (factor == null) {
                throw new InvalidConfigException(
                        "lambda", config.lambda(), "must be larger: the covariance is numerically singular");
            }
        }

        private void solve(double[] sum) {
            Vectors.scale(1.0 / Math.max(1, samples()), sum, sum.length);
            Triangular.solve(factor, sum);
            Triangular.solveTransposed(factor, sum);
        }

        /** Regressions of the coordinates of x⁺ − x (or of x⁺), and of the constant one, as coefficients on kernel rows. */
        double[][] readout(boolean increments) {
            int d = transitions.stateDimension();
            int m = inputs.size();
            double[][] sums = new double[d + 1][m];
            for (int i = 0; i < samples(); i++) {
                double[] coordinates = statistics.coordinates(i);
                double[] x = transitions.state(i);
                double[] y = transitions.successor(i);
                for (int c = 0; c < d; c++) {
                    Vectors.axpy(increments ? y[c] - x[c] : y[c], coordinates, sums[c], 0, m);
                }
                Vectors.axpy(1.0, coordinates, sums[d], 0, m);
            }
            for (int c = 0; c <= d; c++) {
                solve(sums[c]);
                sums[c] = inputs.coefficients(sums[c]);
            }
            return sums;
        }

        /** M = (T/n)(S/n + λ)⁻¹. */
        Matrix operator() {
            Matrix cross = new Matrix(inputs.size(), outputs.size());
            double[] out = new double[outputs.size()];
            for (int i = 0; i < samples(); i++) {
                outputs.coordinates(transitions.successor(i), out, scratch);
                cross.rankOne(1.0, 1.0, statistics.coordinates(i), out);
            }
            for (int j = 0; j < cross.columns(); j++) {
                solve(cross.column(j));
            }
            return cross.transposed();
        }
    }
}
