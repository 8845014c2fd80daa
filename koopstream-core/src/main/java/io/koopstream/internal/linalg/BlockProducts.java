package io.koopstream.internal.linalg;

/** The products of matrices behind {@link Products}, by ranges of rows or columns that threads share out; the bits as {@link Provider} says. */
interface BlockProducts {

    /**
     * Rows [fromRow, toRow) of C ← γ C + X W with the columns [fromColumn, toColumn) of C; entry (i, j) is the chain over k = 0, 1, ... of
     * acc ← fma(x_ik, w_kj, acc) from acc = γ c_ij (exactly 0 for γ = 0).
     */
    void product(
            double gamma,
            double[][] c,
            int fromRow,
            int toRow,
            int fromColumn,
            int toColumn,
            double[][] x,
            Weights w,
            Workspace workspace);

    /**
     * Rows [fromRow, toRow) of C ← γ C + Aᵀ B with the columns [0, columns) of C; entry (i, j) is the chain over k = 0, 1, ... of
     * acc ← fma(a_ki, b_kj, acc) from acc = γ c_ij (exactly 0 for γ = 0).
     *
     * @param lower whether only entries with i >= j are wanted; the others are then left open
     * @param depth number of rows of A and B
     */
    void gram(
            double gamma,
            double[][] c,
            int fromRow,
            int toRow,
            int columns,
            boolean lower,
            double[][] a,
            double[][] b,
            int depth,
            Workspace workspace);

    /**
     * Rows [fromRow, toRow) of X ← X L⁻ᵀ: column j is the chain over k = 0 .. j−1 of acc ← fma(x_ik, −l_jk, acc) from acc = x_ij, times
     * 1 / l_jj.
     */
    void solve(double[][] x, int fromRow, int toRow, PackedFactor lower, Workspace workspace);
}
