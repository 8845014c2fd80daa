package io.koopstream.flink.job;

import io.koopstream.flink.ModelRecord;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Runs a {@link ModelPublisher}: an operator, because what waits must be sent before the barrier of a checkpoint, which a function cannot do. */
final class PublishModels extends AbstractStreamOperator<Outgoing>
        implements OneInputStreamOperator<ModelRecord, Outgoing>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final ModelStore store;
    private final long largestRecord;
    private final int keep;
    private transient ModelPublisher publisher;

    PublishModels(ModelTargetSettings target) {
        store = new ModelStore(target.folder());
        largestRecord = target.topic().isPresent() ? target.largestRecord() : -1;
        keep = target.keep();
    }

    @Override
    public void open() {
        publisher =
                new ModelPublisher(store, largestRecord, keep, result -> output.collect(new StreamRecord<>(result)));
    }

    @Override
    public void processElement(StreamRecord<ModelRecord> element) throws Exception {
        publisher.add(element.getValue());
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
        publisher.checkpoint(checkpoint);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        super.notifyCheckpointComplete(checkpoint);
        publisher.complete(checkpoint);
    }

    @Override
    public void endInput() throws Exception {
        publisher.flush();
    }

    @Override
    public void close() throws Exception {
        if (publisher != null) {
            publisher.close();
        }
        super.close();
    }
}
