package io.koopstream.theory;

import io.koopstream.InvalidQueryException;
import io.koopstream.spectrum.Spectrum;

/**
 * The mixing rate as a learned spectrum shows it: after t steps what is left of the start shrinks like |λ₂|^t. An estimate and no
 * guarantee: the spectrum says nothing of the factor R, and slow modes that were not learned are not seen.
 *
 * @param rate |λ₂|, the second largest modulus of the learned eigenvalues
 * @param leading |λ₁|, which is 1 for the true operator: how far it is off tells how far to trust the rate
 */
public record MixingEstimate(double rate, double leading) {

    /**
     * Reads the rate off the two leading eigenvalues.
     *
     * @throws InvalidQueryException if there are fewer than two, or the second does not lie inside the unit circle
     */
    public static MixingEstimate of(Spectrum spectrum) {
        if (spectrum.size() < 2) {
            throw new InvalidQueryException("a mixing rate needs two eigenvalues, the spectrum has " + spectrum.size());
        }
        double second = spectrum.eigenvalue(1).modulus();
        if (!(second > 0 && second < 1)) {
            throw new InvalidQueryException(
                    "the second eigenvalue has modulus " + second
                            + ": as learned, the process does not mix (several attractors or sets, a periodic process, or too little data)");
        }
        return new MixingEstimate(second, spectrum.eigenvalue(0).modulus());
    }

    /** Steps in which the slowest mode shrinks by e, 1/log(1/γ). */
    public double relaxationSteps() {
        return -1 / StrictMath.log(rate);
    }

    /** The constants of Assumption 4 with this rate and a factor R that the caller answers for. */
    public Mixing assuming(double factor) {
        return new Mixing(factor, rate);
    }
}
