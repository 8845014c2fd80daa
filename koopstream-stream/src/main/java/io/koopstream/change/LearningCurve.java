package io.koopstream.change;

import java.util.ArrayList;
import java.util.List;

/**
 * Readings of dictionary size and one-step error along a stream of any length: close where much happens, thinned to every second whenever there
 * are {@value #MAX_READINGS}. A function of what is added alone. One writer.
 */
public final class LearningCurve {

    private static final int MAX_READINGS = 512;

    /** Weight of a new error in the running mean. */
    private static final double SMOOTHING = 5e-3;

    /**
     * A reading along the stream.
     *
     * @param pairs pairs seen
     * @param error running mean of the one-step error ‖φ(x⁺) − U φ(x)‖
     * @param dictionary kept samples
     */
    public record Reading(long pairs, double error, int dictionary) {}

    /**
     * All of a curve, for those who store it.
     *
     * @param growth factor from the place of one reading to the next
     * @param nextReading the first pair that is read again
     * @param errors how many errors were added
     * @param error their running mean; NaN before the first
     * @param readings the readings so far
     */
    public record State(double growth, long nextReading, long errors, double error, List<Reading> readings) {

        /** Keeps its own list. */
        public State {
            readings = List.copyOf(readings);
        }
    }

    private List<Reading> readings = new ArrayList<>();
    private double growth = 1.012;
    private long nextReading = 1;
    private long errors;
    private double error = Double.NaN;

    /** A curve that continues from a stored one. */
    public static LearningCurve resume(State state) {
        LearningCurve curve = new LearningCurve();
        curve.growth = state.growth();
        curve.nextReading = state.nextReading();
        curve.errors = state.errors();
        curve.error = state.error();
        curve.readings.addAll(state.readings());
        return curve;
    }

    /** All of it. */
    public State state() {
        return new State(growth, nextReading, errors, error, readings);
    }

    /** A measured one-step error at pair number t. */
    public void add(long t, int dictionary, double oneStepError) {
        errors++;
        // Recent errors count more from the start: the first ones, of an empty model, say nothing about it now.
        error = errors == 1 ? oneStepError : error + Math.max(SMOOTHING, 3.0 / (errors + 2)) * (oneStepError - error);
        if (t >= nextReading) {
            if (readings.size() == MAX_READINGS) {
                thin();
            }
            readings.add(new Reading(t, error, dictionary));
            nextReading = Math.max(t + 1, (long) (t * growth));
        }
    }

    private void thin() {
        List<Reading> kept = new ArrayList<>(MAX_READINGS);
        for (int i = 1; i < readings.size(); i += 2) {
            kept.add(readings.get(i));
        }
        readings = kept;
        growth *= growth;
    }

    /** The running mean of the one-step error; NaN before there is one. */
    public double error() {
        return error;
    }

    /** The readings so far. */
    public List<Reading> readings() {
        return List.copyOf(readings);
    }
}
