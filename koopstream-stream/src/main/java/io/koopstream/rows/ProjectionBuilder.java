package io.koopstream.rows;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.SymmetricEigen;
import io.koopstream.internal.linalg.Triangular;
import io.koopstream.internal.linalg.Vectors;
import java.util.Arrays;

/**
 * Finds the {@link Projection} of rows in one pass by incremental singular value decomposition, a block of rows at a time: the block's part outside the basis is made
 * orthonormal (twice, as Gram matrices lose small directions), the scatter of both is diagonalised, and the largest directions stay. Of no more than R + 64 rows it is the thin
 * singular value decomposition; of more, what is dropped on the way is the only error. The mean is exact at any time (Ross, Lim, Lin, Yang, <i>Incremental
 * learning for robust visual tracking</i>, IJCV 77, 2008: it moves by one more row, √(nm/(n+m)) times the difference of means).
 *
 * <p>One writer. O(D R) per row; memory is D (R + {@value #BLOCK} + 2) numbers, R at most {@value #MAX_AUTOMATIC} where it is chosen.
 */
public final class ProjectionBuilder {

    /** The largest rank that is chosen when none is given: a linear operator of it is learned from some hundred rows. */
    public static final int MAX_AUTOMATIC = 64;

    /** Rows that are added at once, beside those that room for the basis leaves. */
    public static final int BLOCK = 64;

    /** Directions kept beyond the rank, in case later rows make them large: 5 to 10 suffice (Halko, Martinsson, Tropp, SIAM Review 53, 2011, section 4.2). */
    private static final int OVERSAMPLING = 8;

    /** Amplitudes below this, relative to the numbers that a direction was computed from, are rounding. */
    private static final double ROUNDING = 1e-14;

    /** Smallest eigenvalue of a Gram matrix, relative to the largest, of which the vector has correct digits. */
    private static final double RESOLVED = 1e-14;

    /** Entries of each column that are replaced at once: with 128 columns they take a megabyte. */
    private static final int TILE = 1024;

    private final int dimension;
    private final int rank;
    private final boolean automatic;
    private final Products products = new Products();
    /** First the basis, then the rows that wait, then room for the move of the mean. */
    private final double[][] columns;

    private final double[] mean;
    private double[] energies = {};
    private int waiting;
    private long rows;
    private double total;
    /** Sum of squares of the rows as they came. */
    private double magnitude;

    private ProjectionBuilder(int dimension, int rank, boolean automatic) {
        if (rank < 1 || rank > dimension) {
            throw new InvalidConfigException(
                    "project", rank, "must be from 1 to the number of columns, " + dimension + "; try 10");
        }
        this.dimension = dimension;
        this.rank = rank;
        this.automatic = automatic;
        this.columns = new double[rank + BLOCK + 1][];
        this.mean = new double[dimension];
    }

    /** A projection to a given number of coordinates, or as many as rows vary along. */
    public static ProjectionBuilder ofRank(int dimension, int rank) {
        return new ProjectionBuilder(dimension, rank, false);
    }

    /** A projection to the coordinates that stand out of the noise; see {@link #build}. */
    public static ProjectionBuilder automatic(int dimension) {
        return new ProjectionBuilder(dimension, Math.min(dimension, MAX_AUTOMATIC), true);
    }

    /** How many rows were added. */
    public long rows() {
        return rows + waiting;
    }

    /** The number of rows up to which nothing is dropped on the way. */
    public int exactRows() {
        return rank + BLOCK;
    }

    /**
     * Adds a row, which is copied.
     *
     * @throws InvalidSampleException if it has another number of columns, or one of them is not finite; nothing has changed then
     */
    public void add(double[] row) {
        Projection.requireDimension(row.length, dimension);
        double square = Vectors.squaredNorm(row, dimension);
        if (!Double.isFinite(square)) {
            int at = 0;
            while (at < dimension && Double.isFinite(row[at] * row[at])) {
                at++;
            }
            throw new InvalidSampleException(
                    Reason.NOT_FINITE, at < dimension ? at : -1, "a row with a value that is missing or too large");
        }
        int at = energies.length + waiting;
        columns[at] = columns[at] == null ? new double[dimension] : columns[at];
        System.arraycopy(row, 0, columns[at], 0, dimension);
        magnitude += square;
        if (++waiting + energies.length == columns.length - 1) {
            addBlock();
        }
    }

