package io.koopstream.systems;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Tables of known values, written by the scripts that stand beside them in the resources. */
final class ReferenceTable {

    private ReferenceTable() {}

    /** The first rows of a table of eigenvalues; refuses to give more than it has. */
    static double[][] leading(String resource, int count, BenchmarkSystem system) {
        Checks.eigenvalueCount(count);
        double[][] known = read(resource);
        if (count > known.length) {
            throw new IllegalArgumentException("count = " + count + ": must be <= " + known.length
                    + " (eigenvalues known for " + system.id() + ")");
        }
        return Arrays.copyOf(known, count);
    }

    /**
     * All rows of the table, of each the first two columns: real and imaginary part of an eigenvalue, or a value and its standard error. Further
     * columns are for human readers.
     */
    static double[][] read(String resource) {
        InputStream stream = ReferenceTable.class.getResourceAsStream(resource);
        if (stream == null) {
            throw new IllegalStateException(resource + ": missing from the class path");
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .map(cells -> new double[] {Double.parseDouble(cells[0]), Double.parseDouble(cells[1])})
                    .toArray(double[][]::new);
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }
}
