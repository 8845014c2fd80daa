package io.koopstream.lab.speed;

import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a stream costs beside learning: CPU time per row through {@link LearningStream} with nothing beside it, the record of forecasts, the usual watch, scores, and kinds
 * of changes, in turn in one process, so that all of them see the same compiled code and the same noise of the machine. About 64 and 100 kept states in the plane
 * and 100 in space; the first third of 200,000 rows does not count.
 *
 * <p>Argument: rounds (default 5), after one that warms up.
 */
public final class BesideLearning {

    private static final int ROWS = 200_000;

    /** Learned with a kernel of this width. */
    private record Wells(int dimension, double width) {}

    private static final List<Wells> WELLS = List.of(new Wells(2, 0.65), new Wells(2, 0.5), new Wells(3, 0.95));
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * What is asked for beside learning.
     *
     * @param judges whether forecasts are judged
     * @param readsKnown whether somebody reads how well each state is known
     */
    private record Form(String name, Map<String, String> words, boolean judges, boolean readsKnown) {}

    private static final List<Form> FORMS = List.of(
            new Form("nothing", Map.of("drift", "false"), false, false),
            new Form("record of forecasts", Map.of("drift", "false"), true, false),
            new Form("watch", Map.of("drift", "true"), false, false),
            new Form("scores", Map.of("drift", "false", "scores", "true"), false, false),
            new Form("scores, `known` read", Map.of("drift", "false", "scores", "true"), false, true),
            new Form("kinds of changes", Map.of("onDrift", "ignore"), false, false));

    private BesideLearning() {}

    /** Prints a table: for each form the CPU time per row and its ratio to learning alone, median and range over the rounds. */
    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        System.out.println("| kept states | beside learning | µs per row | of learning alone, median | range |");
        System.out.println("|---|---|---|---|---|");
        for (Wells wells : WELLS) {
            double[][] states = states(wells.dimension());
            double[][] seconds = new double[FORMS.size()][rounds];
            int kept = 0;
            for (int round = -1; round < rounds; round++) {
                for (int i = 0; i < FORMS.size(); i++) {
                    LearningStream stream = stream(FORMS.get(i), wells);
                    double took = run(stream, states);
                    kept = stream.learner().orElseThrow().dictionarySize();
                    if (round >= 0) {
                        seconds[i][round] = took;
                    }
                }
            }
            print(kept, seconds);
        }
    }

    private static void print(int kept, double[][] seconds) {
        for (int form = 0; form < seconds.length; form++) {
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
                    FORMS.get(form).name(),
                    times[times.length / 2] * 1e6,
                    ratios[ratios.length / 2],
                    ratios[0],
                    ratios[ratios.length - 1]));
        }
    }

    private static LearningStream stream(Form form, Wells wells) {
        Map<String, String> words = new HashMap<>(form.words());
        words.put("kernel", "gaussian(" + wells.width() + ")");
        words.put("epsilon", "0.2");
        LearningStream stream = LearningStream.of(StreamConfig.parse(words), wells.dimension());
        if (!form.judges()) {
            stream.withoutRecord();
        }
        if (form.readsKnown()) {
            stream.listen((observation, score) -> {
                if (score != null && score.known() > 1) {
                    throw new IllegalStateException("more of a state is known than there is");
                }
            });
        }
        return stream;
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

    /** A particle between two wells in each coordinate. */
    private static double[][] states(int dimension) {
        SplittableRandom random = new SplittableRandom(11);
        double[][] states = new double[ROWS][];
        double[] x = new double[dimension];
        for (int i = 0; i < ROWS; i++) {
            for (int c = 0; c < dimension; c++) {
                x[c] += 0.1 * (x[c] - x[c] * x[c] * x[c]) + 0.2 * random.nextGaussian();
            }
            states[i] = x.clone();
        }
        return states;
    }
}
