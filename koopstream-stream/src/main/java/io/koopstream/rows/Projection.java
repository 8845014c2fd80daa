package io.koopstream.rows;

import io.koopstream.InvalidSampleException;
import io.koopstream.InvalidSampleException.Reason;
import io.koopstream.InvalidStateException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Vectors;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plane of few dimensions through rows of many columns: row ≈ mean + Σ_j c_j basis_j with orthonormal basis vectors, those along which the rows vary most (proper
 * orthogonal decomposition). A stream then learns the coordinates c instead of the columns, and what it answers is lifted back.
 *
 * <p>Immutable. A row costs O(D R); memory is D (R + 1) numbers.
 *
 * <pre>{@code
 * double[][] snapshots = {{1, 2, 3, 4}, {2, 3, 5, 4}, {3, 5, 4, 2}};
 * ProjectionBuilder builder = ProjectionBuilder.ofRank(4, 2);
 * for (double[] snapshot : snapshots) {
 *     builder.add(snapshot);
 * }
 * Projection projection = builder.build();
 * double[] coordinates = projection.coordinates(snapshots[0]);
 * double[] about = projection.lift(coordinates);
 * }</pre>
 */
public final class Projection {

    /** Parts of the state. */
    public static final String MEAN = "projection_mean";

    /** The basis vectors, one a column. */
    public static final String BASIS = "projection_basis";

    /** Sums of squares of the coordinates over the rows. */
    public static final String ENERGIES = "projection_energies";

    /** Sum of squares of the rows about their mean. */
    public static final String TOTAL = "projection_total";

    /** How many rows it was made of. */
    public static final String ROWS = "projection_rows";

    /** Basis vectors of a file may be off the unit length by this, for rounding. */
    private static final double TOLERANCE = 1e-6;

    private final double[] mean;
    private final Matrix basis;
    private final double[] energies;
    private final double total;
    private final long rows;

    /** Takes the arrays over. */
    Projection(double[] mean, Matrix basis, double[] energies, double total, long rows) {
        this.mean = mean;
        this.basis = basis;
        this.energies = energies;
        this.total = total;
        this.rows = rows;
    }

    /** Columns of a row. */
    public int dimension() {
        return mean.length;
    }

    /** Coordinates that stand for a row. */
    public int rank() {
        return basis.columns();
    }

    /** Rows that it was made of. */
    public long rows() {
        return rows;
    }

    /** The sum of squares of all columns about their means, over the rows that it was made of. */
    public double total() {
        return total;
    }

    /** The part of that sum along each basis vector, largest first. */
    public double[] energies() {
        return energies.clone();
    }

    /** The share of that sum that no basis vector has, from 0 to 1. */
    public double missed() {
        return total > 0 ? Math.max(0, 1 - Arrays.stream(energies).sum() / total) : 0;
    }

    /** Names of the coordinates: c1, c2, … */
    public List<String> names() {
        return names(rank());
    }

    /** Names of so many coordinates. */
    public static List<String> names(int rank) {
        return IntStream.rangeClosed(1, rank).mapToObj(c -> "c" + c).toList();
    }

    /** The coordinates of a row; all NaN where a column is missing. */
    public double[] coordinates(double[] row) {
        double[] coordinates = new double[rank()];
        project(row.clone(), coordinates);
        return coordinates;
    }

    /**
     * The same in memory that is there.
     *
     * @param row becomes its deviation from the mean
     * @param into takes the coordinates
     * @return the sum of squares of the deviation; NaN where a column is missing
     */
    public double project(double[] row, double[] into) {
        requireDimension(row.length, dimension());
        for (int i = 0; i < row.length; i++) {
            row[i] -= mean[i];
        }
        double energy = Vectors.squaredNorm(row, row.length);
        if (Double.isNaN(energy)) {
            Arrays.fill(into, Double.NaN);
        } else {
            basis.multiplyTransposed(row, into);
        }
        return energy;
    }

    static void requireDimension(int given, int dimension) {
        if (given != dimension) {
            throw new InvalidSampleException(
                    Reason.WRONG_DIMENSION, -1, "a row of " + given + " columns, the projection has " + dimension);
        }
    }

    /** The row at these coordinates. */
    public double[] lift(double[] coordinates) {
        double[] row = mean.clone();
        basis.addMultiple(1, coordinates, row);
        return row;
    }

    /** The direction of these coordinates in the columns: without the mean. */
    public double[] direction(double[] coordinates) {
        double[] direction = new double[dimension()];
        basis.addMultiple(1, coordinates, direction);
        return direction;
    }

    /** Writes its parts; arrays are shared. */
    public void save(StateSink sink) {
        sink.matrix(MEAN, column(mean));
        sink.matrix(BASIS, basis);
        sink.matrix(ENERGIES, column(energies));
        sink.number(TOTAL, total);
        sink.count(ROWS, rows);
    }

    private static Matrix column(double[] numbers) {
        return Matrix.ofColumns(new double[][] {numbers}, numbers.length);
    }

    /**
     * Reads what {@link #save} wrote.
     *
     * @throws InvalidStateException if the parts do not make up a projection
     */
    public static Projection read(StateSource source, int dimension, int rank) {
        Matrix basis = source.matrix(BASIS, dimension, rank);
        double[] energies = source.matrix(ENERGIES, rank, 1).column(0);
        double total = source.number(TOTAL);
        long rows = source.count(ROWS);
        List<Double> squares = new ArrayList<>();
        for (int j = 0; j < rank; j++) {
            squares.add(Vectors.squaredNorm(basis.column(j), dimension));
        }
        InvalidStateException.require(
                squares.stream().allMatch(square -> Math.abs(square - 1) < TOLERANCE),
                BASIS,
                "has vectors that are not of length 1");
        InvalidStateException.require(
                Arrays.stream(energies).allMatch(energy -> energy >= 0), ENERGIES, "must not be negative");
        InvalidStateException.require(total >= 0 && Double.isFinite(total), TOTAL, "must be a finite number >= 0");
        InvalidStateException.require(rows >= 1, ROWS, "must be at least 1");
        return new Projection(source.matrix(MEAN, dimension, 1).column(0), basis, energies, total, rows);
    }
}
