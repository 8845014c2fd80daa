package io.koopstream.operator;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * The conditional mean embedding operator U = Σ_ij W_ij φ(y_i) ⊗ φ(x_j) (equation for U_{t+1} in Lemma 4) from an input
 * space to an output space; its adjoint K = U* is the Koopman operator (Theorem 2).
 *
 * <p>Stored in orthonormal coordinates, U = Q_Y M Q_Xᵀ, which stay well scaled however ill-conditioned the Gram matrices
 * are; W = L_Y⁻ᵀ M L_X⁻¹ is formed on demand. Input and output may differ in kernel and dimension, as they do when the
 * input is a state with an action; what needs them equal lives in {@link KoopmanOperator}.
 *
 * <p>Immutable; any number of threads may ask at once. A query costs O(m²), m the dictionary size.
 *
 * <pre>{@code
 * double[] mean = operator.predict(states[0]);
 * double energy = operator.expect(y -> y[0] * y[0] + y[1] * y[1], states[0]);
 * double known = operator.coverage(states[0]);   // near 0 where nothing was learned
 * }</pre>
 */
public class TransitionOperator {

    /**
     * Cost of bounding the dictionary.
     *
     * @param removals how many points were taken out for better ones, inputs and outputs together
     * @param refusals how many times a side of a sample was novel but not kept, because the dictionary was full of better ones
     * @param errorBound a bound of ‖U − U'‖_HS, U' being what the same samples would have given with the same settings had nothing been removed
     *     or refused (of an operator of limited rank: before its rank was limited). It sums worst cases, with least squares over λ: the true
     *     error is usually far smaller
     */
    public record Pruning(long removals, long refusals, double errorBound) {

        /** Nothing was exchanged or turned away. */
        public static final Pruning NONE = new Pruning(0, 0, 0);
    }

    private final NewtonBasis inputBasis;
    private final NewtonBasis outputBasis;
    private final Matrix matrix;
    private final long samples;
    private final Pruning pruning;
    private final int rank;

    /**
     * An operator from whose dictionaries nothing was left out; see the other constructor.
     */
    public TransitionOperator(NewtonBasis inputBasis, NewtonBasis outputBasis, Matrix matrix, long samples) {
        this(inputBasis, outputBasis, matrix, samples, Pruning.NONE);
    }

    /**
     * Takes over its arguments, which stay unchanged from then on.
     *
     * @param inputBasis Q_X
     * @param outputBasis Q_Y
     * @param matrix M, with as many rows as Q_Y and as many columns as Q_X
     * @param samples how many samples it was learned from
     * @param pruning what bounding the dictionaries has cost
     */
    public TransitionOperator(
            NewtonBasis inputBasis, NewtonBasis outputBasis, Matrix matrix, long samples, Pruning pruning) {
        this(inputBasis, outputBasis, matrix, samples, pruning, Math.min(matrix.rows(), matrix.columns()));
    }

    TransitionOperator(
            NewtonBasis inputBasis, NewtonBasis outputBasis, Matrix matrix, long samples, Pruning pruning, int rank) {
        if (matrix.rows() != outputBasis.size() || matrix.columns() != inputBasis.size()) {
            throw new IllegalArgumentException("M is " + matrix.rows() + "x" + matrix.columns() + ", the bases have "
                    + outputBasis.size() + " and " + inputBasis.size() + " vectors");
        }
        this.inputBasis = inputBasis;
        this.outputBasis = outputBasis;
        this.matrix = matrix;
        this.samples = samples;
        this.pruning = pruning;
        this.rank = rank;
    }

    /** This operator, known to be of a smaller rank. */
    public TransitionOperator ofRank(int known) {
        return new TransitionOperator(inputBasis, outputBasis, matrix, samples, pruning, known);
    }

    /** The largest rank it can have: no more eigenvalues than that differ from zero. */
    public int rank() {
        return rank;
    }

    /** The operator as a Koopman operator, which needs input and output to be the same space. */
    public KoopmanOperator asKoopman() {
        return new KoopmanOperator(inputBasis, outputBasis, matrix, samples, pruning, rank);
    }

    /** The space of the inputs. */
    public Rkhs domain() {
        return inputBasis.space();
    }

    /** The space of the outputs. */
    public Rkhs codomain() {
        return outputBasis.space();
    }

    /** Number of samples the operator was learned from. */
    public long samples() {
        return samples;
    }

    /** Cost of exchanging kept points and of bounding their number. */
    public Pruning pruning() {
        return pruning;
    }

    /** Number of kept points: the larger of the numbers of inputs and of outputs, which differ only where one side repeats. */
    public int dictionarySize() {
        return Math.max(inputBasis.size(), outputBasis.size());
    }

    /** The kept inputs x_j, one per row, copied. */
    public double[][] inputPoints() {
        return inputBasis.points().toRows();
    }

