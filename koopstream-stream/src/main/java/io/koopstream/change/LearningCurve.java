package io.koopstream.change;

import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
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

    private List<Reading> readings = new ArrayList<>();
    private double growth = 1.012;
    private long nextReading = 1;
    private long errors;
    private double error = Double.NaN;

    /** An independent curve in the same state. */
    LearningCurve copy() {
        LearningCurve copy = new LearningCurve();
        copy.growth = growth;
        copy.nextReading = nextReading;
        copy.errors = errors;
        copy.error = error;
        copy.readings.addAll(readings);
        return copy;
    }

    /** Writes all of it. */
    public void save(StateSink.Ordered sink) {
        sink.number("growth", growth);
        sink.count("nextReading", nextReading);
        sink.count("errors", errors);
        sink.number("error", error);
        sink.list("readings", readings, reading -> {
            sink.count("pairs", reading.pairs);
            sink.number("error", reading.error);
            sink.size("dictionary", reading.dictionary);
        });
    }

    /** A curve that continues from a saved one. */
    public static LearningCurve read(StateSource.Ordered source) {
        LearningCurve curve = new LearningCurve();
        curve.growth = source.number("growth");
        curve.nextReading = source.count("nextReading");
        curve.errors = source.count("errors");
        curve.error = source.number("error");
        curve.readings = source.list(
                "readings",
                () -> new Reading(source.count("pairs"), source.number("error"), source.size("dictionary")));
        return curve;
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
