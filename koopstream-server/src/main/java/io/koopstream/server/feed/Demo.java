package io.koopstream.server.feed;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.env.Pendulum;
import io.koopstream.systems.BenchmarkSystem;
import io.koopstream.systems.BenchmarkSystems;
import io.koopstream.systems.TrajectoryStreams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A system that the server can simulate for those who have no data at hand.
 *
 * @param name how it is asked for
 * @param coordinates names of its coordinates
 * @param dt time between two states
 * @param settings of its model
 * @param steps after which a new trajectory starts
 * @param paths trajectory i, state after state without end
 */
record Demo(
        String name,
        List<String> coordinates,
        double dt,
        Map<String, String> settings,
        int steps,
        IntFunction<Path> paths) {

    /** States of a trajectory, one a call; the array belongs to the caller. */
    interface Path {
        double[] next();
    }

    /** What they are called. */
    static final List<String> NAMES = List.of("fourwell", "duffing", "pendulum", "lorenz");

    private static final long SEED = 1;

    static Demo of(String name) {
        return switch (name) {
            // One particle that hops between the wells; stops only to begin elsewhere.
            case "fourwell" ->
                benchmark(name, 5_000, Map.of("kernel", "0.4*gaussian(0.4)+0.6*gaussian(0.7)", "lambda", "1e-6"));
            // Without noise a trajectory ends in a fixed point and shows nothing new.
            case "duffing" -> benchmark(name, 60, Map.of("deterministic", "true"));
            case "lorenz" -> benchmark(name, 20_000, Map.of("deterministic", "true"));
            case "pendulum" -> pendulum();
            default -> throw new InvalidConfigException("demo", name, "must be one of " + String.join(", ", NAMES));
        };
    }

    private static Demo benchmark(String name, int steps, Map<String, String> settings) {
        BenchmarkSystem system = BenchmarkSystems.of(name);
        return new Demo(name, system.coordinateNames(), system.dt(), words(system.dt(), settings), steps, index -> {
            UniformRandomProvider random = TrajectoryStreams.of(SEED, index);
            double[] state = system.initialState(random);
            boolean[] started = new boolean[1];
            return () -> {
                if (started[0]) {
                    system.step(state, random);
                }
                started[0] = true;
                return state.clone();
            };
        });
    }

    /** The pendulum of the control benchmarks, swinging without a motor. */
    private static Demo pendulum() {
        Pendulum pendulum = new Pendulum();
        double dt = 0.05;
        return new Demo(
                "pendulum",
                pendulum.observationNames(),
                dt,
                words(dt, Map.of("deterministic", "true")),
                pendulum.maxSteps(),
                index -> {
                    double[][] state = {pendulum.reset(SEED + index)};
                    return () -> {
                        double[] now = state[0];
                        state[0] = pendulum.step(0).observation();
                        return now;
                    };
                });
    }

    private static Map<String, String> words(double dt, Map<String, String> more) {
        Map<String, String> words = new LinkedHashMap<>(more);
        words.put("dt", Double.toString(dt));
        return words;
    }
}
