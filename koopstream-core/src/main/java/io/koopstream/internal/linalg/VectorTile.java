package io.koopstream.internal.linalg;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** A block of {@link #ROWS} × {@link #COLUMNS} entries of a product that is held in registers. */
final class VectorTile {

    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** Two vectors of the machine. */
    static final int ROWS = 2 * LANES;

    /** Twelve accumulators, two parts of a column and a broadcast fit into sixteen registers. */
    static final int COLUMNS = PackedFactor.WIDTH;

    private static DoubleVector load(double[] x, int i) {
        return DoubleVector.fromArray(SPECIES, x, i);
    }

    /**
     * C ← C + (left)(right) for rows [row, row + ROWS) and columns [column, column + COLUMNS).
     *
     * @param left depth × ROWS, k by k
     * @param right columns, of which rows [fromK, fromK + depth) of [rightColumn, rightColumn + COLUMNS) are used
     * @param solve whether a solve with the triangle that is next in these columns follows, see {@link PackedFactor}; the solution is also appended to
     *     {@code left}
     */
    static void compute(
            int depth,
            double[] left,
            int leftOffset,
            double[][] right,
            int rightColumn,
            int fromK,
            double[][] c,
            int column,
            int row,
            boolean solve) {
        double[] c0 = c[column];
        double[] c1 = c[column + 1];
        double[] c2 = c[column + 2];
        double[] c3 = c[column + 3];
        double[] c4 = c[column + 4];
        double[] c5 = c[column + 5];
        double[] b0 = right[rightColumn];
        double[] b1 = right[rightColumn + 1];
        double[] b2 = right[rightColumn + 2];
        double[] b3 = right[rightColumn + 3];
        double[] b4 = right[rightColumn + 4];
        double[] b5 = right[rightColumn + 5];
        DoubleVector a00 = load(c0, row);
        DoubleVector a01 = load(c0, row + LANES);
        DoubleVector a10 = load(c1, row);
        DoubleVector a11 = load(c1, row + LANES);
        DoubleVector a20 = load(c2, row);
        DoubleVector a21 = load(c2, row + LANES);
        DoubleVector a30 = load(c3, row);
        DoubleVector a31 = load(c3, row + LANES);
        DoubleVector a40 = load(c4, row);
        DoubleVector a41 = load(c4, row + LANES);
        DoubleVector a50 = load(c5, row);
        DoubleVector a51 = load(c5, row + LANES);
        int end = leftOffset + 2 * LANES * depth;
        // Two running indices: with one counter C2 of JDK 25 spills registers and halves the speed.
        for (int at = leftOffset, k = fromK; at < end; at += 2 * LANES, k++) {
            DoubleVector x0 = load(left, at);
            DoubleVector x1 = load(left, at + LANES);
            DoubleVector weight = DoubleVector.broadcast(SPECIES, b0[k]);
            a00 = x0.fma(weight, a00);
            a01 = x1.fma(weight, a01);
            weight = DoubleVector.broadcast(SPECIES, b1[k]);
            a10 = x0.fma(weight, a10);
            a11 = x1.fma(weight, a11);
            weight = DoubleVector.broadcast(SPECIES, b2[k]);
            a20 = x0.fma(weight, a20);
            a21 = x1.fma(weight, a21);
            weight = DoubleVector.broadcast(SPECIES, b3[k]);
            a30 = x0.fma(weight, a30);
            a31 = x1.fma(weight, a31);
            weight = DoubleVector.broadcast(SPECIES, b4[k]);
            a40 = x0.fma(weight, a40);
            a41 = x1.fma(weight, a41);
            weight = DoubleVector.broadcast(SPECIES, b5[k]);
            a50 = x0.fma(weight, a50);
            a51 = x1.fma(weight, a51);
        }
        if (solve) {
            int k = fromK + depth;
            DoubleVector weight = DoubleVector.broadcast(SPECIES, b0[k]);
            a00 = a00.mul(weight);
            a01 = a01.mul(weight);
            weight = DoubleVector.broadcast(SPECIES, b1[k]);
            a10 = a00.fma(weight, a10);
            a11 = a01.fma(weight, a11);
            weight = DoubleVector.broadcast(SPECIES, b2[k]);
            a20 = a00.fma(weight, a20);
            a21 = a01.fma(weight, a21);
            weight = DoubleVector.broadcast(SPECIES, b3[k]);
            a30 = a00.fma(weight, a30);
            a31 = a01.fma(weight, a31);
            weight = DoubleVector.broadcast(SPECIES, b4[k]);
            a40 = a00.fma(weight, a40);
            a41 = a01.fma(weight, a41);
            weight = DoubleVector.broadcast(SPECIES, b5[k]);
            a50 = a00.fma(weight, a50);
            a51 = a01.fma(weight, a51);
            a00.intoArray(left, end);
            a01.intoArray(left, end + LANES);
            weight = DoubleVector.broadcast(SPECIES, b1[k + 1]);
            a10 = a10.mul(weight);
            a11 = a11.mul(weight);
            weight = DoubleVector.broadcast(SPECIES, b2[k + 1]);
            a20 = a10.fma(weight, a20);
            a21 = a11.fma(weight, a21);
            weight = DoubleVector.broadcast(SPECIES, b3[k + 1]);
            a30 = a10.fma(weight, a30);
            a31 = a11.fma(weight, a31);
            weight = DoubleVector.broadcast(SPECIES, b4[k + 1]);
            a40 = a10.fma(weight, a40);
            a41 = a11.fma(weight, a41);
            weight = DoubleVector.broadcast(SPECIES, b5[k + 1]);
            a50 = a10.fma(weight, a50);
            a51 = a11.fma(weight, a51);
            a10.intoArray(left, end + 2 * LANES);
            a11.intoArray(left, end + 3 * LANES);
            weight = DoubleVector.broadcast(SPECIES, b2[k + 2]);
            a20 = a20.mul(weight);
            a21 = a21.mul(weight);
            weight = DoubleVector.broadcast(SPECIES, b3[k + 2]);
            a30 = a20.fma(weight, a30);
            a31 = a21.fma(weight, a31);
            weight = DoubleVector.broadcast(SPECIES, b4[k + 2]);
            a40 = a20.fma(weight, a40);
            a41 = a21.fma(weight, a41);
            weight = DoubleVector.broadcast(SPECIES, b5[k + 2]);
            a50 = a20.fma(weight, a50);
            a51 = a21.fma(weight, a51);
            a20.intoArray(left, end + 4 * LANES);
            a21.intoArray(left, end + 5 * LANES);
            weight = DoubleVector.broadcast(SPECIES, b3[k + 3]);
            a30 = a30.mul(weight);
            a31 = a31.mul(weight);
            weight = DoubleVector.broadcast(SPECIES, b4[k + 3]);
            a40 = a30.fma(weight, a40);
            a41 = a31.fma(weight, a41);
            weight = DoubleVector.broadcast(SPECIES, b5[k + 3]);
            a50 = a30.fma(weight, a50);
            a51 = a31.fma(weight, a51);
            a30.intoArray(left, end + 6 * LANES);
            a31.intoArray(left, end + 7 * LANES);
            weight = DoubleVector.broadcast(SPECIES, b4[k + 4]);
            a40 = a40.mul(weight);
            a41 = a41.mul(weight);
            weight = DoubleVector.broadcast(SPECIES, b5[k + 4]);
            a50 = a40.fma(weight, a50);
            a51 = a41.fma(weight, a51);
            a40.intoArray(left, end + 8 * LANES);
            a41.intoArray(left, end + 9 * LANES);
            weight = DoubleVector.broadcast(SPECIES, b5[k + 5]);
            a50 = a50.mul(weight);
            a51 = a51.mul(weight);
            a50.intoArray(left, end + 10 * LANES);
            a51.intoArray(left, end + 11 * LANES);
        }
        a00.intoArray(c0, row);
        a01.intoArray(c0, row + LANES);
        a10.intoArray(c1, row);
        a11.intoArray(c1, row + LANES);
        a20.intoArray(c2, row);
        a21.intoArray(c2, row + LANES);
        a30.intoArray(c3, row);
        a31.intoArray(c3, row + LANES);
        a40.intoArray(c4, row);
        a41.intoArray(c4, row + LANES);
        a50.intoArray(c5, row);
        a51.intoArray(c5, row + LANES);
    }
}
