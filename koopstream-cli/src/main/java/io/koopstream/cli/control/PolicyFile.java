package io.koopstream.cli.control;

import io.koopstream.control.LearnedPolicy;
import io.koopstream.io.TensorFile;
import java.nio.file.Path;

/** A controller as a file. */
final class PolicyFile {

    private static final String FORMAT = "koopstream-policy";

    private PolicyFile() {}

    static void write(Path file, LearnedPolicy policy) {
        new TensorFile(policy.texts(), policy.matrices()).write(file, FORMAT);
    }

    static LearnedPolicy read(Path file) {
        TensorFile tensors = TensorFile.read(file, FORMAT, LearnedPolicy.KEYS);
        return LearnedPolicy.restore(tensors.texts(), tensors::matrix);
    }
}
