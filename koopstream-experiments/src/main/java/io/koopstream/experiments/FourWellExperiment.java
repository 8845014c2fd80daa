package io.koopstream.experiments;

import io.koopstream.kernel.Kernel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.sogd.Budget;
import io.koopstream.learner.sogd.Criterion;
import io.koopstream.learner.sogd.SogdConfig;
import io.koopstream.learner.sogd.SogdLearner;
import io.koopstream.learner.sogd.StepSize;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.MetastableSets;
import io.koopstream.systems.FourWell;
import java.util.ArrayList;
import java.util.List;

/**
 * The four-well experiment (section 5.4 and Appendix F): Langevin dynamics, 400 trajectories
 * of 100 steps, one pass, metastable sets by k-means on the leading eigenfunctions. The paper's method beside the same method with
 * decaying steps, and least squares.
 */
public final class FourWellExperiment {

    /** The paper's kernel. */
    public static final Kernel KERNEL = Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)");

    /** The paper's step size; its budget is the fourth power. */
    public static final double ETA = 0.3;

    /** Not given in the paper; docs/errata.md, 5. */
    public static final double LAMBDA = 1e-3;

    /** Steps of each trajectory. */
    public static final int STEPS = 100;

    private static final int WELLS = 4;
    private static final int SIDE = 100;
    private static final int GROWTH_READINGS = 60;

    private final FourWell system = new FourWell();
    private final double[][][] paths;
    private final long seed;

    /** How an operator is learned. */
    public enum Method {
        /** Algorithm 1 with the settings of the paper: constant step, constant budget, its own criterion. */
        PAPER,
        /** Algorithm 1 with η_t = 0.9/(1 + t/200)^0.6 and a budget that shrinks with the step as Assumption 3(b) asks. */
        DECAYING,
        /** Online least squares. */
        LEAST_SQUARES
    }

    /**
     * The dictionary after some samples.
     *
     * @param samples how many
     * @param size its size then
     */
    public record Growth(int samples, int size) {}

    /**
     * An experiment on its own data.
     *
     * @param trajectories how many of {@link #STEPS} steps; the paper has 400
     */
    public FourWellExperiment(int trajectories, long seed) {
        this.paths = system.simulate(trajectories, STEPS, seed);
        this.seed = seed;
    }

    /** The system. */
    public FourWell system() {
        return system;
    }

    /** Number of samples. */
    public int samples() {
        return paths.length * STEPS;
    }

    /** One trajectory, one state a row. */
    public double[][] trajectory(int index) {
        return paths[index].clone();
    }

    private Learner<KoopmanOperator> learner(Method method) {
        return switch (method) {
            case PAPER ->
                SogdLearner.koopman(SogdConfig.forState(2, KERNEL)
                        .lambda(LAMBDA)
                        .stepSize(ETA)
                        .budget(ETA * ETA * ETA * ETA)
                        .criterion(Criterion.PAPER)
                        .build());
            case DECAYING ->
                SogdLearner.koopman(SogdConfig.forState(2, KERNEL)
                        .lambda(LAMBDA)
                        // 0.9/(1 + t/200)^0.6, as a fraction over (t + 200)^0.6.
                        .stepSize(StepSize.decay(0.9 * StrictMath.pow(200, 0.6), 200, 0.6))
                        .budget(Budget.proportional(0.3))
                        .build());
            case LEAST_SQUARES ->
                LeastSquaresLearner.koopman(
                        LeastSquaresConfig.forState(2, KERNEL).build());
        };
    }

    /**
     * Learns in one pass.
     *
     * @param at sample counts, increasing, at which the operator is wanted; the last ends the pass
     * @param growth takes the size of the dictionary now and then, and at every count asked for
     * @return the operators at those counts
     */
    public List<KoopmanOperator> learn(Method method, int[] at, List<Growth> growth) {
        Learner<KoopmanOperator> learner = learner(method);
        List<KoopmanOperator> operators = new ArrayList<>();
        int total = at[at.length - 1];
        double nextReading = 10;
        double factor = StrictMath.pow(total / 10.0, 1.0 / GROWTH_READINGS);
        for (int t = 1; t <= total; t++) {
            double[][] path = paths[Math.floorDiv(t - 1, STEPS)];
            int step = (t - 1) % STEPS;
            learner.update(path[step], path[step + 1]);
            boolean asked = t == at[operators.size()];
            if (asked || t >= nextReading) {
                growth.add(new Growth(t, learner.dictionarySize()));
                nextReading = Math.max(nextReading * factor, t + 1);
            }
            if (asked) {
                operators.add(learner.snapshot());
            }
        }
        return operators;
    }

    /** Four sets from the leading eigenfunctions, found on states of the data, one in twenty of the first {@code samples}. */
    public MetastableSets sets(KoopmanOperator operator, int samples) {
        double[][] states = new double[Math.floorDiv(samples, 20)][];
        for (int i = 0; i < states.length; i++) {
            states[i] = paths[Math.floorDiv(20 * i, STEPS)][20 * i % STEPS];
        }
        return MetastableSets.of(operator, WELLS, states, seed);
    }

    /**
     * The share of the invariant density exp(−βV) on [−2,2]² on which sets are the wells' quadrants, with the best one-to-one naming of sets
     * after wells. States that belong to no set count as wrong.
     */
    public double agreement(MetastableSets sets) {
        double[][] grid = new double[SIDE * SIDE][];
        for (int i = 0; i < grid.length; i++) {
            grid[i] = new double[] {-2 + 4 * (i % SIDE + 0.5) / SIDE, -2 + 4 * (Math.floorDiv(i, SIDE) + 0.5) / SIDE};
        }
        int[] found = sets.assign(grid);
        double[][] shared = new double[sets.count()][WELLS];
        double total = 0;
        for (int i = 0; i < grid.length; i++) {
            // β = 4.
            double weight = StrictMath.exp(-4 * system.potential(grid[i]));
            total += weight;
            if (found[i] >= 0) {
                shared[found[i]][system.wellOf(grid[i])] += weight;
            }
        }
        return best(shared, 0, new boolean[WELLS]) / total;
    }

    private static double best(double[][] shared, int set, boolean[] taken) {
        if (set == shared.length) {
            return 0;
        }
        double best = best(shared, set + 1, taken);
        for (int well = 0; well < taken.length; well++) {
            if (!taken[well]) {
                taken[well] = true;
                best = Math.max(best, shared[set][well] + best(shared, set + 1, taken));
                taken[well] = false;
            }
        }
        return best;
    }
}
