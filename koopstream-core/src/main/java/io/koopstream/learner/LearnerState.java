package io.koopstream.learner;

import io.koopstream.internal.dictionary.Counters;
import io.koopstream.internal.dictionary.KeptSamples;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.dictionary.StateDigest;
import io.koopstream.kernel.Rkhs;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.operator.TransitionOperator;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;

/**
 * Everything a learner needs to continue, as an immutable value. Nothing in it has to be recomputed, so continuing from it equals never having stopped, bit
 * for bit.
 */
public abstract class LearnerState {

    /** A sink for states that hold models. */
    public interface Sink extends StateSink.Ordered {

        /** A model. */
        void model(String name, LearnerState state);
    }

    /** Gives back what a {@link Sink} received. */
    public interface Source extends StateSource.Ordered {

        /** See {@link Sink#model}. */
        LearnerState model(String name);
    }

    private static final String PENDING = "pending_x";

    private final KeptSamples kept;
    private final PendingSamples pending;

    /** Takes over its arguments. */
    protected LearnerState(KeptSamples kept, PendingSamples pending) {
        this.kept = kept;
        this.pending = pending;
    }

    /** Samples that wait for their block to be full, for reading. They count as {@link #samples()}. */
    public final PendingSamples pending() {
        return pending;
    }

    /** Writes everything but the settings. */
    public void save(StateSink sink) {
        kept.save(sink);
        pending.save(sink, PENDING);
    }

    /** Reads the samples that wait for their block, unchecked. */
    protected static PendingSamples readPending(StateSource source) {
        return PendingSamples.read(source, PENDING);
    }

    /** Refuses samples that cannot wait; they are already among {@link #samples()}. */
    protected final void requirePending(long most) {
        pending.requirePossible(input(), output(), most, PENDING);
    }

    /** This state with the pending samples learned: what a snapshot shows. */
    public abstract LearnerState settled();

    /** The kept samples, for reading. */
    public final KeptSamples kept() {
        return kept;
    }

    /** The settings. */
    public abstract MethodConfig config();

    /** The space of the inputs. */
    public final Rkhs input() {
        return kept.inputBasis().space();
    }

    /** The space of the outputs. */
    public final Rkhs output() {
        return kept.outputBasis().space();
    }

    /** Number of samples accepted: learned, or {@linkplain #pending() waiting} for their block. */
    public final long samples() {
        return counters().samples();
    }

    /** Number of pairs seen: {@link #samples()}, and those that were held out. */
    public long pairs() {
        return samples();
    }

    /** Number of kept points: the larger of the numbers of inputs and of outputs. */
    public final int dictionarySize() {
        return Math.max(inputBasis().size(), outputBasis().size());
    }

    /** Number of samples that were novel enough to be kept but numerically dependent on both sides. */
    public final long dependents() {
        return kept.counters().dependents();
    }

    /** The learner's counters. */
    public final Counters counters() {
        return kept.counters();
    }

    /** The kept inputs with their factor, for reading. */
    public final NewtonBasis inputBasis() {
        return kept.inputBasis();
    }

    /** The kept outputs with their factor, for reading. */
    public final NewtonBasis outputBasis() {
        return kept.outputBasis();
    }

    /** The learned operator, as a snapshot of the learner shows it. */
    public abstract TransitionOperator operator();

    /** An operator to predict the next samples with, for which nothing is chosen again. */
    public TransitionOperator predictor() {
        return operator();
    }

    /** The learned operator as it serves forecasts best; the same as {@link #operator()} where nothing is chosen. */
    public TransitionOperator forecastOperator() {
        return operator();
    }

    /** SHA-256 over every bit of the state, as 64 hexadecimal digits: equal exactly when two states are. */
    public final String digest() {
        return StateDigest.of(config().canonicalText(), this::save);
    }

    /** A learner of a Koopman operator that continues from here; input and output must be one space. */
    public abstract Learner<KoopmanOperator> resumeKoopman();

    /** A learner of a transition operator that continues from here. */
    public abstract Learner<TransitionOperator> resumeTransition();
}
