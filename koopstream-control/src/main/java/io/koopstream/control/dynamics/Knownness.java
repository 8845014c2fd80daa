package io.koopstream.control.dynamics;

import io.koopstream.control.env.Transitions;
import io.koopstream.internal.dictionary.NewtonBasis;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;

/**
 * How well an input z = (state, action) is known: ‖β(z)‖²/κ_Z(z, z), the share of it that lies in the span of the kept inputs, from 0 (unlike all
 * data) to 1. Any number of threads may ask.
 */
public final class Knownness {

    private final NewtonBasis inputs;

    /** @param inputs the kept inputs; not to be changed from now on */
    public Knownness(NewtonBasis inputs) {
        this.inputs = inputs;
    }

    /** The same from the points alone. O(m³). */
    public static Knownness of(Rkhs space, Points inputs) {
        return new Knownness(NewtonBasis.spanning(space, inputs));
    }

    /** The share of (state, action) that is known. O(m²). */
    public double at(double[] state, double[] action) {
        double[] z = Transitions.concatenate(state, action);
        double norm = inputs.squaredNorm(z);
        double missed = inputs.coordinates(z, norm, new double[inputs.size()], new Scratch());
        return Math.min(1, Math.max(0, 1 - missed / norm));
    }
}
