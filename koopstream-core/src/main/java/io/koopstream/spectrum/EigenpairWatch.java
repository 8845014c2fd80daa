package io.koopstream.spectrum;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Watches whether eigenpairs learned earlier still fit the stream. It notices changes that are far too small for the one-step prediction error, which is
 * mostly noise: a rotation by 0.6 instead of 0.5, say.
 *
 * <p>For a pair (λ, f) let d = conj(f(x)) (f(x⁺) − λ f(x)). While K f = λ f holds, E[d | x] = 0, and the d along a trajectory are uncorrelated; after a change
 * to an operator with K' f ≈ λ' f their mean is (λ' − λ) E|f|². So real and imaginary part of d, averaged over blocks and standardised with the blocks
 * before, go through two-sided cumulative sums (Page, <i>Continuous inspection schemes</i>, Biometrika 41, 1954): g ← max(0, g ± z − slack) with z cut to
 * [−4, 4], and g > threshold is a change. The mean of the blocks before is subtracted, because a learned λ is not exact. A block joins them unless
 * some sum is past half the threshold.
 *
 * <p>Limits: eigenpairs of other functions may change unseen; what leaves K f = λ f alone (the noise, where f does not see it) is no change here. The
 * reference stays what it was given; take a new watch with a new spectrum after a change, or when much more was learned.
 *
 * <p>One writer. O(m²) per sample, as much memory as the spectrum has.
 */
public final class EigenpairWatch {

    private static final double MAX_SCORE = 4;

    /** Pairs from where less than this of φ(x) is known are not judged: entering new country is no change of the dynamics. */
    private static final double MIN_COVERAGE = 0.9;

    private final Spectrum spectrum;
    private final int block;
    private final int baseline;
    private final double slack;
    private final double threshold;
    /** Which eigenpairs are watched: of a conjugate pair one. */
    private final int[] watched;

    private final double[] blockSums;
    private int blockSize;
    private long samples;
    private long baselineBlocks;
    private final double[] means;
    private final double[] squares;
    /** For every watched part: the sum for a rise, then that for a fall. */
    private final double[] scores;

    /**
     * A detected change.
     *
     * @param sample number of the pair at which it was noticed, counted from 1
     * @param eigenpair position in the spectrum of the pair that no longer fits
     * @param score the accumulated change beyond the slack, in standard deviations of a block
     */
    public record Change(long sample, int eigenpair, double score) {}

    /** Blocks of 50 pairs, a baseline of 20 of them, slack 0.75, threshold 12. */
    public EigenpairWatch(Spectrum spectrum) {
        this(spectrum, 50, 20, 0.75, 12);
    }

    /**
     * A watch on all eigenpairs of a spectrum but constants.
     *
     * @param spectrum the reference; the fewer pairs, the surer the watch
     * @param block pairs whose mean is one observation, >= 1
     * @param baseline blocks that must be known before the test begins, >= 5
     * @param slack change in standard deviations of a block that is tolerated for ever, > 0
     * @param threshold accumulated change beyond the slack at which it is reported, > 0
     */
    public EigenpairWatch(Spectrum spectrum, int block, int baseline, double slack, double threshold) {
        if (block < 1) {
            throw new InvalidConfigException("block", block, "must be >= 1; try 50");
        }
        if (baseline < 5) {
            throw new InvalidConfigException("baseline", baseline, "must be >= 5; try 20");
        }
        InvalidConfigException.requirePositive("slack", slack, "standard deviations; try 0.75");
        InvalidConfigException.requirePositive("threshold", threshold, "standard deviations; try 12");
        this.spectrum = spectrum;
        this.block = block;
        this.baseline = baseline;
        this.slack = slack;
        this.threshold = threshold;
        int[] found = new int[spectrum.size()];
        int count = 0;
        // The first eigenfunction is the constant, which every Markov process leaves alone.
        for (int k = 1; k < spectrum.size(); k++) {
            if (spectrum.eigenvalue(k).im() >= 0) {
                found[count++] = k;
            }
        }
        if (count == 0) {
            throw new InvalidQueryException(
                    "one eigenpair is not enough: the first is the constant, which fits any dynamics");
        }
        this.watched = Arrays.copyOf(found, count);
        this.blockSums = new double[2 * count];
        this.means = new double[2 * count];
        this.squares = new double[2 * count];
        this.scores = new double[4 * count];
    }

    /**
     * Takes the next pair of the stream.
     *
     * @return the change, if it is noticed now; the watch then starts anew with its baseline
     */
    public Optional<Change> add(double[] x, double[] xNext) {
        Complex[][] values = spectrum.eigenfunctions(new double[][] {x, xNext});
        samples++;
        if (spectrum.operator().coverage(x) < MIN_COVERAGE
                || spectrum.operator().coverage(xNext) < MIN_COVERAGE) {
            return Optional.empty();
        }
        for (int w = 0; w < watched.length; w++) {
            Complex before = values[0][watched[w]];
            Complex expected = spectrum.eigenvalue(watched[w]).times(before);
            double re = values[1][watched[w]].re() - expected.re();
            double im = values[1][watched[w]].im() - expected.im();
            blockSums[2 * w] += before.re() * re + before.im() * im;
            blockSums[2 * w + 1] += before.re() * im - before.im() * re;
        }
        blockSize++;
        if (blockSize < block) {
            return Optional.empty();
        }
        double[] observed = new double[blockSums.length];
        for (int i = 0; i < observed.length; i++) {
            observed[i] = blockSums[i] / blockSize;
            blockSums[i] = 0;
        }
        blockSize = 0;
        return judge(observed);
    }

    private Optional<Change> judge(double[] observed) {
        int worst = 0;
        if (baselineBlocks >= baseline) {
            for (int i = 0; i < observed.length; i++) {
                double z = standardised(observed[i], i);
                scores[2 * i] = Math.max(0.0, scores[2 * i] + z - slack);
                scores[2 * i + 1] = Math.max(0.0, scores[2 * i + 1] - z - slack);
            }
            for (int i = 1; i < scores.length; i++) {
                worst = scores[i] > scores[worst] ? i : worst;
            }
            if (scores[worst] > threshold) {
                Change change = new Change(samples, watched[worst / 4], scores[worst]);
                restart();
                return Optional.of(change);
            }
        }
        if (scores[worst] <= 0.5 * threshold) {
            // Welford's recurrence.
            baselineBlocks++;
            for (int i = 0; i < observed.length; i++) {
                double delta = observed[i] - means[i];
                means[i] += delta / baselineBlocks;
                squares[i] += delta * (observed[i] - means[i]);
            }
        }
        return Optional.empty();
    }

    private double standardised(double value, int i) {
        // The mean of the baseline is itself uncertain by s/√n.
        double scale = Math.sqrt(squares[i] / (baselineBlocks - 1) * (1 + 1.0 / baselineBlocks));
        double difference = value - means[i];
        if (!(scale > 0)) {
            // The imaginary part of a real pair is always zero.
            return 0;
        }
        return Math.max(-MAX_SCORE, Math.min(MAX_SCORE, difference / scale));
    }

    private void restart() {
        baselineBlocks = 0;
        Arrays.fill(means, 0);
        Arrays.fill(squares, 0);
        Arrays.fill(scores, 0);
    }

    /** Number of pairs taken, those not judged included. */
    public long samples() {
        return samples;
    }
}
