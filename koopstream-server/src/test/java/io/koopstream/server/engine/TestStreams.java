package io.koopstream.server.engine;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Streams to learn from. */
final class TestStreams {

    private TestStreams() {}

    /** A particle in two wells. */
    static double[][] doubleWell(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] states = new double[count][];
        double x = 1;
        for (int t = 0; t < count; t++) {
            states[t] = new double[] {x};
            x += 0.05 * (x - x * x * x) + Math.sqrt(0.05) * 0.7 * random.nextGaussian();
        }
        return states;
    }

    /** States of a stretch of a trajectory. */
    static Batch part(double[][] states, int from, int to) {
        return Batch.states(Arrays.copyOfRange(states, from, to), false);
    }
}