    /**
     * The projection; ends the building.
     *
     * <p>A rank that was not given is the number of singular values above the optimal hard threshold, λ*(β) √N σ for a matrix of N by βN (Gavish, Donoho, IEEE Trans. Inf.
     * Theory 60, 2014, equation 11). σ² is the energy outside of what is kept, over the degrees of freedom that are left for it; beginning with all energy as noise,
     * directions are added until none stands out.
     *
     * @throws InvalidStateException if there are no two rows that differ
     */
    public Projection build() {
        if (waiting > 0) {
            addBlock();
        }
        InvalidStateException.require(
                energies.length > 0, "projection", "no two complete rows differ, so there is nothing to project");
        int kept = automatic ? Math.max(1, standingOut()) : Math.min(rank, energies.length);
        return new Projection(
                mean, basis(0, kept), Arrays.copyOf(energies, kept), Math.max(total, sum(energies.length)), rows);
    }

    private double sum(int count) {
        return Arrays.stream(energies, 0, count).sum();
    }

    private int standingOut() {
        double few = Math.min(rows - 1, dimension);
        double many = Math.max(rows - 1, dimension);
        double beta = few / many;
        double threshold = 2 * (beta + 1) + 8 * beta / (beta + 1 + Math.sqrt(beta * beta + 14 * beta + 1));
        int count = 0;
        while (count < Math.min(rank, energies.length) && count < few) {
            double noise = Math.max(0, total - sum(count)) / ((few - count) * (many - count));
            if (energies[count] <= threshold * many * noise) {
                break;
            }
            count++;
        }
        return count;
    }

    private Matrix basis(int from, int count) {
        return Matrix.ofColumns(Arrays.copyOfRange(columns, from, from + count), dimension);
    }

    /** Takes the rows that wait into the basis. */
    private void addBlock() {
        int k = energies.length;
        int b = centre(k);
        Matrix old = basis(0, k);
        Matrix block = basis(k, b);
        double squares = 0;
        for (int j = 0; j < b; j++) {
            squares += Vectors.squaredNorm(block.column(j), dimension);
        }
        total += squares;
        // What the basis has of the block, and what is left of it.
        Matrix inside = new Matrix(k, b);
        products.gram(0, inside, old, block);
        Matrix minus = inside.copy();
        minus.scale(-1);
        products.multiply(1, block, old, minus);
        Matrix gram = new Matrix(b, b);
        products.gramLower(0, gram, block, block);
        SymmetricEigen left = SymmetricEigen.of(gram);
        double least = Math.max(RESOLVED * left.value(b - 1), ROUNDING * ROUNDING * magnitude);
        int r = (int)
                Arrays.stream(left.values()).filter(value -> value > least).count();
        Matrix whitening = new Matrix(b, r);
        Matrix outside = new Matrix(r, b);
        for (int j = 0; j < r; j++) {
            double[] vector = left.vector(b - 1 - j);
            double length = Math.sqrt(left.value(b - 1 - j));
            whitening.setColumn(j, 1 / length, vector);
            for (int i = 0; i < b; i++) {
                outside.set(j, i, length * vector[i]);
            }
        }
        if (k + r == 0) {
            rows += waiting;
            waiting = 0;
            return;
        }
        replace(k, b, whitening);
        // Once more, since what is small beside the rest was not orthogonal yet: new ← (new − old P) L⁻ᵀ.
        Matrix fresh = basis(k, r);
        Matrix again = new Matrix(k, r);
        products.gram(0, again, old, fresh);
        Matrix square = again.transposedTimes(again);
        products.gramLower(-1, square, fresh, fresh);
        Matrix lower = Triangular.cholesky(square);
        inside.add(1, again.times(outside));
        diagonalise(k, r, inside, outside, again, lower);
        rows += waiting;
        waiting = 0;
    }

