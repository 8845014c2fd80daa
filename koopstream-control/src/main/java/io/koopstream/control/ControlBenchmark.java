package io.koopstream.control;

import io.koopstream.InvalidConfigException;
import io.koopstream.control.StagedLoop.Behaviour;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Re-measures the figures of docs/control.md: prints comma-separated records, and leaves value functions in a folder. */
public final class ControlBenchmark {

    private static final Set<Integer> STAGES_SHOWN = Set.of(0, 7, 14, 19);

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Path folder;
    private final PendulumExperiment experiment;

    private ControlBenchmark(int episodes, Path folder) {
        this.folder = folder;
        this.experiment =
                new PendulumExperiment(episodes, System::nanoTime, stageRecord -> out.println(stageRecord.csv()));
    }

    /**
     * Runs parts of the benchmark.
     *
     * @param arguments evaluation episodes, a folder for value functions, then parts: reference, uniform, embedding, staged, paper,
     *     mountain-car, values, speed
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            throw new InvalidConfigException(
                    "arguments",
                    String.join(" ", arguments),
                    "give EPISODES FOLDER PART..., with parts reference, uniform, embedding, staged, paper, mountain-car, values, speed");
        }
        ControlBenchmark benchmark = new ControlBenchmark(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        benchmark.out.println(StageRecord.HEADER);
        for (String part : List.of(arguments).subList(2, arguments.length)) {
            benchmark.run(part);
        }
    }

    private void run(String part) throws IOException {
        switch (part) {
            case "reference" -> experiment.reference(201, 0.99, 21);
            case "uniform" -> uniform(ControlSettings.pendulum(), 4000, 8000, 2000);
            case "embedding" -> uniform(PendulumExperiment.embedding(), 4000);
            case "staged" -> {
                for (Behaviour behaviour : Behaviour.values()) {
                    experiment.staged(ControlSettings.pendulum(), behaviour, 20, 400, 1);
                }
            }
            case "paper" -> experiment.paper(5, 1);
            case "mountain-car" -> {
                for (int transitions : new int[] {2000, 4000}) {
                    for (long seed = 1; seed <= 3; seed++) {
                        experiment.mountainCar(transitions, seed);
                    }
                }
            }
            case "values" -> values();
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

    /** The value functions of stages 0, 7, 14 and 19, and of the reference. */
    private void values() throws IOException {
        Files.createDirectories(folder);
        write("values-reference.csv", PendulumExperiment.referencePlan(201, 0.99, 21));
        List<Plan> shown = new java.util.ArrayList<>();
        new StagedLoop(20, 400, Behaviour.UNIFORM, 1)
                .run(new Pendulum(), ControlSettings.pendulum(), 1, System::nanoTime, (stageRecord, plan) -> {
                    if (STAGES_SHOWN.contains(stageRecord.stage())) {
                        shown.add(plan);
                    }
                });
        List<Integer> stages = STAGES_SHOWN.stream().sorted().toList();
        for (int i = 0; i < stages.size(); i++) {
            write("values-stage-" + stages.get(i) + ".csv", shown.get(i));
        }
    }

    private void write(String name, Plan plan) throws IOException {
        Files.write(folder.resolve(name), PendulumExperiment.valuesOnGrid(plan, 101), StandardCharsets.UTF_8);
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
            double best = 0;
            for (int round = 0; round < 8; round++) {
                long start = threads.getCurrentThreadCpuTime();
                for (int i = 0; i < data.size(); i++) {
                    policy.action(data.state(i));
                }
                best = Math.max(best, data.size() / ((threads.getCurrentThreadCpuTime() - start) * 1e-9));
            }
            out.printf(Locale.ROOT, "at most %d points: %.0f decisions a second, one thread%n", size, best);
        }
    }
}
