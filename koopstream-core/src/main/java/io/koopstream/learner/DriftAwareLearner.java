package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.kernel.Scratch;
import io.koopstream.linalg.Vectors;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

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

    /** Share of φ(x) that the kept inputs may miss. Beyond it the state is in new country, which is no change of the dynamics. */
    private static final double LARGEST_UNSEEN = 0.1;

    private final DriftConfig config;
    private final double discount;
    private final Scratch scratch = new Scratch();
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
        if (stale) {
            reference = learner.snapshot();
            stale = false;
        }
        double error = reference == null ? Double.NaN : predictionError(reference, x, xNext, scratch);
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

    /**
     * ‖φ(y) − U φ(x)‖ = (‖α − M β‖² + a²)^½, with a² what the output basis misses of φ(y); NaN where the operator knows nothing of x. O(m²).
     */
    private static double predictionError(TransitionOperator u, double[] x, double[] xNext, Scratch scratch) {
        double[] beta = new double[u.inputBasis().size()];
        double[] alpha = new double[u.outputBasis().size()];
        double unseen = u.inputBasis().coordinates(x, beta, scratch);
        if (unseen > LARGEST_UNSEEN * u.inputBasis().squaredNorm(x)) {
            return Double.NaN;
        }
        double missed = u.outputBasis().coordinates(xNext, alpha, scratch);
        double[] image = new double[alpha.length];
        u.matrix().multiply(beta, image);
        Vectors.axpy(-1.0, image, alpha, 0, alpha.length);
        return Math.sqrt(Vectors.squaredNorm(alpha, alpha.length) + missed);
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

    @Override
    public DriftAwareLearner<O> copy() {
        DriftAwareLearner<O> copy = new DriftAwareLearner<>(learner.copy(), config, discount);
        copy.detector = detector.copy();
        copy.events = new ArrayDeque<>(events);
        copy.reference = reference;
        copy.stale = stale;
        copy.seen = seen;
        copy.lastError = lastError;
        copy.errorSum = errorSum;
        copy.errorCount = errorCount;
        return copy;
    }
}