    /**
     * Subtracts from the rows that wait their own mean, and moves that of all rows: the difference of the means becomes one more row.
     *
     * @return how many rows there are now
     */
    private int centre(int k) {
        double[] own = new double[dimension];
        for (int j = k; j < k + waiting; j++) {
            Vectors.axpy(1.0 / waiting, columns[j], own, 0, dimension);
        }
        for (int j = k; j < k + waiting; j++) {
            Vectors.axpy(-1, own, columns[j], 0, dimension);
        }
        double all = (double) rows + waiting;
        boolean moves = rows > 0;
        if (moves) {
            double weight = Math.sqrt(rows / all * waiting);
            double[] move = columns[k + waiting] == null ? new double[dimension] : columns[k + waiting];
            for (int i = 0; i < dimension; i++) {
                move[i] = weight * (mean[i] - own[i]);
            }
            columns[k + waiting] = move;
        }
        for (int i = 0; i < dimension; i++) {
            mean[i] += (own[i] - mean[i]) * (waiting / all);
        }
        return waiting + (moves ? 1 : 0);
    }

    /**
     * Turns the basis of old and new directions into that of the largest ones.
     *
     * @param inside the block's coordinates along the old directions
     * @param outside its coordinates along the whitened rest
     * @param again what that rest still has of the old directions
     * @param lower Cholesky factor of the Gram matrix of what then remains, which is orthonormal after L⁻ᵀ
     */
    private void diagonalise(int k, int r, Matrix inside, Matrix outside, Matrix again, Matrix lower) {
        int n = k + r;
        Matrix block = new Matrix(n, inside.columns());
        double[] turned = new double[r];
        for (int i = 0; i < inside.columns(); i++) {
            System.arraycopy(inside.column(i), 0, block.column(i), 0, k);
            Triangular.multiplyTransposed(lower, outside.column(i), turned);
            System.arraycopy(turned, 0, block.column(i), k, r);
        }
        Matrix scatter = new Matrix(n, n);
        products.multiplyTransposed(0, scatter, block, block);
        for (int j = 0; j < k; j++) {
            scatter.set(j, j, scatter.get(j, j) + energies[j]);
        }
        SymmetricEigen eigen = SymmetricEigen.of(scatter);
        double least = ROUNDING * ROUNDING * magnitude;
        int positive = (int)
                Arrays.stream(eigen.values()).filter(value -> value > least).count();
        int kept = Math.min(positive, rank + OVERSAMPLING);
        energies = new double[kept];
        Matrix turn = new Matrix(n, kept);
        for (int j = 0; j < kept; j++) {
            energies[j] = eigen.value(n - 1 - j);
            double[] vector = eigen.vector(n - 1 - j);
            double[] fresh = Arrays.copyOfRange(vector, k, n);
            Triangular.solveTransposed(lower, fresh);
            again.addMultiple(-1, fresh, vector);
            System.arraycopy(fresh, 0, vector, k, r);
            System.arraycopy(vector, 0, turn.column(j), 0, n);
        }
        replace(0, n, turn);
    }

    /** Columns [from, from + count) become their product with a matrix, in place. */
    private void replace(int from, int count, Matrix by) {
        Matrix tile = new Matrix(TILE, count);
        Matrix product = new Matrix(TILE, by.columns());
        for (int at = 0; at < dimension; at += TILE) {
            int size = Math.min(TILE, dimension - at);
            for (int j = 0; j < count; j++) {
                System.arraycopy(columns[from + j], at, tile.column(j), 0, size);
            }
            products.multiply(0, product, tile, by);
            for (int j = 0; j < by.columns(); j++) {
                System.arraycopy(product.column(j), 0, columns[from + j], at, size);
            }
        }
    }
}
