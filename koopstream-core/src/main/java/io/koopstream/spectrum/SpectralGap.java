package io.koopstream.spectrum;

import io.koopstream.InvalidQueryException;
import io.koopstream.operator.KoopmanOperator;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Number of metastable sets a spectrum speaks for: the k after which the time scales fall most.
 *
 * <p>The rule: with rates r_i = −ln|λ_i|, k from 2 maximises r_{k+1} / r_k, the factor between neighbouring time scales; the smallest k of several, and
 * never one that cuts a conjugate pair in two. k = 1, when that factor is less than {@link #MIN_RATIO}, means that no set is left much more slowly than the
 * process relaxes within it. Ratios of rates have no unit, so the answer is the same however finely the process is sampled (the spectral criterion of Deuflhard and Weber, <i>Robust Perron cluster
 * analysis in conformation dynamics</i>, Linear Algebra Appl. 398, 2005, section 5.2, with the gap measured in time scales).
 *
 * @param sets the number of sets; 1 when nothing is metastable
 * @param ratio by which factor the time scale after the gap is shorter than the one before it; of one set, the largest such factor
 */
public record SpectralGap(int sets, double ratio) {

    /** A drop of the time scales by less is none: a process that relaxes in one well has rates of 1, 2, 3, ... times the first. */
    public static final double MIN_RATIO = 3;

    /** Rates below this share of the fastest one count as this: eigenvalues so near to 1 are not told apart by data. */
    static final double SLOWEST_SHARE = 2e-4;

    /** Number of sets looked for unless the caller says otherwise. */
    public static final int DEFAULT_MAX_SETS = 10;

    /** The gap among the first {@value #DEFAULT_MAX_SETS} eigenvalues, fewer where the dictionary is smaller. */
    public static SpectralGap of(KoopmanOperator operator) {
        InvalidQueryException.require(
                operator.inputBasis().size() >= 2,
                "a gap needs two eigenvalues, and the dictionary has fewer than two points; learn from more samples");
        return of(Spectrum.upTo(operator, DEFAULT_MAX_SETS + 1));
    }

    /** The gap among the eigenvalues of a spectrum: up to one set fewer than it has pairs. */
    public static SpectralGap of(Spectrum spectrum) {
        InvalidQueryException.require(
                spectrum.size() >= 2,
                "a gap needs two eigenvalues, the spectrum has " + spectrum.size()
                        + "; ask for one pair more than the largest number of sets");
        return of(IntStream.range(0, spectrum.size())
                .mapToObj(spectrum::eigenvalue)
                .toList());
    }

    static SpectralGap of(List<Complex> eigenvalues) {
        double[] rates = eigenvalues.stream()
                .mapToDouble(value -> -StrictMath.log(Math.max(value.modulus(), Double.MIN_NORMAL)))
                .toArray();
        double slowest = SLOWEST_SHARE
                * Math.max(Double.MIN_NORMAL, Arrays.stream(rates).max().orElseThrow());
        int best = 1;
        double largest = 0;
        for (int k = 2; k < rates.length; k++) {
            boolean cutsPair = eigenvalues.get(k - 1).im() > 0;
            double ratio = Math.max(slowest, rates[k]) / Math.max(slowest, rates[k - 1]);
            if (!cutsPair && ratio > largest) {
                largest = ratio;
                best = k;
            }
        }
        return new SpectralGap(largest < MIN_RATIO ? 1 : best, largest);
    }
}
