package io.koopstream.learner.leastsquares;

import io.koopstream.kernel.Points;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sum of the deltas that a part of a stream has sent so far. The next difference is taken from that sum, rounding included, so that the
 * receivers stay within one rounding of the part whatever the number of deltas. Immutable.
 *
 * @param epoch number of deltas sent
 * @param agreed how many points of the part's dictionary, from the first on, all parts have agreed on
 * @param proposed how many of its points are agreed on or proposed
 * @param sent the sum of all deltas
 */
public record DeltaSender(long epoch, int agreed, int proposed, StatisticsSum sent) {

    /** More parts than these need not all be heard in the choice of λ at every time. */
    private static final int MAX_SHARES = 16;

    /** Writes all of it. */
    public void save(StateSink.Ordered sink) {
        sink.count("epoch", epoch);
        sink.size("agreed", agreed);
        sink.size("proposed", proposed);
        sent.save(sink);
    }

    /** Reads what {@link #save} wrote. */
    public static DeltaSender read(StateSource.Ordered source) {
        return new DeltaSender(
                source.count("epoch"), source.size("agreed"), source.size("proposed"), StatisticsSum.read(source));
    }

    /** A part that starts with a dictionary that all have agreed on, and has sent nothing. */
    public static DeltaSender startingFrom(LeastSquaresState start) {
        int points = start.dictionarySize();
        return new DeltaSender(0, points, points, StatisticsSum.over(start.config(), points));
    }

    /**
     * The next delta of a state: statistics along the points that are agreed on, and which others it has kept.
     *
     * @param parts how many there are of this kind
     * @throws IncompatibleStatesException if points have left the dictionary: then it does not begin with what was agreed on
     */
    public StatisticsDelta.Sent<DeltaSender> send(LeastSquaresState state, int parts) {
        LeastSquaresState all = state.settled();
        if (all.counters().removals() > 0) {
            throw new IncompatibleStatesException(
                    Difference.INPUTS,
                    "points have left a dictionary that is shared with other parts: set the limit where the dictionary is agreed on, not at the parts");
        }
        StatisticsSum added = StatisticsSum.of(all).first(agreed).minus(sent);
        Points points = all.inputBasis().points();
        StatisticsDelta delta = new StatisticsDelta(
                epoch + 1,
                all.pairs(),
                added,
                share(all.holdOut(), all.config().holdOut(), parts),
                new TreeMap<>(Map.of(agreed, all.inputBasis().fingerprint(agreed))),
                points.range(proposed, points.size()));
        return new StatisticsDelta.Sent<>(delta, new DeltaSender(epoch + 1, agreed, points.size(), sent.plus(added)));
    }

    static HoldOut share(HoldOut held, HoldOutConfig config, int parts) {
        int shares = Math.min(Math.max(1, parts), MAX_SHARES);
        return held.first((config.slots() + shares - 1) / shares);
    }

    /** After the part's dictionary has become one that all have agreed on. */
    public DeltaSender agreeing(LeastSquaresState state) {
        return new DeltaSender(epoch, state.dictionarySize(), state.dictionarySize(), sent);
    }
}
