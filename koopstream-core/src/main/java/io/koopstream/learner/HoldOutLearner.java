package io.koopstream.learner;

import io.koopstream.operator.TransitionOperator;

/**
 * Keeps a share of the stream aside and lets another learner have the rest: every k-th pair is {@link StepOutcome#HELD_OUT}, not
 * learned. What was kept aside is asked for with {@link #holdOut()}.
 *
 * <p>One writer, see {@link Learner}. Costs O(d) a sample beyond the learner's own; memory 16 d bytes a remembered pair.
 *
 * @param <O> the type of the learned operator
 */
public final class HoldOutLearner<O extends TransitionOperator> extends ForwardingLearner<O, Learner<O>>
        implements Discountable {

    private final HoldOutConfig config;
    private final HoldOut.Store store;
    private long seen;

    /** Holds out from a learner, which is written through this object only from now on. */
    public HoldOutLearner(Learner<O> learner, HoldOutConfig config) {
        this(learner, config, new HoldOut.Store(config), 0);
    }

    private HoldOutLearner(Learner<O> learner, HoldOutConfig config, HoldOut.Store store, long seen) {
        super(learner);
        SogdConfig.requireGiven("learner", learner);
        SogdConfig.requireGiven("config", config);
        this.config = config;
        this.store = store;
        this.seen = seen;
    }

    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        StepOutcome outcome = StepOutcome.HELD_OUT;
        if ((seen + 1) % config.every() == 0) {
            store.offer(x, xNext);
        } else {
            outcome = learner.update(x, xNext);
        }
        seen++;
        return outcome;
    }

    /** What is kept aside so far, as an immutable value. */
    public HoldOut holdOut() {
        return store.value();
    }

    @Override
    public boolean canDiscount() {
        return learner instanceof Discountable inner && inner.canDiscount();
    }

    /** Discounts the learner's past and drops the pairs held out so far: they would judge the new by the old. */
    @Override
    public void discount(double factor) {
        Discountable.of(learner).discount(factor);
        store.clear();
    }

    @Override
    public void reset() {
        learner.reset();
        store.clear();
        seen = 0;
    }

    @Override
    public HoldOutLearner<O> copy() {
        return new HoldOutLearner<>(learner.copy(), config, store.copy(), seen);
    }
}
