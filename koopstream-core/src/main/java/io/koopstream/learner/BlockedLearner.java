package io.koopstream.learner;

import io.koopstream.InvalidConfigException;
import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.linalg.Matrix;
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

    /** The sums at the end of a block. */
    private static final class Mark {
        private final long samples;
        private final LeastSquaresState state;
        /** What one unit of weight then is worth now, because of discounts (not of forgetting, which follows from the count). */
        private final double worth;

        Mark(long samples, LeastSquaresState state, double worth) {
            this.samples = samples;
            this.state = state;
            this.worth = worth;
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
        if (samples >= recorded + length) {
            close(samples);
        }
        return learner.update(x, xNext);
    }

    private void close(long samples) {
        LeastSquaresState state = learner.state();
        List<Mark> kept = new ArrayList<>(2 * fewestBlocks);
        for (Mark record : records) {
            if (continues(record.state.inputBasis(), state.inputBasis())
                    && continues(record.state.outputBasis(), state.outputBasis())) {
                kept.add(record);
            }
        }
        kept.add(new Mark(samples, state, 1.0));
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

    /** Whether later coordinates begin with the earlier ones, as they do while points are only added. */
    private static boolean continues(NewtonBasis earlier, NewtonBasis later) {
        if (earlier.size() > later.size()) {
            return false;
        }
        for (int i = 0; i < earlier.size(); i++) {
            if (earlier.sampleNumber(i) != later.sampleNumber(i)) {
                return false;
            }
        }
        return true;
    }

    /** The statistics in blocks, the last one up to the newest sample. O(B m² + m³). */
    public BlockStatistics blocks() {
        LeastSquaresState now = learner.state();
        List<BlockStatistics.Block> blocks = new ArrayList<>();
        BlockStatistics.Block previous = null;
        List<Mark> ends = new ArrayList<>(records);
        ends.add(new Mark(now.samples(), now, 1.0));
        for (Mark end : ends) {
            if (continues(end.state.inputBasis(), now.inputBasis())
                    && continues(end.state.outputBasis(), now.outputBasis())) {
                BlockStatistics.Block sum = upTo(end, now);
                BlockStatistics.Block block = previous == null ? sum : difference(sum, previous);
                if (block.weight() > 0) {
                    blocks.add(block);
                }
                previous = sum;
            }
        }
        BlockStatistics.Block total =
                new BlockStatistics.Block(now.inputStatistics(), now.crossStatistics(), now.weight());
        return new BlockStatistics(learner.snapshot(), total, learner.config().lambda(), blocks);
    }

    /** The sums at a record, in today's coordinates and today's weights. */
    private BlockStatistics.Block upTo(Mark record, LeastSquaresState now) {
        int columns = now.inputBasis().size();
        int rows = now.outputBasis().size();
        double faded =
                record.worth * StrictMath.pow(learner.config().forgetting(), (double) (now.samples() - record.samples));
        Matrix input = new Matrix(columns, columns);
        Matrix cross = new Matrix(rows, columns);
        input.add(faded, record.state.inputStatistics());
        cross.add(faded, record.state.crossStatistics());
        return new BlockStatistics.Block(input, cross, faded * record.state.weight());
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
            discounted.add(new Mark(record.samples, record.state, record.worth * factor));
        }
        learner.discount(factor);
        records = discounted;
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
