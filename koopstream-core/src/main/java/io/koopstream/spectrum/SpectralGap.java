package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;

/**
 * How many metastable sets a spectrum speaks for: the k after which the time scales fall most.
 *
 * <p>The rule: with rates r_i = −ln|λ_i| a step, none counted below {@link #SLOWEST_RATE}, k maximises r_{k+1} / r_k, the factor between
 * neighbouring time scales; the smallest k of several, and never one that cuts a conjugate pair in two. k = 1 means that no set is
 * left much more slowly than the process relaxes within it (the spectral criterion of Deuflhard and Weber, <i>Robust Perron cluster
 * analysis in conformation dynamics</i>, Linear Algebra Appl. 398, 2005, section 5.2, with the gap measured in time scales).
 *
 * <p>Immutable.
 */
public final class SpectralGap {

    /**
     * Rates a step below this count as this: eigenvalues so near to 1 are not told apart by data (least squares on 40,000 four-well pairs
     * leaves errors up to 1e-3), and without it λ_1 = 1 would make every other rate look infinitely larger.
     */
    public static final double SLOWEST_RATE = 1e-3;

    /** How many sets are looked for unless the caller says otherwise. */
    public static final int DEFAULT_MAX_SETS = 10;

    private final int sets;
    private final double ratio;

    private SpectralGap(int sets, double ratio) {
        this.sets = sets;
        this.ratio = ratio;
    }

    /** The gap among the first {@value #DEFAULT_MAX_SETS} eigenvalues, fewer where the dictionary is smaller. */
    public static SpectralGap of(KoopmanOperator operator) {
        if (operator.inputBasis().size() < 2) {
            throw new InvalidQueryException("a gap needs two eigenvalues, the dictionary has "
                    + operator.inputBasis().size() + " points; learn from more samples");
        }
        return of(Spectrum.leading(
                operator, Math.min(DEFAULT_MAX_SETS + 1, operator.inputBasis().size())));
    }

    /** The gap among the eigenvalues of a spectrum: up to one set fewer than it has pairs. */
    public static SpectralGap of(Spectrum spectrum) {
        if (spectrum.size() < 2) {
            throw new InvalidQueryException("a gap needs two eigenvalues, the spectrum has " + spectrum.size()
                    + "; ask for one pair more than the largest number of sets");
        }
        int best = 1;
        double largest = 0;
        for (int k = 1; k < spectrum.size(); k++) {
            boolean cutsPair = spectrum.eigenvalue(k - 1).im() > 0;
            double ratio = rate(spectrum.eigenvalue(k)) / rate(spectrum.eigenvalue(k - 1));
            if (!cutsPair && ratio > largest) {
                largest = ratio;
                best = k;
            }
        }
        return new SpectralGap(best, largest);
    }

    private static double rate(Complex eigenvalue) {
        double modulus = Math.max(eigenvalue.modulus(), Double.MIN_NORMAL);
        return Math.max(SLOWEST_RATE, -StrictMath.log(modulus));
    }

    /** The number of sets; 1 when nothing is metastable. */
    public int sets() {
        return sets;
    }

    /** By which factor the time scale after the gap is shorter than the one before it. */
    public double ratio() {
        return ratio;
    }
}
