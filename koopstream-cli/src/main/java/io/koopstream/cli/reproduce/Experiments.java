package io.koopstream.cli.reproduce;

import java.util.List;
import java.util.Optional;

/** The experiments there are, in the order in which {@code all} runs them. A new one is added here and nowhere else. */
public final class Experiments {

    private static final List<Experiment> ALL = List.of(
            new FourWellReproduction(),
            new DuffingReproduction(),
            new ConvergenceReproduction(),
            new PendulumReproduction());

    private Experiments() {}

    /** All of them. */
    public static List<Experiment> all() {
        return ALL;
    }

    /** The one with this name. */
    public static Optional<Experiment> named(String name) {
        return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
    }
}
