package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Some leading eigenfunctions as real coordinates of a state: a conjugate pair counts as real and imaginary part. Where the kept inputs
 * span little of a state's feature vector the values mean nothing, so such states have none. Immutable.
 *
 * @param used the eigenfunctions that are coordinates
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record EigenCoordinates(Spectrum spectrum, int[] used) {

    /** A state has coordinates only if the dictionary spans at least this share of its feature vector. */
    static final double MIN_COVERAGE = 0.5;

    /** All eigenfunctions of the spectrum. */
    static EigenCoordinates all(Spectrum spectrum) {
        return new EigenCoordinates(
                spectrum, IntStream.range(0, spectrum.size()).toArray());
    }

    boolean covers(double[] state) {
        return spectrum.operator().coverage(state) >= MIN_COVERAGE;
    }

    /** The states that have coordinates; refused when they are fewer than the sets asked for. */
    double[][] covered(double[][] states, int sets) {
        double[][] covered = Arrays.stream(states).filter(this::covers).toArray(double[][]::new);
        InvalidQueryException.require(
                covered.length >= sets,
                covered.length + " states lie where something was learned, fewer than the " + sets
                        + " sets asked for; give states from the data");
        return covered;
    }

    /** Coordinates of states, one per row; null for those that are not covered. */
    double[][] atCovered(double[][] states) {
        double[][] result = at(states);
        Arrays.setAll(result, i -> covers(states[i]) ? result[i] : null);
        return result;
    }

    /** Coordinates of states, one per row, without asking whether they are covered. */
    double[][] at(double[][] states) {
        Complex[][] values = spectrum.eigenfunctions(states);
        double[][] result = new double[states.length][used.length];
        for (int i = 0; i < states.length; i++) {
            for (int k = 0; k < used.length; k++) {
                boolean second = spectrum.eigenvalue(used[k]).im() < 0;
                Complex value = values[i][used[k]];
                result[i][k] = second ? value.im() : value.re();
            }
        }
        return result;
    }
}
