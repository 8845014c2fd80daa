package io.koopstream.lab.accuracy;

import io.koopstream.change.DriftEvent;
import io.koopstream.change.DriftEvent.Kind;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Lasting changes of simulated streams: whether they are noticed, how soon, whether their kind is told, and how often there is a false alarm. */
final class ChangeStudy {

    private static final int BEFORE = 8_000;
    private static final int AFTER = 8_000;
    /** Rows over which a slow drift goes as far as a shift goes at once. */
    private static final double DRIFT_ROWS = 4_000;

    private static final double SHIFT = 2;

    private ChangeStudy() {}

    /** A stream of rows; {@code change} is null before the change. */
    private enum Source {
        AUTOREGRESSION("autoregression, 0.8", 1, 1 / 0.6, "gaussian(2)") {
            @Override
            void step(double[] x, Kind change, double noise, SplittableRandom random) {
                double a = change == Kind.CHANGED_SPECTRUM ? 0.3 : 0.8;
                x[0] = a * x[0] + noise * random.nextGaussian();
            }
        },
        ROTATION("noisy rotation by 0.5", 2, 0.45, "gaussian(0.8)") {
            @Override
            void step(double[] x, Kind change, double noise, SplittableRandom random) {
                double angle = change == Kind.CHANGED_SPECTRUM ? 0.8 : 0.5;
                double first = 0.95 * (StrictMath.cos(angle) * x[0] - StrictMath.sin(angle) * x[1]);
                x[1] = 0.95 * (StrictMath.sin(angle) * x[0] + StrictMath.cos(angle) * x[1])
                        + 0.2 * noise * random.nextGaussian();
                x[0] = first + 0.2 * noise * random.nextGaussian();
            }
        },
        PENDULUM("damped pendulum with kicks", 2, 0.45, "gaussian(1)") {
            @Override
            void step(double[] x, Kind change, double noise, SplittableRandom random) {
                double pull = change == Kind.CHANGED_SPECTRUM ? 2 : 1;
                x[1] += 0.2 * (-pull * StrictMath.sin(x[0]) - 0.3 * x[1]) + 0.1 * noise * random.nextGaussian();
                x[0] += 0.2 * x[1];
            }
        },
        WELLS("particle between two wells", 1, 0.75, "gaussian(0.4)") {
            @Override
            void step(double[] x, Kind change, double noise, SplittableRandom random) {
                double pull = change == Kind.CHANGED_SPECTRUM ? 3 : 1;
                x[0] += 0.1 * pull * (x[0] - x[0] * x[0] * x[0]) + 0.25 * noise * random.nextGaussian();
            }
        };

        private final String text;
        private final int dimension;
        private final double deviation;
        private final String kernel;

        Source(String text, int dimension, double deviation, String kernel) {
            this.text = text;
            this.dimension = dimension;
            this.deviation = deviation;
            this.kernel = kernel;
        }

        abstract void step(double[] x, Kind change, double noise, SplittableRandom random);

        LearningStream run(int before, int after, Kind kind, long seed) {
            return run(before, after, kind, seed, Map.of("onDrift", "ignore"));
        }

        LearningStream run(int before, int after, Kind kind, long seed, Map<String, String> words) {
            SplittableRandom random = new SplittableRandom(seed);
            Map<String, String> settings = new HashMap<>(words);
            settings.put("kernel", kernel);
            settings.put("epsilon", "0.05");
            LearningStream stream = LearningStream.of(StreamConfig.parse(settings), dimension);
            double[] x = new double[dimension];
            for (int t = 0; t < before + after; t++) {
                boolean changed = t >= before;
                step(x, changed ? kind : null, changed && kind == Kind.VARIANCE_CHANGE ? 2 : 1, random);
                double[] row = x.clone();
                row[0] += !changed
                        ? 0
                        : kind == Kind.LEVEL_SHIFT
                                ? SHIFT * deviation
                                : kind == Kind.SLOW_DRIFT ? SHIFT * deviation * (t - before) / DRIFT_ROWS : 0;
                stream.accept(Observation.of("", row));
            }
            return stream;
        }
    }

