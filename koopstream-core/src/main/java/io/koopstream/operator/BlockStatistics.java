package io.koopstream.operator;

import io.koopstream.internal.linalg.Matrix;
import java.util.List;

/**
 * The additive statistics behind a least-squares operator, S = Σ β βᵀ, T = Σ α βᵀ and n, in contiguous blocks of the stream: what is
 * needed to say how far the operator would have come out differently from other samples. Immutable by convention: nobody writes to the
 * matrices again.
 */
public final class BlockStatistics {

    /** The sums over one stretch of the stream, with the weights that its samples have now. */
    public static final class Block {

        private final Matrix input;
        private final Matrix cross;
        private final double weight;

        /** Takes over its arguments. */
        public Block(Matrix input, Matrix cross, double weight) {
            this.input = input;
            this.cross = cross;
            this.weight = weight;
        }

        /** The statistics of this stretch without those of the stretch it begins with. */
        public Block minus(Block earlier) {
            Matrix inputLeft = input.copy();
            Matrix crossLeft = cross.copy();
            inputLeft.add(-1.0, earlier.input);
            crossLeft.add(-1.0, earlier.cross);
            return new Block(inputLeft, crossLeft, weight - earlier.weight);
        }

        /** Σ β βᵀ over the block, for reading. */
        public Matrix input() {
            return input;
        }

        /** Σ α βᵀ over the block, for reading. */
        public Matrix cross() {
            return cross;
        }

        /** Σ of the weights of its samples. */
        public double weight() {
            return weight;
        }
    }

    private final TransitionOperator operator;
    private final Block total;
    private final double lambda;
    private final List<Block> blocks;

    /**
     * Takes over its arguments.
     *
     * @param operator the minimiser for the total
     * @param total the sum over all samples
     * @param lambda ridge of the mean risk
     * @param blocks the stretches, oldest first, which add up to the total
     */
    public BlockStatistics(TransitionOperator operator, Block total, double lambda, List<Block> blocks) {
        this.operator = operator;
        this.total = total;
        this.lambda = lambda;
        this.blocks = List.copyOf(blocks);
    }

    /** The operator that minimises the risk for the total. */
    public TransitionOperator operator() {
        return operator;
    }

    /** The sums over all samples. */
    public Block total() {
        return total;
    }

    /** Ridge of the mean risk. */
    public double lambda() {
        return lambda;
    }

    /** The stretches, oldest first. */
    public List<Block> blocks() {
        return blocks;
    }
}
