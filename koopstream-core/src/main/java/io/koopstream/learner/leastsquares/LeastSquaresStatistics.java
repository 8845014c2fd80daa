package io.koopstream.learner.leastsquares;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.Dictionary;
import io.koopstream.internal.dictionary.Dictionary.Verdict;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.learner.PairDictionary;
import io.koopstream.internal.learner.PairDictionary.Verdicts;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.learner.StepOutcome;

/**
 * The dictionary of online least squares and the sums over it, which grow together: which states of a pair are kept, what the sums become when a
 * point makes room for another, and what the cap has cost. Mutable, one writer.
 */
final class LeastSquaresStatistics {

    private final LeastSquaresConfig config;
    private final boolean oneSpace;
    private final LeastSquaresBlock block;
    private final PairDictionary dictionary;
    private LeastSquaresSums sums;
    private PointCoordinates from = new PointCoordinates();
    private PointCoordinates to = new PointCoordinates();

    /** Nothing kept and nothing learned. */
    LeastSquaresStatistics(LeastSquaresConfig config, LeastSquaresBlock block) {
        this.config = config;
        this.oneSpace = config.isOneSpace();
        this.block = block;
        this.dictionary = PairDictionary.empty(config.input(), config.output(), config.maxDictionary(), oneSpace, true);
        this.sums = LeastSquaresSums.over(config, dictionary);
    }

    /** Restores a saved state. */
    LeastSquaresStatistics(LeastSquaresState state, LeastSquaresBlock block) {
        this.config = state.config();
        this.oneSpace = config.isOneSpace();
        this.block = block;
        this.dictionary = PairDictionary.of(state.kept(), config.maxDictionary(), oneSpace, true);
        this.sums = state.sums().copy();
    }

    PairDictionary dictionary() {
        return dictionary;
    }

    /** The sums so far, for reading; S may be known below the diagonal only. */
    LeastSquaresSums sums() {
        block.finish();
        return sums;
    }

    Counters counters(long samples) {
        return dictionary.counters(samples, sums.loss());
    }

    KeptSamples kept(long samples) {
        return dictionary.kept(samples, sums.loss());
    }

    /** All samples were counted again: these are the sums, with the loss so far. */
    void recounted(LeastSquaresSums again) {
        block.finish();
        again.lose(sums.loss());
        sums = again;
    }

    /** Learns one pair. */
    StepOutcome learn(long number, double[] x, double[] xNext) {
        // All memory is taken before anything changes, so that running out of it leaves the state as it was.
        reserve(oneSpace ? 2 : 1);
        Dictionary inputs = dictionary.inputs();
        Dictionary outputs = dictionary.outputs();
        if (oneSpace && to.holds(x, inputs)) {
            // The state that the sample before led to: measured already.
            PointCoordinates measured = to;
            to = from;
            from = measured;
        } else {
            from.measure(inputs, x);
        }
        Verdict input = admit(true, number);
        to.measure(outputs, xNext);
        long before = dictionary.removals();
        Verdict output = admit(false, number);
        boolean leftOut = input == Verdict.REFUSE;
        if (dictionary.removals() > before && oneSpace) {
            // The exchange has turned all coordinates, and x itself may have made room.
            from.measure(inputs, x);
            leftOut |= from.isNovel(Math.max(config.epsilon(), Math.sqrt(NewtonBasis.FLOOR)));
        }
        double[] beta = from.padded(inputs.size());
        double[] alpha = to.padded(outputs.size());
        sums.grow(inputs.size(), outputs.size());
        sums.add(config.forgetting(), beta, alpha, x, xNext);
        lose(leftOut, output == Verdict.REFUSE);
        return dictionary.count(Verdicts.of(input, output));
    }

    /** Room for more points; the sums are complete then. */
    private void reserve(int more) {
        block.finish();
        int inputs = dictionary.inputs().size() + more;
        int outputs = dictionary.outputs().size() + more;
        dictionary.inputs().reserve(more);
        dictionary.outputs().reserve(more);
        sums.reserve(inputs, outputs);
        from.reserve(inputs);
        to.reserve(outputs);
    }

    /** Keeps a side that was measured if it deserves it; {@link Verdict#EXCHANGE} when it was kept in the place of another. */
    private Verdict admit(boolean input, long number) {
        PointCoordinates state = input ? from : to;
        return state.isNovel(config.epsilon())
                ? dictionary.admit(input, number, state, rotations -> follow(input, rotations))
                : Verdict.PASS;
    }

    /** A point made room for another: the sums become what they would be had it never been kept. */
    private void follow(boolean input, Rotations rotations) {
        int inputs = dictionary.inputs().size();
        int outputs = dictionary.outputs().size();
        sums.grow(inputs + (input || oneSpace ? 1 : 0), outputs + (!input || oneSpace ? 1 : 0));
        sums.follow(input || oneSpace, rotations);
    }

    /** Accounts for the norm of what a sample with a side left out does not add, to S or to T, whichever is more. */
    private void lose(boolean inputLeftOut, boolean outputLeftOut) {
        if (!inputLeftOut && !outputLeftOut) {
            return;
        }
        double xx = from.squaredNorm();
        double yy = to.squaredNorm();
        double seenInput = xx - (inputLeftOut ? from.missed() : 0);
        double seenOutput = yy - (outputLeftOut ? to.missed() : 0);
        double squared = Math.max(xx * xx - seenInput * seenInput, xx * yy - seenInput * seenOutput);
        sums.lose(Math.sqrt(Math.max(0.0, squared)));
    }

    /** Learns the waiting samples up to an exchange of points, which changes all coordinates: that sample is learned for itself. */
    StepOutcome learn(long first, PendingSamples pending) {
        block.measure(dictionary, pending);
        StepOutcome outcome = StepOutcome.PENDING;
        int done = 0;
        try {
            for (int s = 0; s < block.pairs(); s++) {
                outcome = decide(first + s, s);
                if (outcome == StepOutcome.PENDING) {
                    break;
                }
                done = s + 1;
            }
        } finally {
            // Also when memory ran out: what was decided is completed, the rest stays pending.
            block.finish();
            sums.grow(dictionary.inputs().size(), dictionary.outputs().size());
            if (done > 0) {
                block.addTo(sums, config.forgetting(), done);
                pending.removeFirst(done);
            }
        }
        if (outcome == StepOutcome.PENDING) {
            outcome = learn(
                    first + done, pending.inputs().get(0), pending.outputs().get(0));
            pending.removeFirst(1);
        }
        return outcome;
    }

    /** Decides on pair s of the block; {@link StepOutcome#PENDING} if it has to be learned for itself. */
    private StepOutcome decide(long number, int s) {
        if (!block.isNovel(s, config.epsilon())) {
            return StepOutcome.PROJECTED;
        }
        reserve(oneSpace ? 2 : 1);
        Verdict input = admit(true, number, s);
        Verdicts verdicts = Verdicts.of(input, input == Verdict.EXCHANGE ? Verdict.EXCHANGE : admit(false, number, s));
        if (verdicts.needRoom()) {
            return StepOutcome.PENDING;
        }
        lose(input == Verdict.REFUSE, verdicts.output() == Verdict.REFUSE);
        return dictionary.count(verdicts);
    }

    private Verdict admit(boolean input, long number, int s) {
        PointCoordinates state = input ? from : to;
        block.take(input, s, state);
        if (!state.isNovel(config.epsilon())) {
            return Verdict.PASS;
        }
        Verdict verdict = dictionary.side(input).judge(state);
        if (verdict == Verdict.KEEP) {
            block.append(input, s);
            dictionary.side(input).keep(number, state);
        }
        return verdict;
    }
}
