package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Watches a learner's prequential one-step error ‖φ(x⁺) − U φ(x)‖, each sample predicted before it is learned, and raises an event when it
 * rises for good. If asked to, it then discounts the learner's past once, so that the operator follows the new dynamics.
 *
 * <p>Samples from where nothing was learned yet are not judged: entering a new region is no change of the dynamics.
 *
 * <p>U is taken from the learner after every {@code refresh} samples, a function of the count alone: least squares has no operator between
 * solves. Events wait in a queue of at most {@link #LONGEST_QUEUE} until {@link #drainEvents}; no threads, no callbacks.
 *
 * <p>One writer, see {@link Learner}. Costs O(m²) a sample beyond the learner's own and one snapshot every {@code refresh} samples; memory one
 * operator.
 *
 * @param <O> the type of the learned operator
 */
public final class DriftAwareLearner<O extends TransitionOperator> extends ForwardingLearner<O, Learner<O>>
        implements Discountable {

    /** Events kept when nobody drains them; the oldest are dropped first. */
    public static final int LONGEST_QUEUE = 1000;

    /** Share of φ(x) that must be known for an error to say something about the dynamics: new country is no change of them. */
    public static final double LEAST_COVERAGE = 0.9;

    private final DriftConfig config;
    private final double discount;
    private DriftDetector detector;
    private ArrayDeque<DriftEvent> events = new ArrayDeque<>();
    private O reference;
    private boolean stale;
    private long seen;
    private double lastError;
    private double errorSum;
    private long errorCount;

    /** Watches a learner without ever changing it. */
    public DriftAwareLearner(Learner<O> learner, DriftConfig config) {
        this(learner, config, 1.0);
    }

    /**
     * Watches a learner, which is written through this object only from now on.
     *
     * @param discount factor in (0, 1] on the weight of the past at every event; 0.01 makes 10,000 samples count as 100; 1 leaves it
     */
    public DriftAwareLearner(Learner<O> learner, DriftConfig config, double discount) {
        super(learner);
        SogdConfig.requireGiven("learner", learner);
        Discountable.requireFactor(discount);
        if (discount < 1 && !Discountable.of(learner).canDiscount()) {
            throw new InvalidConfigException(
                    "discount",
                    discount,
                    "the learner inside has no weights of the past to discount; use least squares, or 1");
        }
        this.config = config;
        this.discount = discount;
        this.detector = new DriftDetector(config);
    }

    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        // What may fail comes before the sample is learned. A reference taken early is taken again alike.
        double error =
                reference().map(operator -> predictionError(operator, x, xNext)).orElse(Double.NaN);
        StepOutcome outcome = learner.update(x, xNext);
        seen++;
        stale = seen % config.refresh() == 0;
        if (!Double.isNaN(error)) {
            lastError = error;
            errorSum += error;
            errorCount++;
            detector.add(error).ifPresent(this::raise);
        }
        return outcome;
    }

    private void raise(DriftEvent event) {
        // The detector counts errors, which begin with the first reference.
        long offset = seen - event.sample();
        if (events.size() == LONGEST_QUEUE) {
            events.removeFirst();
        }
        events.addLast(
                new DriftEvent(seen, event.since() + offset, event.errorBefore(), event.errorAfter(), event.score()));
        if (discount < 1) {
            Discountable.of(learner).discount(discount);
        }
    }

    /** The error of the prediction; NaN where the operator knows too little of x. */
    private static double predictionError(TransitionOperator operator, double[] x, double[] xNext) {
        TransitionOperator.Judged judged = operator.judge(x, xNext);
        return judged.coverage() < LEAST_COVERAGE ? Double.NaN : judged.error();
    }

    /** The events since the last call, oldest first; the queue is empty afterwards. */
    public List<DriftEvent> drainEvents() {
        List<DriftEvent> drained = new ArrayList<>(events);
        events.clear();
        return drained;
    }

    /** The one-step error of the last sample before it was learned; 0 before there was a prediction. */
    public double lastError() {
        return lastError;
    }

    /** Mean one-step error of all samples that were predicted; 0 before there was one. */
    public double meanError() {
        return errorCount == 0 ? 0 : errorSum / errorCount;
    }

    /** How many samples were predicted before they were learned; the others came from where nothing was known. */
    public long predicted() {
        return errorCount;
    }

    /** The operator that predicts the next sample; empty before the first one was taken. */
    public Optional<O> reference() {
        if (stale) {
            reference = learner.predictor();
            stale = false;
        }
        return Optional.ofNullable(reference);
    }

    /** The detector's accumulated rise, to be compared with its threshold. */
    public double driftScore() {
        return detector.score();
    }

    @Override
    public boolean canDiscount() {
        return learner instanceof Discountable inner && inner.canDiscount();
    }

    @Override
    public void discount(double factor) {
        Discountable.of(learner).discount(factor);
    }

    @Override
    public void reset() {
        learner.reset();
        detector = new DriftDetector(config);
        events = new ArrayDeque<>();
        reference = null;
        stale = false;
        seen = 0;
        lastError = 0;
        errorSum = 0;
        errorCount = 0;
    }

    /**
     * Everything a watch needs to go on beside its settings and the learner.
     *
     * @param detector the detector
     * @param reference the operator that predicts; null when there is none yet or a new one is due
     * @param due whether the operator is to be taken anew from the learner before the next sample
     * @param seen samples seen
     * @param lastError error of the last sample that was predicted
     * @param errorSum sum of all errors
     * @param errorCount how many they are
     * @param events events that nobody has drained
     * @param <O> the type of the learned operator
     */
    public record Watch<O extends TransitionOperator>(
            DriftDetector.State detector,
            O reference,
            boolean due,
            long seen,
            double lastError,
            double errorSum,
            long errorCount,
            List<DriftEvent> events) {

        /** Refuses numbers that no watch can have. */
        public Watch {
            events = List.copyOf(events);
            boolean counts = seen >= 0 && errorCount >= 0 && errorCount <= seen && events.size() <= LONGEST_QUEUE;
            KeptSamples.require(counts, "watch", errorCount + " errors of " + seen + " samples");
            boolean errors = lastError >= 0 && errorSum >= 0 && Double.isFinite(lastError) && Double.isFinite(errorSum);
            KeptSamples.require(errors, "watch", "errors " + lastError + " and " + errorSum + " must be >= 0");
        }
    }

    /** Everything needed to go on, apart from the learner itself. The operator in it is immutable and shared. */
    public Watch<O> watch() {
        return new Watch<>(
                detector.state(),
                stale ? null : reference,
                stale,
                seen,
                lastError,
                errorSum,
                errorCount,
                List.copyOf(events));
    }

    /** Goes on from a saved watch around a learner in the state that belongs to it, bit for bit. */
    public static <O extends TransitionOperator> DriftAwareLearner<O> resume(
            Learner<O> learner, DriftConfig config, double discount, Watch<O> watch) {
        DriftAwareLearner<O> resumed = new DriftAwareLearner<>(learner, config, discount);
        resumed.detector = DriftDetector.resume(config, watch.detector());
        resumed.events = new ArrayDeque<>(watch.events());
        resumed.reference = watch.reference();
        resumed.stale = watch.due();
        resumed.seen = watch.seen();
        resumed.lastError = watch.lastError();
        resumed.errorSum = watch.errorSum();
        resumed.errorCount = watch.errorCount();
        return resumed;
    }

    @Override
    public DriftAwareLearner<O> copy() {
        return resume(learner.copy(), config, discount, watch());
    }
}
