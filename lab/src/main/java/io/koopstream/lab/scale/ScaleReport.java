package io.koopstream.lab.scale;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.FourWell;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The tables of lab/records/scale.md about one stream in very many parts. Bytes and additions are counted; CPU is that of one thread. Profile {@code scale}
 * runs it, with numbers of parts as arguments.
 */
public final class ScaleReport {

    private static final int FAN_IN = 16;
    private static final int PAIRS = 100;
    private static final int ROUNDS = 4;
    private static final int EIGENVALUES = 4;
    /** ε = 0.3 keeps about fifty points of this system, so that thousands of learners fit into one JVM. */
    private static final LeastSquaresConfig CONFIG = LeastSquaresConfig.forState(2, Kernels.gaussian(0.6))
            .lambda(1e-4)
            .epsilon(0.3)
            .blockSize(64)
            .holdOut(0.1)
            .build();

    private final PrintStream out;

    private ScaleReport(PrintStream out) {
        this.out = out;
    }

    /** Prints the tables for so many parts; 16, 256 and 2048 when none are given. */
    public static void main(String[] arguments) {
        int[] counts = Arrays.stream(String.join(" ", arguments).trim().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
        // Everything is compiled before anything counts.
        ScaleReport warm =
                new ScaleReport(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        warm.run(64, false);
        warm.run(64, true);
        ScaleReport report = new ScaleReport(System.out);
        for (int parts : counts.length > 0 ? counts : new int[] {16, 256, 2048}) {
            report.run(parts, false);
            report.run(parts, true);
        }
    }

    private void run(int parts, boolean grows) {
        FourWell system = new FourWell();
        LeastSquaresState start = grows ? LeastSquaresLearner.koopman(CONFIG).state() : scouted(system);
        PartsSimulation simulation = new PartsSimulation(
                new PartsSimulation.Plan(parts, FAN_IN, PAIRS, ROUNDS, grows, Integer.MAX_VALUE, 7), system, start);
        long clock = System.nanoTime();
        for (int r = 0; r < ROUNDS; r++) {
            simulation.round(i -> i);
        }
        double seconds = (System.nanoTime() - clock) * 1e-9;
        LeastSquaresState whole = simulation.whole();
        LeastSquaresState end = simulation.end();
        LeastSquaresState single = simulation.single(CONFIG, start);
        out.printf(
                Locale.ROOT,
                "%n%,d parts, %d pairs each in each of %d rounds, dictionary %s: %d points agreed on, %d at the end, one learner keeps %d; %.1f s%n%n",
                parts,
                PAIRS,
                ROUNDS,
                grows ? "grows" : "fixed",
                whole.dictionarySize(),
                end.dictionarySize(),
                single.dictionarySize(),
                seconds);
        out.println(
                "| stage | tasks | bytes a round, all tasks | most into one task a round | whole models would be | additions a round | CPU ms a task and round |");
        out.println("|---|---|---|---|---|---|---|");
        List<PartsSimulation.Stage> stages = simulation.stages();
        int senders = parts;
        for (int s = 0; s < stages.size(); s++) {
            PartsSimulation.Stage stage = stages.get(s);
            out.printf(
                    Locale.ROOT,
                    "| %d | %,d | %,d | %,d | %,d | %,d | %.2f |%n",
                    s + 1,
                    stage.tasks(),
                    stage.bytes() / ROUNDS,
                    stage.mostBytes(),
                    Math.min(FAN_IN, senders) * simulation.modelBytes(),
                    stage.additions() / ROUNDS,
                    stage.nanos() * 1e-6 / ROUNDS / stage.tasks());
            senders = stage.tasks();
        }
        if (grows) {
            out.printf(Locale.ROOT, "%nback to every task, a round: %,d bytes%n", simulation.bytesBack() / ROUNDS);
        }
        double[][] exact = system.exactEigenvalues(EIGENVALUES).orElseThrow();
        out.printf(
                Locale.ROOT,
                "%nlargest error of %d eigenvalues: from what was told %.5f, models put together at the end %.5f, one learner %.5f; distance of the first two from the third, as operators: %.2e and %.2e of %.2f%n",
                EIGENVALUES,
                error(whole, exact),
                error(end, exact),
                error(single, exact),
                operator(whole).distance(operator(single)),
                operator(end).distance(operator(single)),
                operator(single).norm());
    }

    private static LeastSquaresState scouted(FourWell system) {
        LeastSquaresLearner<KoopmanOperator> scout = LeastSquaresLearner.koopman(CONFIG);
        for (double[][] path : system.simulate(20, 200, 99)) {
            for (int t = 0; t + 1 < path.length; t++) {
                scout.update(path[t], path[t + 1]);
            }
        }
        return scout.state();
    }

    static KoopmanOperator operator(LeastSquaresState state) {
        return state.operator().asKoopman();
    }

    /** The largest distance of a known eigenvalue from the learned one of the same rank; they are real and apart in this system. */
    static double error(LeastSquaresState state, double[][] exact) {
        Complex[] learned = Spectrum.leading(operator(state), exact.length).eigenvalues();
        double largest = 0;
        for (int k = 0; k < exact.length; k++) {
            largest = Math.max(largest, Math.hypot(learned[k].re() - exact[k][0], learned[k].im() - exact[k][1]));
        }
        return largest;
    }
}
