package io.koopstream.io;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A model as arrays for other programs, in orthonormal coordinates, which stay exact however ill-conditioned the Gram matrices are (the
 * coefficients W of the paper do not): β(x) = L⁻¹ k(x) with k(x)_i = κ(x_i, x), U φ(x) has coordinates M β(x) on the outputs, and the eigenvalues
 * of A are those of {@code koop spectrum}: an eigenvector c of Aᵀ is the eigenfunction f(x) = c·β(x).
 */
public final class ModelArrays {

    /** The settings; written last, so that a folder with it is complete. */
    public static final String SETTINGS = "config.json";

    /** All files. */
    public static final List<String> FILES =
            List.of("x.npy", "x_next.npy", "L.npy", "L_next.npy", "M.npy", "A.npy", SETTINGS);

    private ModelArrays() {}

    /** Writes the arrays and the facts into a folder that exists. */
    public static void write(Path folder, KoopmanOperator operator, Object facts) throws IOException {
        int dimension = operator.domain().dimension();
        array(folder.resolve("x.npy"), operator.inputPoints(), dimension);
        array(folder.resolve("x_next.npy"), operator.outputPoints(), dimension);
        matrix(folder.resolve("L.npy"), operator.inputBasis().factor());
        matrix(folder.resolve("L_next.npy"), operator.outputBasis().factor());
        matrix(folder.resolve("M.npy"), operator.matrix());
        matrix(folder.resolve("A.npy"), operator.oneStep());
        Files.writeString(folder.resolve(SETTINGS), Json.text(facts));
    }

    private static void matrix(Path file, Matrix matrix) throws IOException {
        array(file, matrix.toRows(), matrix.columns());
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
