package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidConfigException;
import io.koopstream.learner.Discountable;
import io.koopstream.learner.StepOutcome;
import io.koopstream.operator.BlockStatistics;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * The statistics of a least-squares learner in contiguous batches of its stream, so that every eigenvalue gets a standard error (see
 * {@code EigenvalueSpread}). The learner is written through its companion; all else is asked of the learner itself.
 *
 * <p>The sums are recorded at the ends of batches; the sum over a batch is the difference of two records. Batches start with
 * {@code firstLength} samples; whenever there are {@code 2 B} of them, neighbours are joined and batches are twice as long from then on, so
 * there are always B to 2 B of equal length once the first B are full. What is recorded is a function of the number of samples alone.
 *
 * <p>Mutable, one writer. A sample costs nothing beyond the learner's own except at the end of a batch, O(m²); memory
 * 16 m² bytes per batch.
 *
 * @param <O> the type of the learned operator
 */
public final class BatchMeans<O extends TransitionOperator> implements Discountable {

    /**
     * The sums at the end of a batch. Nobody writes to them again.
     *
     * @param worth what one unit of weight then is worth now, because of discounts (not of forgetting, which follows from the count)
     */
    private record Mark(long samples, LeastSquaresSums sums, double worth) {}

    private final LeastSquaresLearner<O> learner;
    private final int minBatches;
    private List<Mark> records = new ArrayList<>();
    private long length;
    /** Number of samples seen when the records were last counted again for good. */
    private long countedAgain;

    /** Twelve to twenty-four batches, the first ones of 64 samples. */
    public BatchMeans(LeastSquaresLearner<O> learner) {
        this(learner, 12, 64);
    }

    /**
     * Records the batches of a learner, which is written through this object only from now on.
     *
     * @param minBatches B, from 4 to 1000; a standard error from B batches is itself uncertain by about 1/√(2B)
     * @param firstLength samples in the first batches, >= 1; correlations of the residuals that reach further than a batch are missed
     */
    public BatchMeans(LeastSquaresLearner<O> learner, int minBatches, int firstLength) {
        InvalidConfigException.requireGiven("learner", learner);
        if (minBatches < 4 || minBatches > 1000) {
            throw new InvalidConfigException("blocks", minBatches, "must be from 4 to 1000; try 12");
        }
        if (firstLength < 1) {
            throw new InvalidConfigException("firstLength", firstLength, "must be >= 1 sample; try 64");
        }
        this.learner = learner;
        this.minBatches = minBatches;
        this.length = firstLength;
        // From now on the learner notes what it removes, so that the records can follow.
        learner.statistics().takeRemovals();
    }

    /** The learner whose batches these are, for reading. */
    public LeastSquaresLearner<O> learner() {
        return learner;
    }

    /** Learns from one pair that the caller has checked, see {@link LeastSquaresLearner#updateChecked}. */
    public StepOutcome update(double[] x, double[] xNext) {
        // The record of a finished batch is taken before the next sample is learned: if memory runs out here, nothing
        // has changed.
        long samples = learner.samples();
        long recorded = records.isEmpty() ? 0 : records.get(records.size() - 1).samples;
        if (samples >= recorded + length && learner.isSettled()) {
            close();
        }
        if (learner.forgetsFirstNext() && countedAgain != samples) {
            records = countedAgain(records, learner);
            countedAgain = samples;
        }
        StepOutcome outcome = learner.updateChecked(x, xNext);
        records = following(records, learner);
        return outcome;
    }

    private void close() {
        List<Mark> kept = new ArrayList<>(records);
        kept.add(new Mark(learner.samples(), learner.statistics().sums().copy(), 1.0));
        if (kept.size() >= 2 * minBatches) {
            List<Mark> joined = new ArrayList<>(2 * minBatches);
            for (int i = 1; i < kept.size(); i += 2) {
                joined.add(kept.get(i));
            }
            kept = joined;
            length *= 2;
        }
        records = kept;
    }

    /** The records as the learner counts the first pairs again: with all points, also those kept after them. */
    private static List<Mark> countedAgain(List<Mark> records, LeastSquaresLearner<?> learner) {
        if (!learner.remembersAll()) {
            return records;
        }
        List<LeastSquaresSums> sums =
                learner.sumsAfter(records.stream().mapToLong(Mark::samples).toArray());
        List<Mark> counted = new ArrayList<>(records.size());
        for (int i = 0; i < records.size(); i++) {
            counted.add(new Mark(records.get(i).samples, sums.get(i), records.get(i).worth));
        }
        return counted;
    }

    /** The records in the coordinates that the learner has after what it just removed. */
    private static List<Mark> following(List<Mark> records, LeastSquaresLearner<?> learner) {
        List<Mark> followed = records;
        for (LeastSquaresStatistics.Removal removal : learner.statistics().takeRemovals()) {
            List<Mark> next = new ArrayList<>(followed.size());
            for (Mark record : followed) {
                LeastSquaresSums sums = record.sums.copy();
                sums.growAndFollow(removal.input(), removal.rotations());
                next.add(new Mark(record.samples, sums, record.worth));
            }
            followed = next;
        }
        return followed;
    }

    /** The statistics in batches, the last one up to the newest sample. O(B m² + m³). */
    public BlockStatistics blocks() {
        LeastSquaresLearner<O> settled = learner.settledCopy();
        LeastSquaresState now = settled.state();
        List<BlockStatistics.Block> blocks = new ArrayList<>();
        BlockStatistics.Block previous = null;
        List<Mark> ends = new ArrayList<>(countedAgain(following(records, settled), settled));
        ends.add(new Mark(now.samples(), now.sums(), 1.0));
        for (Mark end : ends) {
            BlockStatistics.Block sum = upTo(end, now);
            BlockStatistics.Block block = previous == null ? sum : sum.minus(previous);
            if (block.weight() > 0) {
                blocks.add(block);
            }
            previous = sum;
        }
        BlockStatistics.Block total =
                new BlockStatistics.Block(now.inputStatistics(), now.crossStatistics(), now.weight());
        // First the snapshot, whose state has then chosen λ.
        O snapshot = learner.snapshot();
        return new BlockStatistics(snapshot, total, learner.state().spectrumLambda(), blocks);
    }

    /** The sums at a record, in today's size and today's weights. */
    private BlockStatistics.Block upTo(Mark record, LeastSquaresState now) {
        double faded =
                record.worth * StrictMath.pow(learner.config().forgetting(), (double) (now.samples() - record.samples));
        LeastSquaresSums sums = new LeastSquaresSums(
                learner.config().isOneSpace(),
                now.inputBasis().size(),
                now.outputBasis().size(),
                learner.config().targets());
        sums.plus(faded, record.sums);
        return new BlockStatistics.Block(sums.input(), sums.cross(), sums.weight());
    }

    /** Makes the past of learner and batches count less, see {@link LeastSquaresLearner#discount}. */
    @Override
    public void discount(double factor) {
        Discountable.requireFactor(factor);
        // The learner counts again what it remembers before it discounts it.
        learner.learnPending();
        records = countedAgain(following(records, learner), learner);
        List<Mark> discounted = new ArrayList<>(2 * minBatches);
        for (Mark record : records) {
            discounted.add(new Mark(record.samples, record.sums, record.worth * factor));
        }
        learner.discount(factor);
        records = following(discounted, learner);
    }
}
