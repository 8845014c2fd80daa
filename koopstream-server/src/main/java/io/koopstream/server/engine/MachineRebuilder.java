package io.koopstream.server.engine;

import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.ModelStore;
import java.nio.ByteBuffer;
import java.util.Map;

/** Brings a machine back from what is stored. */
final class MachineRebuilder implements ModelStore.Rebuilder {

    private final ModelSettings settings;
    private ModelMachine machine;

    MachineRebuilder(ModelSettings settings) {
        this.settings = settings;
    }

    @Override
    public void begin(Map<String, ByteBuffer> parts, String source) {
        machine = parts.isEmpty() ? new ModelMachine(settings) : ModelMachine.restore(settings, parts, source);
    }

    @Override
    public void record(ByteBuffer contents, String source) {
        Batch batch = Batch.unpacked(contents, source);
        int dimension = machine.dimension();
        if (dimension != 0 && batch.dimension() != dimension) {
            throw new DamagedDataException(
                    source, -1, "states of " + dimension + " coordinates", batch.dimension() + " coordinates");
        }
        machine.apply(batch, batch.isNumbered() ? batch.hashes() : new long[0]);
    }

    /** The machine as it was. */
    ModelMachine machine() {
        return machine;
    }
}
