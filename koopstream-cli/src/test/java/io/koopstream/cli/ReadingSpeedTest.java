package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.TrajectoryFeeder;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.systems.FourWell;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code koop learn} on a CSV file keeps at least half the rate of learning from memory. Times are those of the thread's own processor time, so
 * that a busy machine does not decide; {@code -Dkoop.rows=1000000} measures on as many rows as the documentation quotes.
 */
class ReadingSpeedTest {

    private static final int ROWS = Integer.getInteger("koop.rows", 60_000);
    private static final int STEPS = 499;
    private static final String KERNEL = "0.4*gaussian(0.4)+0.6*gaussian(0.7)";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    @Test
    void csvIsLearnedAtHalfTheRateOfMemoryOrBetter() {
        int trajectories = ROWS / (STEPS + 1);
        Path file = folder.resolve("samples.csv");
        CommandRun simulated = CommandRun.of(
                "simulate", "fourwell", "--trajectories", trajectories, "--steps", STEPS, "--seed", 5, "-o", file);
        assertThat(simulated.code()).isEqualTo(Exit.FINE);
        double[][][] memory = new FourWell().simulate(trajectories, STEPS, 5);
        // Once for the compiler, then measured.
        fromMemory(memory);
        fromFile(file);
        double memorySeconds = fromMemory(memory);
        double fileSeconds = fromFile(file);

        System.out.printf(
                "%,d rows: from memory %.2f s, from CSV %.2f s of processor time, ratio of rates %.2f%n",
                trajectories * (STEPS + 1), memorySeconds, fileSeconds, memorySeconds / fileSeconds);
        assertThat(memorySeconds / fileSeconds).isGreaterThan(0.5);
    }

    private static LeastSquaresLearner<KoopmanOperator> learner() {
        return LeastSquaresLearner.koopman(
                LeastSquaresConfig.forState(2, Kernels.parse(KERNEL)).build());
    }

    private static double fromMemory(double[][][] paths) {
        long start = THREADS.getCurrentThreadCpuTime();
        TrajectoryFeeder feeder = new TrajectoryFeeder(learner());
        for (double[][] path : paths) {
            feeder.breakTrajectory();
            for (double[] state : path) {
                feeder.next(state);
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    }

    /** The whole command: reading, learning, measuring the one-step error, progress, saving, and the eigenvalues at the end. */
    private double fromFile(Path file) {
        long start = THREADS.getCurrentThreadCpuTime();
        CommandRun run = CommandRun.of(
                "learn", file, "-o", folder.resolve("m.safetensors"), "--kernel", KERNEL, "--force", "--json");
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.FINE);
        return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    }
}
