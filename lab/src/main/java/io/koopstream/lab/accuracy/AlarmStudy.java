package io.koopstream.lab.accuracy;

import io.koopstream.io.samples.BadRowException;
import io.koopstream.io.samples.Sample;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.io.samples.SampleReaders;
import io.koopstream.lab.accuracy.NumentaRule.Profile;
import io.koopstream.lab.accuracy.NumentaRule.Verdict;
import io.koopstream.lab.accuracy.NumentaRule.Window;
import io.koopstream.lab.accuracy.WindowLabels.Span;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Alarms on labelled streams by Numenta's rule: those of a stream with scores, as {@code koop learn --scores} raises them, beside the two rivals that everybody
 * can write down, and its scores at the threshold that is best in hindsight. A rival gets as many alarms in a stream as ours raised there after the probation, and the best threshold for it in hindsight; an alarm of
 * its begins as ours does, after 100 rows without one.
 *
 * <p>Arguments: the file with the labels, the folder of the data, and settings such as {@code alarmRate=1e-3}.
 */
public final class AlarmStudy {

    private static final int REARM = 100;
    private static final int LAGS = 20;
    private static final int MIN_FITTED = 5 * LAGS;

    /** One file: its rows, those that could not be read as NaN, and their times. */
    static final class Rows {
        private final double[][] values;
        private final double[] times;

        Rows(double[][] values, double[] times) {
            this.values = values;
            this.times = times;
        }

        /** Labelled spans as rows; a span without a row is left out. */
        List<Window> windows(List<Span> spans) {
            List<Window> windows = new ArrayList<>();
            for (Span span : spans) {
                int[] inside = IntStream.range(0, times.length)
                        .filter(i -> times[i] >= span.from() && times[i] <= span.to())
                        .toArray();
                if (inside.length > 0) {
                    windows.add(new Window(inside[0], inside[inside.length - 1]));
                }
            }
            return windows;
        }
    }

    private AlarmStudy() {}

    /** Prints a table of all streams, and one of the scores over all of them. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("expected LABELS FOLDER [SETTING=VALUE ...], got "
                    + Arrays.toString(arguments) + "; e.g. combined_windows.json data");
        }
        Map<String, String> words = new HashMap<>(Map.of("scores", "true"));
        Arrays.stream(arguments, 2, arguments.length)
                .flatMap(argument -> Arrays.stream(argument.split(" ")))
                .filter(word -> !word.isEmpty())
                .map(word -> word.split("=", 2))
                .forEach(parts -> words.put(parts[0], parts.length == 2 ? parts[1] : "true"));
        run(
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                WindowLabels.read(Path.of(arguments[0])),
                Path.of(arguments[1]),
                StreamConfig.parse(words));
    }

    private static void run(PrintStream out, Map<String, List<Span>> labels, Path folder, StreamConfig settings)
            throws IOException {
        Map<String, Verdict> sums = new HashMap<>();
        NumentaRule.Sweep sweep = new NumentaRule.Sweep();
        List<String> detectors = List.of("Koopstream", "difference", "AR(" + LAGS + ")");
        List<String> absent = new ArrayList<>();
        Table table =
                new Table(out, "stream", "rows", "windows", "found", "false", "difference", "false", "AR(20)", "false");
        for (Map.Entry<String, List<Span>> entry : labels.entrySet()) {
            Path file = find(folder, entry.getKey());
            if (file == null) {
                absent.add(entry.getKey());
                continue;
            }
            Rows rows = read(file);
            List<Window> windows = rows.windows(entry.getValue());
            Told told = tell(rows, settings);
            List<Integer> alarms = told.alarms;
            sweep.add(windows, told.scores);
            int budget = (int) alarms.stream()
                    .filter(row -> row >= NumentaRule.probation(rows.values.length))
                    .count();
            List<List<Integer>> all =
                    List.of(alarms, best(differences(rows.values), budget), best(residuals(rows.values), budget));
            List<Object> cells = new ArrayList<>(List.of(entry.getKey(), rows.values.length));
            for (int i = 0; i < all.size(); i++) {
                Verdict verdict = NumentaRule.judge(rows.values.length, windows, all.get(i));
                if (i == 0) {
                    cells.add(verdict.windows());
                }
                cells.addAll(List.of(verdict.found(), verdict.falseAlarms()));
                sums.merge(detectors.get(i), verdict, Verdict::plus);
            }
            table.row(cells.toArray());
        }
        out.println();
        Table scores = new Table(
                out,
                "detector",
                "windows",
                "found",
                "false alarms",
                Profile.STANDARD.text(),
                Profile.REWARD_LOW_FALSE_ALARMS.text(),
                Profile.REWARD_LOW_MISSES.text());
        for (String detector : detectors) {
            row(scores, detector, sums.getOrDefault(detector, Verdict.NOTHING));
        }
        for (Profile profile : Profile.values()) {
            Map.Entry<Double, Verdict> best = sweep.best(profile);
            row(scores, Figures.format("score from %.3f, best for %s", best.getKey(), profile.text()), best.getValue());
        }
        if (!absent.isEmpty()) {
            out.println("\nlabelled, but not in " + folder + ": " + String.join(", ", absent));
        }
    }

    private static void row(Table table, String detector, Verdict sum) {
        table.row(
                detector,
                sum.windows(),
                sum.found(),
                sum.falseAlarms(),
                Arrays.stream(Profile.values())
                        .map(profile -> Figures.format("%.1f", sum.score(profile)))
                        .toArray(String[]::new));
    }

    /** The file of a label: at its path in the folder, or by its name alone. */
    private static Path find(Path folder, String label) {
        Path whole = folder.resolve(label);
        Path name = folder.resolve(Path.of(label).getFileName());
        return Files.isRegularFile(whole) ? whole : Files.isRegularFile(name) ? name : null;
    }

