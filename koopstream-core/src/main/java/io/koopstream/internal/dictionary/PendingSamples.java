package io.koopstream.internal.dictionary;

import io.koopstream.InvalidStateException;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;

/**
 * Samples that were accepted and wait for their block to be full. Mutable, one writer.
 *
 * @param inputs their inputs
 * @param outputs their outputs
 */
public record PendingSamples(Points inputs, Points outputs) {

    public PendingSamples(Rkhs input, Rkhs output) {
        this(new Points(input.dimension()), new Points(output.dimension()));
    }

    /** Nothing waits. */
    public static PendingSamples none(KeptSamples kept) {
        return new PendingSamples(kept.inputBasis().space(), kept.outputBasis().space());
    }

    public int size() {
        return inputs.size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** Takes a copy of a pair; if memory runs out, nothing has changed. */
    public void add(double[] x, double[] xNext) {
        reserve(1);
        inputs.add(x);
        outputs.add(xNext);
    }

    /** Makes room for more, so that {@link #add} cannot fail. */
    public void reserve(int more) {
        inputs.reserve(size() + more);
        outputs.reserve(size() + more);
    }

    /** True if pair s begins where the pair before it ends. */
    public boolean continuesAt(int s) {
        for (int c = 0; c < inputs.dimension(); c++) {
            if (inputs.get(s, c) != outputs.get(s - 1, c)) {
                return false;
            }
        }
        return true;
    }

    /** Forgets the oldest ones. */
    public void removeFirst(int count) {
        inputs.removeFirst(count);
        outputs.removeFirst(count);
    }

    /** A copy of the samples from one to before another. */
    public PendingSamples range(int from, int to) {
        return new PendingSamples(inputs.range(from, to), outputs.range(from, to));
    }

    public PendingSamples copy() {
        return new PendingSamples(inputs.copy(), outputs.copy());
    }

    /** @param part the name of the inputs; that of the outputs ends in {@code _next} */
    public void save(StateSink sink, String part) {
        sink.points(part, inputs);
        sink.points(part + "_next", outputs);
    }

    /** Reads what {@link #save} wrote, unchecked. */
    public static PendingSamples read(StateSource source, String part) {
        return new PendingSamples(source.points(part), source.points(part + "_next"));
    }

    /** Refuses stored pairs that no learner can have: more than can wait, or points outside its spaces. */
    public void requirePossible(Rkhs input, Rkhs output, long most, String part) {
        InvalidStateException.require(
                outputs.size() == size(), part + "_next", outputs.size() + " outputs for " + size() + " inputs");
        InvalidStateException.require(
                size() <= most, "samples", size() + " pairs in " + part + ", where at most " + most + " can be");
        KeptSamples.requireMembers(input, inputs, part);
        KeptSamples.requireMembers(output, outputs, part + "_next");
    }
}
