package io.koopstream.learner.leastsquares;

import io.koopstream.internal.dictionary.PendingSamples;
import io.koopstream.internal.learner.PairDictionary;

/**
 * The pairs of a stream as long as they are few, see {@link LeastSquaresConfig#firstPairs()}: remembered, so that all of them can be counted with
 * the dictionary as it is now, along points that were kept after them too. Mutable, one writer.
 */
final class FirstPairs {

    private static final int BLOCK = 64;

    private final LeastSquaresConfig config;
    private final LeastSquaresBlock block;
    private final PendingSamples pairs;

    FirstPairs(LeastSquaresConfig config, LeastSquaresBlock block) {
        this(config, block, new PendingSamples(config.input(), config.output()));
    }

    /** Continues with remembered pairs, which are taken over. */
    FirstPairs(LeastSquaresConfig config, LeastSquaresBlock block, PendingSamples pairs) {
        this.config = config;
        this.block = block;
        this.pairs = pairs;
    }

    /** True if none is remembered: they have been too many, or there was none. */
    boolean isEmpty() {
        return pairs.isEmpty();
    }

    /** True if the pair after this number of samples is to be remembered. */
    boolean wants(long samples) {
        return samples < config.firstPairs() && pairs.size() == samples;
    }

    /** True if they are counted for good, and forgotten, before the pair after this number of samples is learned. */
    boolean endAt(long samples) {
        return samples == config.firstPairs() && !isEmpty();
    }

    /** Makes room for one more, so that {@link #add} cannot fail. */
    void reserve() {
        pairs.reserve(1);
    }

    void add(double[] x, double[] xNext) {
        pairs.add(x, xNext);
    }

    /** The sums over all of them. */
    LeastSquaresSums sums(PairDictionary dictionary) {
        LeastSquaresSums sums = LeastSquaresSums.over(config, dictionary);
        for (int counted = 0; counted < pairs.size(); counted += BLOCK) {
            PendingSamples part = pairs.range(counted, Math.min(pairs.size(), counted + BLOCK));
            block.measure(dictionary, part);
            block.addTo(sums, config.forgetting(), part.size());
        }
        block.finish();
        // The copy has both triangles of S.
        return sums.copy();
    }

    PendingSamples value() {
        return pairs.copy();
    }
}
