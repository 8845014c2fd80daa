package io.koopstream.learner;

import io.koopstream.operator.TransitionOperator;

/**
 * Lets any number of threads read the newest operator of a learner that keeps learning.
 *
 * <p>Assumptions: (1) {@link #update} and {@link #publish} are called by one thread, the writer; (2) the learner is written through
 * this object only. Guarantees: (1) {@link #latest} never blocks and never makes the writer wait; (2) it returns one consistent
 * version, and versions seen by a reader never go back; (3) a reader that finds the version too old asks for a new one with
 * {@link #request}, and the writer publishes it at its next sample; (4) nobody asking costs the writer one volatile read a sample.
 *
 * @param <O> the type of the learned operator
 */
public final class SnapshotPublisher<O extends TransitionOperator> {

    private final Learner<O> learner;
    private volatile O latest;
    private volatile boolean requested;

    /** Publishes the learner's current state at once. */
    public SnapshotPublisher(Learner<O> learner) {
        this.learner = learner;
        this.latest = learner.snapshot();
    }

    /** Writer: learns from one pair, and publishes if somebody asked. */
    public StepOutcome update(double[] x, double[] xNext) {
        StepOutcome outcome = learner.update(x, xNext);
        if (requested) {
            publish();
        }
        return outcome;
    }

    /** Writer: publishes the current state, e.g. at the end of a batch or before it falls idle. */
    public void publish() {
        requested = false;
        latest = learner.snapshot();
    }

    /** Any thread: the newest published operator. */
    public O latest() {
        return latest;
    }

    /** Any thread: asks the writer to publish at its next sample. */
    public void request() {
        requested = true;
    }
}
