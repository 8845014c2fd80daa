package io.koopstream.cli.ask;

import io.koopstream.cli.plot.Slice;
import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Model;
import picocli.CommandLine.Option;

/** Which plane through the state space a picture shows. */
final class SliceOptions {

    @Option(
            names = "--axes",
            paramLabel = "I,J",
            defaultValue = "1,2",
            description =
                    "coordinates of the picture, counted from 1; default: ${DEFAULT-VALUE}, others at their middle")
    private String axes;

    Slice slice(Model model) {
        int d = model.dimension();
        if (d == 1) {
            return EigenfunctionMaps.region(model.operator().inputPoints(), 0, 0, model.names());
        }
        String[] parts = axes.split(",", -1);
        try {
            int first = Integer.parseInt(parts[0].strip());
            int second = Integer.parseInt(parts[1].strip());
            if (parts.length == 2 && first >= 1 && second >= 1 && first <= d && second <= d && first != second) {
                return EigenfunctionMaps.region(model.operator().inputPoints(), first - 1, second - 1, model.names());
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            // Said below, with what was expected.
        }
        throw CommandFailure.usage("--axes " + axes + ": expected two different numbers from 1 to " + d + ", e.g. 1,2");
    }
}
