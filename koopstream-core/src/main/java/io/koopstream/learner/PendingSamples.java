package io.koopstream.learner;

import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;

/** Samples that were accepted and wait for their block to be full. Mutable, one writer. */
final class PendingSamples {

    private final Points inputs;
    private final Points outputs;

    PendingSamples(Rkhs input, Rkhs output) {
        this(new Points(input.dimension()), new Points(output.dimension()));
    }

    PendingSamples(Points inputs, Points outputs) {
        this.inputs = inputs;
        this.outputs = outputs;
    }

    int size() {
        return inputs.size();
    }

    boolean isEmpty() {
        return size() == 0;
    }

    /** Takes a copy of a pair; if memory runs out, nothing has changed. */
    void add(double[] x, double[] xNext) {
        inputs.reserve(size() + 1);
        outputs.reserve(size() + 1);
        inputs.add(x);
        outputs.add(xNext);
    }

    Points inputs() {
        return inputs;
    }

    Points outputs() {
        return outputs;
    }

    /** Forgets the oldest ones. */
    void removeFirst(int count) {
        inputs.removeFirst(count);
        outputs.removeFirst(count);
    }

    PendingSamples copy() {
        return new PendingSamples(inputs.copy(), outputs.copy());
    }

    /** Refuses stored pairs that no learner can have: more than can wait, or points outside its spaces. */
    void requirePossible(Rkhs input, Rkhs output, long most) {
        KeptSamples.require(
                outputs.size() == size(), "pending_x_next", outputs.size() + " outputs for " + size() + " inputs");
        KeptSamples.require(size() <= most, "samples", size() + " samples wait, where at most " + most + " can");
        KeptSamples.requireMembers(input, inputs, "pending_x");
        KeptSamples.requireMembers(output, outputs, "pending_x_next");
    }

    void digest(StateDigest digest) {
        if (!isEmpty()) {
            digest.add(inputs).add(outputs);
        }
    }
}
