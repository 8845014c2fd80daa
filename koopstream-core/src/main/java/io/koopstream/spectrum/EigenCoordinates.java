package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;

/**
 * Some leading eigenfunctions as real coordinates of a state: a conjugate pair counts as real and imaginary part. Where the kept inputs
 * span little of a state's feature vector the values mean nothing, so such states have none. Immutable.
 */
final class EigenCoordinates {

    /** A state has coordinates only if the dictionary spans at least this share of its feature vector. */
    static final double MIN_COVERAGE = 0.5;

    private final KoopmanOperator operator;
    private final Spectrum spectrum;
    private final int[] used;

    EigenCoordinates(KoopmanOperator operator, Spectrum spectrum, int[] used) {
        this.operator = operator;
        this.spectrum = spectrum;
        this.used = used.clone();
    }

    /** All eigenfunctions of the spectrum. */
    static EigenCoordinates all(KoopmanOperator operator, Spectrum spectrum) {
        int[] used = new int[spectrum.size()];
        Arrays.setAll(used, i -> i);
        return new EigenCoordinates(operator, spectrum, used);
    }

    Spectrum spectrum() {
        return spectrum;
    }

    boolean covers(double[] state) {
        return operator.coverage(state) >= MIN_COVERAGE;
    }

    /** The states that have coordinates; refused when they are fewer than the sets asked for. */
    double[][] covered(double[][] states, int sets) {
        double[][] covered = Arrays.stream(states).filter(this::covers).toArray(double[][]::new);
        if (covered.length < sets) {
            throw new InvalidQueryException(covered.length + " states lie where something was learned, fewer than the "
                    + sets + " sets asked for; give states from the data");
        }
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
