package io.koopstream.server;

import io.koopstream.forecast.PathForecast;
import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.learner.StorableLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.tuning.MethodSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Model files with the library's answers beside them, for a reader in another language. */
final class PythonFixtures {

    private static final int SAMPLES = 700;
    private static final int STEPS = 5;
    private static final List<String> NAMES = List.of("angle, left", "speed");

    private PythonFixtures() {}

    static void write(Path folder) throws IOException {
        write(folder, "squares", Map.of("kernel", "gaussian(sigma=0.7)", "lambda", "1e-4"));
        write(
                folder,
                "paper",
                Map.of("method", "sogd", "kernel", "0.4*laplacian(0.9)+0.6*gaussian(gamma=0.8)", "eta", "0.2"));
        write(
                folder,
                "averaged",
                Map.of(
                        "method",
                        "sogd",
                        "kernel",
                        "scaled(matern52(1.1),1,2)",
                        "average",
                        "3",
                        "max-dictionary",
                        "60"));
    }

    private static void write(Path folder, String name, Map<String, String> words) throws IOException {
        StorableLearner<KoopmanOperator> learner =
                MethodSettings.of(words).choose(2, null).newLearner();
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        double[][] points = new double[4][];
        for (int i = 0; i < SAMPLES; i++) {
            double[] x = {random.nextDouble() * 2 - 1, random.nextDouble() * 2 - 1};
            double[] next = {0.9 * x[0] - 0.3 * x[1], 0.3 * x[0] + 0.8 * x[1] + 0.1 * x[0] * x[0]};
            learner.update(x, next);
            points[i % points.length] = x;
        }
        Path file = folder.resolve(name + ".safetensors");
        ModelFile.write(file, new StoredModel(learner.state().settled(), StateLabels.of(NAMES)));
        KoopmanOperator operator = learner.snapshot();
        Spectrum spectrum = Spectrum.leading(operator, 3);
        Complex[][] functions = spectrum.eigenfunctions(points);
        PathForecast path = PathForecast.of(operator, points[0], STEPS);
        String json = "{\"samples\":" + SAMPLES
                + ",\"names\":[\"" + String.join("\",\"", NAMES) + "\"]"
                + ",\"points\":" + rows(points.length, i -> points[i])
                + ",\"eigenvalues\":"
                + rows(spectrum.size(), i -> new double[] {
                    spectrum.eigenvalue(i).re(), spectrum.eigenvalue(i).im()
                })
                + ",\"eigenfunctions_re\":"
                + rows(
                        points.length,
                        i -> Arrays.stream(functions[i])
                                .mapToDouble(Complex::re)
                                .toArray())
                + ",\"eigenfunctions_im\":"
                + rows(
                        points.length,
                        i -> Arrays.stream(functions[i])
                                .mapToDouble(Complex::im)
                                .toArray())
                + ",\"next\":" + rows(points.length, i -> operator.predict(points[i]))
                + ",\"mean\":" + rows(STEPS, s -> path.mean(s + 1))
                + ",\"std\":" + rows(STEPS, s -> path.spread(s + 1)) + "}";
        Files.writeString(folder.resolve(name + ".json"), json);
    }

    private static String rows(int count, IntFunction<double[]> row) {
        return IntStream.range(0, count)
                .mapToObj(i -> Arrays.toString(row.apply(i)))
                .collect(Collectors.joining(",", "[", "]"));
    }
}
