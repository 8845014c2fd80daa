package io.koopstream.testkit;

import io.koopstream.rows.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A stream in which everything happens that may: interleaved trajectories with steps, with times and with neither, rows that are missing, late, doubled,
 * not finite or of another dimension, steps that begin anew, records that cannot be read, with and without their trajectory, and explicit pairs.
 */
public final class AwkwardStream {

    private static final double NONE = Double.NaN;

    private final SplittableRandom random;
    private final boolean pairs;
    private final List<Observation> records = new ArrayList<>();
    private final double[][] states = {{1, 0}, {0, 1}, {-1, 0}};
    private final int[] places = new int[3];

    private AwkwardStream(long seed, boolean pairs) {
        this.random = new SplittableRandom(seed);
        this.pairs = pairs;
        // The first record says how many coordinates there are.
        records.add(row(2, 0, states[2]));
    }

    /**
     * The first records of the stream of a seed, of a noisy rotation in the plane.
     *
     * @param pairs whether there are explicit pairs too
     */
    public static List<Observation> of(long seed, int count, boolean pairs) {
        AwkwardStream stream = new AwkwardStream(seed, pairs);
        while (stream.records.size() < count) {
            stream.add();
        }
        return List.copyOf(stream.records.subList(0, count));
    }

    private void add() {
        int who = random.nextInt(3);
        // Some of the same trajectory in a row, so that there are pairs of delay vectors too.
        for (int i = random.nextInt(1, 12); i > 0; i--) {
            double[] state = rotated(states[who]);
            places[who]++;
            switch (random.nextInt(40)) {
                case 0 -> places[who] += 2;
                case 1 -> records.add(row(who, places[who] - 1, state));
                case 2 -> records.add(row(who, places[who] - 3, state));
                case 3 -> places[who] = 0;
                case 4 -> records.add(row(who, places[who], new double[] {0.1, NONE}));
                case 5 -> records.add(row(who, places[who], new double[] {0.1, 0.2, 0.3}));
                case 6 -> records.add(Observation.unreadable(name(who)));
                case 7 -> records.add(Observation.unreadable(null));
                case 8 -> records.add(row(who, places[who], state).asFirst());
                case 9 -> records.add(row(who, Double.POSITIVE_INFINITY, state));
                default -> {
                    if (pairs && random.nextInt(20) == 0) {
                        records.add(Observation.pair(state.clone(), rotated(state)));
                    }
                }
            }
            states[who] = state;
            records.add(row(who, places[who], state));
        }
    }

    private double[] rotated(double[] x) {
        double c = 0.97 * Math.cos(0.5);
        double s = 0.97 * Math.sin(0.5);
        return new double[] {
            c * x[0] - s * x[1] + random.nextDouble(-0.1, 0.1), s * x[0] + c * x[1] + random.nextDouble(-0.1, 0.1)
        };
    }

    private static String name(int who) {
        return "trajectory " + who;
    }

    /** The first trajectory has steps, the second times that jitter, the third nothing. */
    private Observation row(int who, double place, double... values) {
        return switch (who) {
            case 0 -> Observation.at(name(who), place, NONE, values);
            case 1 -> Observation.at(name(who), NONE, 0.25 * (place + random.nextDouble(-0.1, 0.1)), values);
            default -> Observation.of(name(who), values);
        };
    }
}
