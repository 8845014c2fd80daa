package io.koopstream.server.engine;

import io.koopstream.InvalidConfigException;
import io.koopstream.server.durable.Durability;

/**
 * The limits of an engine.
 *
 * @param durability what an acknowledged sample survives
 * @param queueSamples samples that may wait in a model, accepted or not, >= 1; more are refused as busy
 * @param snapshotEvery samples between two snapshots of a model, >= 1
 * @param maxModels models at once, >= 1
 * @param maxStreams streams of a model, >= 1; each takes 8 kB
 * @param segmentBytes size of a log file beyond which the next one is begun, >= 1
 * @param heavyAnswers costly answers (spectra, solves) computed at once over all models, >= 1
 * @param memoryBytes what models, samples that wait and bodies under way may take together, >= 1
 */
public record EngineConfig(
        Durability durability,
        int queueSamples,
        long snapshotEvery,
        int maxModels,
        int maxStreams,
        int segmentBytes,
        int heavyAnswers,
        long memoryBytes) {

    /** The rest of the heap is for answers, and for what is on its way from one place to another. */
    private static final double SHARE_OF_HEAP = 0.6;

    /** Models at once, unless another number is asked for; each has two threads and takes 1 MB or more of the memory. */
    public static final int MAX_MODELS = 64;

    /** Refuses settings out of range. */
    public EngineConfig {
        if (durability == null) {
            throw new InvalidConfigException("durability", null, "must be given: fsync or os");
        }
        requirePositive("queueSamples", queueSamples, "100000");
        requirePositive("snapshotEvery", snapshotEvery, "200000");
        requirePositive("maxModels", maxModels, "" + MAX_MODELS);
        requirePositive("maxStreams", maxStreams, "256");
        requirePositive("segmentBytes", segmentBytes, "16777216");
        requirePositive("heavyAnswers", heavyAnswers, "1");
        requirePositive("memoryBytes", memoryBytes, "1000000000");
    }

    /** The usual share of the heap. */
    public EngineConfig(
            Durability durability,
            int queueSamples,
            long snapshotEvery,
            int maxModels,
            int maxStreams,
            int segmentBytes,
            int heavyAnswers) {
        this(durability, queueSamples, snapshotEvery, maxModels, maxStreams, segmentBytes, heavyAnswers, (long)
                (SHARE_OF_HEAP * Runtime.getRuntime().maxMemory()));
    }

    private static void requirePositive(String field, long value, String hint) {
        if (value < 1) {
            throw new InvalidConfigException(field, value, "must be >= 1; try " + hint);
        }
    }

    /** Synced before acknowledged; 100,000 samples in the queue, a snapshot every 200,000, 64 models, 256 streams, one core left to learners. */
    public static EngineConfig defaults() {
        int cores = Runtime.getRuntime().availableProcessors();
        return new EngineConfig(Durability.FSYNC, 100_000, 200_000, MAX_MODELS, 256, 1 << 24, Math.max(1, cores - 1));
    }

    /** The same with another durability. */
    public EngineConfig with(Durability other) {
        return new EngineConfig(
                other, queueSamples, snapshotEvery, maxModels, maxStreams, segmentBytes, heavyAnswers, memoryBytes);
    }

    /** The same with another queue. */
    public EngineConfig withQueueSamples(int samples) {
        return new EngineConfig(
                durability, samples, snapshotEvery, maxModels, maxStreams, segmentBytes, heavyAnswers, memoryBytes);
    }

    /** The same with another number of models. */
    public EngineConfig withMaxModels(int models) {
        return new EngineConfig(
                durability, queueSamples, snapshotEvery, models, maxStreams, segmentBytes, heavyAnswers, memoryBytes);
    }

    /** The same with another memory. */
    public EngineConfig withMemoryBytes(long bytes) {
        return new EngineConfig(
                durability, queueSamples, snapshotEvery, maxModels, maxStreams, segmentBytes, heavyAnswers, bytes);
    }
}
