package io.koopstream.learner.leastsquares;

import io.koopstream.internal.dictionary.Dictionary;
import io.koopstream.internal.dictionary.Dictionary.Verdict;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.kernel.Points;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Parts of a stream that send their deltas to one place: adds them up and sends the sum on as one delta. Whatever the number of parts and the length of the
 * stream, it holds one sum. Immutable.
 */
public final class StatisticsGroup {

    /** The empty group. */
    public static final StatisticsGroup NOTHING = new StatisticsGroup(0, new TreeMap<>(), null, new TreeMap<>());

    private final long epoch;
    private final NavigableMap<Integer, Member> members;
    /** Sum of the deltas since this group last sent its own; null without any. */
    private final StatisticsSum since;
    /** On which points that is. */
    private final NavigableMap<Integer, Long> bases;

    /**
     * State of one part.
     *
     * @param epoch number of deltas it has sent
     * @param pairs how many pairs it has taken
     * @param held pairs it held out
     * @param proposals points it has proposed since the group last sent a delta
     */
    public record Member(long epoch, long pairs, HoldOut held, Points proposals) {}

    private StatisticsGroup(
            long epoch, NavigableMap<Integer, Member> members, StatisticsSum since, NavigableMap<Integer, Long> bases) {
        this.epoch = epoch;
        this.members = members;
        this.since = since;
        this.bases = bases;
    }

    /** Writes all of it. */
    public void save(StateSink.Ordered sink) {
        sink.count("epoch", epoch);
        sink.size("since", since == null ? 0 : 1);
        if (since != null) {
            since.save(sink);
        }
        StatisticsDelta.saveBases(sink, bases);
        sink.list("members", members.entrySet(), entry -> {
            Member member = entry.getValue();
            sink.size("part", entry.getKey());
            sink.count("epoch", member.epoch);
            sink.count("pairs", member.pairs);
            member.held.saveRows(sink);
            sink.points("proposals", member.proposals);
        });
    }

    /** @param following whether what followed held-out runs was saved */
    public static StatisticsGroup read(StateSource.Ordered source, boolean following) {
        long epoch = source.count("epoch");
        StatisticsSum since = source.size("since") == 0 ? null : StatisticsSum.read(source);
        NavigableMap<Integer, Long> bases = StatisticsDelta.readBases(source);
        NavigableMap<Integer, Member> members = new TreeMap<>();
        for (int i = source.size("members"); i > 0; i--) {
            int part = source.size("part");
            members.put(
                    part,
                    new Member(
                            source.count("epoch"),
                            source.count("pairs"),
                            HoldOut.readRows(source, following),
                            source.points("proposals")));
        }
        return new StatisticsGroup(epoch, members, since, bases);
    }

    /** Number of parts that have sent a delta. */
    public int size() {
        return members.size();
    }

    /** Number of pairs all its parts have taken. */
    public long pairs() {
        return members.values().stream().mapToLong(Member::pairs).sum();
    }

    /**
     * This group with a delta of a part.
     *
     * @throws IncompatibleStatesException if it does not follow the delta before: nothing is counted twice, and nothing left out
     */
    public StatisticsGroup plus(int part, StatisticsDelta delta) {
        Member before = members.get(part);
        long last = before == null ? 0 : before.epoch();
        if (delta.epoch() != last + 1) {
            throw new IncompatibleStatesException(
                    Difference.EPOCH,
                    "delta " + delta.epoch() + " of part " + part + " after " + last
                            + ": differences add up only when each comes once and in order");
        }
        Points proposals = delta.proposals();
        if (before != null && before.proposals().size() > 0) {
            proposals = before.proposals().copy();
            for (int i = 0; i < delta.proposals().size(); i++) {
                proposals.add(delta.proposals().get(i));
            }
        }
        NavigableMap<Integer, Member> all = new TreeMap<>(members);
        all.put(part, new Member(delta.epoch(), delta.pairs(), delta.held(), proposals));
        return new StatisticsGroup(
                epoch,
                all,
                since == null ? delta.added() : since.plus(delta.added()),
                StatisticsDelta.united(bases, delta.bases()));
    }

    /**
     * This group's delta: the sum of the deltas since its last one, and the new proposals in the order of the parts.
     *
     * @param config how the parts learn
     * @param groups how many there are of this kind
     */
    public StatisticsDelta.Sent<StatisticsGroup> send(LeastSquaresConfig config, int groups) {
        List<HoldOut> held = members.values().stream().map(Member::held).toList();
        StatisticsDelta delta = new StatisticsDelta(
                epoch + 1,
                pairs(),
                since == null ? StatisticsSum.over(config, 0) : since,
                DeltaSender.share(HoldOut.merged(config.holdOut(), held), config.holdOut(), groups),
                bases,
                proposals(config));
        NavigableMap<Integer, Member> sent = new TreeMap<>(members);
        Points none = new Points(config.input().dimension());
        sent.replaceAll((part, member) -> new Member(member.epoch(), member.pairs(), member.held(), none));
        return new StatisticsDelta.Sent<>(delta, new StatisticsGroup(epoch + 1, sent, null, new TreeMap<>()));
    }

    private Points proposals(LeastSquaresConfig config) {
        Dictionary distinct = new Dictionary(new NewtonBasis(config.input()));
        for (Member member : members.values()) {
            admit(distinct, member.proposals(), config.epsilon(), Integer.MAX_VALUE);
        }
        return distinct.basis().points();
    }

    /** Keeps, one after the other, the points that a dictionary misses by more than ε, as long as there is room. */
    static void admit(Dictionary dictionary, Points points, double epsilon, int most) {
        PointCoordinates measured = new PointCoordinates();
        for (int i = 0; i < points.size() && dictionary.size() < most; i++) {
            measured.measure(dictionary, points.get(i));
            if (measured.isNovel(epsilon) && dictionary.judge(measured) == Verdict.KEEP) {
                dictionary.keep(0, measured);
            }
        }
    }
}
