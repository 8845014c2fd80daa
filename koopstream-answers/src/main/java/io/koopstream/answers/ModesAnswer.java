package io.koopstream.answers;

import java.util.List;

/**
 * Koopman modes of a model, those with most energy first; of a conjugate pair the one that turns forward. {@link KoopmanModes} has their values in the columns.
 *
 * @param of which model it is about
 * @param dt how long a step lasts
 * @param timeUnit what times are counted in
 * @param lambda the ridge they were computed with
 * @param columns that a mode has
 * @param projection of the rows before they were learned; null where their columns were
 * @param modes the modes
 */
public record ModesAnswer(
        Version of, double dt, String timeUnit, double lambda, int columns, Projected projection, List<Mode> modes) {

    /**
     * A mode.
     *
     * @param re real part of its eigenvalue
     * @param im imaginary part, never negative
     * @param modulus of the eigenvalue
     * @param period of a turn; infinite for a real positive eigenvalue
     * @param timescale after which it has decayed by a factor of e; infinite where it does not
     * @param amplitude root mean square over rows and columns, in the units of the data
     * @param energy its share of the variance of all columns; NaN where that is not known. Modes are not orthogonal: shares need not add up to 1
     */
    public record Mode(
            double re, double im, double modulus, double period, double timescale, double amplitude, double energy) {}

    /** Keeps its own list. */
    public ModesAnswer {
        modes = List.copyOf(modes);
    }
}
