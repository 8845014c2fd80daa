package io.koopstream.cli.control;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.NumberList;
import io.koopstream.control.env.Box;
import io.koopstream.control.mpc.Horizon;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** What model-predictive control needs beside a goal and its weights. */
final class TrackingOptions {

    @Option(
            names = "--mpc",
            paramLabel = "STEPS",
            description =
                    "model-predictive control over so many steps in place of a plan for all states; follows --goal, or"
                            + " a reference that a decision is given")
    private Integer steps;

    @Option(
            names = "--hold",
            paramLabel = "N",
            defaultValue = "1",
            description = "with --mpc: number of steps for which a planned action stays; default: ${DEFAULT-VALUE}")
    private int hold;

    @Option(
            names = "--final-weight",
            paramLabel = "W",
            defaultValue = "1",
            description = "with --mpc: factor of the last step's distance to the goal; default: ${DEFAULT-VALUE}")
    private double finalWeight;

    @Option(
            names = "--state-bounds",
            paramLabel = "NAME=L:H",
            description = "with --mpc: bounds of state columns, e.g. speed=-1.5:1.5,x=:2; an end may be left out")
    private String stateBounds;

    boolean isGiven() {
        if (steps == null && (hold != 1 || finalWeight != 1 || stateBounds != null)) {
            throw CommandFailure.usage("--hold, --final-weight and --state-bounds belong to --mpc STEPS");
        }
        return steps != null;
    }

    Horizon horizon(List<String> states, List<Double> weights, List<Double> actionWeights, Box actions) {
        return new Horizon(steps, hold, weights, finalWeight, actionWeights, bounds(states), actions);
    }

    private Box bounds(List<String> states) {
        List<Double> low = new ArrayList<>(Collections.nCopies(states.size(), Double.NEGATIVE_INFINITY));
        List<Double> high = new ArrayList<>(Collections.nCopies(states.size(), Double.POSITIVE_INFINITY));
        for (String part : stateBounds == null ? new String[0] : stateBounds.split(",", -1)) {
            String[] sides = part.split("[=:]", -1);
            if (sides.length != 3) {
                throw CommandFailure.usage(
                        "--state-bounds " + stateBounds + ": expected NAME=L:H, e.g. speed=-1.5:1.5");
            }
            int c = states.indexOf(sides[0].strip());
            if (c < 0) {
                throw CommandFailure.data("--state-bounds " + stateBounds + ": no state column '" + sides[0].strip()
                        + "'; there are " + String.join(", ", states));
            }
            if (!sides[1].isBlank()) {
                low.set(c, NumberList.parse("--state-bounds", sides[1]).get(0));
            }
            if (!sides[2].isBlank()) {
                high.set(c, NumberList.parse("--state-bounds", sides[2]).get(0));
            }
        }
        return new Box(low, high);
    }
}
