package io.koopstream.lab.accuracy;

import io.koopstream.kernel.Kernels;
import io.koopstream.learner.leastsquares.LeastSquaresConfig;
import io.koopstream.learner.leastsquares.LeastSquaresLearner;
import io.koopstream.operator.KoopmanOperator;
import io.koopstream.spectrum.Spectrum;
import io.koopstream.systems.Lorenz;
import java.io.PrintStream;

/**
 * Lorenz-63, whose spectrum beyond 1 is continuous: forecasts against the truth, and the correlation function against that of a very long
 * run.
 */
final class LorenzStudy {

    private static final int[] HORIZONS = {1, 2, 5, 10};
    private static final int MAX_LAG = 10;
    private static final int TEST_STATES = 2_000;

    private LorenzStudy() {}

    static void print(PrintStream out, int seeds, int... marks) {
        Table table = new Table(
                out,
                "pairs",
                "m",
                "error of eigenvalue 1",
                "forecast error after 0.1",
                "0.2",
                "0.5",
                "1.0",
                "correlation of z, lags 0.1 to 1: largest error",
                "the same of the test path itself");
        Lorenz system = new Lorenz();
        for (int mark : marks) {
            int[] sizes = new int[seeds];
            double[] first = new double[seeds];
            double[][] forecasts = new double[HORIZONS.length][seeds];
            double[] correlations = new double[seeds];
            double[] ofThePath = new double[seeds];
            for (int s = 0; s < seeds; s++) {
                PairStream stream = PairStream.of(system, 1, mark, s + 1);
                LeastSquaresLearner<KoopmanOperator> learner =
                        LeastSquaresLearner.koopman(LeastSquaresConfig.forState(3, Kernels.gaussian(10))
                                .lambda(1e-8)
                                .epsilon(0.02)
                                .build());
                stream.feed(learner, 0, mark);
                KoopmanOperator operator = learner.snapshot();
                sizes[s] = operator.dictionarySize();
                first[s] = Math.hypot(
                        Spectrum.leading(operator, 2).eigenvalue(0).re() - 1,
                        Spectrum.leading(operator, 2).eigenvalue(0).im());
                double[] found = judge(system, operator, s + 1001);
                for (int h = 0; h < HORIZONS.length; h++) {
                    forecasts[h][s] = found[h];
                }
                correlations[s] = found[HORIZONS.length];
                ofThePath[s] = found[HORIZONS.length + 1];
            }
            String[] medians = new String[HORIZONS.length];
            for (int h = 0; h < HORIZONS.length; h++) {
                medians[h] = Figures.error(Figures.median(forecasts[h]));
            }
            table.row(
                    Figures.format("%,d", mark),
                    Figures.range(sizes),
                    Figures.error(Figures.median(first)),
                    medians,
                    Figures.error(Figures.median(correlations)),
                    Figures.error(Figures.median(ofThePath)));
        }
    }

    /**
     * On a path of its own: root mean square forecast errors over those of the mean; the largest error of the correlation of z with its forecast;
     * and that of the correlation of z with what really came, which is the error of so short a path.
     */
    private static double[] judge(Lorenz system, KoopmanOperator operator, long seed) {
        double[][] path = system.trajectory(0, TEST_STATES + MAX_LAG, seed);
        double[] mean = new double[3];
        for (int t = 0; t < TEST_STATES; t++) {
            for (int c = 0; c < 3; c++) {
                mean[c] += path[t][c] / TEST_STATES;
            }
        }
        double[] squares = new double[HORIZONS.length];
        double total = 0;
        double[] products = new double[MAX_LAG + 1];
        double[] trueProducts = new double[MAX_LAG + 1];
        for (int t = 0; t < TEST_STATES; t++) {
            double[][] forecast = operator.forecast(path[t], MAX_LAG);
            for (int h = 0; h < HORIZONS.length; h++) {
                for (int c = 0; c < 3; c++) {
                    double error = forecast[HORIZONS[h] - 1][c] - path[t + HORIZONS[h]][c];
                    squares[h] += error * error;
                }
            }
            for (int c = 0; c < 3; c++) {
                total += (path[t][c] - mean[c]) * (path[t][c] - mean[c]);
            }
            double z = path[t][2] - mean[2];
            products[0] += z * z;
            for (int lag = 1; lag <= MAX_LAG; lag++) {
                products[lag] += z * (forecast[lag - 1][2] - mean[2]);
                trueProducts[lag] += z * (path[t + lag][2] - mean[2]);
            }
        }
        double[] result = new double[HORIZONS.length + 2];
        for (int h = 0; h < HORIZONS.length; h++) {
            result[h] = Math.sqrt(squares[h] / total);
        }
        for (int lag = 1; lag <= MAX_LAG; lag++) {
            double known = system.correlationOfZ(lag)[0];
            double[] errors = {products[lag] / products[0] - known, trueProducts[lag] / products[0] - known};
            for (int i = 0; i < 2; i++) {
                result[HORIZONS.length + i] = Math.max(result[HORIZONS.length + i], Math.abs(errors[i]));
            }
        }
        return result;
    }
}
