package io.koopstream.learner;

import io.koopstream.dictionary.Dictionary;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.linalg.Rotations;

/**
 * The kept inputs and outputs of Algorithm 1: what of a sample over the budget is kept on either side, by the rule of {@link Dictionary}.
 *
 * <p>Mutable, one writer.
 */
final class PairDictionary {

    private final Side inputs;
    private final Side outputs;
    private long dependents;
    private long removals;
    private long refusals;

    /** Empty dictionaries. */
    PairDictionary(int cap, NewtonBasis inputs, NewtonBasis outputs) {
        this.inputs = new Side(inputs, cap);
        this.outputs = new Side(outputs, cap);
    }

    /** Goes on from a state; copies what will be written. */
    PairDictionary(int cap, KeptSamples kept) {
        this(cap, kept.inputBasis().copy(), kept.outputBasis().copy());
        Counters counters = kept.counters();
        dependents = counters.dependents();
        removals = counters.removals();
        refusals = counters.refusals();
    }

    NewtonBasis inputs() {
        return inputs.basis;
    }

    NewtonBasis outputs() {
        return outputs.basis;
    }

    /** The larger side. */
    int size() {
        return Math.max(inputs.basis.size(), outputs.basis.size());
    }

    long dependents() {
        return dependents;
    }

    /**
     * Decides what is to be kept of a sample. If {@link #mustMakeRoom()} then, the caller removes what has to go, measures the sample
     * again and asks again.
     */
    StepOutcome decide(boolean overBudget, SampleCoordinates sample) {
        inputs.clear();
        outputs.clear();
        if (!overBudget) {
            return StepOutcome.PROJECTED;
        }
        boolean input = inputs.wants(sample.bSquared(), sample.kxx(), sample.beta(), sample.work());
        boolean output = outputs.wants(sample.aSquared(), sample.kyy(), sample.alpha(), sample.work());
        StepOutcome outcome = StepOutcome.overBudget(input, output);
        boolean refused = inputs.refused || outputs.refused;
        return outcome == StepOutcome.DEPENDENT && refused ? StepOutcome.REFUSED : outcome;
    }

    /** Whether points have to go before the sample can be kept. */
    boolean mustMakeRoom() {
        return losesInput() || losesOutput();
    }

    boolean losesInput() {
        return inputs.loses;
    }

    boolean losesOutput() {
        return outputs.loses;
    }

    /** Takes the input out whose place is needed; matrices whose columns are inputs follow by {@link Rotations#dropColumn}. */
    Rotations removeInput() {
        removals++;
        return inputs.remove();
    }

    /** Takes the output out whose place is needed; matrices whose rows are outputs follow by {@link Rotations#dropRow}. */
    Rotations removeOutput() {
        removals++;
        return outputs.remove();
    }

    /** Makes room in memory for what is to be kept, so that {@link #keep} cannot fail. */
    void reserve(StepOutcome outcome) {
        if (outcome.keepsInput()) {
            inputs.basis.reserve(1);
        }
        if (outcome.keepsOutput()) {
            outputs.basis.reserve(1);
        }
    }

    /** Adds what is kept of sample t, and counts what is not. */
    void keep(StepOutcome outcome, SampleCoordinates sample, long t, double[] x, double[] y) {
        if (outcome.keepsInput()) {
            inputs.dictionary.append(t, x, sample.beta(), sample.bSquared());
        }
        if (outcome.keepsOutput()) {
            outputs.dictionary.append(t, y, sample.alpha(), sample.aSquared());
        }
        if (outcome == StepOutcome.DEPENDENT) {
            dependents++;
        }
        refusals += (inputs.refused ? 1 : 0) + (outputs.refused ? 1 : 0);
    }

    /** Whether the input of the sample just decided on is new but has to stay outside. */
    boolean refusesInput() {
        return inputs.refused;
    }

    /** Whether the output of the sample just decided on is new but has to stay outside. */
    boolean refusesOutput() {
        return outputs.refused;
    }

    /** The counters, with those that the learner itself keeps. */
    Counters counters(long samples, double loss) {
        return new Counters(samples, dependents, removals, refusals, loss);
    }

    /** What is kept now, as a value. */
    KeptSamples kept(long samples, double loss) {
        return new KeptSamples(counters(samples, loss), inputs.basis.copy(), outputs.basis.copy());
    }

    /** One of the two dictionaries, and what was decided on the present sample. */
    private static final class Side {

        private final Dictionary dictionary;
        private final NewtonBasis basis;
        private boolean loses;
        private boolean refused;

        Side(NewtonBasis basis, int cap) {
            this.dictionary = new Dictionary(basis, cap);
            this.basis = basis;
        }

        void clear() {
            loses = false;
            refused = false;
        }

        boolean wants(double squaredResidual, double squaredNorm, double[] coordinates, double[] work) {
            Dictionary.Verdict verdict = dictionary.judge(squaredResidual, squaredNorm, coordinates, work);
            loses = verdict == Dictionary.Verdict.EXCHANGE;
            refused = verdict == Dictionary.Verdict.REFUSE;
            return loses || verdict == Dictionary.Verdict.KEEP;
        }

        Rotations remove() {
            loses = false;
            return dictionary.exchange();
        }
    }
}
