package io.koopstream.lab.accuracy;

import io.koopstream.forecast.DelayLayout;
import io.koopstream.forecast.ForecastRequest;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.Mode;
import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Reach of forecasts of waves of the Kuramoto–Sivashinsky equation u_t = −u u_x − u_xx − u_xxxx on a ring of length 22, by epsilon: a smaller one keeps more
 * states and must not be worse. Rows are 64 points 0.25 apart in time. The largest Lyapunov exponent is 0.048 (Cvitanović, Davidchack, Siminos, SIAM J. Applied
 * Dynamical Systems 9, 2010).
 */
final class WaveStudy {

    private static final int POINTS = 64;
    private static final int MODES = POINTS / 2;
    private static final double LENGTH = 22;
    private static final double STEP = 0.25;
    private static final double LYAPUNOV_TIME = 1 / 0.048;
    /** Fine steps in one row: errors of the fourth order are then below those of single precision. */
    private static final int FINE = 10;

    private static final int TRAINED = Integer.getInteger("forecast.rows", 8_000);
    private static final int STARTS = 40;
    private static final int HISTORY = 150;
    private static final double LIMIT = 0.4;
    private static final String[] EPSILONS = {"auto", "1e-3", "1e-4", "1e-5"};

    private WaveStudy() {}

    static void print(long seed) {
        int horizon = (int) Math.ceil(6 * LYAPUNOV_TIME / STEP);
        double[][] path = path(TRAINED + HISTORY + STARTS * 47 + horizon, seed);
        System.out.printf("%nKuramoto–Sivashinsky, %d rows, seed %d%n", TRAINED, seed);
        System.out.println("| epsilon | kept | delays | Lyapunov times (median, quartiles) |");
        for (String epsilon : EPSILONS) {
            StreamConfig config = epsilon.equals("auto")
                    ? StreamConfig.defaults()
                    : StreamConfig.parse(java.util.Map.of("epsilon", epsilon));
            LearningStream stream = LearningStream.of(config);
            for (int t = 0; t < TRAINED; t++) {
                stream.accept(Observation.of("", path[t]));
            }
            stream.endWarmUp();
            double[] times = times(stream, path, horizon);
            String used = stream.explained().stream()
                    .filter(one -> one.name().equals("epsilon"))
                    .map(one -> one.value())
                    .findFirst()
                    .orElse("?");
            System.out.printf(
                    Locale.ROOT,
                    "| %s (%s) | %d | %d | %.2f (%.2f to %.2f) |%n",
                    epsilon,
                    used,
                    stream.learner().orElseThrow().dictionarySize(),
                    stream.delays(),
                    times[STARTS / 2],
                    times[STARTS / 4],
                    times[3 * STARTS / 4]);
        }
    }

    /** The Lyapunov times until forecasts are off, shortest first. */
    private static double[] times(LearningStream stream, double[][] path, int horizon) {
        DelayLayout layout = new DelayLayout(stream.dimension(), stream.delays(), stream.stride());
        Forecaster forecaster = Forecaster.of(
                stream.learner().orElseThrow().state().settled(),
                layout,
                stream.record().orElse(null));
        double size = 0;
        for (int t = 0; t < TRAINED; t++) {
            size += Arrays.stream(path[t]).map(u -> u * u).sum() / TRAINED;
        }
        double[] times = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            int at = TRAINED + HISTORY + 47 * i;
            var forecast = forecaster.forecast(
                    Arrays.copyOfRange(path, at + 1 - layout.history(), at + 1),
                    ForecastRequest.of(horizon).mode(Mode.PATH).paths(0, 1).fromAnywhere());
            int s = 1;
            while (s <= horizon && squared(forecast.mean(s), path[at + s]) < LIMIT * LIMIT * size) {
                s++;
            }
            times[i] = (s - 1) * STEP / LYAPUNOV_TIME;
        }
        Arrays.sort(times);
        return times;
    }

    private static double squared(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += (x[i] - y[i]) * (x[i] - y[i]);
        }
        return sum;
    }

    /** Rows on the attractor: modes by the integrating factor of the linear part and the Runge–Kutta method of fourth order. */
    private static double[][] path(int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double h = STEP / FINE;
        double[] half = new double[2 * MODES];
        double[] v = new double[2 * MODES];
        for (int k = 1; k < MODES; k++) {
            double wave = 2 * Math.PI * k / LENGTH;
            half[2 * k] = Math.exp(h / 2 * (wave * wave - Math.pow(wave, 4)));
            half[2 * k + 1] = half[2 * k];
            v[2 * k] = k < 5 ? random.nextGaussian() : 0;
            v[2 * k + 1] = k < 5 ? random.nextGaussian() : 0;
        }
        double[][] cos = new double[MODES][POINTS];
        double[][] sin = new double[MODES][POINTS];
        for (int k = 0; k < MODES; k++) {
            for (int i = 0; i < POINTS; i++) {
                cos[k][i] = Math.cos(2 * Math.PI * k * i / POINTS);
                sin[k][i] = Math.sin(2 * Math.PI * k * i / POINTS);
            }
        }
        int unused = 4_000;
        double[][] path = new double[rows][];
        for (int t = -unused; t < rows; t++) {
            for (int i = 0; i < FINE; i++) {
                v = advanced(v, half, h, cos, sin);
            }
            if (t >= 0) {
                path[t] = points(v, cos, sin);
            }
        }
        return path;
    }

    private static double[] advanced(double[] v, double[] half, double h, double[][] cos, double[][] sin) {
        int n = v.length;
        double[] a = bent(v, h, cos, sin);
        double[] next = new double[n];
        Arrays.setAll(next, i -> half[i] * (v[i] + a[i] / 2));
        double[] b = bent(next, h, cos, sin);
        Arrays.setAll(next, i -> half[i] * v[i] + b[i] / 2);
        double[] c = bent(next, h, cos, sin);
        Arrays.setAll(next, i -> half[i] * (half[i] * v[i] + c[i]));
        double[] d = bent(next, h, cos, sin);
        Arrays.setAll(
                next, i -> half[i] * half[i] * v[i] + (half[i] * (half[i] * a[i] + 2 * (b[i] + c[i])) + d[i]) / 6);
        return next;
    }

    /** Modes of −h (u²)_x / 2. */
    private static double[] bent(double[] v, double h, double[][] cos, double[][] sin) {
        double[] u = points(v, cos, sin);
        double[] bent = new double[v.length];
        for (int k = 1; k < MODES; k++) {
            double re = 0;
            double im = 0;
            for (int i = 0; i < POINTS; i++) {
                re += u[i] * u[i] * cos[k][i];
                im -= u[i] * u[i] * sin[k][i];
            }
            double factor = -h * Math.PI * k / LENGTH / POINTS;
            bent[2 * k] = -factor * im;
            bent[2 * k + 1] = factor * re;
        }
        return bent;
    }

    /** The wave of some modes. */
    private static double[] points(double[] v, double[][] cos, double[][] sin) {
        double[] u = new double[POINTS];
        for (int k = 1; k < MODES; k++) {
            for (int i = 0; i < POINTS; i++) {
                u[i] += 2 * (v[2 * k] * cos[k][i] - v[2 * k + 1] * sin[k][i]);
            }
        }
        return u;
    }
}
