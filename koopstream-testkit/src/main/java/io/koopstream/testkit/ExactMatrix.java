package io.koopstream.testkit;

/**
 * A small dense matrix of {@link DoubleDouble}, with the few operations that the paper's formulas consist of. Written for
 * reading, not for speed. Immutable.
 */
public final class ExactMatrix {

    private final DoubleDouble[][] entries;
    private final int columns;

    private ExactMatrix(DoubleDouble[][] entries, int columns) {
        this.entries = entries;
        this.columns = columns;
    }

    /** One entry of a matrix under construction. */
    @FunctionalInterface
    public interface Entry {

        /** The entry in row i and column j. */
        DoubleDouble at(int i, int j);
    }

    /** The matrix with these entries. */
    public static ExactMatrix of(int rows, int columns, Entry entry) {
        DoubleDouble[][] entries = new DoubleDouble[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                entries[i][j] = entry.at(i, j);
            }
        }
        return new ExactMatrix(entries, columns);
    }

    /** A matrix of doubles, exactly. */
    public static ExactMatrix ofRows(double[][] rows, int columns) {
        return of(rows.length, columns, (i, j) -> DoubleDouble.of(rows[i][j]));
    }

    /** Number of rows. */
    public int rows() {
        return entries.length;
    }

    /** Number of columns. */
    public int columns() {
        return columns;
    }

    /** Entry (i, j). */
    public DoubleDouble get(int i, int j) {
        return entries[i][j];
    }

    /** The entries, rounded to double. */
    public double[][] toRows() {
        double[][] rows = new double[rows()][columns];
        for (int i = 0; i < rows(); i++) {
            for (int j = 0; j < columns; j++) {
                rows[i][j] = entries[i][j].toDouble();
            }
        }
        return rows;
    }

    /** Aᵀ. */
    public ExactMatrix transposed() {
        return of(columns, rows(), (i, j) -> entries[j][i]);
    }

    /** A − B. */
    public ExactMatrix minus(ExactMatrix other) {
        return of(rows(), columns, (i, j) -> entries[i][j].minus(other.entries[i][j]));
    }

    /** A B. */
    public ExactMatrix times(ExactMatrix other) {
        DoubleDouble[][] right = other.transposed().entries;
        return of(rows(), other.columns, (i, j) -> dot(entries[i], right[j], columns));
    }

    /** Tr(A B), without forming the product. */
    public DoubleDouble traceOfProduct(ExactMatrix other) {
        DoubleDouble sum = DoubleDouble.ZERO;
        DoubleDouble[][] right = other.transposed().entries;
        for (int i = 0; i < rows(); i++) {
            sum = sum.plus(dot(entries[i], right[i], columns));
        }
        return sum;
    }

    /** The leading rows and columns. */
    public ExactMatrix leading(int rowCount, int columnCount) {
        return of(rowCount, columnCount, (i, j) -> entries[i][j]);
    }

    /** The matrix in the upper left corner of a larger one that is otherwise zero. */
    public ExactMatrix padded(int rowCount, int columnCount) {
        return of(rowCount, columnCount, (i, j) -> i < rows() && j < columns ? entries[i][j] : DoubleDouble.ZERO);
    }

    private static DoubleDouble dot(DoubleDouble[] x, DoubleDouble[] y, int n) {
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int k = 0; k < n; k++) {
            sum = sum.plus(x[k].times(y[k]));
        }
        return sum;
    }

    /** A⁻¹ B for a symmetric positive definite A, by Cholesky. */
    public ExactMatrix solve(ExactMatrix right) {
        int n = rows();
        DoubleDouble[][] lower = cholesky();
        DoubleDouble[][] solution = new DoubleDouble[right.columns][n];
        for (int c = 0; c < right.columns; c++) {
            DoubleDouble[] x = solution[c];
            for (int i = 0; i < n; i++) {
                x[i] = right.entries[i][c].minus(dot(lower[i], x, i)).dividedBy(lower[i][i]);
            }
            for (int i = n - 1; i >= 0; i--) {
                DoubleDouble sum = x[i];
                for (int k = i + 1; k < n; k++) {
                    sum = sum.minus(lower[k][i].times(x[k]));
                }
                x[i] = sum.dividedBy(lower[i][i]);
            }
        }
        return new ExactMatrix(solution, n).transposed();
    }

    private DoubleDouble[][] cholesky() {
        int n = rows();
        DoubleDouble[][] lower = new DoubleDouble[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                lower[i][j] = entries[i][j].minus(dot(lower[i], lower[j], j)).dividedBy(lower[j][j]);
            }
            DoubleDouble pivot = entries[i][i].minus(dot(lower[i], lower[i], i));
            if (!(pivot.hi() > 0)) {
                throw new ArithmeticException("pivot " + i + " of " + n + " is " + pivot.hi()
                        + ": the Gram matrix is singular even in 32 digits");
            }
            lower[i][i] = pivot.sqrt();
        }
        return lower;
    }
}