    private static Rows read(Path file) throws IOException {
        List<double[]> values = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        Sample sample = new Sample();
        try (SampleReader reader = SampleReaders.open(file)) {
            if (reader.timeStyle().isEmpty()) {
                throw new IOException(file + ": has no column of times, so labels cannot be found in it");
            }
            for (boolean more = true; more; ) {
                try {
                    more = reader.read(sample);
                } catch (BadRowException e) {
                    values.add(new double[0]);
                    times.add(Double.NaN);
                    continue;
                }
                if (more) {
                    values.add(sample.state().clone());
                    times.add(sample.time());
                }
            }
        }
        return new Rows(
                values.toArray(double[][]::new),
                times.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Rows at which alarms begin, and the score of every row, 0 where there is none. */
    @SuppressWarnings("ArrayRecordComponent") // read once
    private record Told(List<Integer> alarms, double[] scores) {}

    /** What ours says of every row, while it learns. */
    private static Told tell(Rows rows, StreamConfig settings) {
        LearningStream stream = LearningStream.of(settings).withoutRecord();
        Told told = new Told(new ArrayList<>(), new double[rows.values.length]);
        stream.listen((observation, score) -> {
            if (score != null) {
                int row = (int) observation.row();
                told.scores[row] = Double.isNaN(score.score()) ? 0 : score.score();
                if (score.alarm()) {
                    told.alarms.add(row);
                }
            }
        });
        for (int i = 0; i < rows.values.length; i++) {
            stream.accept(
                    rows.values[i].length == 0
                            ? Observation.unreadable(null)
                            : Observation.at(null, Double.NaN, rows.times[i], rows.values[i])
                                    .withRow(i));
        }
        stream.endWarmUp();
        return told;
    }

    /** How far each row is from the one before, in standard deviations of that over all rows. */
    static double[] differences(double[][] rows) {
        double[][] steps = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            steps[i] = i == 0 ? new double[0] : difference(rows[i], rows[i - 1]);
        }
        return sizes(steps);
    }

    /** How far each row is from what an autoregression fitted to earlier rows expects; it is fitted anew when these have grown by a quarter. */
    private static double[] residuals(double[][] rows) {
        double[][] off = new double[rows.length][];
        Arrays.fill(off, new double[0]);
        // Gaps are left out: a rival that needs evenly spaced rows takes those that there are for neighbours.
        int[] whole = IntStream.range(0, rows.length)
                .filter(i -> rows[i].length > 0 && Arrays.stream(rows[i]).allMatch(Double::isFinite))
                .toArray();
        double[][] used = Arrays.stream(whole).mapToObj(i -> rows[i]).toArray(double[][]::new);
        RidgeAutoregression fitted = null;
        int next = MIN_FITTED;
        for (int i = MIN_FITTED; i < used.length; i++) {
            if (i >= next) {
                fitted = RidgeAutoregression.fit(Arrays.copyOf(used, i), LAGS - 1);
                next = i + i / 4;
            }
            off[whole[i]] = difference(used[i], fitted.forecast(Arrays.copyOfRange(used, i - LAGS, i), 1)[0]);
        }
        return sizes(off);
    }

    private static double[] difference(double[] a, double[] b) {
        return a.length == 0 || b.length == 0
                ? new double[0]
                : IntStream.range(0, a.length).mapToDouble(c -> a[c] - b[c]).toArray();
    }

    /** The largest coordinate of each, in its standard deviations; 0 where there is none. */
    private static double[] sizes(double[][] steps) {
        int dimension = Arrays.stream(steps).mapToInt(step -> step.length).max().orElse(0);
        double[] sizes = new double[steps.length];
        for (int c = 0; c < dimension; c++) {
            int column = c;
            double unit = Math.sqrt(Arrays.stream(steps)
                    .filter(step -> step.length > 0 && Double.isFinite(step[column]))
                    .mapToDouble(step -> step[column] * step[column])
                    .average()
                    .orElse(1));
            for (int i = 0; i < steps.length; i++) {
                if (steps[i].length > 0 && Double.isFinite(steps[i][c]) && unit > 0) {
                    sizes[i] = Math.max(sizes[i], Math.abs(steps[i][c]) / unit);
                }
            }
        }
        return sizes;
    }

    /** Alarms at the lowest threshold at which there are at most so many after the probation. */
    static List<Integer> best(double[] sizes, int budget) {
        int from = NumentaRule.probation(sizes.length);
        double[] thresholds = Arrays.stream(sizes, from, sizes.length).sorted().toArray();
        List<Integer> best = List.of();
        for (int i = thresholds.length - 1; i >= 0; i--) {
            List<Integer> alarms = above(sizes, from, thresholds[i]);
            if (alarms.size() > budget) {
                break;
            }
            best = alarms;
        }
        return best;
    }

    private static List<Integer> above(double[] sizes, int from, double threshold) {
        List<Integer> alarms = new ArrayList<>();
        int quiet = REARM;
        for (int i = from; i < sizes.length; i++) {
            boolean odd = sizes[i] >= threshold;
            if (odd && quiet >= REARM) {
                alarms.add(i);
            }
            quiet = odd ? 0 : quiet + 1;
        }
        return alarms;
    }
}
