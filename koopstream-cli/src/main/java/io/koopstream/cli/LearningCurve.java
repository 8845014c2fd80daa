package io.koopstream.cli;

import io.koopstream.cli.plot.Figure;
import io.koopstream.cli.plot.LearningPlot;
import java.util.Arrays;

/**
 * Readings of dictionary size and one-step error along a stream of any length, at distances that grow with the stream: close where
 * much happens, and few in all.
 */
final class LearningCurve {

    /** Enough for more samples than a long can count. */
    private static final int MOST_READINGS = 4096;

    private static final double GROWTH = 1.012;
    /** Weight of a new error in the running mean. */
    private static final double SMOOTHING = 5e-3;

    private final double[] samples = new double[MOST_READINGS];
    private final double[] dictionary = new double[MOST_READINGS];
    private final double[] errors = new double[MOST_READINGS];
    private int size;
    private long readings;
    private long nextReading = 1;
    private double error;

    /** A measured one-step error at sample number t. */
    void add(long t, int dictionarySize, double oneStepError) {
        readings++;
        // Recent errors count more from the start: the first ones, of an empty model, say nothing about it now.
        error += Math.max(SMOOTHING, 3.0 / (readings + 2)) * (oneStepError - error);
        if (t >= nextReading && size < MOST_READINGS) {
            samples[size] = t;
            dictionary[size] = dictionarySize;
            errors[size] = error;
            size++;
            nextReading = Math.max(t + 1, (long) (t * GROWTH));
        }
    }

    /** The running mean of the one-step error. */
    double error() {
        return error;
    }

    /** Whether there are enough readings for a picture. */
    boolean isDrawable() {
        return size >= 2;
    }

    Figure figure() {
        return LearningPlot.of(
                Arrays.copyOf(samples, size), Arrays.copyOf(dictionary, size), Arrays.copyOf(errors, size));
    }
}
