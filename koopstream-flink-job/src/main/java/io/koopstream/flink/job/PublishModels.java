package io.koopstream.flink.job;

import io.koopstream.flink.ModelParts;
import io.koopstream.flink.ModelRecord;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Puts the parts of a model together and sends it on: small ones as they are, large ones as a file and a pointer to it.
 *
 * <p>The parts of a version leave the learner within one call, so a checkpoint never falls between them and they need no state here. A file is
 * there before its pointer is sent. An old file is deleted only when a newer pointer has been committed for a whole checkpoint, so that
 * whoever reads committed records finds the file.
 */
final class PublishModels extends ProcessFunction<ModelRecord, Outgoing>
        implements CheckpointedFunction, CheckpointListener {

    private static final long serialVersionUID = 1L;

    private final ModelStore store;
    private final boolean topic;
    private final int largestRecord;
    private final int keep;
    private transient ModelParts arriving;
    /** Newest file of each stream since the last checkpoint began. */
    private transient Map<String, Long> written;

    /** Newest files that belong to checkpoints which are not known to be complete. */
    private transient NavigableMap<Long, Map<String, Long>> awaiting;

    /** Newest files whose pointers were committed by a checkpoint before the last complete one. */
    private transient Map<String, Long> committed;

    PublishModels(ModelTargetSettings target) {
        this.store = new ModelStore(target.folder());
        this.topic = target.topic().isPresent();
        this.largestRecord = target.largestRecord();
        this.keep = target.keep();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
        arriving = new ModelParts();
        written = new HashMap<>();
        awaiting = new TreeMap<>();
        committed = new HashMap<>();
    }

    @Override
    public void processElement(ModelRecord record, Context context, Collector<Outgoing> out) throws IOException {
        Optional<ModelParts> whole = arriving.add(record);
        if (whole.isEmpty()) {
            return;
        }
        ModelParts model = whole.get();
        int length = Stream.of(model.parts).mapToInt(part -> part.length).sum();
        byte[] bytes = new byte[length];
        int filled = 0;
        for (byte[] part : model.parts) {
            System.arraycopy(part, 0, bytes, filled, part.length);
            filled += part.length;
        }
        String checksum = ModelPointer.checksum(bytes);
        if (topic && length <= largestRecord) {
            out.collect(Outgoing.model(model.key, model.version, checksum, false, bytes));
            return;
        }
        URI place = store.write(model.key, model.version, bytes);
        written.put(model.key, model.version);
        byte[] pointer = new ModelPointer(model.key, model.version, place.toString(), length, checksum).json();
        out.collect(Outgoing.model(model.key, model.version, checksum, true, pointer));
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        awaiting.put(context.getCheckpointId(), written);
        written = new HashMap<>();
    }

    /** Transactions are committed at this same moment, in no promised order: what is pruned now are files that an earlier one made old. */
    @Override
    public void notifyCheckpointComplete(long checkpoint) throws IOException {
        for (Map.Entry<String, Long> stream : committed.entrySet()) {
            store.prune(stream.getKey(), stream.getValue(), keep);
        }
        committed.clear();
        Map<Long, Map<String, Long>> complete = awaiting.headMap(checkpoint, true);
        complete.values().forEach(committed::putAll);
        complete.clear();
    }
}
