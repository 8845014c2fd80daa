package io.koopstream.lab.accuracy;

import io.koopstream.rows.Observation;
import io.koopstream.stream.LearningStream;
import io.koopstream.stream.StreamConfig;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Made-up faults of several sizes in a noisy daily stream: how many are alarmed of, how many rows after they began, and how many alarms came before. */
final class FaultStudy {

    private static final int DAY = 96;
    private static final int BEFORE = 3_000;
    /** A fault lasts so long; an alarm counts until a day after it began. */
    private static final int LASTS = 60;

    private FaultStudy() {}

    private enum Fault {
        FLAT("stuck at its last value", 10, 20, 60),
        SPIKE("a spike of one row, in standard deviations of the noise", 4, 6, 10),
        SHIFT("a level shift, in the same", 2, 4, 8),
        LEAK("a slow leak to this after 60 rows, in the same", 4, 8, 16),
        NOISE("noise times", 1.5, 2, 4),
        PERIOD("a day of so many rows, of 96", 84, 72, 48),
        MISSING("the peak of the day, so much of it missing", 0.25, 0.5, 1);

        private final String text;
        private final double small;
        private final double middle;
        private final double large;

        Fault(String text, double small, double middle, double large) {
            this.text = text;
            this.small = small;
            this.middle = middle;
            this.large = large;
        }
    }

    /** A daily curve and autoregressive noise of standard deviation one, with a fault from a row on that lies on the rising side of the day. */
    private static double[] stream(Fault fault, double size, int onset, int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] values = new double[rows];
        double phase = 0;
        double noise = 0;
        for (int t = 0; t < rows; t++) {
            int since = t - onset;
            boolean on = since >= 0 && since < LASTS;
            phase += 2 * Math.PI / (on && fault == Fault.PERIOD ? size : DAY);
            noise = 0.8 * noise + (on && fault == Fault.NOISE ? size : 1) * 0.6 * random.nextGaussian();
            double curve = 4 * Math.max(0, StrictMath.sin(phase));
            values[t] = curve * (on && fault == Fault.MISSING ? 1 - size : 1) + noise;
            if (on && fault == Fault.FLAT && since < size) {
                values[t] = values[onset - 1];
            } else if ((fault == Fault.SPIKE && since == 0) || (fault == Fault.SHIFT && on)) {
                values[t] += size;
            } else if (on && fault == Fault.LEAK) {
                values[t] -= size * since / LASTS;
            }
        }
        return values;
    }

    private static List<Integer> alarms(double[] values) {
        LearningStream stream = LearningStream.of(StreamConfig.parse(Map.of("scores", "true", "drift", "false")), 1)
                .withoutRecord();
        List<Integer> alarms = new ArrayList<>();
        stream.listen((observation, score) -> {
            if (score != null && score.alarm()) {
                alarms.add((int) observation.row());
            }
        });
        for (int t = 0; t < values.length; t++) {
            stream.accept(Observation.of("", values[t]).withRow(t));
        }
        stream.endWarmUp();
        return alarms;
    }

    static void print(PrintStream out, int seeds, long firstSeed) {
        Table table = new Table(out, "fault", "size", "alarmed of", "rows until then, median", "alarms before");
        for (Fault fault : Fault.values()) {
            for (double size : new double[] {fault.small, fault.middle, fault.large}) {
                List<Double> delays = new ArrayList<>();
                long before = 0;
                for (int s = 0; s < seeds; s++) {
                    int onset = BEFORE + 37 * s;
                    onset += DAY - onset % DAY;
                    int from = onset;
                    List<Integer> alarms = alarms(stream(fault, size, from, from + DAY, firstSeed + s));
                    before += alarms.stream().filter(row -> row < from).count();
                    alarms.stream()
                            .filter(row -> row >= from)
                            .findFirst()
                            .ifPresent(row -> delays.add((double) row - from));
                }
                table.row(
                        fault.text,
                        Figures.format("%.3g", size),
                        delays.size() + " of " + seeds,
                        delays.isEmpty()
                                ? "–"
                                : Figures.format(
                                        "%.0f",
                                        Figures.median(delays.stream()
                                                .mapToDouble(Double::doubleValue)
                                                .toArray())),
                        before);
            }
        }
    }
}