    /** The kept outputs y_i = x_i⁺, one per row, copied. */
    public double[][] outputPoints() {
        return outputBasis.points().toRows();
    }

    /** Q_X, for reading; part of the numeric interior. */
    public NewtonBasis inputBasis() {
        return inputBasis;
    }

    /** Q_Y, for reading; part of the numeric interior. */
    public NewtonBasis outputBasis() {
        return outputBasis;
    }

    /** True if it takes everything to zero, as before anything was learned. */
    public boolean isZero() {
        return matrix.frobeniusNorm() == 0;
    }

    /** M, for reading; part of the numeric interior. */
    public Matrix matrix() {
        return matrix;
    }

    /** The paper's coefficient matrix W as rows: W_ij belongs to φ(y_i) ⊗ φ(x_j). Its entries can be huge. */
    public double[][] coefficients() {
        // W = L_Y⁻ᵀ M L_X⁻¹: columns by L_Y⁻ᵀ first, then rows, which as columns of the transpose see L_X⁻ᵀ.
        Matrix left = new Matrix(matrix.rows(), matrix.columns());
        for (int j = 0; j < matrix.columns(); j++) {
            System.arraycopy(outputBasis.coefficients(matrix.column(j)), 0, left.column(j), 0, matrix.rows());
        }
        Matrix transposed = left.transposed();
        double[][] rows = new double[matrix.rows()][];
        for (int i = 0; i < matrix.rows(); i++) {
            rows[i] = inputBasis.coefficients(transposed.column(i));
        }
        return rows;
    }

    /** Coordinates β of φ(x) in the input basis: all the operator sees of it. */
    double[] seenCoordinates(double[] x) {
        domain().requireQuery(x, "x");
        double[] beta = new double[inputBasis.size()];
        inputBasis.coordinates(x, beta, new Scratch());
        return beta;
    }

    /**
     * The share of φ(x) that the kept inputs span, ‖P φ(x)‖² / κ(x,x), from 0 (nothing like x was ever kept) to 1. Answers about x are
     * worth little where it is small.
     */
    public double coverage(double[] x) {
        domain().requireQuery(x, "x");
        double squaredNorm = inputBasis.squaredNorm(x);
        double missed = inputBasis.coordinates(x, new double[inputBasis.size()], new Scratch());
        return covered(missed, squaredNorm);
    }

    /**
     * ‖φ(x⁺) − U φ(x)‖, the error of the one-step prediction in the RKHS: √κ(x⁺,x⁺) where nothing was learned, and for a noisy system
     * never zero.
     */
    public double predictionError(double[] x, double[] xNext) {
        return judge(x, xNext).error();
    }

    /**
     * A one-step prediction beside what came.
     *
     * @param error ‖φ(x⁺) − U φ(x)‖ = (‖α − M β‖² + a²)^½, with a² what the kept outputs miss of φ(x⁺)
     * @param coverage of x, see {@link TransitionOperator#coverage}: where it is small the error says that x is new, not how good the operator is
     */
    public record Judged(double error, double coverage) {}

    /** The error of the one-step prediction and how much of x is known, for little more than the price of either. O(m²). */
    public Judged judge(double[] x, double[] xNext) {
        domain().requireQuery(x, "x");
        codomain().requireQuery(xNext, "xNext");
        Scratch scratch = new Scratch();
        double[] beta = new double[inputBasis.size()];
        double unseen = inputBasis.coordinates(x, beta, scratch);
        double[] error = new double[outputBasis.size()];
        double missed = outputBasis.coordinates(xNext, error, scratch);
        double[] image = new double[outputBasis.size()];
        matrix.multiply(beta, image);
        Vectors.axpy(-1.0, image, error, 0, error.length);
        return new Judged(
                Math.sqrt(missed + Vectors.squaredNorm(error, error.length)),
                covered(unseen, inputBasis.squaredNorm(x)));
    }

    private static double covered(double unseen, double squaredNorm) {
        return squaredNorm > 0 ? Math.min(1.0, Math.max(0.0, 1 - unseen / squaredNorm)) : 0;
    }

    /** Weights on the kept outputs of the image of what is seen: L_Y⁻ᵀ M β. */
    double[] image(double[] beta) {
        double[] image = new double[outputBasis.size()];
        matrix.multiply(beta, image);
        return outputBasis.coefficients(image);
    }

    /**
     * The weights α(x) = W κ_X(x) with which E[g(x⁺) | x] ≈ Σ_i α_i(x) g(y_i).
     *
     * <p>They need not be positive nor sum to one: the ridge shrinks them, and where there is no data they vanish. See
     * {@link #normalisedWeights}.
     */
    public double[] weights(double[] x) {
        return image(seenCoordinates(x));
    }

