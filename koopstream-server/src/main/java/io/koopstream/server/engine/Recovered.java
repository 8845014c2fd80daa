package io.koopstream.server.engine;

import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.LogRecords;
import io.koopstream.server.durable.ModelStore;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A model as it is stored: a machine that has learned what a snapshot holds, and where its streams are after everything in the log. So batches can be accepted before those in
 * the log are learned.
 */
final class Recovered implements ModelStore.Rebuilder {

    private final ModelSettings settings;
    private ModelMachine machine;
    private Map<String, StreamLedger> ledgers;
    private int dimension;
    private long samples;
    private boolean isWithinBatch;

    Recovered(ModelSettings settings) {
        this.settings = settings;
    }

    @Override
    public void begin(Map<String, ByteBuffer> parts, String source) {
        machine = parts.isEmpty() ? new ModelMachine(settings) : ModelMachine.restore(settings, parts, source);
        ledgers = machine.ledgers();
        dimension = machine.dimension();
        samples = machine.received();
        isWithinBatch = machine.isWithinBatch();
    }

    @Override
    public void record(ByteBuffer contents, String source) {
        Batch batch = Batch.unpacked(contents, source);
        if (dimension != 0 && batch.dimension() != dimension) {
            throw new DamagedDataException(
                    source, -1, "states of " + dimension + " coordinates", batch.dimension() + " coordinates");
        }
        if (!isWithinBatch) {
            StreamLedger.enter(ledgers, batch, batch.hashesOfNumbered());
        }
        isWithinBatch = false;
        dimension = batch.dimension();
        samples += batch.size();
    }

    /** What has learned the snapshot. */
    ModelMachine machine() {
        return machine;
    }

    /** The streams after everything in the log; null for those without numbers. */
    Map<String, StreamLedger> ledgers() {
        return ledgers;
    }

    /** Coordinates of an observation; 0 while nobody knows. */
    int dimension() {
        return dimension;
    }

    /** Items in snapshot and log. */
    long samples() {
        return samples;
    }

    /** Learns what is in the log. */
    ModelMachine learned(LogRecords log) {
        while (log.hasNext()) {
            ByteBuffer contents = log.next();
            Batch batch = Batch.unpacked(contents, log.source());
            machine.apply(batch, batch.hashesOfNumbered());
        }
        return machine;
    }
}
