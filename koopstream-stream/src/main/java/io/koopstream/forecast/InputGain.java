package io.koopstream.forecast;

import io.koopstream.internal.linalg.SmallSystem;
import io.koopstream.learner.leastsquares.HoldOut;
import io.koopstream.state.StateSink;
import io.koopstream.state.StateSource;
import java.util.Arrays;

/**
 * Correction of an expected row by inputs that are known: the kernel expects the whole row, inputs too, and what inputs differ from that moves the other
 * coordinates by a regression of residuals on residuals. This makes the forecast partially linear, E[y | z, u] = E[y | z] + B (u − E[u | z]) (Robinson,
 * Econometrica 56, 1988). Immutable.
 */
final class InputGain {

    /** Relative ridge, against inputs that are copies of each other: far above rounding, far below what residuals tell. */
    private static final double RIDGE = 1e-9;

    private final int driven;
    /** Change of each driven coordinate per unit of each input. */
    private final double[][] gain;

    private InputGain(int driven, double[][] gain) {
        this.driven = driven;
        this.gain = gain;
    }

    /** The gain of held-out pairs; null where there are no inputs, and where too few pairs were held out. */
    static InputGain of(IncrementMap map, HoldOut held) {
        int inputs = map.layout().inputs();
        if (inputs == 0 || held.size() < Math.max(Residuals.MIN_PAIRS, 2 * inputs)) {
            return null;
        }
        int driven = map.layout().driven();
        double[][] residuals = map.residuals(held);
        double[][] moments = new double[inputs][inputs];
        double[][] cross = new double[inputs][driven];
        double[] squares = new double[driven];
        for (double[] one : residuals) {
            for (int i = 0; i < inputs; i++) {
                for (int j = 0; j < inputs; j++) {
                    moments[i][j] += one[driven + i] * one[driven + j];
                }
                for (int c = 0; c < driven; c++) {
                    cross[i][c] += one[driven + i] * one[c];
                }
            }
            for (int c = 0; c < driven; c++) {
                squares[c] += one[c] * one[c];
            }
        }
        for (int i = 0; i < inputs; i++) {
            moments[i][i] = moments[i][i] > 0 ? moments[i][i] * (1 + RIDGE) : 1;
        }
        double[][] solved = SmallSystem.solve(moments, cross);
        if (solved == null) {
            return null;
        }
        double[][] gain = new double[driven][inputs];
        for (int c = 0; c < driven; c++) {
            double explained = 0;
            for (int i = 0; i < inputs; i++) {
                explained += solved[i][c] * cross[i][c];
            }
            // The positive part of Stein's shrinkage (Copas, JRSS B 45, 1983): inputs that explain no more than chance
            // move nothing.
            double left = Math.max(0, squares[c] - explained) / (residuals.length - inputs);
            double share = explained > 0 ? Math.max(0, 1 - inputs * left / explained) : 0;
            for (int i = 0; i < inputs; i++) {
                gain[c][i] = share * solved[i][c];
            }
        }
        return new InputGain(driven, gain);
    }

    /**
     * Puts what is known into a row and moves what inputs drive.
     *
     * @param row as expected, changed in place
     */
    void know(KnownAhead known, int step, double[] row) {
        double[] expected = Arrays.copyOfRange(row, driven, driven + gain[0].length);
        known.fill(step, row);
        for (int i = 0; i < expected.length; i++) {
            double off = row[driven + i] - expected[i];
            for (int c = 0; c < driven && off != 0; c++) {
                row[c] += gain[c][i] * off;
            }
        }
    }

    void save(StateSink.Ordered sink) {
        for (double[] ofCoordinate : gain) {
            sink.numbers("gain", ofCoordinate);
        }
    }

    static InputGain read(StateSource.Ordered source, DelayLayout layout) {
        double[][] gain = new double[layout.driven()][];
        for (int c = 0; c < gain.length; c++) {
            gain[c] = LinearSums.numbers(source, "gain", layout.inputs());
        }
        return new InputGain(gain.length, gain);
    }
}
