package io.koopstream.lab.accuracy;

import io.koopstream.systems.TrajectoryStreams;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Two standing shapes that swing at two frequencies, mixed, in 400 complex columns under noise:
 * f(x, t) = sech(x + 3) e^(2.3it) + 2 sech(x) tanh(x) e^(2.8it).
 *
 * <p>400 places x from −10 to 10, 200 times t from 0 to 4π: example 1.4 of Kutz, Brunton, Brunton, Proctor, <i>Dynamic Mode Decomposition</i>, SIAM 2016,
 * taken up in the tutorials of PyDMD (on a smaller grid, x from −5 to 5) and pykoopman. A state is the 400 real parts and then the 400 imaginary
 * parts; the real parts alone do not determine what comes next. Independent normal noise of standard deviation 0.1 is added to each of the 800 numbers.
 */
final class MixedSignals {

    private static final int PLACES = 400;
    private static final int TIMES = 200;
    private static final double NOISE = 0.1;
    private static final double[] FREQUENCIES = {2.3, 2.8};
    private static final double STEP = 4 * Math.PI / (TIMES - 1);

    private MixedSignals() {}

    static PairStream pairs(long seed) {
        return pairs(seed, NOISE);
    }

    static PairStream pairs(long seed, double noise) {
        UniformRandomProvider rng = TrajectoryStreams.of(seed, 0);
        ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
        double[][] states = new double[TIMES][2 * PLACES];
        for (int t = 0; t < TIMES; t++) {
            for (int i = 0; i < PLACES; i++) {
                double x = -10 + 20.0 * i / (PLACES - 1);
                double first = 1 / Math.cosh(x + 3);
                double second = 2 * Math.tanh(x) / Math.cosh(x);
                double angle1 = FREQUENCIES[0] * STEP * t;
                double angle2 = FREQUENCIES[1] * STEP * t;
                states[t][i] = first * Math.cos(angle1) + second * Math.cos(angle2) + noise * normal.sample();
                states[t][PLACES + i] = first * Math.sin(angle1) + second * Math.sin(angle2) + noise * normal.sample();
            }
        }
        return PairStream.of(states);
    }

    /** e^(±iωτ) of both frequencies, which is all there is on linear observables; before them 1, if constants are to be among the observables. */
    static double[][] eigenvalues(boolean constants) {
        List<double[]> values = new ArrayList<>();
        if (constants) {
            values.add(new double[] {1, 0});
        }
        for (double frequency : FREQUENCIES) {
            double angle = frequency * STEP;
            values.add(new double[] {Math.cos(angle), Math.sin(angle)});
            values.add(new double[] {Math.cos(angle), -Math.sin(angle)});
        }
        return values.toArray(double[][]::new);
    }
}
