package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleFeeder;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.LeastSquaresConfig;
import io.koopstream.learner.LeastSquaresLearner;
import io.koopstream.learner.TrajectoryFeeder;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.systems.FourWell;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Learning from a CSV file keeps at least half the rate of learning from memory. Times are those of the thread's own processor time, so
 * that a busy machine does not decide; {@code -Dkoop.rows=1000000} measures on as many rows as the documentation quotes.
 */
class ReadingSpeedTest {

    private static final int ROWS = Integer.getInteger("koop.rows", 60_000);
    private static final int STEPS = 499;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    @Test
    void csvIsLearnedAtHalfTheRateOfMemoryOrBetter() throws IOException {
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
                LeastSquaresConfig.forState(2, Kernels.parse("0.4*gaussian(0.4)+0.6*gaussian(0.7)"))
                        .build());
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

    private static double fromFile(Path file) throws IOException {
        long start = THREADS.getCurrentThreadCpuTime();
        try (SampleReader reader = SampleReaders.open(file)) {
            SampleFeeder feeder = new SampleFeeder(reader, learner(), Double.NaN);
            Sample sample = new Sample();
            while (reader.read(sample)) {
                feeder.accept(sample);
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    }
}
