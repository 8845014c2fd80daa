package io.koopstream.lab.accuracy;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.LinearOscillator;
import io.koopstream.systems.NoisyLogistic;
import io.koopstream.systems.NoisyRotation;
import io.koopstream.systems.OrnsteinUhlenbeck;
import io.koopstream.systems.VanDerPol;
import java.util.List;

/**
 * A system with a known spectrum, and settings for it by hand: not searched for, but for the logistic map, where it was on seeds 11 and 12.
 *
 * @param system the system
 * @param name how the tables call it
 * @param trajectories paths in a stream
 * @param steps pairs in a path
 * @param kernel the kernel
 * @param lambda ridge of least squares
 * @param epsilon threshold of least squares
 * @param eigenvalues how many of the leading eigenvalues are compared
 */
record Subject(
        BenchmarkSystem system,
        String name,
        int trajectories,
        int steps,
        Kernel kernel,
        double lambda,
        double epsilon,
        int eigenvalues) {

    static final Subject FOUR_WELL = new Subject(
            new FourWell(), "four wells", 400, 100, Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)"), 1e-5, 0.1, 6);

    /** All but the four wells; one long path of 40,000 pairs each. */
    static final List<Subject> OTHERS = List.of(
            new Subject(
                    new LinearOscillator(),
                    "linear oscillator",
                    1,
                    40_000,
                    Kernels.parse("scaled(gaussian(2),1,2)"),
                    1e-6,
                    0.05,
                    6),
            new Subject(new NoisyRotation(), "noisy rotation", 1, 40_000, Kernels.gaussian(1.5), 1e-6, 0.05, 6),
            new Subject(new OrnsteinUhlenbeck(), "Ornstein–Uhlenbeck", 1, 40_000, Kernels.gaussian(2), 1e-6, 0.05, 4),
            new Subject(new NoisyLogistic(), "noisy logistic map", 1, 40_000, Kernels.gaussian(0.08), 1e-3, 0.05, 3),
            new Subject(new VanDerPol(), "van der Pol", 1, 40_000, Kernels.gaussian(1), 1e-6, 0.1, 7));

    /** A stream of this system. */
    PairStream stream(long seed) {
        return PairStream.of(system, trajectories, steps, seed);
    }

    double[][] known() {
        return system.exactEigenvalues(eigenvalues).orElseThrow();
    }
}
