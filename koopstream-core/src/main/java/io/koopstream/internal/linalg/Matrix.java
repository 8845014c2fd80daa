package io.koopstream.internal.linalg;

import java.util.Arrays;

/**
 * A dense matrix stored as an array of columns that can grow by rows and columns without copying what it holds each time.
 *
 * <p>Capacity grows geometrically; entries beyond the current size are zero. One writer; safe to share once no longer
 * written.
 */
public final class Matrix {

    private static final int MIN_CAPACITY = 8;

    private double[][] columns;
    private int rows;
    private int columnCount;
    private int rowCapacity;

    /** A zero matrix. */
    public Matrix(int rows, int columnCount) {
        this.rows = rows;
        this.columnCount = columnCount;
        this.rowCapacity = rows;
        this.columns = new double[columnCount][rows];
    }

    private Matrix(double[][] columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.columnCount = columns.length;
        this.rowCapacity = rows;
    }

    /** The matrix with these columns, which are taken over, not copied. */
    public static Matrix ofColumns(double[][] columns, int rows) {
        return new Matrix(columns, rows);
    }

    /** The matrix with these rows, copied. */
    public static Matrix ofRows(double[][] rows, int columnCount) {
        Matrix matrix = new Matrix(rows.length, columnCount);
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < columnCount; j++) {
                matrix.columns[j][i] = rows[i][j];
            }
        }
        return matrix;
    }

    /** The identity. */
    public static Matrix identity(int n) {
        Matrix matrix = new Matrix(n, n);
        for (int i = 0; i < n; i++) {
            matrix.columns[i][i] = 1;
        }
        return matrix;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Number of columns. */
    public int columns() {
        return columnCount;
    }

    /** Entry (i, j). */
    public double get(int i, int j) {
        return columns[j][i];
    }

    /** Sets entry (i, j). */
    public void set(int i, int j, double value) {
        columns[j][i] = value;
    }

    /** The array behind column j: at least {@link #rows()} long, shared, not a copy. */
    public double[] column(int j) {
        return columns[j];
    }

    /** The arrays behind all columns, shared; valid until the matrix grows. */
    public double[][] storage() {
        return columns;
    }

    /** Column j becomes s times a vector. */
    public void setColumn(int j, double s, double[] vector) {
        double[] column = columns[j];
        for (int i = 0; i < rows; i++) {
            column[i] = s * vector[i];
        }
    }

    /** A copy of the first columns. */
    public Matrix firstColumns(int count) {
        Matrix first = new Matrix(rows, count);
        for (int j = 0; j < count; j++) {
            System.arraycopy(columns[j], 0, first.columns[j], 0, rows);
        }
        return first;
    }

    /** Makes room for a size without changing the current one, so that a later {@link #resize} cannot fail. */
    public void reserve(int neededRows, int neededColumns) {
        if (neededRows > rowCapacity || neededColumns > columns.length) {
            int newRows = neededRows > rowCapacity ? grown(rowCapacity, neededRows) : rowCapacity;
            int newColumns = neededColumns > columns.length ? grown(columns.length, neededColumns) : columns.length;
            // Built aside and swapped in at the end: if memory runs out half-way, nothing has changed.
            double[][] bigger = new double[newColumns][];
            for (int j = 0; j < newColumns; j++) {
                bigger[j] = j < columns.length && newRows == rowCapacity
                        ? columns[j]
                        : j < columns.length ? Arrays.copyOf(columns[j], newRows) : new double[newRows];
            }
            columns = bigger;
            rowCapacity = newRows;
        }
    }

    private static int grown(int capacity, int needed) {
        return Math.max(Math.max(needed, MIN_CAPACITY), capacity + (capacity >> 1));
    }

    /** Grows to the given size; new entries are zero. */
    public void resize(int newRows, int newColumns) {
        if (newRows < rows || newColumns < columnCount) {
            throw new IllegalArgumentException(
                    "a matrix only grows: " + rows + "x" + columnCount + " to " + newRows + "x" + newColumns);
        }
        reserve(newRows, newColumns);
        rows = newRows;
        columnCount = newColumns;
    }

    /** Cuts off trailing rows and columns. */
    public void truncate(int newRows, int newColumns) {
        if (newRows > rows || newColumns > columnCount) {
            throw new IllegalArgumentException(
                    "truncating " + rows + "x" + columnCount + " to " + newRows + "x" + newColumns);
        }
        // Entries beyond the size are zero: what grows back must find them so.
        for (int j = 0; j < columnCount; j++) {
            Arrays.fill(columns[j], j < newColumns ? newRows : 0, rows, 0.0);
        }
        rows = newRows;
        columnCount = newColumns;
    }

    /** Makes this a zero matrix of another size, in the memory it has if that is enough. */
    public void reshape(int newRows, int newColumns) {
        truncate(0, 0);
        resize(newRows, newColumns);
    }

    /** Gives this another size for a caller that then sets every entry: what they are before that is left open. */
    public void resizeToOverwrite(int newRows, int newColumns) {
        if (newRows != rows || newColumns != columnCount) {
            reshape(newRows, newColumns);
        }
    }

    /** Removes row i; the rows below move up. */
    public void removeRow(int i) {
        for (int j = 0; j < columnCount; j++) {
            System.arraycopy(columns[j], i + 1, columns[j], i, rows - i - 1);
            columns[j][rows - 1] = 0;
        }
        rows--;
    }

    /** Copies what is below the diagonal of a square matrix to above it. */
    public void mirrorLower() {
        requireSame("rows and columns", rows, columnCount);
        for (int j = 0; j < columnCount; j++) {
            for (int i = j + 1; i < rows; i++) {
                columns[i][j] = columns[j][i];
            }
        }
    }

    /** An independent copy, trimmed to size. */
    public Matrix copy() {
        double[][] copied = new double[columnCount][];
        for (int j = 0; j < columnCount; j++) {
            copied[j] = Arrays.copyOf(columns[j], rows);
        }
        return new Matrix(copied, rows);
    }

    /** The entries as an array of rows. */
    public double[][] toRows() {
        double[][] result = new double[rows][columnCount];
        for (int j = 0; j < columnCount; j++) {
            double[] column = columns[j];
            for (int i = 0; i < rows; i++) {
                result[i][j] = column[i];
            }
        }
        return result;
    }

    /** The transpose, as a copy. */
    public Matrix transposed() {
        return new Matrix(toRows(), columnCount);
    }

    /** y = A x. */
    public void multiply(double[] x, double[] y) {
        Arrays.fill(y, 0, rows, 0.0);
        addMultiple(1.0, x, y);
    }

    /** y ← y + s A x, column by column. */
    public void addMultiple(double s, double[] x, double[] y) {
        int j = 0;
        for (; j + 4 <= columnCount; j += 4) {
            Vectors.axpy4(s * x[j], s * x[j + 1], s * x[j + 2], s * x[j + 3], columns, j, y, 0, rows);
        }
        for (; j < columnCount; j++) {
            Vectors.axpy(s * x[j], columns[j], y, 0, rows);
        }
    }

    /** y = Aᵀ x. */
    public void multiplyTransposed(double[] x, double[] y) {
        for (int j = 0; j < columnCount; j++) {
            y[j] = Vectors.dot(columns[j], x, rows);
        }
    }

    /** A B. */
    public Matrix times(Matrix other) {
        requireSame("inner size", columnCount, other.rows);
        Matrix product = new Matrix(rows, other.columnCount);
        new Products().multiply(0, product, this, other);
        return product;
    }

    /** Aᵀ B. */
    public Matrix transposedTimes(Matrix other) {
        requireSame("rows", rows, other.rows);
        Matrix product = new Matrix(columnCount, other.columnCount);
        for (int j = 0; j < other.columnCount; j++) {
            multiplyTransposed(other.columns[j], product.columns[j]);
        }
        return product;
    }

    /** A ← c A + s u vᵀ. */
    public void rankOne(double c, double s, double[] u, double[] v) {
        for (int j = 0; j < columnCount; j++) {
            Vectors.scaleAdd(c, columns[j], s * v[j], u, rows);
        }
    }

    /** A ← A + s B, where B may be smaller: it is added to the leading block. */
    public void add(double s, Matrix other) {
        for (int j = 0; j < other.columnCount; j++) {
            Vectors.axpy(s, other.columns[j], columns[j], 0, other.rows);
        }
    }

    /** A − B. */
    public Matrix minus(Matrix other) {
        Matrix difference = copy();
        difference.add(-1.0, other);
        return difference;
    }

    /** A ← c A. */
    public void scale(double c) {
        for (int j = 0; j < columnCount; j++) {
            Vectors.scale(c, columns[j], rows);
        }
    }

    /** Frobenius norm. */
    public double frobeniusNorm() {
        double[] norms = new double[columnCount];
        for (int j = 0; j < columnCount; j++) {
            norms[j] = Vectors.norm(columns[j], rows);
        }
        return Vectors.norm(norms, columnCount);
    }

    /** Σ_i A_ii. */
    public double trace() {
        double sum = 0;
        for (int i = 0; i < Math.min(rows, columnCount); i++) {
            sum += columns[i][i];
        }
        return sum;
    }

    /** Σ_ij A_ij B_ij. */
    public double inner(Matrix other) {
        requireSame("rows", rows, other.rows);
        requireSame("columns", columnCount, other.columnCount);
        double sum = 0;
        for (int j = 0; j < columnCount; j++) {
            sum += Vectors.dot(columns[j], other.columns[j], rows);
        }
        return sum;
    }

    static void requireSame(String what, int mine, int theirs) {
        if (mine != theirs) {
            throw new IllegalArgumentException(what + " must agree: " + mine + " and " + theirs);
        }
    }
}
