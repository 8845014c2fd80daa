package io.koopstream.learner;

import io.koopstream.dictionary.Counters;
import io.koopstream.dictionary.KeptSamples;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The sums over parts that share their dictionaries, added in the order of the parts. */
final class StatisticsMerge {

    private StatisticsMerge() {}

    static LeastSquaresState of(Iterator<LeastSquaresState> parts) {
        if (!parts.hasNext()) {
            throw new IncompatibleStatesException(
                    Difference.NONE_GIVEN,
                    "no states to merge: the sum of nothing has no dictionary; give at least one");
        }
        // What waits for a block belongs to the sum too.
        LeastSquaresState first = parts.next().settled();
        LeastSquaresSums sums = first.sums().copy();
        Counters counters = first.counters();
        List<HoldOut> aside = new ArrayList<>(List.of(first.holdOut()));
        for (int p = 1; parts.hasNext(); p++) {
            LeastSquaresState part = parts.next().settled();
            requireCompatible(first, part, p);
            sums.plus(1.0, part.sums());
            counters = counters.plus(part.counters());
            aside.add(part.holdOut());
        }
        NewtonBasis inputs = first.inputBasis().copy();
        NewtonBasis outputs =
                first.config().isOneSpace() ? inputs : first.outputBasis().copy();
        KeptSamples kept = new KeptSamples(counters, inputs, outputs);
        // All at once, so that every part has its share of what is remembered.
        HoldOut heldOut = HoldOut.merged(first.config().holdOut(), aside);
        return new LeastSquaresState(
                first.config(), kept, LearnerState.nonePending(kept), LearnerState.nonePending(kept), sums, heldOut);
    }

    private static void requireCompatible(LeastSquaresState first, LeastSquaresState part, int p) {
        LeastSquaresConfig a = first.config();
        LeastSquaresConfig b = part.config();
        // ε and the cap decide only what is kept, λ only what is answered; the statistics mean the same whatever they
        // are.
        if (!a.input().equals(b.input()) || !a.output().equals(b.output()) || a.forgetting() != b.forgetting()) {
            throw new IncompatibleStatesException(
                    Difference.SETTINGS,
                    "state " + p + " was learned with " + b + ", the first with " + a
                            + ": spaces and forgetting must agree; learn both with the same settings");
        }
        requireSame(first.inputBasis(), part.inputBasis(), Difference.INPUTS, p);
        requireSame(first.outputBasis(), part.outputBasis(), Difference.OUTPUTS, p);
    }

    private static void requireSame(NewtonBasis first, NewtonBasis other, Difference side, int p) {
        if (first.size() != other.size() || !first.beginsWith(other)) {
            throw new IncompatibleStatesException(
                    side,
                    "state " + p + " keeps other " + (side == Difference.INPUTS ? "inputs" : "outputs") + " ("
                            + other.size() + " points) than the first (" + first.size()
                            + "): statistics add only in one basis. Start every part from the dictionaryOnly()"
                            + " of one state, or average the operators with OperatorAverage");
        }
    }
}
