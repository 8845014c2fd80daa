package io.koopstream.experiments;

import io.koopstream.control.ControlSettings;
import io.koopstream.control.StageRecord;
import io.koopstream.control.StagedLoop;
import io.koopstream.control.StagedLoop.Behaviour;
import io.koopstream.control.env.Pendulum;
import io.koopstream.control.plan.Plan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * All of section 7.2 at once: the staged loop with three behaviours, the paper's settings, and the reference, on as many threads as asked
 * for. Each part is a function of the seed alone, so the figures do not depend on the threads.
 */
public final class PendulumStudy {

    /**
     * How much to run.
     *
     * @param stages stages of 400 transitions
     * @param episodes episodes of an evaluation of uniform behaviour, the paper's, and of the reference
     * @param exploringEpisodes episodes of an evaluation of the other behaviours
     * @param referenceGrid angles, and speeds, of the reference's grid
     * @param paperStages stages with the paper's settings, whose cost grows with the cube of the points kept
     * @param rescaledStages stages with the paper's settings in other units
     * @param paperEpisodes episodes of the evaluations of both
     */
    public record Extent(
            int stages,
            int episodes,
            int exploringEpisodes,
            int referenceGrid,
            int paperStages,
            int rescaledStages,
            int paperEpisodes) {

        /** The paper's. */
        public static final Extent FULL = new Extent(20, 1000, 300, 201, 4, 20, 50);

        /** The same quantities in seconds. */
        public static final Extent REDUCED = new Extent(4, 20, 20, 61, 1, 2, 10);
    }

    /** Transitions of a stage: n_new of the paper. */
    public static final int PER_STAGE = 400;

    private final Extent extent;
    private final long seed;
    private final double[][] places;
    private final List<Integer> stagesShown;
    private final LongSupplier nanoTime;
    private final Consumer<String> progress;
    private final Map<Behaviour, List<StageRecord>> staged =
            Collections.synchronizedMap(new EnumMap<>(Behaviour.class));
    private final Map<Integer, double[]> values = Collections.synchronizedMap(new TreeMap<>());
    private double[] referenceValues;
    private StageRecord reference;
    private List<StageRecord> paper;
    private List<StageRecord> rescaled;

    /**
     * @param places where value functions are wanted: rows (θ, θ̇)
     * @param stagesShown the stages of which, with uniform behaviour
     * @param nanoTime the clock for the records
     * @param progress told in one line of every part that is done
     */
    public PendulumStudy(
            Extent extent,
            long seed,
            double[][] places,
            List<Integer> stagesShown,
            LongSupplier nanoTime,
            Consumer<String> progress) {
        this.extent = extent;
        this.seed = seed;
        this.places = places;
        this.stagesShown = List.copyOf(stagesShown);
        this.nanoTime = nanoTime;
        this.progress = progress;
    }

    /** Runs everything. */
    public void run(int threads) {
        List<Callable<Void>> parts = new ArrayList<>();
        for (Behaviour behaviour : Behaviour.values()) {
            parts.add(() -> runStages(behaviour));
        }
        parts.add(this::runPaper);
        parts.add(this::runReference);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> part : pool.invokeAll(parts)) {
                part.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the parts were running", e);
        } finally {
            pool.shutdownNow();
        }
    }

    private Void runStages(Behaviour behaviour) {
        int episodes = behaviour == Behaviour.UNIFORM ? extent.episodes() : extent.exploringEpisodes();
        StagedLoop loop = new StagedLoop(extent.stages(), PER_STAGE, behaviour, episodes);
        staged.put(
                behaviour, loop.run(new Pendulum(), ControlSettings.pendulum(), seed, nanoTime, (stageRecord, plan) -> {
                    say(behaviour.label(), stageRecord);
                    if (behaviour == Behaviour.UNIFORM && stagesShown.contains(stageRecord.stage())) {
                        values.put(stageRecord.stage(), PendulumExperiment.normalisedValues(plan, places));
                    }
                }));
        return null;
    }

    private Void runPaper() {
        PendulumExperiment experiment = new PendulumExperiment(
                extent.paperEpisodes(), nanoTime, stageRecord -> say(stageRecord.settings(), stageRecord));
        paper = experiment.paper(extent.paperStages(), 1, seed);
        rescaled = experiment.paper(extent.rescaledStages(), 4, seed);
        return null;
    }

    private Void runReference() {
        Plan plan = PendulumExperiment.referencePlan(extent.referenceGrid(), 0, 0.99, 21);
        reference = new PendulumExperiment(extent.episodes(), nanoTime, stageRecord -> say("reference", stageRecord))
                .publishReference(plan, 0);
        referenceValues = PendulumExperiment.normalisedValues(plan, places);
        return null;
    }

    private void say(String what, StageRecord stageRecord) {
        progress.accept(what + ", stage " + stageRecord.stage() + ": " + stageRecord.score());
    }

    /** Dynamic programming with the true model. */
    public StageRecord reference() {
        return reference;
    }

    /** Our settings, all stages of a behaviour. */
    public List<StageRecord> staged(Behaviour behaviour) {
        return staged.get(behaviour);
    }

    /** The paper's settings, coordinates as they are. */
    public List<StageRecord> paper() {
        return paper;
    }

    /** The paper's settings, speed and torque divided by four. */
    public List<StageRecord> rescaled() {
        return rescaled;
    }

    /** The normalised value functions by stage. */
    public Map<Integer, double[]> values() {
        return new TreeMap<>(values);
    }

    /** The normalised value function of the reference. */
    public double[] referenceValues() {
        return referenceValues.clone();
    }
}
