package io.koopstream.internal.linalg;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The eigenpairs of largest modulus of a matrix known only through products with vectors: block Arnoldi with
 * Rayleigh–Ritz (Saad, Numerical Methods for Large Eigenvalue Problems, chapter 6), without restart. The subspace grows until
 * the residuals, computed explicitly, are at rounding level, or small beside what data can tell once it is large; at worst it is the whole space and the answer is the dense one.
 *
 * <p>A block of {@link #BLOCK} start vectors finds eigenvalues of up to that multiplicity. Start vectors are fixed, so the
 * result repeats bit for bit.
 */
public final class Krylov {

    /** Vectors added at a time, and the largest multiplicity that is found for certain. */
    static final int BLOCK = 4;

    /**
     * Size of a subspace from which residuals need not be at rounding level: every growth costs its cube, and no eigenvalue learned from data is known
     * to nine digits.
     */
    private static final int LARGE = 128;

    private final LinearMap map;
    private final int n;
    private final List<double[]> basis = new ArrayList<>();
    private final List<double[]> images = new ArrayList<>();
    /** Of its generator only the raw numbers are used, which are those of SplitMix64 (Steele, Lea, Flood 2014) in every Java. */
    private final SplittableRandom random = new SplittableRandom(0);

    private Krylov(LinearMap map, int n) {
        this.map = map;
        this.n = n;
    }

    /**
     * The {@code count} leading eigenpairs, one more when that would cut a conjugate pair in two.
     *
     * @param n size of the matrix, >= count
     */
    public static List<Eigenpairs.Pair> leading(LinearMap map, int n, int count) {
        return new Krylov(map, n).run(count);
    }

    private List<Eigenpairs.Pair> run(int count) {
        int check = Math.min(n, 2 * count + 16);
        while (true) {
            grow(check);
            List<Eigenpairs.Pair> pairs = ritz(count);
            if (basis.size() == n || converged(pairs)) {
                return pairs;
            }
            check = Math.min(n, basis.size() + basis.size() / 2);
        }
    }

    private void grow(int target) {
        while (basis.size() < target) {
            int next = basis.size() - BLOCK;
            double[] candidate = next >= 0 ? images.get(next).clone() : randomVector();
            add(candidate);
        }
    }

    private void add(double[] candidate) {
        double before = Vectors.norm(candidate, n);
        if (before > 0) {
            Vectors.scale(1.0 / before, candidate, n);
        }
        // What is left of an exhausted direction is noise; a fresh direction continues the search.
        while (before == 0 || orthogonalise(candidate) < 1e-10) {
            candidate = randomVector();
            before = Vectors.norm(candidate, n);
            Vectors.scale(1.0 / before, candidate, n);
        }
        double[] image = new double[n];
        map.apply(candidate, image);
        basis.add(candidate);
        images.add(image);
    }

    /** Makes v orthogonal to the basis and of length one, in three passes; returns the length that was left at first. */
    private double orthogonalise(double[] v) {
        double left = 1;
        for (int pass = 0; pass < 3; pass++) {
            for (double[] b : basis) {
                Vectors.axpy(-Vectors.dot(b, v, n), b, v, 0, n);
            }
            double length = Vectors.norm(v, n);
            if (pass == 0) {
                left = length;
            }
            if (length == 0) {
                return 0;
            }
            Vectors.scale(1.0 / length, v, n);
        }
        return left;
    }

    private double[] randomVector() {
        double[] v = new double[n];
        for (int i = 0; i < n; i++) {
            v[i] = (random.nextLong() >>> 11) * 0x1.0p-53 - 0.5;
        }
        return v;
    }

    private List<Eigenpairs.Pair> ritz(int count) {
        int p = basis.size();
        double[][] projected = new double[p][p];
        for (int i = 0; i < p; i++) {
            for (int j = 0; j < p; j++) {
                projected[i][j] = Vectors.dot(basis.get(i), images.get(j), n);
            }
        }
        List<Eigenpairs.Pair> small = Eigenpairs.of(projected);
        int wanted = Math.min(count, p);
        // A pair with positive imaginary part is followed by its conjugate: keep them together.
        if (wanted < p && small.get(wanted - 1).im() > 0) {
            wanted++;
        }
        List<Eigenpairs.Pair> result = new ArrayList<>(wanted);
        for (int k = 0; k < wanted; k++) {
            Eigenpairs.Pair pair = small.get(k);
            result.add(
                    pair.im() < 0
                            ? result.get(k - 1).conjugate()
                            : new Eigenpairs.Pair(
                                    pair.re(),
                                    pair.im(),
                                    combine(basis, pair.vectorRe()),
                                    combine(basis, pair.vectorIm())));
        }
        return result;
    }

    private double[] combine(List<double[]> vectors, double[] weights) {
        double[] sum = new double[n];
        for (int j = 0; j < weights.length; j++) {
            Vectors.axpy(weights[j], vectors.get(j), sum, 0, n);
        }
        return sum;
    }

    private boolean converged(List<Eigenpairs.Pair> pairs) {
        double tolerance = basis.size() < LARGE ? 0 : basis.size() < 2 * LARGE ? 1e-11 : 1e-9;
        double norm = 0;
        for (double[] image : images) {
            norm = Math.max(norm, Vectors.norm(image, n));
        }
        for (Eigenpairs.Pair pair : pairs) {
            if (residual(map, n, pair) > Math.max(4 * n * Math.ulp(1.0), tolerance) * norm) {
                return false;
            }
        }
        return true;
    }

    /** ‖A v − λ v‖. */
    public static double residual(LinearMap map, int n, Eigenpairs.Pair pair) {
        double[] re = new double[n];
        double[] im = new double[n];
        map.apply(pair.vectorRe(), re);
        map.apply(pair.vectorIm(), im);
        for (int i = 0; i < n; i++) {
            double vRe = pair.vectorRe()[i];
            double vIm = pair.vectorIm()[i];
            re[i] -= pair.re() * vRe - pair.im() * vIm;
            im[i] -= pair.re() * vIm + pair.im() * vRe;
        }
        return Math.hypot(Vectors.norm(re, n), Vectors.norm(im, n));
    }
}
