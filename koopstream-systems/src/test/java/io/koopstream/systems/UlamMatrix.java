package io.koopstream.systems;

import java.util.Arrays;

/** Transition probabilities between equal cells of an interval, counted from pairs: Ulam's method. */
final class UlamMatrix {

    private final double low;
    private final double high;
    private final double[][] counts;

    UlamMatrix(double low, double high, int cells) {
        this.low = low;
        this.high = high;
        this.counts = new double[cells][cells];
    }

    void add(double from, double to) {
        counts[cellOf(from)][cellOf(to)]++;
    }

    /** The few samples outside the interval count for the outermost cells. */
    private int cellOf(double x) {
        return Math.min(Math.max((int) Math.floor((x - low) / (high - low) * counts.length), 0), counts.length - 1);
    }

    double[] centres() {
        double[] centres = new double[counts.length];
        Arrays.setAll(centres, i -> low + (i + 0.5) * (high - low) / counts.length);
        return centres;
    }

    /** (T f)ᵢ, the mean of f after a step from cell i; zero at cells never visited, to keep them out of the spectrum. */
    double[] apply(double[] f) {
        double[] result = new double[f.length];
        for (int i = 0; i < f.length; i++) {
            double visits = Arrays.stream(counts[i]).sum();
            if (visits > 0) {
                result[i] = dot(counts[i], f) / visits;
            }
        }
        return result;
    }

    /** Tᵏ f minus its mean under the stationary law, scaled to length 1: free of the eigenvalue 1. */
    double[] iterateWithoutConstant(double[] f, int steps) {
        double[] stationary = stationary();
        double[] current = f;
        for (int k = 0; k < steps; k++) {
            current = apply(current);
            double mean = dot(stationary, current);
            double[] centred = Arrays.stream(current).map(v -> v - mean).toArray();
            double length = Math.sqrt(dot(centred, centred));
            current = Arrays.stream(centred).map(v -> v / length).toArray();
        }
        return current;
    }

    private double[] stationary() {
        double[] law = new double[counts.length];
        Arrays.fill(law, 1.0 / law.length);
        for (int k = 0; k < 200; k++) {
            double[] next = new double[law.length];
            for (int i = 0; i < law.length; i++) {
                double visits = Arrays.stream(counts[i]).sum();
                for (int j = 0; j < law.length && visits > 0; j++) {
                    next[j] += law[i] * counts[i][j] / visits;
                }
            }
            double total = Arrays.stream(next).sum();
            law = Arrays.stream(next).map(v -> v / total).toArray();
        }
        return law;
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
