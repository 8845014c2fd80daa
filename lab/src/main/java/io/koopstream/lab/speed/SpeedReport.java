package io.koopstream.lab.speed;

import io.koopstream.internal.linalg.Providers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the benchmarks and prints the tables of lab/records/performance.md: each figure with its ratio to what the machine can do, measured in the same run. */
public final class SpeedReport {

    private static final int[] SIZES = {50, 150, 500, 1500, 4000};
    private static final int[] DIMENSIONS = {2, 10, 50};
    /** Above this size only d = 2: the kernel rows no longer weigh. */
    private static final int MAX_WITH_ALL_DIMENSIONS = 500;

    /** The sizes between which the exponent of the cost is taken. */
    private static final int EXPONENT_FROM = 150;

    private static final int EXPONENT_TO = 1500;

    private final Measured measured;
    private final Map<Integer, Double> oneByOne = new HashMap<>();
    private final Map<Integer, Double> blocks = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private double flops;

    private SpeedReport(double seconds) {
        this.measured = new Measured(seconds);
    }

    /** Arguments: seconds a figure (default 4), then sizes m, apart or with blanks between (default 50 150 500 1500 4000). */
    public static void main(String[] arguments) throws RunnerException {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 4;
        int[] sizes = Arrays.stream(arguments)
                .skip(1)
                .flatMap(text -> Arrays.stream(text.trim().split("[ ,]+")))
                .filter(text -> !text.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
        SpeedReport report = new SpeedReport(seconds);
        report.arithmetic();
        report.learners(sizes.length == 0 ? SIZES : sizes);
        report.exponents();
        report.ages();
        report.rows();
        report.eigenpairs();
        report.reading();
        report.streams();
        report.codec();
        System.out.println(report.text);
    }

    /** Shown at once, between what the benchmarks' own JVMs have to say, and again in one piece at the end. */
    private void say(String format, Object... values) {
        String line = String.format(Locale.ROOT, format, values) + "\n";
        System.err.print(line);
        text.append(line);
    }

    private void arithmetic() throws RunnerException {
        Limits limits = Limits.best();
        flops = limits.operationsPerRound()
                * (double) LimitBenchmark.ROUNDS
                / measured.seconds(LimitBenchmark.class, "fusedMultiplyAdds");
        double product = 2.0
                * LimitBenchmark.Factors.ROWS
                * LimitBenchmark.Factors.DEPTH
                * LimitBenchmark.Factors.COLUMNS
                / measured.seconds(LimitBenchmark.class, "product");
        say(
                "Java %s, provider %s, one thread. Multiply-adds in registers (%s): %.1f GFLOP/s. Our product: %.1f GFLOP/s, %.0f %% of that.",
                System.getProperty("java.version"),
                Providers.activeName(),
                limits.getClass().getSimpleName(),
                flops * 1e-9,
                product * 1e-9,
                100 * product / flops);
    }

    private void learners(int[] sizes) throws RunnerException {
        say("");
        say(
                "| m | d | read, GB/s | read and write, GB/s | SOGD one by one, µs | of bandwidth, all that is touched"
                        + " | of bandwidth, all read once | SOGD blocks of 64, µs | of flop ceiling | least squares blocks, µs | of flop ceiling |");
        say("|---|---|---|---|---|---|---|---|---|---|---|");
        for (int m : sizes) {
            // Seconds to read, and to read and write, two triangles and M.
            double read = measured.seconds(LimitBenchmark.class, "read", "m", m);
            double readAndWrite = measured.seconds(LimitBenchmark.class, "readAndWrite", "m", m);
            for (int d : DIMENSIONS) {
                if (d == 2 || m <= MAX_WITH_ALL_DIMENSIONS) {
                    learner(m, d, read, readAndWrite);
                }
            }
        }
    }

    private void learner(int m, int d, double read, double readAndWrite) throws RunnerException {
        double entries = (double) m * m;
        double single = measured.seconds(LearnerBenchmark.class, "sogdOneByOne", "m", m, "d", d);
        double sogd = measured.seconds(LearnerBenchmark.class, "sogdBlocks", "m", m, "d", d);
        double squares = measured.seconds(LearnerBenchmark.class, "leastSquaresBlocks", "m", m, "d", d);
        if (d == 2) {
            oneByOne.put(m, single);
            blocks.put(m, sogd);
        }
        // A step reads both triangles (m² entries in all) and M (m²) for coordinates and error; the update reads M
        // again and writes it (m² each). The limits go over 2 m² entries, so the update is half of one.
        double touched = read + readAndWrite / 2;
        // Solves 2 m² (two triangles), M β 2 m², update 2 m².
        double sogdWork = 6 * entries;
        // Solves 2 m², T 2 m², and S, which is symmetric, m².
        double squaresWork = 5 * entries;
        say(
                "| %d | %d | %.1f | %.1f | %.1f | %.0f %% | %.0f %% | %.2f | %.0f %% | %.2f | %.0f %% |",
                m,
                d,
                16 * entries / read * 1e-9,
                32 * entries / readAndWrite * 1e-9,
                single * 1e6,
                100 * touched / single,
                100 * read / single,
                sogd * 1e6,
                100 * sogdWork / sogd / flops,
                squares * 1e6,
                100 * squaresWork / squares / flops);
    }

    private void exponents() {
        if (blocks.containsKey(EXPONENT_FROM) && blocks.containsKey(EXPONENT_TO)) {
            say("");
            say(
                    "Cost ∝ m^p between m = %d and %d, d = 2: p = %.2f in blocks, %.2f one by one.",
                    EXPONENT_FROM, EXPONENT_TO, exponent(blocks), exponent(oneByOne));
        }
    }

    private static double exponent(Map<Integer, Double> seconds) {
        return Math.log(seconds.get(EXPONENT_TO) / seconds.get(EXPONENT_FROM))
                / Math.log((double) EXPONENT_TO / EXPONENT_FROM);
    }

    private void ages() throws RunnerException {
        say("");
        say("| m = 150, d = 2, after t samples | one by one, µs | blocks of 64, µs |");
        say("|---|---|---|");
        for (int t : new int[] {10_000, 100_000}) {
            say(
                    "| %d | %.2f | %.2f |",
                    t,
                    measured.seconds(LearnerBenchmark.class, "sogdAfter", "t", t, "block", 1) * 1e6,
                    measured.seconds(LearnerBenchmark.class, "sogdAfter", "t", t, "block", LearnerBenchmark.BLOCK)
                            * 1e6);
        }
    }

    private void rows() throws RunnerException {
        say("");
        say("| Gaussian row of %d points, d | ns an entry |", KernelBenchmark.POINTS);
        say("|---|---|");
        for (int d : DIMENSIONS) {
            say(
                    "| %d | %.2f |",
                    d, measured.seconds(KernelBenchmark.class, "gaussianRow", "d", d) / KernelBenchmark.POINTS * 1e9);
        }
    }

    private void eigenpairs() throws RunnerException {
        double seconds = measured.seconds(SpectrumBenchmark.class, "leadingEigenpairs");
        double product = 2 * Math.pow(SpectrumBenchmark.SIZE, 3) / flops;
        say("");
        say(
                "%d leading eigenpairs at m = %d: %.0f ms, %.1f times a product of two such matrices at the flop ceiling (%.0f ms).",
                SpectrumBenchmark.PAIRS, SpectrumBenchmark.SIZE, seconds * 1e3, seconds / product, product * 1e3);
    }

    private void reading() throws RunnerException {
        say("");
        for (ReadingBenchmark.Text.Format format : ReadingBenchmark.Text.Format.values()) {
            say(
                    "A row of %s with a trajectory, a step and two coordinates is read in %.2f µs.",
                    format,
                    measured.seconds(ReadingBenchmark.class, "rows", "format", format) / ReadingBenchmark.ROWS * 1e6);
        }
    }

    private void streams() throws RunnerException {
        say("");
        say(
                "%,d forecasts of %d steps: %.2f s; %d of them with a band: %.2f s.",
                StreamBenchmark.STARTS,
                StreamBenchmark.STEPS,
                measured.seconds(StreamBenchmark.class, "forecasts"),
                StreamBenchmark.BANDS,
                measured.seconds(StreamBenchmark.class, "bands"));
    }

    private void codec() throws RunnerException {
        CodecBenchmark.Stored stored = new CodecBenchmark.Stored();
        stored.learn();
        double encode = measured.seconds(CodecBenchmark.class, "encode");
        double decode = measured.seconds(CodecBenchmark.class, "decode");
        say(
                "The state of a stream of %,d bytes is written in %.2f ms (%.0f MB/s) and read in %.2f ms (%.0f MB/s).",
                stored.size(),
                encode * 1e3,
                stored.size() / encode * 1e-6,
                decode * 1e3,
                stored.size() / decode * 1e-6);
    }
}