    /** Changes of every kind: those noticed, with their kinds, delays and the errors of the onset. */
    static void changes(PrintStream out, int seeds, long firstSeed) {
        Table table = new Table(
                out,
                "stream",
                "change",
                "noticed",
                "kind told",
                "alarms before",
                "delay: median",
                "largest",
                "onset off by: median");
        for (Source source : Source.values()) {
            for (Kind kind : Kind.values()) {
                List<Double> delays = new ArrayList<>();
                List<Double> offs = new ArrayList<>();
                int told = 0;
                int early = 0;
                for (int s = 0; s < seeds; s++) {
                    List<DriftEvent> events = source.run(BEFORE, AFTER, kind, firstSeed + s)
                            .watch()
                            .events();
                    early += (int) events.stream()
                            .filter(e -> e.change().row() <= BEFORE)
                            .count();
                    DriftEvent first = events.stream()
                            .filter(e -> e.change().row() > BEFORE)
                            .findFirst()
                            .orElse(null);
                    if (first != null) {
                        told += first.change().kind() == kind ? 1 : 0;
                        delays.add((double) (first.change().row() - BEFORE));
                        offs.add((double) Math.abs(first.change().onsetRow() - BEFORE - 1));
                    }
                }
                table.row(
                        source.text,
                        kind.text(),
                        delays.size() + " of " + seeds,
                        told,
                        early,
                        median(delays),
                        delays.isEmpty() ? "–" : Figures.format("%.0f", Figures.largest(array(delays))),
                        median(offs));
            }
        }
    }

    private static String median(List<Double> values) {
        return values.isEmpty() ? "–" : Figures.format("%.0f", Figures.median(array(values)));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Streams without a change. */
    static void falseAlarms(PrintStream out, int seeds, int rows, long firstSeed) {
        Table table = new Table(out, "stream", "rows in all", "false alarms", "of which kinds");
        for (Source source : Source.values()) {
            int[] kinds = new int[Kind.values().length];
            for (int s = 0; s < seeds; s++) {
                for (DriftEvent event :
                        source.run(rows, 0, null, firstSeed + s).watch().events()) {
                    kinds[List.of(Kind.values()).indexOf(event.change().kind())]++;
                }
            }
            List<String> words = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                int count = kinds[List.of(Kind.values()).indexOf(kind)];
                if (count > 0) {
                    words.add(count + " " + kind.text());
                }
            }
            table.row(
                    source.text,
                    Figures.format("%,d", (long) seeds * rows),
                    Arrays.stream(kinds).sum(),
                    words.isEmpty() ? "–" : String.join(", ", words));
        }
    }

    /** Scores of streams without a change: alarms at two rates that were asked for. */
    static void scores(PrintStream out, int seeds, int rows, long firstSeed) {
        Table table = new Table(
                out, "stream", "rows in all", "alarm rate asked for", "alarms per row", "streams: least", "most");
        for (Source source : Source.values()) {
            for (String rate : List.of("1e-3", "1e-4")) {
                double[] alarms = new double[seeds];
                for (int s = 0; s < seeds; s++) {
                    Map<String, String> words = Map.of("scores", "true", "alarmRate", rate, "drift", "false");
                    alarms[s] = source.run(rows, 0, null, firstSeed + s, words)
                                    .scorer()
                                    .orElseThrow()
                                    .alarms()
                            / (double) rows;
                }
                table.row(
                        source.text,
                        Figures.format("%,d", (long) seeds * rows),
                        rate,
                        Figures.format("%.1e", Arrays.stream(alarms).average().orElseThrow()),
                        Figures.format("%.1e", Arrays.stream(alarms).min().orElseThrow()),
                        Figures.format("%.1e", Arrays.stream(alarms).max().orElseThrow()));
            }
        }
    }
}
