package io.koopstream.learner;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import io.koopstream.linalg.Matrix;
import java.util.List;

/** S = Σ_p S_p, T = Σ_p T_p, n = Σ_p n_p over parts p that share both dictionaries, added in the order of the parts. */
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
        Matrix inputStatistics = first.inputStatistics().copy();
        Matrix crossStatistics = first.crossStatistics().copy();
        double weight = first.weight();
        Counters counters = first.counters();
        for (int p = 1; p < parts.size(); p++) {
            LeastSquaresState part = parts.get(p);
            // A fused multiply by one is a plain addition: one rounding an entry, as in the sum written out.
            inputStatistics.add(1.0, part.inputStatistics());
            crossStatistics.add(1.0, part.crossStatistics());
            weight += part.weight();
            counters = counters.plus(part.counters());
        }
        NewtonBasis inputs = first.inputBasis().copy();
        NewtonBasis outputs = first.outputBasis().copy();
        KeptSamples kept = new KeptSamples(counters, inputs, outputs);
        return new LeastSquaresState(
                first.config(), kept, LearnerState.nonePending(kept), weight, inputStatistics, crossStatistics);
    }

    private static void requireCompatible(LeastSquaresState first, LeastSquaresState part, int p) {
        LeastSquaresConfig a = first.config();
        LeastSquaresConfig b = part.config();
        // ε and the cap decide only what is kept; the statistics of what was kept mean the same whatever it was.
        if (!a.input().equals(b.input())
                || !a.output().equals(b.output())
                || a.lambda() != b.lambda()
                || a.forgetting() != b.forgetting()) {
            throw new IncompatibleStatesException(
                    Difference.SETTINGS,
                    "state " + p + " was learned with " + b + ", the first with " + a
                            + ": spaces, lambda and forgetting must agree; learn both with the same settings");
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
