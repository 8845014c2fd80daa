package io.koopstream.internal.learner;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.Dictionary;
import io.koopstream.internal.dictionary.Dictionary.Verdict;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.PointCoordinates;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.kernel.Rkhs;
import io.koopstream.learner.StepOutcome;
import java.util.function.Consumer;

/**
 * The kept inputs and outputs of a learner, each by the rule of {@link Dictionary}, and the counts of what became of samples. Least squares keeps
 * the states of one space in one dictionary: both sides are the same object then. Mutable, one writer.
 */
public final class PairDictionary {

    private final Dictionary inputs;
    private final Dictionary outputs;
    private long dependents;
    private long removals;
    private long refusals;

    /**
     * Verdicts on both sides of a sample.
     *
     * @param input on its input
     * @param output on its output
     */
    public record Verdicts(Verdict input, Verdict output) {

        private static final Verdicts NEITHER = new Verdicts(Verdict.PASS, Verdict.PASS);

        /** Both, without memory for the usual case that neither side is novel. */
        public static Verdicts of(Verdict input, Verdict output) {
            return input == Verdict.PASS && output == Verdict.PASS ? NEITHER : new Verdicts(input, output);
        }

        /** True if points have to go before the sample can be kept. */
        public boolean needRoom() {
            return input == Verdict.EXCHANGE || output == Verdict.EXCHANGE;
        }

        /** True if a side is new but has to stay outside. */
        public boolean refuse() {
            return input == Verdict.REFUSE || output == Verdict.REFUSE;
        }

        public StepOutcome outcome() {
            if (input.keeps()) {
                return output.keeps() ? StepOutcome.ADMITTED : StepOutcome.INPUT_ADMITTED;
            }
            if (output.keeps()) {
                return StepOutcome.OUTPUT_ADMITTED;
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
     * @param pivots see {@link Dictionary#Dictionary(NewtonBasis, int, boolean)}
     */
    public static PairDictionary empty(Rkhs input, Rkhs output, int cap, boolean shared, boolean pivots) {
        Dictionary inputs = new Dictionary(new NewtonBasis(input), cap, pivots);
        return new PairDictionary(inputs, shared ? inputs : new Dictionary(new NewtonBasis(output), cap, pivots));
    }

    /** Restores a saved state; copies what will be written. */
    public static PairDictionary of(KeptSamples kept, int cap, boolean shared, boolean pivots) {
        Dictionary inputs = new Dictionary(kept.inputBasis().copy(), cap, pivots);
        Dictionary outputs = shared ? inputs : new Dictionary(kept.outputBasis().copy(), cap, pivots);
        PairDictionary dictionary = new PairDictionary(inputs, outputs);
        dictionary.dependents = kept.counters().dependents();
        dictionary.removals = kept.counters().removals();
        dictionary.refusals = kept.counters().refusals();
        return dictionary;
    }

    public Dictionary inputs() {
        return inputs;
    }

    public Dictionary outputs() {
        return outputs;
    }

    public Dictionary side(boolean input) {
        return input ? inputs : outputs;
    }

    /** The larger side. */
    public int size() {
        return Math.max(inputs.size(), outputs.size());
    }

    /** Number of points taken out so far. */
    public long removals() {
        return removals;
    }

    /** Admits one side of a sample, see {@link Dictionary#admit}. */
    public Verdict admit(boolean input, long sampleNumber, PointCoordinates point, Consumer<Rotations> follow) {
        return side(input).admit(sampleNumber, point, rotations -> {
            removals++;
            follow.accept(rotations);
        });
    }

    /** Keeps what was judged worth it where no point has to make room, and counts what was decided. */
    public void keep(long sampleNumber, Verdicts verdicts, PointCoordinates input, PointCoordinates output) {
        if (verdicts.input().keeps()) {
            inputs.keep(sampleNumber, input);
        }
        if (verdicts.output().keeps()) {
            outputs.keep(sampleNumber, output);
        }
        count(verdicts);
    }

    /** Counts what was decided on a sample. */
    public StepOutcome count(Verdicts verdicts) {
        StepOutcome outcome = verdicts.outcome();
        if (outcome == StepOutcome.DEPENDENT) {
            dependents++;
        }
        refusals += (verdicts.input == Verdict.REFUSE ? 1 : 0) + (verdicts.output == Verdict.REFUSE ? 1 : 0);
        return outcome;
    }

    /** The counters, with those that the learner itself keeps. */
    public Counters counters(long samples, double loss) {
        return new Counters(samples, dependents, removals, refusals, loss);
    }

    /** The kept samples, as a value. */
    public KeptSamples kept(long samples, double loss) {
        NewtonBasis input = inputs.basis().copy();
        return new KeptSamples(
                counters(samples, loss),
                input,
                inputs == outputs ? input : outputs.basis().copy());
    }
}
