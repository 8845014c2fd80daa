package io.koopstream.systems;

import java.util.Comparator;
import java.util.List;

/** The registry of benchmark systems, each with its default parameters. */
public final class BenchmarkSystems {

    /** Every version ever published stays here, so that old results can be repeated. */
    private static final List<BenchmarkSystem> ALL = List.of(
            new FourWell(),
            new OrnsteinUhlenbeck(),
            new Duffing(),
            new NoisyRotation(),
            new NoisyLogistic(),
            new LinearOscillator(),
            new VanDerPol(),
            new Lorenz(),
            new GridChain(),
            new PrinzPotential(),
            new QuadrupleWell(),
            new SlowManifold());

    private BenchmarkSystems() {}

    /** All systems, in the order in which a list should show them. */
    public static List<BenchmarkSystem> all() {
        return ALL;
    }

    /**
     * The system with this id; a bare name such as {@code fourwell} means its newest version.
     *
     * @throws UnknownSystemException if there is none
     */
    public static BenchmarkSystem of(String id) {
        return find(id, ALL);
    }

    static BenchmarkSystem find(String id, List<BenchmarkSystem> systems) {
        return systems.stream()
                .filter(system -> system.id().equals(id) || nameOf(system).equals(id))
                .max(Comparator.comparingInt(BenchmarkSystems::versionOf))
                .orElseThrow(() -> new UnknownSystemException(
                        id, systems.stream().map(BenchmarkSystem::id).toList()));
    }

    private static String nameOf(BenchmarkSystem system) {
        return system.id().substring(0, system.id().lastIndexOf("-v"));
    }

    private static int versionOf(BenchmarkSystem system) {
        return Integer.parseInt(system.id().substring(system.id().lastIndexOf("-v") + 2));
    }
}
