package io.koopstream.systems;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Eigenvalue tables written by the scripts that stand beside them in the resources. */
final class ReferenceSpectrum {

    private ReferenceSpectrum() {}

    /** All rows of the table; the first two columns are real and imaginary part, further ones are for human readers. */
    static double[][] read(String resource) {
        InputStream stream = ReferenceSpectrum.class.getResourceAsStream(resource);
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
