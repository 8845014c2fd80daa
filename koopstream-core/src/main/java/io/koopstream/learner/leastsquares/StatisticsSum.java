package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.KeptSamples;

/**
 * Sums of online least squares over some samples, or the difference of two such sums, in a basis that is known elsewhere: what travels between the
 * parts of one stream. Dictionaries that begin alike have coordinates that begin alike, so sums over few points are added to sums over more: the
 * others count as zero. One space. Immutable.
 */
public final class StatisticsSum {

    private final LeastSquaresSums sums;
    private final Counters counters;

    /** Takes over its arguments, which nobody writes to again. */
    private StatisticsSum(LeastSquaresSums sums, Counters counters) {
        this.sums = sums;
        this.counters = counters;
    }

    /** Sums over nothing. */
    static StatisticsSum over(LeastSquaresConfig config, int points) {
        config.requireOneSpace();
        return new StatisticsSum(new LeastSquaresSums(true, points, points, config.targets()), Counters.of(0, 0));
    }

    /** Statistics of a state, waiting samples included. */
    public static StatisticsSum of(LeastSquaresState state) {
        state.config().requireOneSpace();
        LeastSquaresState all = state.settled();
        return new StatisticsSum(all.sums(), all.counters());
    }

    /**
     * Sums from stored parts.
     *
     * @throws InvalidStateException naming the part at fault
     */
    public static StatisticsSum restore(LeastSquaresState.StoredSums stored, Counters counters) {
        int m = stored.input().rows();
        int d = stored.squares().rows();
        KeptSamples.requireFinite(stored.input(), m, m, "S");
        KeptSamples.requireFinite(stored.cross(), m, m, "T");
        KeptSamples.requireFinite(stored.increments(), m, d + 1, "V");
        KeptSamples.requireFinite(stored.squares(), d, 1, "squares");
        InvalidStateException.require(Double.isFinite(stored.weight()), "weight", stored.weight() + " is no number");
        InvalidStateException.require(Double.isFinite(counters.loss()), "loss", counters.loss() + " is no number");
        double[] squares = stored.squares().firstColumns(1).copy().column(0);
        return new StatisticsSum(
                new LeastSquaresSums(
                        true,
                        stored.input(),
                        stored.cross(),
                        stored.increments(),
                        squares,
                        stored.weight(),
                        counters.loss()),
                counters);
    }

    /** Points of the basis. */
    public int points() {
        return sums.input().rows();
    }

    /** The numbers, for reading. */
    public LeastSquaresState.StoredSums stored() {
        return new LeastSquaresState.StoredSums(
                sums.weight(), sums.input(), sums.cross(), sums.increments(), sums.squaresAsMatrix());
    }

    /** The counters. */
    public Counters counters() {
        return counters;
    }

    LeastSquaresSums sums() {
        return sums;
    }

    /** The sums along the first points alone: what they would be had no other been kept. */
    StatisticsSum first(int count) {
        return count == points() ? this : new StatisticsSum(sums.first(count), counters);
    }

    /** The sum of both, O(m²). */
    public StatisticsSum plus(StatisticsSum other) {
        return combined(1, other);
    }

    /** This sum minus another, O(m²). */
    public StatisticsSum minus(StatisticsSum other) {
        return combined(-1, other);
    }

    private StatisticsSum combined(int sign, StatisticsSum other) {
        LeastSquaresSums result = sums.copy();
        int m = Math.max(points(), other.points());
        result.grow(m, m);
        result.plus(sign, other.sums);
        // A bound adds up whatever the sign; what was told already is not told again.
        result.lose(sign < 0 ? -2 * other.sums.loss() : 0);
        return new StatisticsSum(
                result,
                new Counters(
                        counters.samples() + sign * other.counters.samples(),
                        counters.dependents() + sign * other.counters.dependents(),
                        counters.removals() + sign * other.counters.removals(),
                        counters.refusals() + sign * other.counters.refusals(),
                        result.loss()));
    }
}
