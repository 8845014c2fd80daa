package io.koopstream.change;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Objects;
import java.util.Optional;

/**
 * Notices a lasting rise of the one-step prediction error: Page's {@linkplain Cusum cumulative sum} of standardised block means.
 *
 * <p>Errors e_t are averaged over blocks. With μ and s the mean and standard deviation of the earlier blocks, z = (ē − μ)/s, cut to
 * [−4, 4] so that one odd block cannot raise an event; g ← max(0, g + z − slack), and g > threshold is an event, after which everything starts
 * anew. A block joins the baseline unless g is past half the threshold. A falling error never raises an event: it is what learning looks like.
 * So a change that makes prediction easier (less noise, same map) goes unnoticed.
 *
 * <p>One writer. O(1) time and memory.
 */
public final class DriftDetector {

    private static final double MAX_SCORE = 4;

    /** The standard deviation of a block mean counts as at least this share of the mean: below it a rise is of no interest. */
    private static final double MIN_DEVIATION = 0.02;

    private final DriftConfig config;
    private long samples;
    /** Errors since the last event, the warm-up included. */
    private long sinceEvent;

    private double blockSum;
    private int blockSize;
    private long baselineBlocks;
    private double baselineMean;
    private double baselineSquares;
    /** Accumulated rise. */
    private final Cusum rise;
    /** The first sample of the present rise, and the errors since. */
    private long riseStart;

    private double riseSum;

    /** A new detector. */
    public DriftDetector(DriftConfig config) {
        this.config = Objects.requireNonNull(config, "config");
        this.rise = new Cusum(config.slack(), config.threshold());
    }

    /**
     * Takes the error of the next sample.
     *
     * @param error one-step error, finite and >= 0
     * @return the event, if it raises one
     */
    public Optional<DriftEvent> add(double error) {
        if (!(error >= 0) || Double.isInfinite(error)) {
            throw new InvalidSampleException(
                    Reason.NOT_FINITE, -1, "error = " + error + ": must be a finite number >= 0");
        }
        samples++;
        sinceEvent++;
        if (sinceEvent <= config.warmup()) {
            return Optional.empty();
        }
        blockSum += error;
        blockSize++;
        if (blockSize < config.block()) {
            return Optional.empty();
        }
        double mean = blockSum / blockSize;
        blockSum = 0;
        blockSize = 0;
        return judge(mean);
    }

    private Optional<DriftEvent> judge(double mean) {
        if (baselineBlocks >= config.baseline()) {
            if (rise.isZero()) {
                riseStart = samples - config.block() + 1;
                riseSum = 0;
            }
            rise.add(standardised(mean));
            riseSum += mean;
            if (rise.isBeyond()) {
                DriftEvent event =
                        new DriftEvent(samples, riseStart, baselineMean, riseSum / rise.length(), rise.sum());
                restart();
                return Optional.of(event);
            }
        }
        if (rise.sum() <= 0.5 * config.threshold()) {
            // Welford's recurrence.
            baselineBlocks++;
            double delta = mean - baselineMean;
            baselineMean += delta / baselineBlocks;
            baselineSquares += delta * (mean - baselineMean);
        }
        return Optional.empty();
    }

    private double standardised(double mean) {
        double deviation = Math.sqrt(baselineSquares / (baselineBlocks - 1));
        // The mean of the baseline is itself uncertain by s/√n.
        double scale = Math.max(deviation, MIN_DEVIATION * baselineMean) * Math.sqrt(1 + 1.0 / baselineBlocks);
        double difference = mean - baselineMean;
        if (!(scale > 0)) {
            return difference > 0 ? MAX_SCORE : 0;
        }
        return Math.max(-MAX_SCORE, Math.min(MAX_SCORE, difference / scale));
    }

    private void restart() {
        sinceEvent = 0;
        blockSum = 0;
        blockSize = 0;
        baselineBlocks = 0;
        baselineMean = 0;
        baselineSquares = 0;
        rise.reset();
    }

    /** The accumulated rise g, to be compared with the threshold. */
    public double score() {
        return rise.sum();
    }

    /** Writes everything a detector needs to continue beside its settings. */
    void save(StateSink.Ordered sink) {
        sink.count("samples", samples);
        sink.count("sinceEvent", sinceEvent);
        sink.number("blockSum", blockSum);
        sink.size("blockSize", blockSize);
        sink.count("baselineBlocks", baselineBlocks);
        sink.number("baselineMean", baselineMean);
        sink.number("baselineSquares", baselineSquares);
        sink.number("score", rise.sum());
        sink.count("riseStart", riseStart);
        sink.number("riseSum", riseSum);
        sink.count("riseBlocks", rise.length());
    }

    /**
     * A detector that continues from a saved one, bit for bit.
     *
     * @throws InvalidStateException for numbers that no detector can have
     */
    public static DriftDetector read(DriftConfig config, StateSource.Ordered source) {
        DriftDetector detector = new DriftDetector(config);
        detector.samples = source.count("samples");
        detector.sinceEvent = source.count("sinceEvent");
        detector.blockSum = source.number("blockSum");
        detector.blockSize = source.size("blockSize");
        detector.baselineBlocks = source.count("baselineBlocks");
        detector.baselineMean = source.number("baselineMean");
        detector.baselineSquares = source.number("baselineSquares");
        double score = source.number("score");
        detector.riseStart = source.count("riseStart");
        detector.riseSum = source.number("riseSum");
        detector.rise.resume(score, source.count("riseBlocks"));
        detector.requirePossible();
        return detector;
    }

    private void requirePossible() {
        long least = Math.min(Math.min(baselineBlocks, riseStart), rise.length());
        long most = Math.max(Math.max(baselineBlocks, riseStart), Math.max(rise.length(), sinceEvent));
        boolean counts = least >= 0 && most <= samples && blockSize <= sinceEvent;
        for (double number : new double[] {blockSum, baselineMean, baselineSquares, rise.sum(), riseSum}) {
            counts &= number >= 0 && Double.isFinite(number);
        }
        InvalidStateException.require(counts, "drift", "numbers that no detector can have");
    }

    /** An independent detector in the same state. */
    public DriftDetector copy() {
        DriftDetector copy = new DriftDetector(config);
        copy.samples = samples;
        copy.sinceEvent = sinceEvent;
        copy.blockSum = blockSum;
        copy.blockSize = blockSize;
        copy.baselineBlocks = baselineBlocks;
        copy.baselineMean = baselineMean;
        copy.baselineSquares = baselineSquares;
        copy.riseStart = riseStart;
        copy.riseSum = riseSum;
        copy.rise.resume(rise.sum(), rise.length());
        return copy;
    }
}
