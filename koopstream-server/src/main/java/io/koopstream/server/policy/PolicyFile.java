package io.koopstream.server.policy;

import io.koopstream.control.LearnedPolicy;
import io.koopstream.io.TensorFile;
import java.nio.file.Path;

/** A controller as a file. */
public final class PolicyFile {

    /** How the name of such a file ends. */
    public static final String ENDING = ".safetensors";

    private static final String FORMAT = "koopstream-policy";

    private PolicyFile() {}

    /** Writes a file, and replaces it if it exists. */
    public static void write(Path file, LearnedPolicy policy) {
        new TensorFile(policy.texts(), policy.matrices()).write(file, FORMAT);
    }

    /** Reads a file. */
    public static LearnedPolicy read(Path file) {
        return policy(TensorFile.read(file, FORMAT, LearnedPolicy.KEYS));
    }

    /** The contents of a file, of which nothing is computed yet. */
    static TensorFile tensors(byte[] bytes) {
        return TensorFile.of(bytes, FORMAT, LearnedPolicy.KEYS);
    }

    static LearnedPolicy policy(TensorFile tensors) {
        return LearnedPolicy.restore(tensors.texts(), tensors::matrix);
    }
}
