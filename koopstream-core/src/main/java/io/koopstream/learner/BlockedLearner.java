package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.linalg.Matrix;
import io.koopstream.linalg.Rotations;
import io.koopstream.operator.BlockStatistics;
import io.koopstream.operator.TransitionOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * Online least squares that remembers its statistics in contiguous blocks of the stream, so that every eigenvalue gets a standard
 * error (see {@code EigenvalueSpread}).
 *
 * <p>The sums are recorded at the ends of blocks; the sum over a block is the difference of two records. Blocks start with
 * {@code firstLength} samples; whenever there are {@code 2 B} of them, neighbours are joined and blocks are twice as long from then on, so
 * there are always B to 2 B of equal length once the first B are full. What is recorded is a function of the number of samples alone.
 *
 * <p>One writer, see {@link Learner}. A sample costs nothing beyond the learner's own except at the end of a block, O(m²); memory
 * 16 m² bytes a block.
 *
 * @param <O> the type of the learned operator
 */
public final class BlockedLearner<O extends TransitionOperator> extends ForwardingLearner<O, LeastSquaresLearner<O>>
        implements Discountable {

    /** The sums at the end of a block. Immutable. */
    private static final class Mark {
        private final long samples;
        private final Matrix inputStatistics;
        private final Matrix crossStatistics;
        private final double weight;
        /** What one unit of weight then is worth now, because of discounts (not of forgetting, which follows from the count). */
        private final double worth;

        Mark(long samples, Matrix inputStatistics, Matrix crossStatistics, double weight, double worth) {
            this.samples = samples;
            this.inputStatistics = inputStatistics;
            this.crossStatistics = crossStatistics;
            this.weight = weight;
            this.worth = worth;
        }

        static Mark of(LeastSquaresState state) {
            return new Mark(state.samples(), state.inputStatistics(), state.crossStatistics(), state.weight(), 1.0);
        }

        Mark discounted(double factor) {
            return new Mark(samples, inputStatistics, crossStatistics, weight, worth * factor);
        }

        /** The same sums after the removal of a point: what the learner does to its own. */
        Mark without(LeastSquaresLearner.Removal removal) {
            Rotations rotations = removal.rotations();
            Matrix input = inputStatistics.copy();
            Matrix cross = crossStatistics.copy();
            // Points that came after the record have zeros in it.
            if (removal.input()) {
                input.resize(rotations.size(), rotations.size());
                cross.resize(cross.rows(), rotations.size());
                CappedDictionary.dropColumn(cross, rotations);
                CappedDictionary.dropColumn(input, rotations);
                CappedDictionary.dropRow(input, rotations);
            } else {
                cross.resize(rotations.size(), cross.columns());
                CappedDictionary.dropRow(cross, rotations);
            }
            return new Mark(samples, input, cross, weight, worth);
        }
    }

    private final int fewestBlocks;
    private final int firstLength;
    private List<Mark> records = new ArrayList<>();
    private long length;

    /** Twelve to twenty-four blocks, the first ones of 64 samples. */
    public BlockedLearner(LeastSquaresLearner<O> learner) {
        this(learner, 12, 64);
    }

    /**
     * Records the blocks of a learner, which is written through this object only from now on.
     *
     * @param fewestBlocks B, from 4 to 1000; a standard error from B blocks is itself uncertain by about 1/√(2B)
     * @param firstLength samples in the first blocks, >= 1; correlations of the residuals that reach further than a block are missed
     */
    public BlockedLearner(LeastSquaresLearner<O> learner, int fewestBlocks, int firstLength) {
        super(learner);
        SogdConfig.requireGiven("learner", learner);
        if (fewestBlocks < 4 || fewestBlocks > 1000) {
            throw new InvalidConfigException("blocks", fewestBlocks, "must be from 4 to 1000; try 12");
        }
        if (firstLength < 1) {
            throw new InvalidConfigException("firstLength", firstLength, "must be >= 1 sample; try 64");
        }
        this.fewestBlocks = fewestBlocks;
        this.firstLength = firstLength;
        this.length = firstLength;
        // From now on the learner notes what it removes, so that the records can follow.
        learner.takeRemovals();
    }

    @Override
    public StepOutcome update(double[] x, double[] xNext) {
        input().requireSample(x, "x");
        output().requireSample(xNext, "xNext");
        // The record of a finished block is taken before the next sample is learned: if memory runs out here, nothing
        // has
        // changed.
        long samples = learner.samples();
        long recorded = records.isEmpty() ? 0 : records.get(records.size() - 1).samples;
        if (samples >= recorded + length && learner.isSettled()) {
            close();
        }
        StepOutcome outcome = learner.update(x, xNext);
        records = following(records, learner);
        return outcome;
    }

    private void close() {
        List<Mark> kept = new ArrayList<>(records);
        kept.add(Mark.of(learner.state()));
        if (kept.size() >= 2 * fewestBlocks) {
            List<Mark> joined = new ArrayList<>(2 * fewestBlocks);
            for (int i = 1; i < kept.size(); i += 2) {
                joined.add(kept.get(i));
            }
            kept = joined;
            length *= 2;
        }
        records = kept;
    }

    /** The records in the coordinates that the learner has after what it just removed. */
    private static List<Mark> following(List<Mark> records, LeastSquaresLearner<?> learner) {
        List<Mark> followed = records;
        for (LeastSquaresLearner.Removal removal : learner.takeRemovals()) {
            List<Mark> next = new ArrayList<>(followed.size());
            for (Mark record : followed) {
                next.add(record.without(removal));
            }
            followed = next;
        }
        return followed;
    }

    /** The statistics in blocks, the last one up to the newest sample. O(B m² + m³). */
    public BlockStatistics blocks() {
        LeastSquaresLearner<O> settled = learner.settledCopy();
        LeastSquaresState now = settled.state();
        List<BlockStatistics.Block> blocks = new ArrayList<>();
        BlockStatistics.Block previous = null;
        List<Mark> ends = new ArrayList<>(following(records, settled));
        ends.add(Mark.of(now));
        for (Mark end : ends) {
            BlockStatistics.Block sum = upTo(end, now);
            BlockStatistics.Block block = previous == null ? sum : difference(sum, previous);
            if (block.weight() > 0) {
                blocks.add(block);
            }
            previous = sum;
        }
        BlockStatistics.Block total =
                new BlockStatistics.Block(now.inputStatistics(), now.crossStatistics(), now.weight());
        return new BlockStatistics(learner.snapshot(), total, learner.config().lambda(), blocks);
    }

    /** The sums at a record, in today's size and today's weights. */
    private BlockStatistics.Block upTo(Mark record, LeastSquaresState now) {
        int columns = now.inputBasis().size();
        int rows = now.outputBasis().size();
        double faded =
                record.worth * StrictMath.pow(learner.config().forgetting(), (double) (now.samples() - record.samples));
        Matrix input = new Matrix(columns, columns);
        Matrix cross = new Matrix(rows, columns);
        input.add(faded, record.inputStatistics);
        cross.add(faded, record.crossStatistics);
        return new BlockStatistics.Block(input, cross, faded * record.weight);
    }

    private static BlockStatistics.Block difference(BlockStatistics.Block later, BlockStatistics.Block earlier) {
        Matrix input = later.input().copy();
        Matrix cross = later.cross().copy();
        input.add(-1.0, earlier.input());
        cross.add(-1.0, earlier.cross());
        return new BlockStatistics.Block(input, cross, later.weight() - earlier.weight());
    }

    @Override
    public void discount(double factor) {
        Discountable.requireFactor(factor);
        List<Mark> discounted = new ArrayList<>(2 * fewestBlocks);
        for (Mark record : records) {
            discounted.add(record.discounted(factor));
        }
        learner.discount(factor);
        records = following(discounted, learner);
    }

    @Override
    public void reset() {
        learner.reset();
        records = new ArrayList<>();
        length = firstLength;
    }

    @Override
    public BlockedLearner<O> copy() {
        BlockedLearner<O> copy = new BlockedLearner<>(learner.copy(), fewestBlocks, firstLength);
        // Records are immutable.
        copy.records = new ArrayList<>(records);
        copy.length = length;
        return copy;
    }
}
