package io.koopstream.learner;

import io.koopstream.dictionary.Counters;
import io.koopstream.dictionary.Dictionary;
import io.koopstream.dictionary.Dictionary.Verdict;
import io.koopstream.dictionary.KeptSamples;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Rkhs;
import io.koopstream.linalg.Rotations;

/**
 * The kept inputs and outputs of a learner, each by the rule of {@link Dictionary}, and the counts of what became of samples. Least squares keeps
 * the states of one space in one dictionary: both sides are the same object then. Mutable, one writer.
 */
final class PairDictionary {

    private final Dictionary inputs;
    private final Dictionary outputs;
    private long dependents;
    private long removals;
    private long refusals;

    /**
     * What was decided on both sides of a sample.
     *
     * @param input on its input
     * @param output on its output
     */
    record Verdicts(Verdict input, Verdict output) {

        private static final Verdicts NEITHER = new Verdicts(Verdict.PASS, Verdict.PASS);

        /** Both, without memory for the usual case that neither side is novel. */
        static Verdicts of(Verdict input, Verdict output) {
            return input == Verdict.PASS && output == Verdict.PASS ? NEITHER : new Verdicts(input, output);
        }

        /** Whether points have to go before the sample can be kept. */
        boolean needRoom() {
            return input == Verdict.EXCHANGE || output == Verdict.EXCHANGE;
        }

        /** Whether a side is new but has to stay outside. */
        boolean refuse() {
            return input == Verdict.REFUSE || output == Verdict.REFUSE;
        }

        StepOutcome outcome() {
            if (input.keeps() || output.keeps()) {
                return StepOutcome.overBudget(input.keeps(), output.keeps());
            }
            if (refuse()) {
                return StepOutcome.REFUSED;
            }
            return input == Verdict.DEPENDENT || output == Verdict.DEPENDENT
                    ? StepOutcome.DEPENDENT
                    : StepOutcome.PROJECTED;
        }
    }

    private PairDictionary(Dictionary inputs, Dictionary outputs) {
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /**
     * Empty dictionaries.
     *
     * @param shared whether both sides are kept in one
     */
    static PairDictionary empty(Rkhs input, Rkhs output, int cap, boolean shared) {
        Dictionary inputs = new Dictionary(new NewtonBasis(input), cap);
        return new PairDictionary(inputs, shared ? inputs : new Dictionary(new NewtonBasis(output), cap));
    }

    /** Goes on from a state; copies what will be written. */
    static PairDictionary of(KeptSamples kept, int cap, boolean shared) {
        Dictionary inputs = new Dictionary(kept.inputBasis().copy(), cap);
        Dictionary outputs = shared ? inputs : new Dictionary(kept.outputBasis().copy(), cap);
        PairDictionary dictionary = new PairDictionary(inputs, outputs);
        dictionary.dependents = kept.counters().dependents();
        dictionary.removals = kept.counters().removals();
        dictionary.refusals = kept.counters().refusals();
        return dictionary;
    }

    Dictionary inputs() {
        return inputs;
    }

    Dictionary outputs() {
        return outputs;
    }

    Dictionary side(boolean input) {
        return input ? inputs : outputs;
    }

    /** The larger side. */
    int size() {
        return Math.max(inputs.size(), outputs.size());
    }

    /** How many points were taken out so far. */
    long removals() {
        return removals;
    }

    /** Takes the point out whose place a side needs; matrices follow by {@link Rotations#dropColumn} and {@link Rotations#dropRow}. */
    Rotations exchange(boolean input) {
        removals++;
        return side(input).exchange();
    }

    /** Counts what was decided on a sample. */
    StepOutcome count(Verdicts verdicts) {
        StepOutcome outcome = verdicts.outcome();
        if (outcome == StepOutcome.DEPENDENT) {
            dependents++;
        }
        refusals += (verdicts.input == Verdict.REFUSE ? 1 : 0) + (verdicts.output == Verdict.REFUSE ? 1 : 0);
        return outcome;
    }

    /** The counters, with those that the learner itself keeps. */
    Counters counters(long samples, double loss) {
        return new Counters(samples, dependents, removals, refusals, loss);
    }

    /** What is kept now, as a value. */
    KeptSamples kept(long samples, double loss) {
        NewtonBasis input = inputs.basis().copy();
        return new KeptSamples(
                counters(samples, loss),
                input,
                inputs == outputs ? input : outputs.basis().copy());
    }
}
