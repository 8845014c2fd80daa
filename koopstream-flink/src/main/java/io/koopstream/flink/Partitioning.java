package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** How one big stream is cut into parts that learn side by side: a name for the whole and a key for every part, in order. */
public final class Partitioning implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int MAX_PARTITIONS = 10_000;

    private final String stream;
    private final ArrayList<String> keys;

    private Partitioning(String stream, List<String> keys) {
        this.stream = stream;
        this.keys = new ArrayList<>(keys);
    }

    /** Parts with plain keys; Flink's hashing decides which tasks get them, and some tasks may get none. */
    public static Partitioning of(String stream, int partitions) {
        requirePartitions(partitions);
        List<String> keys = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            keys.add(stream + "#" + p);
        }
        return new Partitioning(stream, keys);
    }

    /**
     * Parts whose keys are chosen so that every task gets its share: part p belongs to task p modulo the parallelism. With another
     * parallelism the job is as right, but perhaps not as even.
     *
     * @param parallelism of the operator that learns
     * @param maxParallelism of the job
     */
    public static Partitioning even(String stream, int partitions, int parallelism, int maxParallelism) {
        requirePartitions(partitions);
        if (parallelism < 1 || maxParallelism < parallelism || maxParallelism > 1 << 15) {
            throw new InvalidConfigException(
                    "parallelism", parallelism, "must be from 1 to the maximum parallelism, here " + maxParallelism);
        }
        List<String> keys = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            int salt = 0;
            String key = stream + "#" + p;
            while (KeyGroupRangeAssignment.assignKeyToParallelOperator(key, maxParallelism, parallelism)
                    != p % parallelism) {
                salt++;
                key = stream + "#" + p + "." + salt;
            }
            keys.add(key);
        }
        return new Partitioning(stream, keys);
    }

    private static void requirePartitions(int partitions) {
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw new InvalidConfigException("partitions", partitions, "must be from 1 to " + MAX_PARTITIONS);
        }
    }

    /** The name of the whole: the key of merged models. */
    public String stream() {
        return stream;
    }

    /** How many parts there are. */
    public int partitions() {
        return keys.size();
    }

    /** The key of a part. */
    public String key(int partition) {
        return keys.get(partition);
    }

    /** The part with a key, -1 when there is none. */
    public int partition(String key) {
        return keys.indexOf(key);
    }

    /** Puts everything under the name of the whole, for {@code keyBy} before {@link PairFunction} and {@link MergeFunction}. */
    public <T> KeySelector<T, String> toOne() {
        String name = stream;
        return record -> name;
    }
}
