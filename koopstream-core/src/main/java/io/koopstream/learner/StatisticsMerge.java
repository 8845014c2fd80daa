package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import java.util.List;

/** The sums over parts that share their dictionaries, added in the order of the parts. */
final class StatisticsMerge {

    private StatisticsMerge() {}

    static LeastSquaresState of(List<LeastSquaresState> given) {
        // What waits for a block belongs to the sum too.
        List<LeastSquaresState> parts =
                given.stream().map(LeastSquaresState::settled).toList();
        if (parts.isEmpty()) {
            throw new IncompatibleStatesException(
                    Difference.NONE_GIVEN,
                    "no states to merge: the sum of nothing has no dictionary; give at least one");
        }
        LeastSquaresState first = parts.get(0);
        for (int p = 1; p < parts.size(); p++) {
            requireCompatible(first, parts.get(p), p);
        }
        LeastSquaresSums sums = first.sums().copy();
        Counters counters = first.counters();
        for (int p = 1; p < parts.size(); p++) {
            sums.plus(1.0, parts.get(p).sums());
            counters = counters.plus(parts.get(p).counters());
        }
        NewtonBasis inputs = first.inputBasis().copy();
        NewtonBasis outputs =
                first.config().isOneSpace() ? inputs : first.outputBasis().copy();
        KeptSamples kept = new KeptSamples(counters, inputs, outputs);
        HoldOut heldOut = HoldOut.merged(
                first.config().holdOut(),
                parts.stream().map(LeastSquaresState::holdOut).toList());
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
