package io.koopstream.server;

import io.koopstream.io.ModelFile;
import io.koopstream.io.StateLabels;
import io.koopstream.io.StoredModel;
import io.koopstream.kernel.Kernels;
import io.koopstream.learner.Learner;
import io.koopstream.learner.LearnerState;
import io.koopstream.learner.leastsquares.LambdaChoice;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Complex;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.stream.StreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Model files with the library's answers beside them, for a reader in another language. */
final class PythonFixtures {

    private static final int SAMPLES = 700;
    private static final int STEPS = 5;
    private static final double RIDGE = 1e-3;
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
        writeChosen(folder, "chosen", 1500);
        writeChosen(folder, "chosen-long", 6000);
    }

    private static void write(Path folder, String name, Map<String, String> words) throws IOException {
        Learner<KoopmanOperator> learner =
                StreamConfig.parse(words).choose(2, 2, null).newLearner();
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        double[][] points = new double[4][];
        for (int i = 0; i < SAMPLES; i++) {
            double[] x = {random.nextDouble() * 2 - 1, random.nextDouble() * 2 - 1};
            learner.update(x, next(x, 0));
            points[i % points.length] = x;
        }
        write(folder, name, learner, learner.state().settled(), points, "");
    }

    private static double[] next(double[] x, double noise) {
        return new double[] {0.9 * x[0] - 0.3 * x[1] + noise, 0.3 * x[0] + 0.8 * x[1] + 0.1 * x[0] * x[0]};
    }

    /** A trajectory with noise, of which pairs are held out to choose the ridge; the state as it is, first pairs of the stream included. */
    private static void writeChosen(Path folder, String name, int samples) throws IOException {
        LeastSquaresLearner<KoopmanOperator> learner =
                LeastSquaresLearner.koopman(LeastSquaresConfig.forState(2, Kernels.gaussian(0.7))
                        .holdOut(0.2)
                        .build());
        SplittableRandom random = new SplittableRandom(5);
        double[][] points = new double[4][];
        double[] x = {0.5, 0.5};
        for (int i = 0; i < samples; i++) {
            double[] after = next(x, 0.4 * (random.nextDouble() - 0.5));
            learner.update(x, after);
            points[i % points.length] = x;
            x = after;
        }
        LeastSquaresState state = learner.state();
        LambdaChoice choice = state.choice();
        KoopmanOperator other = state.operator(RIDGE).asKoopman();
        String more = ",\"lambda\":{\"spectrum\":" + choice.spectrum() + ",\"forecast\":" + choice.forecast() + "}"
                + ",\"ridge\":" + RIDGE
                + ",\"ridge_next\":" + rows(points.length, i -> other.predict(points[i]));
        write(folder, name, learner, state, points, more);
    }

    private static void write(
            Path folder,
            String name,
            Learner<KoopmanOperator> learner,
            LearnerState state,
            double[][] points,
            String more)
            throws IOException {
        Path file = folder.resolve(name + ".safetensors");
        ModelFile.write(file, new StoredModel(state, StateLabels.of(NAMES)));
        KoopmanOperator operator = learner.snapshot();
        Spectrum spectrum = Spectrum.leading(operator, 3);
        Complex[][] functions = spectrum.eigenfunctions(points);
        double[][] moments = operator.forecast(PythonFixtures::moments, points[0], STEPS);
        String json = "{\"samples\":" + learner.samples()
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
                + ",\"mean\":" + rows(STEPS, s -> mean(moments[s]))
                + ",\"std\":" + rows(STEPS, s -> spread(moments[s])) + more + "}";
        Files.writeString(folder.resolve(name + ".json"), json);
    }

    /** (1, x_1 .. x_d, x_1² .. x_d²). */
    private static double[] moments(double[] state) {
        int d = state.length;
        double[] values = new double[1 + 2 * d];
        values[0] = 1;
        for (int c = 0; c < d; c++) {
            values[1 + c] = state[c];
            values[1 + d + c] = state[c] * state[c];
        }
        return values;
    }

    private static double[] mean(double[] moments) {
        return IntStream.range(1, 1 + moments.length / 2)
                .mapToDouble(c -> moments[c] / moments[0])
                .toArray();
    }

    private static double[] spread(double[] moments) {
        double[] mean = mean(moments);
        return IntStream.range(0, mean.length)
                .mapToDouble(c ->
                        Math.sqrt(Math.max(0.0, moments[1 + mean.length + c] / moments[0] - mean[c] * mean[c])))
                .toArray();
    }

    private static String rows(int count, IntFunction<double[]> row) {
        return IntStream.range(0, count)
                .mapToObj(i -> Arrays.toString(row.apply(i)))
                .collect(Collectors.joining(",", "[", "]"));
    }
}
