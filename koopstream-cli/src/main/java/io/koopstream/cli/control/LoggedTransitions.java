package io.koopstream.cli.control;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Data;
import io.koopstream.cli.shell.NumberList;
import io.koopstream.control.env.Box;
import io.koopstream.control.env.Transitions;
import io.koopstream.io.StateLabels;
import io.koopstream.io.samples.SampleReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Logged transitions from a file.
 *
 * @param stateNames names of the state's coordinates
 * @param actionNames names of the action's coordinates
 * @param transitions what was logged
 * @param range bounds of the actions
 */
record LoggedTransitions(List<String> stateNames, List<String> actionNames, Transitions transitions, Box range) {

    /**
     * Reads a file.
     *
     * @param actions names of the columns that are actions, commas between
     * @param bounds lower and upper ends of each action, or null for those of the data
     */
    static LoggedTransitions read(Path file, String actions, String bounds, Data data) throws IOException {
        List<String> actionNames =
                Arrays.stream(actions.split(",", -1)).map(String::strip).toList();
        try (SampleReader reader = data.openWithActions(file, Set.copyOf(actionNames))) {
            List<String> all = reader.names();
            for (String name : actionNames) {
                if (!all.contains(name)) {
                    throw CommandFailure.data("--actions " + actions + ": " + file + " has no column '" + name
                            + "'; it has " + String.join(", ", all));
                }
            }
            List<String> states =
                    all.stream().filter(name -> !actionNames.contains(name)).toList();
            if (states.isEmpty()) {
                throw CommandFailure.data("--actions " + actions + ": no column is left for the state");
            }
            int[] stateAt = states.stream().mapToInt(all::indexOf).toArray();
            int[] actionAt = actionNames.stream().mapToInt(all::indexOf).toArray();
            Transitions transitions = new Transitions(states.size(), actionNames.size());
            double[] low = new double[actionAt.length];
            double[] high = new double[actionAt.length];
            Arrays.fill(low, Double.POSITIVE_INFINITY);
            Arrays.fill(high, Double.NEGATIVE_INFINITY);
            data.forEachPair(reader, StateLabels.NONE, (z, next) -> {
                double[] action = pick(z, actionAt);
                transitions.add(pick(z, stateAt), action, pick(next, stateAt));
                for (int c = 0; c < action.length; c++) {
                    low[c] = Math.min(low[c], action[c]);
                    high[c] = Math.max(high[c], action[c]);
                }
            });
            if (transitions.size() < 2) {
                throw CommandFailure.data(file + ": " + transitions.size()
                        + " transitions; rows must follow each other in a trajectory, or be pairs with columns a_next");
            }
            Box range = bounds == null ? range(actions, low, high) : bounds(bounds, actionAt.length);
            return new LoggedTransitions(states, actionNames, transitions, range);
        }
    }

    private static double[] pick(double[] all, int[] places) {
        return Arrays.stream(places).mapToDouble(c -> all[c]).toArray();
    }

    private static Box range(String actions, double[] low, double[] high) {
        for (int c = 0; c < low.length; c++) {
            if (!(low[c] < high[c])) {
                throw CommandFailure.data(
                        "--actions " + actions
                                + ": an action is the same in all rows, so the action set is empty; log different ones, or give --bounds");
            }
        }
        return new Box(
                Arrays.stream(low).boxed().toList(), Arrays.stream(high).boxed().toList());
    }

    private static Box bounds(String bounds, int count) {
        List<Double> low = new ArrayList<>();
        List<Double> high = new ArrayList<>();
        for (String part : bounds.split(",", -1)) {
            String[] ends = part.split(":", -1);
            if (ends.length != 2) {
                throw CommandFailure.usage("--bounds " + bounds + ": expected lower and upper bounds, e.g. -2:2");
            }
            low.addAll(NumberList.parse("--bounds", ends[0]));
            high.addAll(NumberList.parse("--bounds", ends[1]));
        }
        if (low.size() != count) {
            throw CommandFailure.data(
                    "--bounds " + bounds + ": " + low.size() + " intervals for " + count + " actions");
        }
        return new Box(low, high);
    }
}
