package io.koopstream.lab.accuracy;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.Forecast;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Mode;
import io.koopstream.forecast.Peak;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import io.koopstream.systems.ChaoticFlow;
import io.koopstream.systems.FourWell;
import io.koopstream.systems.TrajectoryStreams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How far forecasts with automatic settings reach: chaos with and without measurement noise, real and simulated series beside simple rivals, coverage
 * of bands, futures that part. Prints the tables of lab/records/accuracy.md.
 *
 * <p>Arguments: names of parts ({@code chaos noise waves walks bands wells}), and files of hourly measurements, one row per line with a header and a date in
 * front. Everything but the files comes from the seed.
 */
public final class ForecastStudy {

    private static final int TRAINED = 10_000;
    private static final int STARTS = 60;
    private static final double LIMIT = 0.4;
    private static final int LYAPUNOV_TIMES = 12;
    private static final int[] HORIZONS = {1, 10, 24, 96};
    private static final long SEED = Long.getLong("forecast.seed", 1);

    private ForecastStudy() {}

    /** Prints the parts asked for, all without. */
    public static void main(String[] arguments) throws IOException {
        List<String> parts = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.contains(".")) {
                files.add(Path.of(argument));
            } else {
                parts.add(argument);
            }
        }
        boolean all = arguments.length == 0;
        if (all || parts.contains("chaos")) {
            chaos(0);
        }
        if (all || parts.contains("noise")) {
            chaos(0.01);
        }
        if (all || parts.contains("waves")) {
            WaveStudy.print(SEED);
        }
        for (Path file : files) {
            double[][] rows = read(file);
            series(file.getFileName().toString(), Arrays.copyOf(rows, Math.min(rows.length, 14_400)), 0.8);
        }
        if (all || parts.contains("walks")) {
            series("random walks", walks(), 0.8);
        }
        if (all || parts.contains("bands")) {
            series("autoregression", autoregression(), 0.8);
        }
        if (all || parts.contains("wells")) {
            wells();
        }
    }

    /** A model learned with automatic settings, and what that took. */
    private record Learned(Forecaster forecaster, DelayLayout layout, int kept, double seconds, String settings) {}

    private static Learned learn(double[][] rows) {
        long before = processorTime();
        LearningStream stream = LearningStream.of(
                Integer.getInteger("forecast.cap") == null
                        ? StreamConfig.defaults()
                        : StreamConfig.parse(java.util.Map.of("maxDictionary", System.getProperty("forecast.cap"))));
        for (double[] row : rows) {
            stream.accept(Observation.of("", row));
        }
        stream.endWarmUp();
        var state = stream.learner().orElseThrow().state().settled();
        double seconds = (processorTime() - before) * 1e-9;
        DelayLayout layout = new DelayLayout(stream.dimension(), stream.delays(), stream.stride());
        StringBuilder words = new StringBuilder(stream.delays() + " delays");
        stream.explained().stream()
                .filter(setting -> List.of("kernel", "epsilon").contains(setting.name()))
                .forEach(setting -> words.append(", ").append(shortened(setting.value())));
        return new Learned(
                Forecaster.of(state, layout, stream.record().orElse(null)),
                layout,
                state.dictionarySize(),
                seconds,
                words.toString());
    }

    private static String shortened(String text) {
        return text.length() > 60 ? text.substring(0, 57) + "..." : text;
    }

    private static long processorTime() {
        return ((com.sun.management.OperatingSystemMXBean)
                        java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void chaos(double noise) {
        System.out.printf("%nChaos, noise %.0f %%, seed %d%n", 100 * noise, SEED);
        System.out.println("| system | kept | CPU s | settings | Lyapunov times | by path alone"
                + (noise > 0 ? " | KRR 1000 |" : " |"));
        for (ChaoticFlow flow : ChaoticFlow.values()) {
            int horizon = (int) Math.ceil(LYAPUNOV_TIMES * flow.stepsPerLyapunovTime());
            int history = 150;
            double[][] path = flow.path(TRAINED + history + STARTS * 47 + horizon, SEED);
            double[] deviations = deviations(Arrays.copyOf(path, TRAINED));
            SplittableRandom random = new SplittableRandom(SEED + 77);
            double[][] seen = new double[path.length][];
            for (int t = 0; t < path.length; t++) {
                seen[t] = path[t].clone();
                for (int c = 0; c < seen[t].length; c++) {
                    seen[t][c] += noise * deviations[c] * random.nextGaussian();
                }
            }
            Learned learned = learn(Arrays.copyOf(seen, TRAINED));
            double[] times = times(learned, Mode.AUTO, flow, path, seen, deviations, horizon, history);
            double[] alone = times(learned, Mode.PATH, flow, path, seen, deviations, horizon, history);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %d | %.1f | %s | %.1f (quartiles %.1f to %.1f) | %.1f |%s%n",
                    flow,
                    learned.kept(),
                    learned.seconds(),
                    learned.settings(),
                    times[STARTS / 2],
                    times[STARTS / 4],
                    times[3 * STARTS / 4],
                    alone[STARTS / 2],
                    noise > 0 ? rival(flow, path, seen, deviations, horizon, history) : "");
        }
    }

    /** The Lyapunov times until forecasts are off, from all starts, shortest first. */
    private static double[] times(
            Learned learned,
            Mode mode,
            ChaoticFlow flow,
            double[][] path,
            double[][] seen,
            double[] deviations,
            int horizon,
            int history) {
        double[] times = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            int at = TRAINED + history + 47 * i;
            double[][] before =
                    Arrays.copyOfRange(seen, at + 1 - learned.layout().history(), at + 1);
            Forecast forecast = learned.forecaster()
                    .forecast(
                            before,
                            ForecastRequest.of(horizon).mode(mode).paths(0, 1).fromAnywhere());
            int s = 1;
            while (s <= horizon && error(forecast.mean(s), path[at + s], deviations) < LIMIT) {
                s++;
            }
            times[i] = (s - 1) / flow.stepsPerLyapunovTime();
        }
        Arrays.sort(times);
        return times;
    }

    private static String rival(
            ChaoticFlow flow, double[][] path, double[][] seen, double[] deviations, int horizon, int history) {
        NystromRegression krr = NystromRegression.fit(Arrays.copyOf(seen, TRAINED), 1000, SEED);
        double[] times = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            int at = TRAINED + history + 47 * i;
            double[] state = seen[at].clone();
            int s = 1;
            while (s <= horizon) {
                krr.advance(state);
                if (!(error(state, path[at + s], deviations) < LIMIT)) {
                    break;
                }
                s++;
            }
            times[i] = (s - 1) / flow.stepsPerLyapunovTime();
        }
        Arrays.sort(times);
        return String.format(Locale.ROOT, " %.1f |", times[STARTS / 2]);
    }

    private static double error(double[] forecast, double[] truth, double[] units) {
        double sum = 0;
        for (int c = 0; c < units.length; c++) {
            double off = (forecast[c] - truth[c]) / units[c];
            sum += off * off / units.length;
        }
        return Math.sqrt(sum);
    }

    private static double[] deviations(double[][] rows) {
        double[] result = new double[rows[0].length];
        for (int c = 0; c < result.length; c++) {
            int column = c;
            double mean = Arrays.stream(rows)
                    .mapToDouble(row -> row[column])
                    .average()
                    .orElseThrow();
            result[c] = Math.sqrt(Arrays.stream(rows)
                    .mapToDouble(row -> (row[column] - mean) * (row[column] - mean))
                    .average()
                    .orElseThrow());
        }
        return result;
    }

    /** Errors at the horizons over the standard deviation, rivals, and coverage. */
    private static void series(String name, double[][] rows, double share) {
        int trained = (int) (share * rows.length);
        Learned learned = learn(Arrays.copyOf(rows, trained));
        double[] deviations = deviations(Arrays.copyOf(rows, trained));
        int longest = HORIZONS[HORIZONS.length - 1];
        int origins = Integer.getInteger("forecast.origins", 250);
        int d = deviations.length;
        RidgeAutoregression ar = RidgeAutoregression.fit(
                Arrays.copyOf(rows, trained), Math.max(24, learned.layout().delays()));
        double[][] sums = new double[5][HORIZONS.length];
        double[][] covered = new double[2][HORIZONS.length];
        long began = System.nanoTime();
        for (int i = 0; i < origins; i++) {
            int at = trained + (int) ((long) i * (rows.length - trained - longest - 1) / origins);
            double[][] before = Arrays.copyOfRange(
                    rows, at + 1 - Math.max(200, learned.layout().history()), at + 1);
            double[][] history =
                    Arrays.copyOfRange(rows, at + 1 - learned.layout().history(), at + 1);
            Forecast auto = learned.forecaster()
                    .forecast(history, ForecastRequest.of(longest).fromAnywhere());
            Forecast path = learned.forecaster()
                    .forecast(
                            history,
                            ForecastRequest.of(longest)
                                    .mode(Mode.PATH)
                                    .paths(0, 1)
                                    .fromAnywhere());
            Forecast operator = learned.forecaster()
                    .forecast(
                            history,
                            ForecastRequest.of(longest)
                                    .mode(Mode.OPERATOR)
                                    .paths(0, 1)
                                    .fromAnywhere());
            double[][] rival = ar.forecast(before, longest);
            for (int h = 0; h < HORIZONS.length; h++) {
                int s = HORIZONS[h];
                double[] truth = rows[at + s];
                double[][] means = {auto.mean(s), path.mean(s), operator.mean(s), rows[at], rival[s - 1]};
                for (int k = 0; k < means.length; k++) {
                    double error = error(means[k], truth, deviations);
                    sums[k][h] += error * error / origins;
                }
                for (int c = 0; c < d; c++) {
                    for (int b = 0; b < 2; b++) {
                        double tail = b == 0 ? 0.1 : 0.025;
                        boolean inside =
                                truth[c] >= auto.quantile(s, c, tail) && truth[c] <= auto.quantile(s, c, 1 - tail);
                        covered[b][h] += inside ? 1.0 / origins / d : 0;
                    }
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%n%s: %d rows of %d, %d kept, %.1f s CPU, %s, %.0f ms a forecast%n",
                name,
                trained,
                d,
                learned.kept(),
                learned.seconds(),
                learned.settings(),
                (System.nanoTime() - began) * 1e-6 / origins);
        System.out.println("| | "
                + String.join(
                        " | ",
                        Arrays.stream(HORIZONS).mapToObj(Integer::toString).toList()) + " |");
        String[] names = {"automatic", "path", "operator", "persistence", "ridge AR"};
        for (int k = 0; k < names.length; k++) {
            System.out.println(line(names[k], sums[k], true));
        }
        System.out.println(line("coverage of 80 %", covered[0], false));
        System.out.println(line("coverage of 95 %", covered[1], false));
        for (int h : HORIZONS) {
            System.out.println("shares at " + h + ": "
                    + Arrays.deepToString(
                            learned.forecaster().record().orElseThrow().shares(h)));
        }
    }

    private static String line(String name, double[] values, boolean squared) {
        StringBuilder line = new StringBuilder("| " + name);
        for (double value : values) {
            line.append(String.format(Locale.ROOT, " | %.3f", squared ? Math.sqrt(value) : value));
        }
        return line + " |";
    }

    /** Eight random walks whose steps are correlated, such as exchange rates are. */
    private static double[][] walks() {
        SplittableRandom random = new SplittableRandom(SEED + 3);
        double[][] rows = new double[7000][8];
        for (int t = 1; t < rows.length; t++) {
            double common = random.nextGaussian();
            for (int c = 0; c < 8; c++) {
                rows[t][c] = rows[t - 1][c] + 0.01 * (0.6 * common + 0.8 * random.nextGaussian());
            }
        }
        return rows;
    }

    /** Two coupled coordinates with noise that grows with the state: stationary. */
    private static double[][] autoregression() {
        SplittableRandom random = new SplittableRandom(SEED + 4);
        double[][] rows = new double[10_000][2];
        for (int t = 1; t < rows.length; t++) {
            double[] last = rows[t - 1];
            double size = 0.2 + 0.3 * Math.abs(last[0]);
            rows[t][0] = 0.9 * last[0] + 0.2 * last[1] + size * random.nextGaussian();
            rows[t][1] = -0.3 * last[0] + 0.7 * last[1] + 0.1 * random.nextGaussian();
        }
        return rows;
    }

    private static void wells() {
        FourWell system = new FourWell();
        LearningStream stream = LearningStream.of(StreamConfig.defaults());
        for (int i = 0; i < 400; i++) {
            for (double[] row : system.trajectory(i, 100, SEED)) {
                stream.accept(Observation.of("path" + i, row));
            }
        }
        var state = stream.learner().orElseThrow().state().settled();
        Forecaster forecaster = Forecaster.of(
                state,
                new DelayLayout(2, stream.delays(), stream.stride()),
                stream.record().orElse(null));
        System.out.printf("%nFour wells, %d kept, %d delays%n", state.dictionarySize(), stream.delays());
        for (double[] start : new double[][] {{0, 1}, {0.1, -1}, {-0.05, 0.9}}) {
            int steps = 20;
            double right = 0;
            // Shares are known to a standard error of 0.002 and 0.005.
            int runs = 100_000;
            int paths = 10_000;
            for (int r = 0; r < runs; r++) {
                double[] x = start.clone();
                var random = TrajectoryStreams.of(SEED + 9, r);
                for (int s = 0; s < steps; s++) {
                    system.step(x, random);
                }
                right += x[0] > 0 ? 1.0 / runs : 0;
            }
            double[][] history = new double[forecaster.layout().history()][];
            Arrays.fill(history, start);
            Forecast forecast =
                    forecaster.forecast(history, ForecastRequest.of(steps).paths(paths, SEED));
            double above =
                    Arrays.stream(forecast.samples(steps, 0)).filter(v -> v > 0).count() / (double) paths;
            List<Peak> peaks = forecast.modes(steps, 0);
            System.out.printf(
                    Locale.ROOT,
                    "from %s: right %.3f simulated, %.3f forecast; peaks %s%n",
                    Arrays.toString(start),
                    right,
                    above,
                    peaks);
        }
    }

    private static double[][] read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .skip(1)
                .map(line -> Arrays.stream(line.split(",", -1))
                        .skip(1)
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toArray(double[][]::new);
    }
}
