package io.koopstream.experiments;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.ControlSettings;
import io.koopstream.control.StageRecord;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.GreedyPolicy;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Re-measures the figures of docs/control.md and prints them as comma-separated records. */
public final class ControlBenchmark {

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final PendulumExperiment experiment;

    private ControlBenchmark(int episodes) {
        this.experiment =
                new PendulumExperiment(episodes, System::nanoTime, stageRecord -> out.println(stageRecord.csv()));
    }

    /**
     * Runs parts of the benchmark.
     *
     * @param arguments evaluation episodes, then parts: reference, uniform, embedding, staged, paper, mountain-car, cart-pole, speed
     */
    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new InvalidConfigException(
                    "arguments",
                    String.join(" ", arguments),
                    "give EPISODES PART..., with parts reference, uniform, embedding, staged, paper, mountain-car, cart-pole, speed");
        }
        ControlBenchmark benchmark = new ControlBenchmark(Integer.parseInt(arguments[0]));
        benchmark.out.println(StageRecord.HEADER);
        for (String part : List.of(arguments).subList(1, arguments.length)) {
            benchmark.run(part);
        }
    }

    private void run(String part) {
        switch (part) {
            case "reference" -> experiment.reference(201, 0.99, 21);
            case "uniform" -> uniform(ControlSettings.pendulum(), 4000, 8000, 2000);
            case "embedding" -> uniform(ControlSettings.pendulumEmbedding(), 4000);
            case "staged" -> {
                for (long seed = 1; seed <= 3; seed++) {
                    for (Behaviour behaviour : Behaviour.values()) {
                        experiment.staged(ControlSettings.pendulum(), behaviour, 20, 400, seed);
                    }
                }
            }
            case "paper" -> {
                experiment.paper(8, 1, 1);
                experiment.paper(20, 4, 1);
            }
            case "mountain-car" -> {
                for (int transitions : new int[] {2000, 4000}) {
                    for (long seed = 1; seed <= 3; seed++) {
                        experiment.mountainCar(transitions, seed);
                    }
                }
            }
            case "cart-pole" -> {
                for (long seed = 401; seed <= 410; seed++) {
                    out.println("cart-pole, seed " + seed + ": " + CartPoleExperiment.run(4, 10, seed));
                }
            }
            case "speed" -> speed();
            default -> throw new InvalidConfigException("part", part, "unknown part of the benchmark");
        }
    }

    private void uniform(ControlSettings settings, int... sizes) {
        for (int transitions : sizes) {
            for (long seed = 1; seed <= 3; seed++) {
                experiment.uniform(settings, transitions, seed);
            }
        }
    }

    /** Decisions a second of processor time, on one thread, with 500 and with all points. */
    private void speed() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ControlSettings all = ControlSettings.pendulum();
        Pendulum pendulum = new Pendulum();
        Transitions data = Episodes.collect(pendulum, Policy.uniform(pendulum.actionSpace(), 1), 4000, 1);
        for (int size : new int[] {500, all.dynamics().maxDictionary()}) {
            DynamicsConfig dynamics = new DynamicsConfig(
                    all.dynamics().input(),
                    all.dynamics().output(),
                    all.dynamics().lambda(),
                    all.dynamics().epsilon(),
                    size);
            GreedyPolicy policy = new ControlSettings("speed", dynamics, all.prediction(), all.problem(), all.planner())
                    .plan(data)
                    .policy();
            double[][] states = new double[data.size()][];
            Arrays.setAll(states, data::state);
            double single = 0;
            double blocks = 0;
            for (int round = 0; round < 8; round++) {
                long start = threads.getCurrentThreadCpuTime();
                for (double[] state : states) {
                    policy.action(state);
                }
                long middle = threads.getCurrentThreadCpuTime();
                policy.actions(states);
                single = Math.max(single, states.length / ((middle - start) * 1e-9));
                blocks = Math.max(blocks, states.length / ((threads.getCurrentThreadCpuTime() - middle) * 1e-9));
            }
            out.printf(
                    Locale.ROOT,
                    "at most %d points, decisions a second on one thread: %.0f one by one, %.0f in blocks%n",
                    size,
                    single,
                    blocks);
        }
    }
}
