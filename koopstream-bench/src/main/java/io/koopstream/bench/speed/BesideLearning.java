package io.koopstream.bench.speed;

import io.koopstream.stream.LearningStream;
import io.koopstream.stream.Observation;
import io.koopstream.stream.StreamSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a stream costs beside learning: CPU time per row through {@link LearningStream} with nothing beside it, the usual watch, scores, and kinds of changes, in turn
 * in one process, so that all of them see the same compiled code and the same noise of the machine.
 *
 * <p>Arguments: rounds (default 5), rows (default 200,000); the first third of the rows does not count.
 */
public final class BesideLearning {

    private static final Map<String, Map<String, String>> FORMS = new LinkedHashMap<>();

    static {
        FORMS.put("learning alone", Map.of("drift", "false"));
        FORMS.put("watch", Map.of("drift", "true"));
        FORMS.put("scores", Map.of("drift", "false", "scores", "true"));
        FORMS.put("kinds of changes", Map.of("onDrift", "ignore"));
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private BesideLearning() {}

    /** Prints a table: for each form the CPU time per row and its ratio to learning alone, median and range over the rounds. */
    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200_000;
        double[][] states = fourWells(rows);
        System.out.println("| kept states | beside learning | µs per row | of learning alone, median | range |");
        System.out.println("|---|---|---|---|---|");
        // The first round warms up.
        for (double epsilon : new double[] {0.2, 0.1}) {
            double[][] seconds = new double[FORMS.size()][rounds];
            int kept = 0;
            for (int round = -1; round < rounds; round++) {
                int form = 0;
                for (Map<String, String> words : FORMS.values()) {
                    LearningStream stream = stream(words, epsilon);
                    double took = run(stream, states);
                    kept = stream.learner().orElseThrow().dictionarySize();
                    if (round >= 0) {
                        seconds[form][round] = took;
                    }
                    form++;
                }
            }
            print(kept, seconds);
        }
    }

    private static void print(int kept, double[][] seconds) {
        int form = 0;
        for (String name : FORMS.keySet()) {
            double[] ratios = new double[seconds[form].length];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = seconds[form][i] / seconds[0][i];
            }
            double[] times = seconds[form].clone();
            Arrays.sort(times);
            Arrays.sort(ratios);
            System.out.println(String.format(
                    Locale.ROOT,
                    "| %d | %s | %.2f | %.2f | %.2f to %.2f |",
                    kept,
                    name,
                    times[times.length / 2] * 1e6,
                    ratios[ratios.length / 2],
                    ratios[0],
                    ratios[ratios.length - 1]));
            form++;
        }
    }

    private static LearningStream stream(Map<String, String> beside, double epsilon) {
        Map<String, String> words = new LinkedHashMap<>(beside);
        words.put("kernel", "gaussian(0.5)");
        words.put("epsilon", Double.toString(epsilon));
        return LearningStream.of(StreamSettings.of(words), 2);
    }

    /** CPU seconds per row after the first third. */
    private static double run(LearningStream stream, double[][] rows) {
        int from = rows.length / 3;
        long start = 0;
        for (int i = 0; i < rows.length; i++) {
            if (i == from) {
                start = THREADS.getCurrentThreadCpuTime();
            }
            stream.accept(Observation.of("", rows[i]));
        }
        return (THREADS.getCurrentThreadCpuTime() - start) * 1e-9 / (rows.length - from);
    }

    /** A particle between four wells. */
    private static double[][] fourWells(int rows) {
        SplittableRandom random = new SplittableRandom(11);
        double[][] states = new double[rows][];
        double[] x = new double[2];
        for (int i = 0; i < rows; i++) {
            for (int c = 0; c < 2; c++) {
                x[c] += 0.1 * (x[c] - x[c] * x[c] * x[c]) + 0.2 * random.nextGaussian();
            }
            states[i] = x.clone();
        }
        return states;
    }
}
