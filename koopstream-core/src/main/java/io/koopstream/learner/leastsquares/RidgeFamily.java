package io.koopstream.learner.leastsquares;

import io.koopstream.InvalidQueryException;
import io.koopstream.internal.linalg.Matrix;
import io.koopstream.internal.linalg.Products;
import io.koopstream.internal.linalg.SymmetricEigen;

/**
 * The answers of least squares for all ridges at once. With S/n = Q diag(μ) Qᵀ, found once in O(m³), the operator is
 * M_λ = (T/n) Q diag(1/(μ + λ)) Qᵀ and the regression of the increment f_λ(x) = (V/n) Q diag(1/(μ + λ)) Qᵀ β(x).
 *
 * <p>Reduced rank r: of all operators of that rank the one with the least risk (reduced-rank regression, Izenman 1975; for Koopman operators
 * Kostic et al., NeurIPS 2022), from the r leading eigenvectors of (S/n + λ)^−½ (T/n)ᵀ(T/n) (S/n + λ)^−½. By input: the r leading
 * principal components of the inputs alone (principal-component regression).
 *
 * <p>Immutable; any number of threads may ask at once.
 */
public final class RidgeFamily {

    private static final int DECADES = 16;

    /** Differences of sums say nothing below this share of them. */
    private static final double ROUNDING = 1e-12;

    private final int size;
    /** μ, largest first, none below zero. */
    private final double[] mu;

    private final Matrix q;
    /** (T/n) Q. */
    private final Matrix cross;
    /** Qᵀ (V/n)ᵀ, the constant's column included. */
    private final Matrix increments;

    RidgeFamily(LeastSquaresSums sums) {
        this(sums.weight(), sums.input(), sums.cross(), sums.increments());
    }

    /**
     * Answers from statistics of samples in orthonormal coordinates β, none of them changed.
     *
     * @param weight n; nothing was learned when 0
     * @param input S = Σ β(x) β(x)ᵀ
     * @param output T = Σ β(x⁺) β(x)ᵀ
     * @param differences Vᵀ = Σ β(x) (x⁺ − x)ᵀ, and whatever else is to be predicted
     */
    public RidgeFamily(double weight, Matrix input, Matrix output, Matrix differences) {
        this.size = input.rows();
        double n = weight > 0 ? weight : 1;
        Matrix covariance = input.copy();
        covariance.scale(1 / n);
        SymmetricEigen eigen = SymmetricEigen.of(covariance);
        mu = new double[size];
        double[][] columns = new double[size][];
        for (int k = 0; k < size; k++) {
            mu[k] = Math.max(0.0, eigen.value(size - 1 - k));
            columns[k] = eigen.vector(size - 1 - k);
        }
        q = Matrix.ofColumns(columns, size);
        cross = output.times(q);
        cross.scale(1 / n);
        increments = new Matrix(size, differences.columns());
        new Products().gram(0, increments, q, differences);
        increments.scale(1 / n);
    }

    /** Number of kept points. */
    public int size() {
        return size;
    }

    /** The mean of κ(x, x) over the samples, as far as the kept points see it: Σ μ. The unit in which ridges are compared. */
    public double scale() {
        double sum = 0;
        for (double value : mu) {
            sum += value;
        }
        return sum > 0 ? sum : 1;
    }

    /** Ridges to choose from: decades from 1 to 1e-{@value #DECADES} of the {@link #scale()}, largest first. */
    public double[] grid() {
        double scale = scale();
        double[] grid = new double[DECADES + 1];
        for (int g = 0; g <= DECADES; g++) {
            grid[g] = scale * StrictMath.pow(10, -g);
        }
        return grid;
    }

    /** M_λ. O(m³). */
    public Matrix operator(double lambda) {
        return truncated(lambda, size);
    }

    /** M on the r leading principal components of the inputs. */
    private Matrix truncated(double lambda, int rank) {
        Matrix left = new Matrix(cross.rows(), rank);
        Matrix right = new Matrix(size, rank);
        for (int k = 0; k < rank; k++) {
            left.setColumn(k, 1 / (mu[k] + lambda), cross.column(k));
            right.setColumn(k, 1, q.column(k));
        }
        return times(left, right);
    }

