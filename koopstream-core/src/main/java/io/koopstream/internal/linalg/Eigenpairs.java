package io.koopstream.internal.linalg;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Eigenpairs of a real square matrix, largest modulus first; of a conjugate pair the one with positive imaginary part comes
 * first and the other is its exact conjugate. Vectors have length one.
 */
public final class Eigenpairs {

    /**
     * One eigenpair A v = λ v; its arrays are shared.
     *
     * @param re real part of λ
     * @param im imaginary part of λ
     * @param vectorRe real part of v
     * @param vectorIm imaginary part of v; all zero for a real λ
     */
    @SuppressWarnings("ArrayRecordComponent") // numbers for the project's own modules, compared nowhere
    public record Pair(double re, double im, double[] vectorRe, double[] vectorIm) {

        /** |λ|. */
        public double modulus() {
            return Math.hypot(re, im);
        }

        Pair conjugate() {
            double[] negative = new double[vectorIm.length];
            for (int i = 0; i < negative.length; i++) {
                negative[i] = -vectorIm[i];
            }
            return new Pair(re, -im, vectorRe, negative);
        }
    }

    private Eigenpairs() {}

    /** All eigenpairs of the matrix with these rows, by its Schur form; O(n³). */
    public static List<Pair> of(double[][] rows) {
        RealSchur schur = RealSchur.of(rows);
        int n = schur.size();
        double norm = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                norm = Math.max(norm, Math.abs(schur.scaledTriangle(i, j)));
            }
        }
        List<Pair> pairs = new ArrayList<>(n);
        for (int k = 0; k < n; k++) {
            boolean block = k + 1 < n && schur.scaledTriangle(k + 1, k) != 0;
            Pair pair = block ? complexPair(schur, k, norm) : realPair(schur, k, norm);
            pairs.add(pair);
            if (block) {
                pairs.add(pair.conjugate());
                k++;
            }
        }
        // Conjugates stay together.
        pairs.sort(Comparator.comparingDouble(Pair::modulus)
                .thenComparingDouble(Pair::re)
                .thenComparingDouble(Pair::im)
                .reversed());
        return pairs;
    }

    private static Pair realPair(RealSchur schur, int k, double norm) {
        double[] re = new double[schur.size()];
        double[] im = new double[schur.size()];
        re[k] = 1;
        double lambda = schur.scaledTriangle(k, k);
        substitute(schur, k - 1, lambda, 0, re, im, norm);
        return rotated(schur, lambda, 0, re, im, k + 1);
    }

    private static Pair complexPair(RealSchur schur, int k, double norm) {
        double a = schur.scaledTriangle(k, k);
        double b = schur.scaledTriangle(k, k + 1);
        double c = schur.scaledTriangle(k + 1, k);
        double d = schur.scaledTriangle(k + 1, k + 1);
        double half = 0.5 * (a - d);
        double re0 = d + half;
        double im0 = Math.sqrt(Math.max(0.0, -(half * half + b * c)));
        double[] re = new double[schur.size()];
        double[] im = new double[schur.size()];
        // (λ − d, c) solves the second row of the block.
        re[k] = re0 - d;
        im[k] = im0;
        re[k + 1] = c;
        substitute(schur, k - 1, re0, im0, re, im, norm);
        return rotated(schur, re0, im0, re, im, k + 2);
    }

    /** Solves (T − λ) v = 0 upwards from row {@code from}, given the entries below it. */
    private static void substitute(
            RealSchur schur, int from, double lambdaRe, double lambdaIm, double[] re, double[] im, double norm) {
        double tiny = Math.max(Math.ulp(1.0) * norm, Double.MIN_NORMAL);
        int n = schur.size();
        int last = from + (lambdaIm == 0 ? 1 : 2);
        for (int j = from; j >= 0; j--) {
            boolean block = j > 0 && schur.scaledTriangle(j, j - 1) != 0;
            double sumRe = rowSum(schur, j, j + 1, last, re);
            double sumIm = rowSum(schur, j, j + 1, last, im);
            double dRe = schur.scaledTriangle(j, j) - lambdaRe;
            if (!block) {
                // A zero pivot belongs to a repeated eigenvalue; a tiny one keeps the vector finite.
                if (Math.abs(dRe) + Math.abs(lambdaIm) < tiny) {
                    dRe = tiny;
                }
                divide(-sumRe, -sumIm, dRe, -lambdaIm, re, im, j);
            } else {
                double aboveRe = rowSum(schur, j - 1, j + 1, last, re);
                double aboveIm = rowSum(schur, j - 1, j + 1, last, im);
                double a = schur.scaledTriangle(j - 1, j - 1) - lambdaRe;
                double b = schur.scaledTriangle(j - 1, j);
                double c = schur.scaledTriangle(j, j - 1);
                // Cramer's rule for [a − iω, b; c, d − iω] with ω = Im λ.
                double detRe = a * dRe - lambdaIm * lambdaIm - b * c;
                double detIm = -lambdaIm * (a + dRe);
                if (Math.abs(detRe) + Math.abs(detIm) < tiny * tiny) {
                    detRe = tiny * tiny;
                }
                divide(
                        -(aboveRe * dRe + aboveIm * lambdaIm) + b * sumRe,
                        -(aboveIm * dRe - aboveRe * lambdaIm) + b * sumIm,
                        detRe,
                        detIm,
                        re,
                        im,
                        j - 1);
                divide(
                        -(sumRe * a + sumIm * lambdaIm) + c * aboveRe,
                        -(sumIm * a - sumRe * lambdaIm) + c * aboveIm,
                        detRe,
                        detIm,
                        re,
                        im,
                        j);
                j--;
            }
            rescale(re, im, Math.max(0, j), Math.min(n, last + 1));
        }
    }

    private static double rowSum(RealSchur schur, int row, int from, int last, double[] v) {
        double sum = 0;
        for (int j = from; j <= last && j < v.length; j++) {
            sum = Math.fma(schur.scaledTriangle(row, j), v[j], sum);
        }
        return sum;
    }

    /** v_j = (p + iq) / (c + id), by Smith's method. */
    private static void divide(double p, double q, double c, double d, double[] re, double[] im, int j) {
        if (Math.abs(c) >= Math.abs(d)) {
            double ratio = d / c;
            double denominator = c + d * ratio;
            re[j] = (p + q * ratio) / denominator;
            im[j] = (q - p * ratio) / denominator;
        } else {
            double ratio = c / d;
            double denominator = c * ratio + d;
            re[j] = (p * ratio + q) / denominator;
            im[j] = (q * ratio - p) / denominator;
        }
    }

    /** Keeps a growing vector away from overflow. */
    private static void rescale(double[] re, double[] im, int from, int to) {
        double size = Math.max(Math.abs(re[from]), Math.abs(im[from]));
        if (size > 1e100) {
            for (int i = from; i < to; i++) {
                re[i] /= size;
                im[i] /= size;
            }
        }
    }

    /** Q v, of length one, with λ in the original units. */
    private static Pair rotated(RealSchur schur, double lambdaRe, double lambdaIm, double[] re, double[] im, int used) {
        int n = schur.size();
        double[] vectorRe = new double[n];
        double[] vectorIm = new double[n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < used; k++) {
                double entry = schur.vector(i, k);
                vectorRe[i] = Math.fma(entry, re[k], vectorRe[i]);
                vectorIm[i] = Math.fma(entry, im[k], vectorIm[i]);
            }
        }
        double length = Math.hypot(Vectors.norm(vectorRe, n), Vectors.norm(vectorIm, n));
        Vectors.scale(1.0 / length, vectorRe, n);
        Vectors.scale(1.0 / length, vectorIm, n);
        return new Pair(lambdaRe * schur.scale(), lambdaIm * schur.scale(), vectorRe, vectorIm);
    }
}
