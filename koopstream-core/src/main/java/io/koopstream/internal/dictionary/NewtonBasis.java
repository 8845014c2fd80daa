package io.koopstream.internal.dictionary;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.PackedFactor;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.Rotations;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The orthonormal (Newton) basis of span{φ(p_1), ..., φ(p_m)}: with G = L Lᵀ the Gram matrix of the points, the basis is
 * Q = Φ L⁻ᵀ. A feature φ(x) has coordinates β = L⁻¹ κ(x), and b² = κ(x,x) − ‖β‖² is what the basis misses of it.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>L is lower triangular with a positive diagonal, and L Lᵀ is the Gram matrix to rounding;
 *   <li>appending a point adds one row to L and one basis vector; earlier coordinates keep their meaning and their bits;
 *   <li>a learner appends only points that pass {@link #isIndependent}, so that b² is never mostly rounding noise.
 * </ol>
 *
 * <p>One writer; safe to share once no longer written. Memory: 8 (m² + m d) bytes, and up to 2.25 times as much while it
 * grows, because storage grows by half its length.
 */
public final class NewtonBasis {

    /** The smallest relative squared residual b²/κ(x,x) at which a point can count as new, whatever the condition. */
    public static final double FLOOR = 1e-10;

    /**
     * Factor by which b² must exceed its rounding error. The error of the computed b² is about u κ (1 + ‖c‖₁)² with c = L⁻ᵀ β the
     * coefficients of the projection and u the unit roundoff: it depends on how the coefficients have grown with the order in which
     * the points came, not on b² alone. Measured over 25 streams, this factor keeps the relative error of every admitted b² below
     * 5 %, where a fixed floor as large as 1e-5 lets factors break down (docs/numerics.md).
     */
    private static final double SAFETY = 30;

    private static final double UNIT_ROUNDOFF = 0.5 * Math.ulp(1.0);

    /** The floor of {@link #spanning}, which chooses the order itself and so keeps the coefficients small. */
    private static final double SPANNING_FLOOR = 1e-12;

    private final Rkhs space;
    private final Points points;
    private final Matrix factor;
    /** The number of the sample each point came with: the index set I_t of the paper. */
    private long[] sampleNumbers;
    /** Number of removals: rows of the factor change then, and only then. */
    private long removals;

    /** The empty basis. */
    public NewtonBasis(Rkhs space) {
        this(space, new Points(space.dimension()), new Matrix(0, 0), new long[0]);
    }

    private NewtonBasis(Rkhs space, Points points, Matrix factor, long[] sampleNumbers) {
        this.space = space;
        this.points = points;
        this.factor = factor;
        this.sampleNumbers = sampleNumbers;
    }

    /** A basis from stored points, their stored factor and sample numbers, all taken over, not recomputed. */
    public static NewtonBasis restore(Rkhs space, Points points, Matrix factor, long[] sampleNumbers) {
        return new NewtonBasis(space, points, factor, sampleNumbers);
    }

    /**
     * A basis of the span of these points, by Cholesky factorisation with diagonal pivoting: always the point that is missed most
     * comes next, until none is missed by more than rounding. Points are numbered from 1. O(n m²) for m basis vectors.
     */
    public static NewtonBasis spanning(Rkhs space, Points candidates) {
        NewtonBasis basis = new NewtonBasis(space);
        int n = candidates.size();
        double[] squaredNorms = new double[n];
        double[] residuals = new double[n];
        for (int j = 0; j < n; j++) {
            squaredNorms[j] = basis.squaredNorm(candidates.get(j));
            residuals[j] = squaredNorms[j];
        }
        Matrix coordinates = new Matrix(0, n);
        double[] row = new double[n];
        Scratch scratch = new Scratch();
        for (int m = 0; m < n; m++) {
            int pivot = mostMissed(residuals, squaredNorms);
            if (pivot < 0) {
                break;
            }
            double[] x = candidates.get(pivot);
            double[] beta = coordinates.column(pivot).clone();
            double b = Math.sqrt(residuals[pivot]);
            basis.append(pivot + 1, x, beta, b);
            space.kernel().row(space.view(), candidates, x, row, scratch);
            coordinates.resize(m + 1, n);
            for (int j = 0; j < n; j++) {
                double[] column = coordinates.column(j);
                double next = (row[j] - Vectors.dot(beta, column, m)) / b;
                column[m] = next;
                residuals[j] = Math.max(0.0, Math.fma(-next, next, residuals[j]));
            }
            residuals[pivot] = 0;
        }
        return basis;
    }

    private static int mostMissed(double[] residuals, double[] squaredNorms) {
        int best = -1;
        double largest = SPANNING_FLOOR;
        for (int j = 0; j < residuals.length; j++) {
            if (residuals[j] > largest * squaredNorms[j]) {
                best = j;
                largest = residuals[j] / squaredNorms[j];
            }
        }
        return best;
    }

    /**
     * A basis of the span of some of one space: the longest when it begins with all the others, else a new one on the points of all in an order of their own,
     * so that which came first decides no tie between pivots.
     */
    public static NewtonBasis union(NewtonBasis... bases) {
        NewtonBasis longest = Collections.max(List.of(bases), Comparator.comparingInt(NewtonBasis::size));
        if (Arrays.stream(bases).allMatch(longest::beginsWith)) {
            return longest;
        }
        double[][] rows = Arrays.stream(bases)
                .flatMap(basis -> Arrays.stream(basis.points.toRows()))
                .sorted(Arrays::compare)
                .toArray(double[][]::new);
        return spanning(longest.space, Points.of(longest.space.dimension(), rows));
    }

    /** True if the leading vectors of this basis are the other's, bit for bit; both belong to one space. */
    public boolean beginsWith(NewtonBasis other) {
        return this == other || (other.size() <= size() && commonWith(other) == other.size());
    }

    /** Number of leading vectors that both share, bit for bit; both belong to one space. */
    public int commonWith(NewtonBasis other) {
        int common = Math.min(size(), other.size());
        for (int c = 0; c < space.dimension(); c++) {
            common = same(points.coordinate(c), other.points.coordinate(c), 0, common);
        }
        for (int j = 0; j < common; j++) {
            common = same(factor.column(j), other.factor.column(j), j, common);
        }
        return common;
    }

    /** A hash of the first points: parts of a stream that have agreed on points notice others by it. */
    public long fingerprint(int count) {
        long fingerprint = count;
        for (int c = 0; c < space.dimension(); c++) {
            double[] coordinate = points.coordinate(c);
            for (int i = 0; i < count; i++) {
                fingerprint = fingerprint * 0x9E3779B97F4A7C15L + Double.doubleToRawLongBits(coordinate[i]);
                fingerprint ^= fingerprint >>> 29;
            }
        }
        return fingerprint;
    }

    private static int same(double[] a, double[] b, int from, int to) {
        int first = Arrays.mismatch(a, from, to, b, from, to);
        return first < 0 ? to : from + first;
    }

    /** The space the basis lives in. */
    public Rkhs space() {
        return space;
    }

    /** Number of points, and of basis vectors. */
    public int size() {
        return points.size();
    }

    /** The points, for reading. */
    public Points points() {
        return points;
    }

    /** The Cholesky factor L of the Gram matrix, for reading. */
    public Matrix factor() {
        return factor;
    }

    /** The number of the sample that point i came with; 0 when it was there before the first sample. */
    public long sampleNumber(int i) {
        return sampleNumbers[i];
    }

    /** κ(x, x). */
    public double squaredNorm(double[] x) {
        return space.kernel().value(space.view(), x, x);
    }

    /** out_i = κ(x_i, x_i) of many points. */
    public void squaredNorms(Points many, double[] out, Scratch scratch) {
        space.kernel().squaredNorms(space.view(), many, out, scratch);
    }

    /** out_i = κ(p_i, x). */
    public void gramRow(double[] x, double[] out, Scratch scratch) {
        space.kernel().row(space.view(), points, x, out, scratch);
    }

    /**
     * Coordinates β = L⁻¹ κ(x) of φ(x), and what they miss.
     *
     * @param out receives β; at least {@link #size()} long
     * @return b² = κ(x,x) − ‖β‖², not below zero
     */
    public double coordinates(double[] x, double[] out, Scratch scratch) {
        return coordinates(x, squaredNorm(x), out, scratch);
    }

    /** Coordinates for a caller that has κ(x,x) already. */
    public double coordinates(double[] x, double squaredNorm, double[] out, Scratch scratch) {
        gramRow(x, out, scratch);
        Triangular.solve(factor, out);
        return Math.max(0.0, squaredNorm - Vectors.squaredNorm(out, size()));
    }

    /** Coordinates of many points, one per column. */
    public Matrix coordinates(Points many) {
        Matrix result = new Matrix(size(), many.size());
        Scratch scratch = new Scratch();
        double[] point = new double[space.dimension()];
        for (int j = 0; j < many.size(); j++) {
            many.get(j, point);
            gramRow(point, result.column(j), scratch);
            Triangular.solve(factor, result.column(j));
        }
        return result;
    }

    /**
     * Coordinates of many points, one per row: out = K L⁻ᵀ with K_si = κ(x_s, p_i). The arithmetic of a block of samples; agrees with
     * {@link #coordinates(double[], double[], Scratch)} up to rounding.
     *
     * @param out becomes {@code many.size()} × {@link #size()}
     * @param packed the factor as it was packed when this was last called, for callers in a loop
     */
    public void coordinateRows(Points many, Matrix out, PackedFactor packed, Products products, Scratch scratch) {
        out.resizeToOverwrite(many.size(), size());
        packed.follow(factor, removals);
        products.solveTransposed(
                out,
                packed,
                (from, to) -> space.gramRows(many, from, to, points, out, from == 0 ? scratch : new Scratch()));
    }

    /**
     * True if a point is numerically new, so that {@link #append} keeps the factor sound; O(m²).
     *
     * @param squaredResidual b² of the point
     * @param squaredNorm κ(x,x) of the point
     * @param beta its coordinates
     * @param work at least {@link #size()} long; receives the coefficients L⁻ᵀ β of the projection when b² is above the floor
     */
    public boolean isIndependent(double squaredResidual, double squaredNorm, double[] beta, double[] work) {
        if (!(squaredResidual > FLOOR * squaredNorm)) {
            return false;
        }
        System.arraycopy(beta, 0, work, 0, size());
        Triangular.solveTransposed(factor, work);
        return isResolved(squaredResidual, squaredNorm, work, size());
    }

    /** True if b² is well above its rounding error, given the coefficients of the projection. */
    static boolean isResolved(double squaredResidual, double squaredNorm, double[] coefficients, int count) {
        double sum = 1;
        for (int i = 0; i < count; i++) {
            sum += Math.abs(coefficients[i]);
        }
        return squaredResidual > SAFETY * UNIT_ROUNDOFF * squaredNorm * sum * sum;
    }

    /** Makes room for more points, so that {@link #append} cannot fail. */
    public void reserve(int more) {
        int needed = size() + more;
        points.reserve(needed);
        factor.reserve(needed, needed);
        if (needed > sampleNumbers.length) {
            sampleNumbers = Arrays.copyOf(sampleNumbers, needed + (needed >> 1) + 8);
        }
    }

    /**
     * Borders the factor: L ← [L 0; βᵀ b].
     *
     * @param sampleNumber the number of the sample it came with
     * @param x the new point
     * @param beta its coordinates
     * @param residual b, > 0
     */
    public void append(long sampleNumber, double[] x, double[] beta, double residual) {
        reserve(1);
        int m = size();
        sampleNumbers[m] = sampleNumber;
        points.add(x);
        factor.resize(m + 1, m + 1);
        for (int j = 0; j < m; j++) {
            factor.set(m, j, beta[j]);
        }
        factor.set(m, m, residual);
    }

    /**
     * Takes a point out: the basis of the span of the others, by rotating the factor back to triangular form (a Cholesky down-date);
     * O(m²).
     *
     * @return the change of coordinates. Whatever is expressed in this basis has to follow it; its last coordinate then belongs to the
     *     one direction that was lost, and is to be cut off.
     */
    public Rotations remove(int i) {
        int m = size();
        // Memory first, so that running out of it leaves the basis as it was.
        Rotations rotations = new Rotations(i, m - 1 - i);
        removals++;
        points.remove(i);
        System.arraycopy(sampleNumbers, i + 1, sampleNumbers, i, m - i - 1);
        sampleNumbers[m - 1] = 0;
        factor.removeRow(i);
        rotations.restoreTriangle(factor);
        factor.truncate(m - 1, m - 1);
        return rotations;
    }

    /**
     * (G⁻¹)_ii of each point: one over what the point contributes that the others miss, squared. O(m³).
     */
    public double[] inverseGramDiagonal() {
        int m = size();
        double[] diagonal = new double[m];
        double[] column = new double[m];
        for (int i = 0; i < m; i++) {
            // Column i of L⁻¹, which is zero above i: its squared length is (G⁻¹)_ii.
            Arrays.fill(column, 0.0);
            column[i] = 1;
            for (int j = i; j < m; j++) {
                double[] lower = factor.column(j);
                column[j] /= lower[j];
                Vectors.axpy(-column[j], lower, column, j + 1, m);
            }
            diagonal[i] = Vectors.dot(column, column, i, m);
        }
        return diagonal;
    }

    /** Column i of G⁻¹; O(m²). */
    double[] inverseGramColumn(int i) {
        double[] column = new double[size()];
        column[i] = 1;
        Triangular.solve(factor, column);
        Triangular.solveTransposed(factor, column);
        return column;
    }

    /** Coefficients on the features of a vector given by its coordinates: L⁻ᵀ v. */
    public double[] coefficients(double[] coordinates) {
        double[] result = Arrays.copyOf(coordinates, size());
        Triangular.solveTransposed(factor, result);
        return result;
    }

    /**
     * The matrix R with Q_other = Q R plus what this basis misses: coordinates, in this basis, of the other's basis vectors.
     */
    public Matrix coordinatesOf(NewtonBasis other) {
        if (this == other) {
            return Matrix.identity(size());
        }
        if (beginsWith(other)) {
            Matrix leading = new Matrix(size(), other.size());
            leading.add(1.0, Matrix.identity(other.size()));
            return leading;
        }
        // Q_other = Φ_other L_other⁻ᵀ, so R = P L_other⁻ᵀ with P the coordinates of the other's points: Rᵀ = L_other⁻¹
        // Pᵀ.
        Matrix transposed = coordinates(other.points).transposed();
        for (int j = 0; j < transposed.columns(); j++) {
            Triangular.solve(other.factor, transposed.column(j));
        }
        return transposed.transposed();
    }

    /** An independent copy whose points are numbered 0: they came from elsewhere, not with a sample. */
    public NewtonBasis inherited() {
        return inherited(size());
    }

    /** The basis of the first points alone. */
    public NewtonBasis inherited(int count) {
        Matrix leading = factor.copy();
        leading.truncate(count, count);
        return new NewtonBasis(space, points.range(0, count), leading, new long[count]);
    }

    /** An independent copy, trimmed to size. */
    public NewtonBasis copy() {
        return new NewtonBasis(space, points.copy(), factor.copy(), Arrays.copyOf(sampleNumbers, size()));
    }

    /**
     * Distance of L Lᵀ from the Gram matrix on one fixed test vector v with entries of modulus one:
     * ‖(L Lᵀ − G) v‖₁ / (m eps ‖G‖₁ ‖v‖₁), at a cost of O(m²). Below 30 for a sound factor, whatever the size; a wrong
     * factor gives a huge value except for a set of matrices of measure zero.
     */
    public double factorDefect() {
        int m = size();
        double[] v = new double[m];
        for (int i = 0; i < m; i++) {
            // A fixed pattern of signs without a period that a Gram matrix could share.
            v[i] = (Integer.bitCount(i * 0x9E3779B9) & 1) == 0 ? 1.0 : -1.0;
        }
        double[] transposed = new double[m];
        double[] product = new double[m];
        Triangular.multiplyTransposed(factor, v, transposed);
        Triangular.multiply(factor, transposed, product);
        double[] row = new double[m];
        double[] point = new double[space.dimension()];
        Scratch scratch = new Scratch();
        double defect = 0;
        double norm = 0;
        for (int i = 0; i < m; i++) {
            points.get(i, point);
            gramRow(point, row, scratch);
            defect += Math.abs(product[i] - Vectors.dot(row, v, m));
            double rowSum = 0;
            for (int j = 0; j < m; j++) {
                rowSum += Math.abs(row[j]);
            }
            norm = Math.max(norm, rowSum);
        }
        return m == 0 ? 0 : defect / (m * Math.ulp(1.0) * norm * m);
    }
}