    /** The weights divided by their sum, so that constants are predicted exactly; refused where the sum is not clearly positive. */
    public double[] normalisedWeights(double[] x) {
        double[] weights = weights(x);
        double sum = 0;
        double modulus = 0;
        for (double weight : weights) {
            sum += weight;
            modulus += Math.abs(weight);
        }
        InvalidQueryException.require(
                sum > 1e-3 * modulus,
                "the weights at this point sum to " + sum
                        + ": it lies where nothing was learned, so they cannot be normalised");
        for (int i = 0; i < weights.length; i++) {
            weights[i] /= sum;
        }
        return weights;
    }

    /** E[f(x⁺) | x] ≈ Σ_i α_i(x) f(y_i), with the weights as they are. */
    public double expect(ToDoubleFunction<double[]> f, double[] x) {
        requireLearned();
        return embedding(x).expect(f);
    }

    /** Refuses a question to an operator that has seen nothing. */
    void requireLearned() {
        InvalidQueryException.require(dictionarySize() != 0, "nothing was learned yet: the dictionary is empty");
    }

    /** E[f(x⁺) | x] for an observable with several components. */
    public double[] expectVector(UnaryOperator<double[]> f, double[] x) {
        return Observables.mean(f, outputBasis.points(), weights(x));
    }

    /** E[x⁺ | x], the one-step prediction, with the weights as they are. */
    public double[] predict(double[] x) {
        return Observables.mean(UnaryOperator.identity(), outputBasis.points(), weights(x));
    }

    /** The conditional mean embedding μ(x) = U φ(x) of x⁺ given x. */
    public RkhsElement embedding(double[] x) {
        return new RkhsElement(codomain(), outputBasis.points(), weights(x));
    }

    /** U μ: the embedding after one step of a state distributed as μ. */
    public RkhsElement apply(RkhsElement element) {
        return applyThrough(element, inputBasis, outputBasis, matrix, false);
    }

    /** K g for an element g of the output space: the Koopman operator K = U* maps functions in the output space to functions in the input space. */
    public RkhsElement applyAdjoint(RkhsElement element) {
        return applyThrough(element, outputBasis, inputBasis, matrix, true);
    }

    /**
     * K g for any observable g, in the RKHS or not: the function x ↦ Σ_i α_i(x) g(y_i), as an element of the input space.
     */
    public RkhsElement koopman(ToDoubleFunction<double[]> g) {
        Points outputs = outputBasis.points();
        double[] values = new double[outputs.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = Observables.value(g, outputs.get(i));
        }
        return new RkhsElement(domain(), inputBasis.points(), inputBasis.coefficients(pullBack(values)));
    }

    /** Coordinates of K g in the input basis, from the values of g at the kept outputs: Mᵀ L_Y⁻¹ g. */
    public double[] pullBack(double[] valuesAtOutputs) {
        double[] coordinates = valuesAtOutputs.clone();
        Triangular.solve(outputBasis.factor(), coordinates);
        double[] result = new double[inputBasis.size()];
        matrix.multiplyTransposed(coordinates, result);
        return result;
    }

    /** ‖U‖_HS = ‖M‖_F. */
    public double norm() {
        return matrix.frobeniusNorm();
    }

    /** The matrix in other bases, which span this operator's: U = Q_Y' M Q_X'ᵀ with Q' = Q R has the matrix R_Y M R_Xᵀ. */
    public Matrix matrixIn(NewtonBasis inputs, NewtonBasis outputs) {
        Matrix left = outputs.coordinatesOf(outputBasis).times(matrix);
        return left.times(inputs.coordinatesOf(inputBasis).transposed());
    }

    /** ⟨U, V⟩_HS, whatever the dictionaries. */
    public double inner(TransitionOperator other) {
        UnionFrame frame = UnionFrame.of(this, other);
        return frame.first().inner(frame.second());
    }

    /** ‖U − V‖_HS, whatever the dictionaries. */
    public double distance(TransitionOperator other) {
        return UnionFrame.of(this, other).difference().frobeniusNorm();
    }

    private static RkhsElement applyThrough(
            RkhsElement element, NewtonBasis from, NewtonBasis to, Matrix matrix, boolean transposed) {
        if (!element.space().equals(from.space())) {
            throw new InvalidQueryException(
                    "the operator acts on " + from.space() + ", the element lives in " + element.space());
        }
        double[] sum = new double[from.size()];
        double[] row = new double[from.size()];
        double[] point = new double[from.space().dimension()];
        Scratch scratch = new Scratch();
        Points points = element.sharedPoints();
        double[] weights = element.sharedWeights();
        for (int i = 0; i < weights.length; i++) {
            points.get(i, point);
            from.gramRow(point, row, scratch);
            Vectors.axpy(weights[i], row, sum, 0, row.length);
        }
        Triangular.solve(from.factor(), sum);
        double[] image = new double[to.size()];
        if (transposed) {
            matrix.multiplyTransposed(sum, image);
        } else {
            matrix.multiply(sum, image);
        }
        return new RkhsElement(to.space(), to.points(), to.coefficients(image));
    }
}
