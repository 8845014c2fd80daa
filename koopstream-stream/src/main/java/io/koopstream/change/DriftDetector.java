package io.koopstream.change;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import java.util.Objects;
import java.util.Optional;

/**
 * Notices a lasting rise of the one-step prediction error: Page's one-sided cumulative sum (Page, <i>Continuous inspection schemes</i>,
 * Biometrika 41, 1954) on standardised block means.
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
    private double score;
    /** The first sample of the present rise, and the errors since. */
    private long riseStart;

    private double riseSum;
    private long riseBlocks;

    /** A new detector. */
    public DriftDetector(DriftConfig config) {
        this.config = Objects.requireNonNull(config, "config");
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
            double before = score;
            score = Math.max(0.0, score + standardised(mean) - config.slack());
            if (before == 0) {
                riseStart = samples - config.block() + 1;
                riseSum = 0;
                riseBlocks = 0;
            }
            riseSum += mean;
            riseBlocks++;
            if (score > config.threshold()) {
                DriftEvent event = new DriftEvent(samples, riseStart, baselineMean, riseSum / riseBlocks, score);
                restart();
                return Optional.of(event);
            }
        }
        if (score <= 0.5 * config.threshold()) {
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
        score = 0;
    }

    /** Number of errors taken. */
    public long samples() {
        return samples;
    }

    /** The accumulated rise g, to be compared with the threshold. */
    public double score() {
        return score;
    }

    /**
     * Everything a detector needs to continue beside its settings.
     *
     * @param samples errors taken
     * @param sinceEvent errors since the last event
     * @param blockSum sum of the errors of the block under way
     * @param blockSize how many they are
     * @param baselineBlocks blocks of the baseline
     * @param baselineMean their mean
     * @param baselineSquares sum of their squared deviations
     * @param score accumulated rise
     * @param riseStart first sample of the present rise
     * @param riseSum sum of the block means since
     * @param riseBlocks how many they are
     */
    public record State(
            long samples,
            long sinceEvent,
            double blockSum,
            int blockSize,
            long baselineBlocks,
            double baselineMean,
            double baselineSquares,
            double score,
            long riseStart,
            double riseSum,
            long riseBlocks) {

        /** Refuses numbers that no detector can have. */
        public State {
            boolean counts = samples >= 0
                    && sinceEvent >= 0
                    && sinceEvent <= samples
                    && blockSize >= 0
                    && blockSize <= sinceEvent
                    && baselineBlocks >= 0
                    && baselineBlocks <= samples
                    && riseStart >= 0
                    && riseStart <= samples
                    && riseBlocks >= 0
                    && riseBlocks <= samples;
            if (!counts) {
                throw new InvalidStateException("drift", "counts that no detector can have");
            }
            for (double number : new double[] {blockSum, baselineMean, baselineSquares, score, riseSum}) {
                if (!(number >= 0 && Double.isFinite(number))) {
                    throw new InvalidStateException("drift", number + " must be >= 0");
                }
            }
        }
    }

    /** Everything needed to continue. */
    public State state() {
        return new State(
                samples,
                sinceEvent,
                blockSum,
                blockSize,
                baselineBlocks,
                baselineMean,
                baselineSquares,
                score,
                riseStart,
                riseSum,
                riseBlocks);
    }

    /** Goes on from a saved state, bit for bit. */
    public static DriftDetector resume(DriftConfig config, State state) {
        DriftDetector detector = new DriftDetector(config);
        detector.samples = state.samples;
        detector.sinceEvent = state.sinceEvent;
        detector.blockSum = state.blockSum;
        detector.blockSize = state.blockSize;
        detector.baselineBlocks = state.baselineBlocks;
        detector.baselineMean = state.baselineMean;
        detector.baselineSquares = state.baselineSquares;
        detector.score = state.score;
        detector.riseStart = state.riseStart;
        detector.riseSum = state.riseSum;
        detector.riseBlocks = state.riseBlocks;
        return detector;
    }

    /** An independent detector in the same state. */
    public DriftDetector copy() {
        return resume(config, state());
    }
}
