package io.koopstream.internal.dictionary;

import io.koopstream.InvalidConfigException;

/**
 * Number of samples a learner takes at once. With 1, the default, every sample is a step of its own; with B > 1 samples wait until their number
 * is a multiple of B and are then learned together, which is the same model to rounding at a fraction of the cost. Blocks end at fixed sample counts, so the state never depends on how a caller cuts the stream.
 */
public final class BlockSize {

    /** Every sample is a step of its own. */
    public static final int ONE = 1;

    /** The largest block: beyond it the sums inside a block cost more than they save. */
    public static final int MAX = 1024;

    private BlockSize() {}

    public static void requireLegal(int blockSize) {
        InvalidConfigException.require(
                blockSize >= ONE && blockSize <= MAX,
                "blockSize",
                blockSize,
                "must be from 1 (no batching) to " + MAX + "; try 64 for speed");
    }

    /** The block size as a line of the settings' canonical text; nothing for 1, as before there were blocks. */
    public static String text(int blockSize) {
        return blockSize == ONE ? "" : "\nblockSize " + blockSize;
    }
}
