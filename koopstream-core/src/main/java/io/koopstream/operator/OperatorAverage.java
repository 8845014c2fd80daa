package io.koopstream.operator;

import static io.koopstream.InvalidQueryException.require;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.linalg.Matrix;
import java.util.List;

/**
 * The weighted average Σ_p w_p U_p / Σ_p w_p of operators with any dictionaries, e.g. of learners that each saw one trajectory
 * (section 7.1 of the paper), on as few points as a stated error allows.
 *
 * <p>All operators are written in one pair of orthonormal bases that span all dictionaries, M̄ = Σ w_p R_Y M_p R_Xᵀ. Then points are
 * taken out one by one, the cheapest first, by projecting on what the others span, as long as the Hilbert–Schmidt distance from the
 * full average stays within the budget. Successive projections are nested, so the squares of their errors add up.
 *
 * <p>The union basis does not depend on the order of the operators; sums do, to rounding. Immutable. O(m³) for m points in the union,
 * p operators: O(p m³).
 *
 * @param operator the average, or its projection within the budget
 * @param error ‖result − average‖_HS, measured; at most the budget
 * @param unionSize number of points the union of the dictionaries had before any was taken out
 */
public record OperatorAverage(TransitionOperator operator, double error, int unionSize) {

    /** The average on the whole union of the dictionaries. */
    public static OperatorAverage of(List<? extends TransitionOperator> operators, double[] weights) {
        return of(operators, weights, 0);
    }

    /**
     * The average within a budget.
     *
     * @param operators between the same two spaces
     * @param weights one for each, >= 0, not all zero; divided by their sum. Numbers of samples are a natural choice
     * @param budget the largest ‖result − average‖_HS allowed, >= 0; 0 keeps the whole union
     * @throws InvalidQueryException if there is no operator, spaces differ, or a weight or the budget is out of range
     */
    public static OperatorAverage of(List<? extends TransitionOperator> operators, double[] weights, double budget) {
        require(!operators.isEmpty(), "no operators to average: give at least one");
        operators.forEach(operator -> UnionFrame.requireOneSpace(operators.get(0), operator));
        double[] shares = shares(weights, operators.size());
        require(
                budget >= 0 && !Double.isInfinite(budget),
                "budget = " + budget + ": must be a finite Hilbert-Schmidt distance >= 0; 0 keeps every point");
        NewtonBasis inputs = NewtonBasis.union(
                operators.stream().map(TransitionOperator::inputBasis).toArray(NewtonBasis[]::new));
        NewtonBasis outputs = NewtonBasis.union(
                operators.stream().map(TransitionOperator::outputBasis).toArray(NewtonBasis[]::new));
        Matrix sum = new Matrix(outputs.size(), inputs.size());
        long samples = 0;
        for (int p = 0; p < shares.length; p++) {
            sum.add(shares[p], operators.get(p).matrixIn(inputs, outputs));
            samples += operators.get(p).samples();
        }
        TransitionOperator whole = new TransitionOperator(inputs, outputs, sum, samples);
        TransitionOperator reduced = budget == 0 ? whole : DictionaryReduction.within(whole, budget);
        // Measured on the result, not taken from the removals: this is the number that was promised.
        double error = reduced == whole
                ? 0
                : sum.minus(reduced.matrixIn(inputs, outputs)).frobeniusNorm();
        return new OperatorAverage(reduced, error, whole.dictionarySize());
    }

    private static double[] shares(double[] weights, int count) {
        require(
                weights.length == count,
                weights.length + " weights for " + count + " operators: give one weight for each");
        double sum = 0;
        for (int p = 0; p < count; p++) {
            require(
                    weights[p] >= 0 && !Double.isInfinite(weights[p]),
                    "weights[" + p + "] = " + weights[p]
                            + ": must be finite and >= 0, e.g. the number of samples it was learned from");
            sum += weights[p];
        }
        require(sum > 0 && !Double.isInfinite(sum), "the weights sum to " + sum + ": at least one must be > 0");
        double[] shares = weights.clone();
        for (int p = 0; p < count; p++) {
            shares[p] /= sum;
        }
        return shares;
    }

    /** The average as a Koopman operator, which needs input and output to be the same space. */
    public KoopmanOperator koopman() {
        return operator.asKoopman();
    }
}
