package io.koopstream.io;

import io.koopstream.io.samples.NpyWriter;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A model as arrays for other programs: U = Σ_ij W[i,j] φ(x_next[i]) ⊗ φ(x[j]), so that E[g(x⁺) | x] = Σ_i (W k(x))[i] g(x_next[i]).
 */
public final class ModelArrays {

    /** The settings; written last, so that a folder with it is complete. */
    public static final String SETTINGS = "config.json";

    /** All files. */
    public static final List<String> FILES = List.of("x.npy", "x_next.npy", "W.npy", SETTINGS);

    private ModelArrays() {}

    /** Writes the arrays and the facts into a folder that exists. */
    public static void write(Path folder, KoopmanOperator operator, Map<String, Object> facts) throws IOException {
        int dimension = operator.domain().dimension();
        array(folder.resolve("x.npy"), operator.inputPoints(), dimension);
        array(folder.resolve("x_next.npy"), operator.outputPoints(), dimension);
        array(folder.resolve("W.npy"), operator.coefficients(), operator.inputPoints().length);
        Files.writeString(folder.resolve(SETTINGS), Json.text(facts));
    }

    private static void array(Path file, double[][] rows, int columns) throws IOException {
        try (NpyWriter writer = new NpyWriter(file, NpyWriter.Kind.REAL, columns)) {
            for (double[] row : rows) {
                writer.write(row);
            }
            writer.commit();
        }
    }
}
