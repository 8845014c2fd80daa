package io.koopstream.server.engine;

import io.koopstream.rows.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Batches of a source that does everything a source can do wrong, each with what a plain stream is given instead: three trajectories in turn, one with
 * steps, one with times, one with neither, with gaps, late and repeated rows, values that cannot be learned from, and rows that cannot be read.
 */
final class AwkwardRows {

    private static final String STREAM = "source";

    private final SplittableRandom random;
    private final double[][] states;
    private final long[] position = new long[3];
    private final List<Observation> observations = new ArrayList<>();
    private int at;
    private long number;

    AwkwardRows(long seed) {
        random = new SplittableRandom(seed);
        states = TestStreams.doubleWell(20_000, seed);
    }

    /** What a plain stream is given instead of the last batch. */
    List<Observation> observations() {
        return observations;
    }

    /** The next batch. */
    Batch next() {
        observations.clear();
        int size = 1 + random.nextInt(30);
        if (random.nextInt(10) == 0) {
            return plainStates(size);
        }
        BatchRows rows = new BatchRows(1, false);
        while (rows.size() < size) {
            add(rows);
        }
        number += size;
        return rows.batch().numbered(STREAM, number - size);
    }

    private Batch plainStates(int size) {
        double[][] part = new double[size][];
        boolean first = random.nextBoolean();
        for (int i = 0; i < size; i++) {
            part[i] = states[at++];
            Observation state = Observation.of("other", part[i]);
            observations.add(first && i == 0 ? state.asFirst() : state);
        }
        return Batch.states(part, first).onStream("other");
    }

    private void add(BatchRows rows) {
        int which = random.nextInt(3);
        String trajectory = which == 0 ? null : "t" + which;
        String full = which == 0 ? STREAM : STREAM + "/" + trajectory;
        switch (random.nextInt(40)) {
            case 0 -> {
                rows.addUnreadable(trajectory);
                observations.add(Observation.unreadable(full));
                return;
            }
            case 1 -> {
                rows.addUnreadableAnywhere();
                observations.add(Observation.unreadable(null));
                return;
            }
            case 2 -> position[which] += 3;
            case 3 -> {
                // Once more the place of the one before.
            }
            case 4 -> position[which] -= 20;
            default -> position[which]++;
        }
        double step = which == 1 ? position[which] : Double.NaN;
        double time = which == 2 ? 0.5 * position[which] + 0.01 * random.nextDouble() : Double.NaN;
        double odd = random.nextBoolean() ? Double.NaN : 1e300;
        double[] row = random.nextInt(60) == 0 ? new double[] {odd} : states[at++];
        boolean first = random.nextInt(50) == 0;
        rows.add(trajectory, step, time, row, first);
        Observation observation = Observation.at(full, step, time, row);
        observations.add(first ? observation.asFirst() : observation);
    }
}
