package io.koopstream.theory;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.spectrum.Spectrum;

/**
 * Mixing of a Markov process: sup_x ‖P^t(·|x) − π‖_TV ≤ R γ^t for all t >= 0 (Assumption 4). Total variation is half the
 * L¹ distance, as in the paper's Lemma 7.
 *
 * @param factor R, > 0
 * @param rate γ, in (0, 1)
 */
public record Mixing(double factor, double rate) {

    /**
     * The mixing rate as a learned spectrum shows it: after t steps what is left of the start shrinks like |λ₂|^t. An estimate and no
     * guarantee: the spectrum says nothing of the factor R, and slow modes that were not learned are not seen.
     *
     * @param rate |λ₂|, the second largest modulus of the learned eigenvalues
     * @param leading |λ₁|, which is 1 for the true operator: how far it is off tells how far to trust the rate
     */
    public record Estimate(double rate, double leading) {

        /**
         * Reads the rate off the two leading eigenvalues.
         *
         * @throws InvalidQueryException if there are fewer than two, or the second does not lie inside the unit circle
         */
        public static Estimate of(Spectrum spectrum) {
            if (spectrum.size() < 2) {
                throw new InvalidQueryException(
                        "a mixing rate needs two eigenvalues, the spectrum has " + spectrum.size());
            }
            double second = spectrum.eigenvalue(1).modulus();
            if (!(second > 0 && second < 1)) {
                throw new InvalidQueryException("the second eigenvalue has modulus " + second
                        + ": as learned, the process does not mix (several attractors or sets, a periodic"
                        + " process, or too little data)");
            }
            return new Estimate(second, spectrum.eigenvalue(0).modulus());
        }

        /** Steps in which the slowest mode shrinks by e, 1/log(1/γ). */
        public double relaxationSteps() {
            return -1 / StrictMath.log(rate);
        }

        /** The constants of Assumption 4 with this rate and a factor R that the caller answers for. */
        public Mixing assuming(double factor) {
            return new Mixing(factor, rate);
        }
    }

    /** A process may forget everything in one step; γ must be positive all the same, and this is as good as zero. */
    private static final double MIN_RATE = 1e-9;

    private static final double ROUNDING = 1e-9;

    /** Refuses constants out of range. */
    public Mixing {
        InvalidConfigException.requirePositive("factor", factor, "R of Assumption 4; 1 for a Dobrushin bound");
        if (!(rate > 0 && rate < 1)) {
            throw new InvalidConfigException(
                    "rate",
                    rate,
                    "must be in (0, 1): the gamma of Assumption 4; 1 would mean that the start is never forgotten");
        }
    }

    /**
     * The rate of a finite chain by Dobrushin's coefficient γ = max_ij ‖P(·|i) − P(·|j)‖_TV, with R = 1: each step shrinks the distance of
     * any two laws by γ (Dobrushin, <i>Central limit theorem for nonstationary Markov chains</i>, Theory Probab. Appl. 1, 1956). An
     * upper bound that always holds, not the best one.
     *
     * @param transition P, rows are laws
     */
    public static Mixing ofChain(double[][] transition) {
        for (int i = 0; i < transition.length; i++) {
            requireLaw(transition[i], i, transition.length);
        }
        double largest = 0;
        for (int i = 0; i < transition.length; i++) {
            for (int j = 0; j < i; j++) {
                double sum = 0;
                for (int k = 0; k < transition.length; k++) {
                    sum += Math.abs(transition[i][k] - transition[j][k]);
                }
                largest = Math.max(largest, sum / 2);
            }
        }
        if (!(largest < 1 - ROUNDING)) {
            throw new InvalidConfigException(
                    "transition",
                    "chain of " + transition.length + " states",
                    "two states have no common successor, so one step bounds nothing; give a power of the matrix or"
                            + " other constants");
        }
        return new Mixing(1, Math.max(largest, MIN_RATE));
    }

    private static void requireLaw(double[] row, int i, int states) {
        double sum = 0;
        boolean negative = row.length != states;
        for (double probability : row) {
            sum += probability;
            negative |= !(probability >= 0);
        }
        if (negative || !(Math.abs(sum - 1) <= ROUNDING)) {
            throw new InvalidConfigException(
                    "transition[" + i + "]",
                    "row with sum " + sum,
                    "must be " + states + " probabilities that sum to 1");
        }
    }

    /**
     * τ(δ) = min{s : R γ^s ≤ δ}, over s >= 1. The paper's minimum may be zero, but its proofs need one step at least: they use
     * η_t ≤ η_{t−τ,t−1} (docs/errata.md, 8).
     */
    public int time(double delta) {
        InvalidConfigException.requirePositive("delta", delta, "distance from the invariant law");
        double exact = StrictMath.log(factor / delta) / -StrictMath.log(rate);
        int steps = (int) Math.max(1, Math.ceil(exact));
        // The logarithms round; the definition decides.
        while (distanceAfter(steps) > delta) {
            steps++;
        }
        while (steps > 1 && distanceAfter(steps - 1) <= delta) {
            steps--;
        }
        return steps;
    }

    /** R γ^s, the bound of the distance from the invariant law after s steps. */
    public double distanceAfter(int steps) {
        return factor * StrictMath.pow(rate, steps);
    }

    /**
     * B_mix = max{1, log(R/γ)} / log(1/γ), with which τ(δ) ≤ B_mix (log(1/δ) + 1) for δ ≤ 1 (equation mixing0). R below one counts as one,
     * so that the inequality also holds where τ is 1.
     */
    public double coefficient() {
        double decay = -StrictMath.log(rate);
        return Math.max(1, StrictMath.log(Math.max(1, factor) / rate)) / decay;
    }
}
