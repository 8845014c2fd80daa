package io.koopstream.lab.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.ControlSettings;
import io.koopstream.control.StageRecord;
import io.koopstream.control.StagedLoop;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.control.dynamics.DynamicsConfig;
import io.koopstream.control.env.Environment;
import io.koopstream.control.env.Episodes;
import io.koopstream.control.env.MountainCarContinuous;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.env.Policy;
import io.koopstream.control.env.ScoreSummary;
import io.koopstream.control.env.Transitions;
import io.koopstream.control.mpc.Predictor;
import io.koopstream.control.plan.GreedyPolicy;
import io.koopstream.control.plan.Plan;
import io.koopstream.control.plan.ValueIteration;
import io.koopstream.experiments.PendulumDynamicProgramming;
import io.koopstream.experiments.PendulumExperiment;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/** Re-measures the figures of lab/records/control.md and prints them as comma-separated records. */
public final class ControlBenchmark {

    /** What is asked of a controller for the pendulum. */
    private static final double MEDIAN = -135;

    private static final double MEAN = -160;

    /** From this mean on the mountain car counts as solved. */
    private static final double SOLVED_CAR = 90;

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
     *     tracking, exploration, noise,
     *     reference, uniform, embedding, staged, paper, mountain-car; those with ten seeds take others than the usual ones as {@code seeds=31-40}
     */
    public static void main(String[] arguments) {
        String[] words = String.join(",", arguments).split("[, ]+");
        if (words.length < 2) {
            throw new InvalidConfigException(
                    "arguments",
                    String.join(" ", arguments),
                    "give EPISODES PART..., with parts seeds, cart-pole, speed, tracking, exploration, noise,"
                            + " reference, uniform, embedding, staged, paper, mountain-car");
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
            case "noise" -> {
                noise(seeds(ends, 501));
                return;
            }
            case "exploration" -> {
                exploration(seeds(ends, 501));
                return;
            }
            case "tracking" -> {
                tracking(seeds(ends, 501));
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

    /** Both models in strong noise, from the same transitions, after dynamic programming that knows the noise and that does not. */
    private void noise(long... seeds) {
        Pendulum noisy = Pendulum.noisy();
        for (double known : new double[] {noisy.noise(), 0}) {
            Plan best = ValueIteration.DEFAULT.solve(
                    new PendulumDynamicProgramming(101, 101, known), PendulumDynamicProgramming.problem(0.99, 11));
            ScoreSummary score = Episodes.evaluate(noisy, best.policy(), episodes, StagedLoop.EVALUATION_SEED);
            out.println("dynamic programming with noise up to " + known + " N m: " + score);
        }
        out.println("| seed | mean-state, median | mean | embedding, median | mean |");
        out.println("|---|---|---|---|---|");
        for (long seed : seeds) {
            Transitions data = Episodes.collect(noisy, Policy.uniform(noisy.actionSpace(), seed), 4000, seed);
            ScoreSummary mean = score(noisy, ControlSettings.pendulum(), data);
            ScoreSummary embedding = score(noisy, ControlSettings.pendulumEmbedding(), data);
            out.printf(
                    Locale.ROOT,
                    "| %d | %.1f | %.1f | %.1f | %.1f |%n",
                    seed,
                    mean.median(),
                    mean.mean(),
                    embedding.median(),
                    embedding.mean());
        }
    }

    private ScoreSummary score(Pendulum pendulum, ControlSettings settings, Transitions data) {
        return Episodes.evaluate(pendulum, settings.plan(data).policy(), episodes, StagedLoop.EVALUATION_SEED);
    }

    /** Transitions needed, by who makes them. */
    private void exploration(long... seeds) {
        out.println("| environment | behaviour | seed | needed | means |");
        out.println("|---|---|---|---|---|");
        Pendulum pendulum = new Pendulum();
        MountainCarContinuous car = new MountainCarContinuous();
        for (long seed : seeds) {
            explore(
                    pendulum,
                    ControlSettings.pendulum(),
                    ExplorationExperiment.Behaviour.EXPLORING,
                    16,
                    25,
                    MEAN,
                    seed);
            explore(pendulum, ControlSettings.pendulum(), ExplorationExperiment.Behaviour.UNIFORM, 32, 25, MEAN, seed);
            explore(pendulum, ControlSettings.pendulum(), ExplorationExperiment.Behaviour.GREEDY, 32, 25, MEAN, seed);
            explore(
                    car,
                    ControlSettings.mountainCar(),
                    ExplorationExperiment.Behaviour.EXPLORING,
                    10,
                    100,
                    SOLVED_CAR,
                    seed);
            explore(
                    car,
                    ControlSettings.mountainCar(),
                    ExplorationExperiment.Behaviour.HELD,
                    10,
                    200,
                    SOLVED_CAR,
                    seed);
        }
    }

    private void explore(
            Environment environment,
            ControlSettings settings,
            ExplorationExperiment.Behaviour behaviour,
            int stages,
            int perStage,
            double wanted,
            long seed) {
        ExplorationExperiment.Outcome found =
                ExplorationExperiment.run(environment, settings, behaviour, stages, perStage, episodes, seed);
        String means = String.join(
                " ",
                found.means().stream()
                        .map(mean -> Long.toString(Math.round(mean)))
                        .toList());
        out.println("| " + environment.id() + " | " + behaviour + " | " + seed + " | " + found.needed(wanted) + " | "
                + means + " |");
    }

    /** Model-predictive control along a reference, with each predictor. */
    private void tracking(long... seeds) {
        out.println(
                "| plant | seed | regression: distance | speed | linear: distance | speed | linear, 1e-9: distance |"
                        + " speed |");
        out.println("|---|---|---|---|---|---|---|---|");
        for (TrackingExperiment.Plant plant : TrackingExperiment.Plant.values()) {
            for (long seed : seeds) {
                Transitions data = plant.runs(40, seed);
                StringBuilder row = new StringBuilder("| " + plant + " | " + seed + " |");
                for (Predictor predictor : List.of(
                        TrackingExperiment.regression(data),
                        TrackingExperiment.linear(data, OptionalDouble.empty()),
                        TrackingExperiment.linear(data, OptionalDouble.of(1e-9)))) {
                    TrackingExperiment.Outcome found = TrackingExperiment.drive(plant, predictor);
                    row.append(String.format(Locale.ROOT, " %.3f | %.3f |", found.distance(), found.speed()));
                }
                out.println(row);
            }
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