    private static Matrix times(Matrix left, Matrix right) {
        Matrix product = new Matrix(left.rows(), right.rows());
        new Products().multiplyTransposed(0, product, left, right);
        return product;
    }

    /** The directions that a limited rank keeps. */
    public enum By {
        /** The directions along which the most is predicted: reduced-rank regression. */
        PREDICTION,
        /** The directions along which the inputs vary most: principal-component regression. */
        INPUT
    }

    /** M of a rank, with ridge λ. O(m³). */
    Matrix operator(double lambda, int rank, By by) {
        requireRank(rank);
        return by == By.INPUT ? truncated(lambda, rank) : new ReducedRank(lambda).operator(rank);
    }

    void requireRank(int rank) {
        InvalidQueryException.require(
                rank >= 1 && rank <= size, "rank = " + rank + ": must be from 1 to " + size + ", the kept points");
    }

    /** All ranks of the reduced-rank regression at one ridge. */
    final class ReducedRank {

        /** The images of the best directions, best first, one per column: A U with A = (T/n)(S/n + λ)^−½. */
        final Matrix left;
        /** The best directions in the input basis, one per column: (S/n + λ)^−½ U. */
        final Matrix right;

        ReducedRank(double lambda) {
            Matrix a = new Matrix(cross.rows(), size);
            double[] root = new double[size];
            for (int k = 0; k < size; k++) {
                root[k] = 1 / Math.sqrt(mu[k] + lambda);
                a.setColumn(k, root[k], cross.column(k));
            }
            Matrix squared = new Matrix(size, size);
            new Products().gram(0, squared, a, a);
            SymmetricEigen eigen = SymmetricEigen.of(squared);
            double[][] u = new double[size][];
            Matrix scaled = new Matrix(size, size);
            for (int k = 0; k < size; k++) {
                u[k] = eigen.vector(size - 1 - k);
                double[] column = scaled.column(k);
                for (int i = 0; i < size; i++) {
                    column[i] = root[i] * u[k][i];
                }
            }
            left = a.times(Matrix.ofColumns(u, size));
            right = q.times(scaled);
        }

        Matrix operator(int rank) {
            return times(left.firstColumns(rank), right.firstColumns(rank));
        }
    }

    /**
     * The regression of the increment: row c of the result gives coordinate c of f_λ(x) = Σ_i r_ci β_i(x), and the last row that of the
     * constant one, which falls below 1 where little was learned. As columns, m × (d + 1). O(m² d).
     */
    public Matrix increments(double lambda) {
        return q.times(shrunk(increments.copy(), lambda));
    }

    /**
     * Expected error of the regression of the increment on new samples, as a mean square of each coordinate, by generalised cross-validation on
     * the samples it was fitted to (Golub, Heath and Wahba, Technometrics 21, 1979): for streams with hardly any held-out pairs. What the increments are
     * themselves where there are as many coefficients as samples.
     *
     * @param weight n
     * @param squares Σ (x⁺ − x)² of each coordinate
     */
    public double[] expectedSquares(double lambda, double weight, double[] squares) {
        double freedom = 0;
        for (double value : mu) {
            freedom += value / (value + lambda);
        }
        double left = 1 - freedom / weight;
        double[] result = new double[squares.length];
        for (int c = 0; c < result.length; c++) {
            double mean = squares[c] / weight;
            double missed = mean;
            for (int k = 0; k < size; k++) {
                double share = increments.get(k, c) / (mu[k] + lambda);
                missed -= share * (2 * increments.get(k, c) - mu[k] * share);
            }
            result[c] = left > 0 ? Math.max(missed, ROUNDING * mean) / (left * left) : mean;
        }
        return result;
    }

    /** (S/n + λ)⁻¹ R. O(m²) for each column. */
    public Matrix solve(Matrix right, double lambda) {
        Matrix rotated = new Matrix(size, right.columns());
        new Products().gram(0, rotated, q, right);
        return q.times(shrunk(rotated, lambda));
    }

    private Matrix shrunk(Matrix shrunk, double lambda) {
        for (int c = 0; c < shrunk.columns(); c++) {
            double[] column = shrunk.column(c);
            for (int k = 0; k < size; k++) {
                column[k] /= mu[k] + lambda;
            }
        }
        return shrunk;
    }
}
