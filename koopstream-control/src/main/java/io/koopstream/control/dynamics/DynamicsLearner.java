package io.koopstream.control.dynamics;

import io.koopstream.control.env.Transitions;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.learner.leastsquares.HoldOutConfig;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.TransitionOperator;

/**
 * Learns where actions lead, from transitions (x, u, x⁺): {@link LeastSquaresLearner} from the space of (x, u) to that of x⁺
 * (docs/control.md).
 *
 * <p>Two models come out. {@link #embedding()} is the conditional mean embedding x⁺ | (x, u) of the paper, and
 * {@link #meanState()} the regression of the increment x⁺ − x in the same input space followed by the feature of the predicted
 * state. The second needs far fewer data when the system has little noise, because the increment is a much smoother function
 * of (x, u) than φ(x⁺).
 *
 * <p>The transitions are kept, and every fit is over all of them with the dictionary it finds: once the learner has let go of the first
 * of them, a second pass counts what early transitions had along points kept later. 8 (2d + p) bytes a transition. A ridge that is not given is the one
 * that predicts a tenth of the transitions best, held out in runs, from the others on the same dictionary: for each model by its own error. One writer. An
 * update costs O(m²), a fit O(n m² + m³).
 */
public final class DynamicsLearner {

    /** Whole matrices at a time: the same model to rounding at a fraction of the cost. */
    private static final int BLOCK = 64;

    private static final double HELD_OUT = 0.1;

    private final DynamicsConfig config;
    private final Transitions transitions;
    private final LeastSquaresLearner<TransitionOperator> learner;
    /** The fit to all transitions so far; null when nobody has asked since the last of them. */
    private LeastSquaresState fit;
    /** The same dictionary with a tenth of the transitions held out, by which ridges are chosen, and the chosen ones; null when nobody has asked. */
    private LeastSquaresState judged;

    private Double chosen;
    private Double chosenForEmbedding;

    /** A learner that has seen nothing. */
    public DynamicsLearner(DynamicsConfig config) {
        this.config = config;
        int stateDimension = config.output().dimension();
        this.transitions = new Transitions(stateDimension, config.input().dimension() - stateDimension);
        this.learner = LeastSquaresLearner.transition(LeastSquaresConfig.forTransition(config.input(), config.output())
                .epsilon(config.epsilon())
                .maxDictionary(config.maxDictionary())
                .blockSize(BLOCK)
                .build());
    }

    /** The settings. */
    public DynamicsConfig config() {
        return config;
    }

    /** How many transitions were learned. */
    public int samples() {
        return transitions.size();
    }

    /** How many points are kept, of inputs or of next states, whichever are more. */
    public int dictionarySize() {
        return fit().dictionarySize();
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
        learner.update(input, successor);
        fit = null;
        judged = null;
        chosen = null;
        chosenForEmbedding = null;
    }

    private LeastSquaresState fit() {
        if (fit == null) {
            LeastSquaresState once = learner.state();
            fit = (once.first().inputs().size() == samples() ? once : counted(once.dictionaryOnly())).settled();
        }
        return fit;
    }

    /** All transitions counted on a dictionary. */
    private LeastSquaresState counted(LeastSquaresState dictionary) {
        LeastSquaresLearner<TransitionOperator> learned = dictionary.resumeTransition();
        for (int i = 0; i < samples(); i++) {
            learned.update(transitions.input(i), transitions.successor(i));
        }
        return learned.state();
    }

    private LeastSquaresState judged() {
        if (judged == null) {
            HoldOutConfig aside = HoldOutConfig.of(HELD_OUT, config.input().dimension(), HoldOutConfig.Keep.UNIFORM);
            judged = counted(fit().dictionaryOnly(aside));
        }
        return judged;
    }

    /**
     * The ridge of the regression of the increment: the given one, or the largest whose error on held-out transitions cannot be told from the least. These
     * lie where the data are, and a planner asks beyond.
     */
    public double lambda() {
        if (chosen == null) {
            chosen = config.lambda().orElseGet(() -> judged().forecastChoice().cautious());
        }
        return chosen;
    }

    /** The ridge of the embedding: the given one, or the one with the least risk on held-out transitions. */
    public double embeddingLambda() {
        if (chosenForEmbedding == null) {
            chosenForEmbedding =
                    config.lambda().orElseGet(() -> judged().choice().risk());
        }
        return chosenForEmbedding;
    }

    /** The model that regresses the increment and takes the feature of the predicted state. */
    public SuccessorModel meanState() {
        NewtonBasis in = fit().inputBasis();
        double[][] readout = increments();
        return new ProjectedModel(
                in.space(),
                in.points(),
                config.output(),
                support(readout),
                readout,
                true,
                null,
                ProjectedModel.TRUSTED_MASS);
    }

    /** The model by the conditional mean embedding (equation (CME_update) of section 7.2). */
    public SuccessorModel embedding() {
        return embedding(operator(), support(increments()), ProjectedModel.TRUSTED_MASS);
    }

    /** The kept inputs z, for reading. */
    public Points inputs() {
        return fit().inputBasis().points();
    }

    /** Coefficients, on the kernel row of an input, of the increment x⁺ − x, and last of the constant one. */
    public double[][] increments() {
        NewtonBasis in = fit().inputBasis();
        Matrix increments = fit().family().increments(lambda());
        double[][] readout = new double[increments.columns()][];
        for (int c = 0; c < readout.length; c++) {
            readout[c] = in.coefficients(increments.column(c));
        }
        return readout;
    }

    /** How well inputs are known by what was learned so far. */
    public Knownness knownness() {
        return new Knownness(fit().inputBasis());
    }

    /** Where a value function is found: see {@link SupportPoints}. */
    private Points support(double[][] readout) {
        return new SupportPoints(fit().inputBasis(), readout, config.epsilon())
                .from(fit().outputBasis(), transitions.outerActions(), config.maxDictionary());
    }

    /** The conditional mean embedding operator itself, from (x, u) to x⁺. */
    public TransitionOperator operator() {
        return operator(embeddingLambda());
    }

    /** The same with another ridge. */
    public TransitionOperator operator(double lambda) {
        return fit().operator(lambda);
    }

    /**
     * The model by any conditional mean embedding operator from (x, u) to x⁺, for instance one learned by Algorithm 1, on its own points.
     *
     * @param trustedMass a prediction whose weights sum to at least this is trusted fully, below it less and less
     */
    public static SuccessorModel embedding(TransitionOperator operator, double trustedMass) {
        return embedding(operator, operator.outputBasis().points(), trustedMass);
    }

    private static SuccessorModel embedding(TransitionOperator operator, Points support, double trustedMass) {
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
        // ⟨φ(y), μ(z)⟩ = β_Y(y)ᵀ M L_X⁻¹ κ_Z(z): the coefficients on κ_Z(z) are L_X⁻ᵀ Mᵀ β_Y(y).
        Matrix coordinates = operator.matrix().transposed().times(out.coordinates(support));
        double[][] rows = new double[support.size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = in.coefficients(coordinates.column(i));
        }
        return new ProjectedModel(in.space(), in.points(), out.space(), support, readout, false, rows, trustedMass);
    }
}
