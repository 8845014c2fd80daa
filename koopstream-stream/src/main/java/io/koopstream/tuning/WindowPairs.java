package io.koopstream.tuning;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.Points;
import java.util.ArrayList;
import java.util.List;

/**
 * The states of a warm-up window with so many delays, and which pairs of them are learned and which judge: every fifth run of successive pairs is held
 * out. Immutable.
 */
final class WindowPairs {

    private static final int HELD_OUT_RUN = 5;
    private static final int RUN = 50;
    private static final int MIN_RUN = 4;
    private static final int MIN_RUNS = 20;

    private final Points states;
    private final int targets;
    /** The first states of pairs; the other one comes next. */
    private final int[] learned;

    private final int[] heldOut;
    /** Where the runs of {@link #heldOut} begin, and its length. */
    private final int[] runs;

    private final boolean[] usable;

    /**
     * @param paths successive states
     * @param targets leading coordinates that are to be predicted
     */
    WindowPairs(List<double[][]> paths, int targets) {
        this.targets = targets;
        int pairs = count(paths);
        int length = Math.max(MIN_RUN, Math.min(RUN, pairs / MIN_RUNS));
        states = new Points(paths.isEmpty() ? targets : paths.get(0)[0].length);
        List<Integer> learns = new ArrayList<>();
        List<Integer> judges = new ArrayList<>();
        List<Integer> begins = new ArrayList<>();
        int pair = 0;
        int run = -1;
        for (double[][] path : paths) {
            for (int t = 0; t < path.length; t++) {
                states.add(path[t]);
                if (t + 1 == path.length) {
                    continue;
                }
                int number = pair++ / length;
                if (number % HELD_OUT_RUN != HELD_OUT_RUN - 1) {
                    learns.add(states.size() - 1);
                    continue;
                }
                if (number != run || t == 0) {
                    begins.add(judges.size());
                }
                run = number;
                judges.add(states.size() - 1);
            }
        }
        begins.add(judges.size());
        learned = learns.stream().mapToInt(Integer::intValue).toArray();
        heldOut = judges.stream().mapToInt(Integer::intValue).toArray();
        runs = begins.stream().mapToInt(Integer::intValue).toArray();
        usable = new boolean[states.size()];
        for (int i : learned) {
            usable[i] = true;
            usable[i + 1] = true;
        }
    }

    static int count(List<double[][]> paths) {
        return paths.stream().mapToInt(path -> path.length - 1).sum();
    }

    Points states() {
        return states;
    }

    int targets() {
        return targets;
    }

    int[] learned() {
        return learned;
    }

    int[] heldOut() {
        return heldOut;
    }

    /** Where runs of held-out pairs begin, within a trajectory each, and at last the number of held-out pairs. */
    int[] runs() {
        return runs;
    }

    /** True if a state is part of a learned pair. */
    boolean isLearned(int state) {
        return usable[state];
    }

    /** x⁺ − x of some pairs, one per row. */
    Matrix increments(int[] pairs) {
        Matrix result = new Matrix(pairs.length, targets);
        for (int c = 0; c < targets; c++) {
            double[] all = states.coordinate(c);
            double[] column = result.column(c);
            for (int i = 0; i < pairs.length; i++) {
                column[i] = all[pairs[i] + 1] - all[pairs[i]];
            }
        }
        return result;
    }

    /** Some rows of a matrix that has one per state. */
    static Matrix rows(Matrix all, int[] which, int shift) {
        Matrix result = new Matrix(which.length, all.columns());
        for (int j = 0; j < all.columns(); j++) {
            double[] source = all.column(j);
            double[] target = result.column(j);
            for (int i = 0; i < which.length; i++) {
                target[i] = source[which[i] + shift];
            }
        }
        return result;
    }
}
