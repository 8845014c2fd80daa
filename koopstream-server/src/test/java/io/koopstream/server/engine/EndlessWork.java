package io.koopstream.server.engine;

import java.util.Map;

/** A stream without end of which every process knows every batch, and what a model has learned after any number of them. */
final class EndlessWork {

    static final String MODEL = "m";
    private static final int SIZE = 4;

    private final ModelMachine machine = new ModelMachine(settings());

    static ModelSettings settings() {
        return ModelSettings.of(Map.of(
                "dimension", "1", "kernel", "gaussian(0.4)", "epsilon", "0.3", "block", "16", "maxDictionary", "25"));
    }

    /** Batch number i, counted from 0. */
    static Batch batch(long i) {
        double[] states = new double[SIZE];
        for (int k = 0; k < SIZE; k++) {
            long t = i * SIZE + k;
            long noise = (t + 1) * 0x9E3779B97F4A7C15L;
            noise = (noise ^ (noise >>> 30)) * 0xBF58476D1CE4E5B9L;
            states[k] = StrictMath.sin(0.05 * t) + 0.3 * StrictMath.sin(0.71 * t) + (noise >>> 40) * 1e-8;
        }
        return Batch.states(1, states, false).numbered("s", i * SIZE);
    }

    /** The digest after so many batches, which may not fall from call to call. */
    String digest(long count) {
        while (machine.batches() < count) {
            Batch next = batch(machine.batches());
            machine.apply(next, next.hashes());
        }
        if (machine.batches() != count) {
            throw new IllegalArgumentException(count + " batches after " + machine.batches());
        }
        return machine.capture().digest();
    }
}
