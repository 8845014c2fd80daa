package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.PackedFactor;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;

/**
 * Coordinates of a block of samples in one dictionary, a row per sample, and their projection errors. Work arrays of one learner, single
 * thread.
 */
public final class BlockCoordinates {

    private final Matrix rows = new Matrix(0, 0);
    private final PackedFactor packed = new PackedFactor();
    private final Scratch scratch = new Scratch();
    private double[] squaredNorms = new double[0];
    private double[] missed = new double[0];
    private NewtonBasis basis;
    private Points samples;

    /** Measures all samples, which stay as they are until the next call, against the dictionary as it is. */
    public void measure(Dictionary dictionary, Points many, Products products) {
        samples = many;
        basis = dictionary.basis();
        int n = samples.size();
        basis.coordinateRows(samples, rows, packed, products, scratch);
        if (missed.length < n) {
            squaredNorms = new double[n];
            missed = new double[n];
        }
        basis.squaredNorms(samples, squaredNorms, scratch);
        Arrays.fill(missed, 0, n, 0.0);
        for (int i = 0; i < rows.columns(); i++) {
            Vectors.addSquaredDifferences(rows.column(i), 0.0, 1.0, missed, n);
        }
        for (int s = 0; s < n; s++) {
            missed[s] = Math.max(0.0, squaredNorms[s] - missed[s]);
        }
    }

    /** Coordinates, one row a sample. */
    public Matrix rows() {
        return rows;
    }

    /** κ(x, x) of a sample. */
    public double squaredNorm(int s) {
        return squaredNorms[s];
    }

    /** Squared projection error of a sample. */
    public double missed(int s) {
        return missed[s];
    }

    /** True if the basis misses more than ε of a sample. */
    public boolean isNovel(int s, double epsilon) {
        return PointCoordinates.isNovel(missed[s], squaredNorms[s], epsilon);
    }

    /** A copy of a sample. */
    double[] point(int s) {
        return samples.get(s);
    }

    /** Copies the first {@code count} coordinates of one sample. */
    void copyRow(int s, int count, double[] out) {
        for (int i = 0; i < count; i++) {
            out[i] = rows.get(s, i);
        }
    }

    /**
     * Sample t becomes a basis vector: samples after it get the new coordinate (κ(x_t, x_s) − β_t·β_s) / b, it has b itself, those before it
     * have nothing.
     */
    public void append(int t) {
        Rkhs space = basis.space();
        int n = samples.size();
        int last = rows.columns();
        double residual = Math.sqrt(missed[t]);
        rows.resize(n, last + 1);
        double[] added = rows.column(last);
        space.kernel().row(space.view(), samples, samples.get(t), added, scratch);
        for (int i = 0; i < last; i++) {
            double[] column = rows.column(i);
            Vectors.axpy(-column[t], column, added, t + 1, n);
        }
        Arrays.fill(added, 0, t, 0.0);
        added[t] = residual;
        missed[t] = 0;
        for (int s = t + 1; s < n; s++) {
            added[s] /= residual;
            missed[s] = Math.max(0.0, Math.fma(-added[s], added[s], missed[s]));
        }
    }
}
