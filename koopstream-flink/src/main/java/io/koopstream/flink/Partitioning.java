package io.koopstream.flink;

import io.koopstream.InvalidConfigException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * How one big stream is cut into parts that learn side by side: a name for the whole and a key for every part, in order. The keys follow from the name,
 * the number of parts and the maximum parallelism alone, which a job keeps for life, so that a job finds its parts again at whatever parallelism.
 */
public final class Partitioning implements Serializable {

    private static final long serialVersionUID = 2L;

    private static final int MAX_PARTS = 10_000;
    private static final int MAX_MAX_PARALLELISM = 1 << 15;

    private final String stream;
    private final int maxParallelism;
    private final ArrayList<String> keys = new ArrayList<>();
    private final HashMap<String, Integer> numbers = new HashMap<>();

    private Partitioning(String stream, String prefix, int parts, int maxParallelism) {
        this.stream = stream;
        this.maxParallelism = maxParallelism;
        for (int p = 0; p < parts; p++) {
            // Flink gives task t the key groups from t/parallelism to (t+1)/parallelism of all: parts that lie evenly
            // among
            // the key groups are shared out evenly at every parallelism. Its hash of plain names would not do that.
            int group = (int) ((long) p * maxParallelism / parts);
            String key = prefix + "#" + p;
            for (int salt = 1; KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism) != group; salt++) {
                key = prefix + "#" + p + "." + salt;
            }
            keys.add(key);
            numbers.put(key, p);
        }
    }

    /**
     * Parts of a stream.
     *
     * @param stream the name of the whole
     * @param parts how many, from 1
     * @param maxParallelism of the job
     */
    public static Partitioning of(String stream, int parts, int maxParallelism) {
        if (parts < 1 || parts > MAX_PARTS) {
            throw new InvalidConfigException("partitions", parts, "must be from 1 to " + MAX_PARTS);
        }
        if (maxParallelism < 1 || maxParallelism > MAX_MAX_PARALLELISM) {
            throw new InvalidConfigException(
                    "maxParallelism", maxParallelism, "must be from 1 to " + MAX_MAX_PARALLELISM);
        }
        return new Partitioning(stream, stream, parts, maxParallelism);
    }

    /** The stages in which parts become one: each puts up to {@code fanIn} neighbours together, and the last has one part, the whole. */
    public List<Stage> stages(int fanIn) {
        if (fanIn < 2) {
            throw new InvalidConfigException("fanIn", fanIn, "must be >= 2");
        }
        List<Stage> stages = new ArrayList<>();
        Partitioning from = this;
        long weight = 1;
        do {
            int groups = (from.parts() + fanIn - 1) / fanIn;
            String prefix = stream + "/" + (stages.size() + 1);
            Partitioning to = new Partitioning(stream, prefix, groups, maxParallelism);
            stages.add(new Stage(from, to, fanIn, weight));
            from = to;
            weight *= fanIn;
        } while (from.parts() > 1);
        return stages;
    }

    /**
     * One step from many parts to fewer.
     *
     * @param from what comes in
     * @param to what comes out
     * @param fanIn how many of the former become one of the latter
     * @param weight parts of the stream that one of the former stands for
     */
    public record Stage(Partitioning from, Partitioning to, int fanIn, long weight) implements Serializable {

        /** The key under which a model is put together with its neighbours, for {@code keyBy} before {@link MergeFunction}. */
        public KeySelector<ModelRecord, String> byGroup() {
            return record -> {
                Integer part = from.numbers.get(record.key);
                // One that belongs to nobody is rejected there, by name.
                return to.key(part == null ? 0 : part / fanIn);
            };
        }

        /** Whether what comes out is the whole. */
        public boolean isLast() {
            return to.parts() == 1;
        }
    }

    /** The name of the whole: the key of merged models. */
    public String stream() {
        return stream;
    }

    /** How many parts there are. */
    public int parts() {
        return keys.size();
    }

    /** The key of a part. */
    public String key(int part) {
        return keys.get(part);
    }

    /** The part with a key, -1 when there is none. */
    public int part(String key) {
        return numbers.getOrDefault(key, -1);
    }

    /** The part that learns what a source, such as a partition, brings: all of it, in order, so that what a part learns depends on its sources alone. */
    public int partOf(String topic, int partition) {
        return Math.floorMod(topic.hashCode() + partition, parts());
    }

    @Override
    public String toString() {
        return parts() + " parts of " + stream;
    }
}
