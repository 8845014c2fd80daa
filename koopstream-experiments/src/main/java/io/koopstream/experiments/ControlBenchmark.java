package io.koopstream.experiments;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.ControlSettings;
import io.koopstream.control.StageRecord;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.ScoreSummary;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.plan.GreedyPolicy;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Re-measures the figures of docs/measurements/control.md and prints them as comma-separated records. */
public final class ControlBenchmark {

    /** What is asked of a controller for the pendulum. */
    private static final double MEDIAN = -135;

    private static final double MEAN = -160;

    private static final int CART_EPISODES = 10;
    private static final int CART_SOLVED = 9;

    private final int episodes;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final PendulumExperiment experiment;

    private ControlBenchmark(int episodes) {
        this.episodes = episodes;
        this.experiment =
                new PendulumExperiment(episodes, System::nanoTime, stageRecord -> out.println(stageRecord.csv()));
    }

    /**
     * Runs parts of the benchmark.
     *
     * @param arguments evaluation episodes, then parts with commas or spaces between: seeds (ten seeds of the pendulum, with both models), cart-pole, speed,
     *     reference, uniform, embedding, staged, paper, mountain-car; seeds and cart-pole take others than the usual ones as {@code seeds=31-40}
     */
    public static void main(String[] arguments) {
        String[] words = String.join(",", arguments).split("[, ]+");
        if (words.length < 2) {
            throw new InvalidConfigException(
                    "arguments",
                    String.join(" ", arguments),
                    "give EPISODES PART..., with parts seeds, cart-pole, speed, reference, uniform, embedding, staged, paper, mountain-car");
        }
        ControlBenchmark benchmark = new ControlBenchmark(Integer.parseInt(words[0]));
        for (String word : List.of(words).subList(1, words.length)) {
            String[] part = word.split("=", 2);
            benchmark.run(part[0], part.length == 1 ? null : part[1].split("-"));
        }
    }

    /** @param ends first and last seed, or null for the usual ones */
    private void run(String part, String... ends) {
        switch (part) {
            case "seeds" -> {
                seeds(ControlSettings.pendulum(), 2000, seeds(ends, 21));
                seeds(ControlSettings.pendulumEmbedding(), 4000, seeds(ends, 21));
                return;
            }
            case "cart-pole" -> {
                cartPole(seeds(ends, 401));
                return;
            }
            case "speed" -> {
                speed();
                return;
            }
            default -> out.println(StageRecord.HEADER);
        }
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
            default -> throw new InvalidConfigException("part", part, "unknown part of the benchmark");
        }
    }

    private static long[] seeds(String[] ends, long usual) {
        long first = ends == null ? usual : Long.parseLong(ends[0]);
        long last = ends == null ? usual + 9 : Long.parseLong(ends[ends.length - 1]);
        return LongStream.rangeClosed(first, last).toArray();
    }

    /** A table of controllers from uniformly random transitions, one a seed, and on how many the aim was reached. */
    private void seeds(ControlSettings settings, int transitions, long... seeds) {
        PendulumExperiment silent = new PendulumExperiment(episodes, System::nanoTime, ignored -> {});
        out.println(settings.name() + ", " + transitions + " transitions, " + episodes + " episodes");
        out.println("| seed | kept | median | mean | 95 % | extremes |");
        out.println("|---|---|---|---|---|---|");
        int met = 0;
        for (long seed : seeds) {
            StageRecord found = silent.uniform(settings, transitions, seed);
            ScoreSummary score = found.score();
            met += score.median() >= MEDIAN && score.mean() >= MEAN ? 1 : 0;
            out.printf(
                    Locale.ROOT,
                    "| %d | %d | %.1f | %.1f | %.1f to %.1f | %.1f, %.1f |%n",
                    seed,
                    found.dictionary(),
                    score.median(),
                    score.mean(),
                    score.low(),
                    score.high(),
                    score.min(),
                    score.max());
        }
        out.printf(Locale.ROOT, "median >= %.0f and mean >= %.0f on %d of %d seeds%n", MEDIAN, MEAN, met, seeds.length);
    }

    private void cartPole(long... seeds) {
        int solved = 0;
        out.println("| seed | transitions | inputs | upright for the last 5 s | seconds |");
        out.println("|---|---|---|---|---|");
        for (long seed : seeds) {
            long start = System.nanoTime();
            CartPoleExperiment.Outcome found = CartPoleExperiment.run(4, CART_EPISODES, seed);
            solved += found.solved() >= CART_SOLVED ? 1 : 0;
            out.printf(
                    Locale.ROOT,
                    "| %d | %d | %d | %d of %d | %.0f |%n",
                    seed,
                    found.transitions(),
                    found.inputs(),
                    found.solved(),
                    found.upright().size(),
                    (System.nanoTime() - start) * 1e-9);
        }
        out.printf("at least %d of %d episodes on %d of %d seeds%n", CART_SOLVED, CART_EPISODES, solved, seeds.length);
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
