package io.koopstream.server.engine;

import io.koopstream.io.ModelFile;
import io.koopstream.learner.LearnerState;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Everything a {@link ModelMachine} needs to go on, bit for bit, as an immutable value. */
final class MachineState {

    /** The part with the learner, as a model file; missing while the model warms up. */
    static final String MODEL = "MODL";
    /** The part with the model that predicts for the one-step error, as a model file. */
    static final String REFERENCE = "REFM";
    /** The part with all the rest. */
    static final String REST = "RST2";
    /** The same as it was when the machine itself kept pairs aside. */
    static final String OLDER_REST = "REST";

    private final LearnerState model;
    private final LearnerState reference;
    private final byte[] rest;

    MachineState(LearnerState model, LearnerState reference, byte[] rest) {
        this.model = model;
        this.reference = reference;
        this.rest = rest;
    }

    /** The parts as bytes; equal states have equal parts. */
    Map<String, ByteBuffer> parts() {
        Map<String, ByteBuffer> parts = new LinkedHashMap<>();
        if (model != null) {
            parts.put(MODEL, ByteBuffer.wrap(ModelFile.encode(model)));
        }
        if (reference != null) {
            parts.put(REFERENCE, ByteBuffer.wrap(ModelFile.encode(reference)));
        }
        parts.put(REST, ByteBuffer.wrap(rest));
        return parts;
    }

    /** SHA-256 over every bit of it, as 64 hexadecimal digits. */
    String digest() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            parts().values().forEach(sha::update);
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
