package io.koopstream.internal.dictionary;

import static io.koopstream.InvalidStateException.require;

import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;

/**
 * Counters of a learner.
 *
 * @param samples how many samples were learned
 * @param dependents how many were novel enough to be kept but numerically dependent on both sides
 * @param removals how many points were taken out for better ones, both sides together
 * @param refusals how many times a side of a sample was novel enough to be kept, but worth less than all that a full dictionary holds
 * @param loss what removals and refusals have cost so far, in the units of the learner: see {@link io.koopstream.operator.TransitionOperator.Pruning}
 */
public record Counters(long samples, long dependents, long removals, long refusals, double loss) {

    /** Counters of a learner that has exchanged nothing. */
    public static Counters of(long samples, long dependents) {
        return new Counters(samples, dependents, 0, 0, 0);
    }

    /** The counters of two streams learned side by side; with a sign of −1 those of what came since the other. */
    public Counters plus(int sign, Counters other) {
        return new Counters(
                samples + sign * other.samples,
                dependents + sign * other.dependents,
                removals + sign * other.removals,
                refusals + sign * other.refusals,
                loss + sign * other.loss);
    }

    /** Writes the counters. */
    public void save(StateSink sink) {
        sink.count("samples", samples);
        sink.count("dependents", dependents);
        sink.count("removals", removals);
        sink.count("refusals", refusals);
        sink.number("loss", loss);
    }

    /** Reads what {@link #save} wrote, unchecked. */
    public static Counters read(StateSource source) {
        return new Counters(
                source.count("samples"),
                source.count("dependents"),
                source.count("removals"),
                source.count("refusals"),
                source.number("loss"));
    }

    /** Refuses counters that no learner can have. */
    void requirePossible() {
        require(samples >= 0, "samples", samples + " is negative");
        require(dependents >= 0 && dependents <= samples, "dependents", dependents + " of " + samples + " samples");
        requireTwiceAtMost("removals", removals);
        requireTwiceAtMost("refusals", refusals);
        require(loss >= 0 && Double.isFinite(loss), "loss", loss + " must be a number >= 0");
    }

    /** A sample has two sides. */
    private void requireTwiceAtMost(String part, long count) {
        require(count >= 0 && count / 2 <= samples, part, count + " for " + samples + " samples");
    }
}
