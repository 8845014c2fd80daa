package io.koopstream.server.engine;

import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;
import java.util.ArrayList;
import java.util.List;

/**
 * Readings of dictionary size and one-step error along a stream of any length: close where much happens, thinned to every second whenever there
 * are {@value #MOST_READINGS}. A function of the readings alone. One writer.
 */
final class LearningCurve {

    private static final int MOST_READINGS = 512;
    /** Weight of a new error in the running mean. */
    private static final double SMOOTHING = 5e-3;

    private List<CurvePoint> readings = new ArrayList<>();
    private double growth = 1.012;
    private long nextReading = 1;
    private long errors;
    private double error = Double.NaN;

    /** A measured one-step error at pair number t. */
    void add(long t, int dictionary, double oneStepError) {
        errors++;
        // Recent errors count more from the start: the first ones, of an empty model, say nothing about it now.
        error = errors == 1 ? oneStepError : error + Math.max(SMOOTHING, 3.0 / (errors + 2)) * (oneStepError - error);
        if (t >= nextReading) {
            if (readings.size() == MOST_READINGS) {
                thin();
            }
            readings.add(new CurvePoint(t, error, dictionary));
            nextReading = Math.max(t + 1, (long) (t * growth));
        }
    }

    private void thin() {
        List<CurvePoint> kept = new ArrayList<>(MOST_READINGS);
        for (int i = 1; i < readings.size(); i += 2) {
            kept.add(readings.get(i));
        }
        readings = kept;
        growth *= growth;
    }

    /** The running mean of the one-step error; NaN before there is one. */
    double error() {
        return error;
    }

    /** The readings so far. */
    List<CurvePoint> readings() {
        return List.copyOf(readings);
    }

    void pack(Packer out) {
        out.put(growth).put(nextReading).put(errors).put(error).put(readings.size());
        for (CurvePoint reading : readings) {
            out.put(reading.pairs()).put(reading.error()).put(reading.dictionary());
        }
    }

    static LearningCurve unpack(Unpacker in) {
        LearningCurve curve = new LearningCurve();
        curve.growth = in.real();
        curve.nextReading = in.number();
        curve.errors = in.number();
        curve.error = in.real();
        for (int i = in.count(20); i > 0; i--) {
            curve.readings.add(new CurvePoint(in.number(), in.real(), in.whole()));
        }
        return curve;
    }
}
