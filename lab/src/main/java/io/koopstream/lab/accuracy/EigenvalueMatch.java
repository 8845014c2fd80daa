package io.koopstream.lab.accuracy;

import io.koopstream.spectrum.Complex;

/** Which learned eigenvalue stands for which known one: each known one, in order, takes the nearest that is still free. */
final class EigenvalueMatch {

    private final int[] partners;
    private final double[] errors;

    private EigenvalueMatch(int[] partners, double[] errors) {
        this.partners = partners;
        this.errors = errors;
    }

    /**
     * Matches.
     *
     * @param learned at least as many as are known; with more than that, stray ones are passed over
     * @param known rows (re, im)
     */
    static EigenvalueMatch of(Complex[] learned, double[][] known) {
        boolean[] taken = new boolean[learned.length];
        int[] partners = new int[known.length];
        double[] errors = new double[known.length];
        for (int k = 0; k < known.length; k++) {
            int nearest = -1;
            double smallest = Double.POSITIVE_INFINITY;
            for (int i = 0; i < learned.length; i++) {
                double distance = Math.hypot(learned[i].re() - known[k][0], learned[i].im() - known[k][1]);
                if (!taken[i] && distance < smallest) {
                    nearest = i;
                    smallest = distance;
                }
            }
            if (nearest < 0) {
                throw new IllegalArgumentException(
                        learned.length + " learned eigenvalues for " + known.length + " known");
            }
            taken[nearest] = true;
            partners[k] = nearest;
            errors[k] = smallest;
        }
        return new EigenvalueMatch(partners, errors);
    }

    /** The position among the learned ones of the partner of known eigenvalue k. */
    int partner(int k) {
        return partners[k];
    }

    double error(int k) {
        return errors[k];
    }

    /** The largest error of the known eigenvalues from one to before another. */
    double largest(int from, int to) {
        double largest = 0;
        for (int k = from; k < to; k++) {
            largest = Math.max(largest, errors[k]);
        }
        return largest;
    }
}
