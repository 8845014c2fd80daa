package io.koopstream.change;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.parts.StateParts;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Detects a lasting rise of the one-step prediction error: Page's {@linkplain Cusum cumulative sum} of standardised block means.
 *
 * <p>Errors e_t are averaged over blocks of {@value #BLOCK}. With μ and s the mean and standard deviation of the earlier blocks, z = (ē − μ)/s, cut to
 * [−4, 4]; g ← max(0, g + z − {@value #SLACK}), and g > {@value #THRESHOLD} is an event, after which everything starts
 * anew. A block joins the baseline unless g is past half the threshold. A falling error never raises an event: it is what learning looks like.
 * So a change that makes prediction easier (less noise, same map) goes unnoticed. False-alarm rates and delays are in docs/measurements/accuracy.md.
 *
 * <p>One writer. O(1) time and memory.
 */
final class DriftDetector {

    /** Errors at the start, and after every event, that are not judged: those of a model that has just begun to learn. */
    private static final int WARM_UP = 64;

    /** Errors whose mean is one observation of the test: their means are nearly Gaussian, whatever the errors are. */
    static final int BLOCK = 10;

    /** Blocks before the test begins: fewer do not show their own scatter. */
    private static final int BASELINE = 20;

    /** Rise that is always tolerated, in standard deviations of a block: half of the smallest that matters, as Page's test is tuned. */
    private static final double SLACK = 0.75;

    /** Accumulated rise beyond the slack at which an event is raised: it decides between false alarms and delay. */
    private static final double THRESHOLD = 8;

    /** The standard deviation of a block mean counts as at least this share of the mean: below it a rise is of no interest. */
    private static final double MIN_DEVIATION = 0.02;

    private long samples;
    /** Errors since the last event, the warm-up included. */
    private long sinceEvent;

    private double blockSum;
    private int blockSize;
    private Baseline baseline = Baseline.EMPTY;
    private Cusum rise = Cusum.NEW;
    /** The first sample of the present rise, and the sum of its blocks. */
    private long riseStart;

    private double riseSum;

    /**
     * Takes the error of the next sample.
     *
     * @param error one-step error, finite and >= 0
     * @return the event, if it raises one
     */
    Optional<DriftEvent> add(double error) {
        if (!(error >= 0) || Double.isInfinite(error)) {
            throw new InvalidSampleException(
                    Reason.NOT_FINITE, -1, "error = " + error + ": must be a finite number >= 0");
        }
        samples++;
        sinceEvent++;
        if (sinceEvent <= WARM_UP) {
            return Optional.empty();
        }
        blockSum += error;
        blockSize++;
        if (blockSize < BLOCK) {
            return Optional.empty();
        }
        double mean = blockSum / blockSize;
        blockSum = 0;
        blockSize = 0;
        return judge(mean);
    }

    private Optional<DriftEvent> judge(double mean) {
        if (baseline.count() >= BASELINE) {
            if (rise.isZero()) {
                riseStart = samples - BLOCK + 1;
                riseSum = 0;
            }
            double z = baseline.standardised(mean, baseline.deviation(MIN_DEVIATION * baseline.mean(), 0));
            rise = rise.add(z, SLACK, THRESHOLD);
            riseSum += mean;
            if (rise.sum() > THRESHOLD) {
                DriftEvent event =
                        new DriftEvent(samples, riseStart, baseline.mean(), riseSum / rise.length(), rise.sum(), null);
                sinceEvent = 0;
                baseline = Baseline.EMPTY;
                rise = rise.reset();
                return Optional.of(event);
            }
        }
        if (rise.sum() <= 0.5 * THRESHOLD) {
            baseline = baseline.with(mean);
        }
        return Optional.empty();
    }

    /** True if the error seems to rise. */
    boolean isRising() {
        return rise.sum() > 0;
    }

    /**
     * Everything a detector needs to continue.
     *
     * @throws InvalidStateException for numbers that no detector can have
     */
    void parts(StateParts parts) {
        samples = parts.count("samples", samples);
        sinceEvent = parts.count("sinceEvent", sinceEvent);
        blockSum = parts.number("blockSum", blockSum);
        blockSize = parts.size("blockSize", blockSize);
        long blocks = parts.count("baselineBlocks", (long) baseline.count());
        double mean = parts.number("baselineMean", baseline.mean());
        double squares = parts.number("baselineSquares", baseline.squares());
        double score = parts.number("score", rise.sum());
        riseStart = parts.count("riseStart", riseStart);
        riseSum = parts.number("riseSum", riseSum);
        long length = parts.count("riseBlocks", rise.length());
        if (parts.restores()) {
            boolean counts = LongStream.of(blocks, riseStart, length, sinceEvent)
                    .allMatch(count -> count >= 0 && count <= samples);
            boolean numbers = DoubleStream.of(blockSum, mean, squares, score, riseSum)
                    .allMatch(number -> number >= 0 && Double.isFinite(number));
            InvalidStateException.require(
                    counts && numbers && blockSize <= sinceEvent, "drift", "numbers that no detector can have");
            baseline = new Baseline(blocks, mean, squares, 0, 0);
            rise = new Cusum(score, length);
        }
    }
}
