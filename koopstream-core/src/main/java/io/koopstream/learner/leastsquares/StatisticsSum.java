package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidStateException;
import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;

/**
 * Sums of online least squares over some samples, or the difference of two such sums, in a basis that is known elsewhere: what travels between the
 * parts of one stream. Dictionaries that begin alike have coordinates that begin alike, so sums over few points are added to sums over more: the
 * others count as zero. One space. Immutable.
 */
public final class StatisticsSum {

    private final LeastSquaresSums sums;
    private final Counters counters;

    /** Takes over its arguments, which stay unchanged from then on. */
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

    /** Writes all of it. */
    public void save(StateSink.Ordered sink) {
        sink.size("points", points());
        sink.size("targets", sums.squares().rows());
        counters.save(sink);
        sums.save(sink);
    }

    /**
     * Reads what {@link #save} wrote.
     *
     * @throws InvalidStateException naming the part at fault
     */
    public static StatisticsSum read(StateSource.Ordered source) {
        int m = source.size("points");
        int targets = source.size("targets");
        Counters counters = Counters.read(source);
        InvalidStateException.require(Double.isFinite(counters.loss()), "loss", counters.loss() + " is no number");
        return new StatisticsSum(LeastSquaresSums.read(source, true, m, m, targets, counters.loss()), counters);
    }

    /** Points of the basis. */
    public int points() {
        return sums.input().rows();
    }

    /** Total weight of the samples. */
    public double weight() {
        return sums.weight();
    }

    /** S, for reading. */
    public Matrix inputStatistics() {
        return sums.input();
    }

    /** T, for reading. */
    public Matrix crossStatistics() {
        return sums.cross();
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
        return new StatisticsSum(result, counters.plus(sign, other.counters));
    }
}
