package io.koopstream.learner.leastsquares;

import io.koopstream.kernel.Points;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A delta that a part of a stream, or several of them together, send to the group that adds up: the difference of their statistics since their last delta, and their share
 * of the held-out pairs in the choice of λ. Immutable.
 *
 * @param epoch number of the delta, from 1; one that is missing or comes twice is noticed by it
 * @param pairs how many pairs they have taken since the stream began, learned or held out
 * @param added what has to be added to the deltas before
 * @param held pairs they held out: their share of what is remembered, in place of the share before
 * @param bases on how many points the statistics are, with the {@linkplain io.koopstream.internal.dictionary.NewtonBasis#fingerprint fingerprint} of those; several while some
 *     parts have agreed on more than others
 * @param proposals states not yet agreed on that their dictionaries miss, in order; for reading
 */
public record StatisticsDelta(
        long epoch,
        long pairs,
        StatisticsSum added,
        HoldOut held,
        NavigableMap<Integer, Long> bases,
        Points proposals) {

    /**
     * A delta to be sent, and its sender afterwards.
     *
     * @param <S> the type of the sender
     * @param delta to be sent
     * @param next to be remembered, together with having sent it
     */
    public record Sent<S>(StatisticsDelta delta, S next) {}

    /** Writes all of it. */
    public void save(StateSink.Ordered sink) {
        sink.count("epoch", epoch);
        sink.count("pairs", pairs);
        added.save(sink);
        held.saveRows(sink);
        saveBases(sink, bases);
        sink.points("proposals", proposals);
    }

    /** @param following whether what followed held-out runs was saved */
    public static StatisticsDelta read(StateSource.Ordered source, boolean following) {
        return new StatisticsDelta(
                source.count("epoch"),
                source.count("pairs"),
                StatisticsSum.read(source),
                HoldOut.readRows(source, following),
                readBases(source),
                source.points("proposals"));
    }

    static void saveBases(StateSink.Ordered sink, NavigableMap<Integer, Long> bases) {
        sink.list("bases", bases.entrySet(), base -> {
            sink.size("points", base.getKey());
            sink.count("print", base.getValue());
        });
    }

    static NavigableMap<Integer, Long> readBases(StateSource.Ordered source) {
        NavigableMap<Integer, Long> bases = new TreeMap<>();
        for (int i = source.size("bases"); i > 0; i--) {
            bases.put(source.size("points"), source.count("print"));
        }
        return bases;
    }

    /** The bases of both. */
    static NavigableMap<Integer, Long> united(NavigableMap<Integer, Long> some, NavigableMap<Integer, Long> others) {
        NavigableMap<Integer, Long> all = new TreeMap<>(some);
        others.forEach((points, fingerprint) -> {
            Long known = all.putIfAbsent(points, fingerprint);
            if (known != null && !known.equals(fingerprint)) {
                throw new IncompatibleStatesException(
                        Difference.INPUTS,
                        "parts have agreed on " + points
                                + " points, but not on the same: statistics add only in one basis. Start all of them from one dictionary");
            }
        });
        return all;
    }
}
