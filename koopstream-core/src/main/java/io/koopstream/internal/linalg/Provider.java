package io.koopstream.internal.linalg;

/**
 * The loops that are faster on the Vector API than the compiler makes those of {@link Vectors}. Two implementations, plain Java and the Vector API, give
 * the same bits: every entry is one chain of fused multiply-adds in an order that is part of the contract below, whatever the width of the machine's vectors.
 * {@link Providers} chooses one at start.
 */
interface Provider {

    /** Name in the log and in the forcing property. */
    String name();

    /**
     * Σ_{i in [from, to)} x_i y_i in eight partial sums (index modulo 8 from {@code from}), the tree
     * ((s0+s4)+(s2+s6))+((s1+s5)+(s3+s7)), then the entries after the last multiple of eight one by one.
     */
    double dot(double[] x, double[] y, int from, int to);

    /**
     * out_ji = Σ_c ((p_ci − x_jc) s_c)² for j in [0, count) and i in [0, n): the chain over c = from .. to − 1 of sum ← fma(d, d, sum) from 0
     * with d = (p_ci − x_jc) s_c.
     *
     * @param p arrays of coordinates
     * @param x points
     * @param scales s_c at c − from; null when all are one
     */
    void squaredDistances(
            double[][] p, double[][] x, int count, double[] scales, int from, int to, double[][] out, int n);

    /** x_i ← {@link Exp#exp}(a x_i) for i in [0, n). */
    void expOfMultiple(double a, double[] x, int n);

    /** sum_i ← fma(w, {@link Exp#exp}(a x_i), sum_i) for i in [0, n). */
    void addExpOfMultiple(double w, double a, double[] x, double[] sum, int n);

    /**
     * C ← γ C + X W on a region; entry (i, j) is the chain over k = 0, 1, ... of acc ← fma(x_ik, w_kj, acc) from acc = γ c_ij (exactly 0 for γ = 0).
     *
     * @param depth number of columns of X
     */
    void product(double gamma, Region region, Factor x, Factor w, int depth, Workspace workspace);

    /**
     * Rows [fromRow, toRow) of X ← X L⁻ᵀ: column j is the chain over k = 0 .. j−1 of acc ← fma(x_ik, −l_jk, acc) from acc = x_ij, times
     * 1 / l_jj.
     */
    void solve(Matrix x, int fromRow, int toRow, PackedFactor lower, Workspace workspace);

    /** Rows of a panel that {@link #rotate} works on: a multiple of every width of vectors, four chains of four doubles. */
    int PANEL_ROWS = 16;

    /**
     * A chain of {@code count} plane rotations of neighbouring columns p, p + step of a panel, from p = column on, each p the former p + step:
     * (x_p, x_p+step) ← (fma(s, x_p+step, c x_p), fma(−s, x_p, c x_p+step)).
     *
     * @param panel {@value #PANEL_ROWS} rows, column after column
     * @param step 1 or −1
     * @param from index of the first rotation in the arrays of cosines and sines
     */
    void rotate(double[] panel, int column, int step, double[] cosines, double[] sines, int from, int count);
}
