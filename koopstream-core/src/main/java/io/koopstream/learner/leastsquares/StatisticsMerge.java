package io.koopstream.learner.leastsquares;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.Dictionary;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.learner.IncompatibleStatesException;
import io.koopstream.learner.IncompatibleStatesException.Difference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The sums over parts of one stream, added in the order of the parts; and the dictionary on which they are, where it still grows. */
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
        List<HoldOut> held = new ArrayList<>(List.of(first.holdOut()));
        for (int p = 1; parts.hasNext(); p++) {
            LeastSquaresState part = parts.next().settled();
            requireCompatible(first, part, p);
            sums.plus(1.0, part.sums());
            counters = counters.plus(1, part.counters());
            held.add(part.holdOut());
        }
        NewtonBasis inputs = first.inputBasis().copy();
        NewtonBasis outputs =
                first.config().isOneSpace() ? inputs : first.outputBasis().copy();
        KeptSamples kept = new KeptSamples(counters, inputs, outputs);
        // All at once, so that every part has its share of what is remembered.
        HoldOut heldOut = HoldOut.merged(first.config().holdOut(), held);
        return new LeastSquaresState(first.config(), kept, sums, heldOut);
    }

    /** A state with a delta of its parts: what they add, what they hold out, and those of their proposals that are new. */
    static LeastSquaresState added(LeastSquaresState whole, StatisticsDelta delta, int most) {
        LeastSquaresConfig config = whole.config();
        config.requireOneSpace();
        LeastSquaresState all = whole.settled();
        delta.bases().forEach((points, fingerprint) -> {
            if (points > all.dictionarySize() || all.inputBasis().fingerprint(points) != fingerprint) {
                throw new IncompatibleStatesException(
                        Difference.INPUTS,
                        "statistics on " + points + " points that are not the first of the " + all.dictionarySize()
                                + " agreed on; start all parts from one dictionary");
            }
        });
        Dictionary dictionary = new Dictionary(all.inputBasis().copy());
        StatisticsGroup.admit(dictionary, delta.proposals(), config.epsilon(), most);
        StatisticsSum sum = StatisticsSum.of(all).plus(delta.added());
        LeastSquaresSums sums = sum.sums();
        sums.grow(dictionary.size(), dictionary.size());
        sums.dropRounding();
        HoldOut held = config.holdOut().isOn() ? delta.held() : HoldOut.NOTHING;
        KeptSamples kept = new KeptSamples(sum.counters(), dictionary.basis(), dictionary.basis());
        return new LeastSquaresState(config, kept, sums, held);
    }

    /**
     * A state on another dictionary. Pairs that are remembered are counted again; otherwise the sums follow the change of the basis, as far as the new
     * one sees the old.
     *
     * @param common with how many points both dictionaries begin, bit for bit
     */
    static LeastSquaresState moved(LeastSquaresState state, NewtonBasis onto, int common) {
        LeastSquaresConfig config = state.config();
        config.requireOneSpace();
        LeastSquaresState all = state.settled();
        NewtonBasis basis = onto.inherited();
        KeptSamples kept = new KeptSamples(all.counters(), basis, basis);
        LeastSquaresSums sums;
        if (!all.first().isEmpty()) {
            LeastSquaresBlock block = new LeastSquaresBlock(new Products(), true);
            PairDictionary dictionary = PairDictionary.of(kept, config.maxDictionary(), true, true);
            sums = block.sums(config, dictionary, all.first());
            sums.lose(all.sums().loss());
        } else {
            sums = turned(all.sums(), all.inputBasis(), basis, common);
        }
        return new LeastSquaresState(
                config, kept, PendingSamples.none(kept), all.first().copy(), sums, all.holdOut());
    }

    /** S ← R S Rᵀ, T ← R T Rᵀ, V ← V Rᵀ with R the coordinates of the old basis vectors in the new basis. */
    private static LeastSquaresSums turned(LeastSquaresSums sums, NewtonBasis from, NewtonBasis to, int common) {
        if (common == from.size()) {
            LeastSquaresSums padded = sums.copy();
            padded.grow(to.size(), to.size());
            return padded;
        }
        if (common == to.size()) {
            return sums.first(common);
        }
        Matrix turn = to.coordinatesOf(from);
        for (int j = 0; j < from.size(); j++) {
            // Both begin with the same vectors, and what comes later is orthogonal to them: that needs no rounding.
            for (int i = 0; i < (j < common ? to.size() : common); i++) {
                turn.set(i, j, i == j ? 1 : 0);
            }
        }
        return sums.turned(turn);
    }

    /** The sum of states with dictionaries of their own, on one that has grown by the points of each that are new to those before it. */
    static LeastSquaresState united(List<LeastSquaresState> parts, int most) {
        LeastSquaresConfig config = parts.get(0).config();
        NewtonBasis first = parts.get(0).settled().inputBasis();
        Dictionary dictionary = new Dictionary(first.inherited(Math.min(first.size(), most)));
        for (int p = 1; p < parts.size(); p++) {
            requireSameSettings(config, parts.get(p).config(), p);
            NewtonBasis own = parts.get(p).settled().inputBasis();
            if (own.beginsWith(dictionary.basis())) {
                dictionary = new Dictionary(own.inherited(Math.min(own.size(), most)));
            } else {
                int common = dictionary.basis().commonWith(own);
                StatisticsGroup.admit(dictionary, own.points().range(common, own.size()), config.epsilon(), most);
            }
        }
        NewtonBasis basis = dictionary.basis();
        return of(parts.stream()
                .map(part -> moved(part, basis, part.settled().inputBasis().commonWith(basis)))
                .iterator());
    }

    private static void requireCompatible(LeastSquaresState first, LeastSquaresState part, int p) {
        requireSameSettings(first.config(), part.config(), p);
        requireSame(first.inputBasis(), part.inputBasis(), Difference.INPUTS, p);
        requireSame(first.outputBasis(), part.outputBasis(), Difference.OUTPUTS, p);
    }

    /** ε and the cap decide only what is kept, λ only what is answered; the statistics mean the same whatever they are. */
    private static void requireSameSettings(LeastSquaresConfig a, LeastSquaresConfig b, int p) {
        if (!a.input().equals(b.input()) || !a.output().equals(b.output()) || a.forgetting() != b.forgetting()) {
            throw new IncompatibleStatesException(
                    Difference.SETTINGS,
                    "state " + p + " was learned with " + b + ", the first with " + a
                            + ": spaces and forgetting must agree; learn both with the same settings");
        }
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
