package io.koopstream.cli.learn;

import io.koopstream.cli.shell.CommandFailure;
import io.koopstream.cli.shell.Console;
import io.koopstream.io.samples.ProjectedReader;
import io.koopstream.io.samples.SampleReader;
import io.koopstream.kernel.Kernels;
import io.koopstream.rows.Projection;
import io.koopstream.rows.ProjectionBuilder;
import io.koopstream.stream.StreamConfig;
import io.koopstream.stream.StreamOption;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code --project}: rows of many columns are learned as a few coordinates. */
final class ProjectOption {

    /** Columns from which on rows are projected without being asked: data of so many are rarely longer than wide, so that most directions are never seen. */
    static final int WIDE = 300;

    /** Numbers of the first rows of a pipe that are held in memory, 128 MB. */
    private static final long HELD = 1 << 24;

    /** A pipe whose later rows are missed by this much more than its first is told of. */
    private static final double LARGE = 0.1;

    @Option(
            names = "--project",
            paramLabel = "R",
            description =
                    "learn the R coordinates along which rows vary most instead of their columns; auto: as many as"
                            + " stand out of the noise, at most 64; none; default: auto from 300 columns on. They are learned with"
                            + " a linear kernel (dynamic mode decomposition) unless --kernel says otherwise; --kernel chosen"
                            + " chooses one")
    private String wish;

    /** Opens the rows once more. */
    interface Again {
        /** A reader at the first row. */
        SampleReader open() throws IOException;
    }

    /** Refuses another projection than that of the model that is gone on with. */
    void requireSame(Projection known) {
        if (wish != null && (known != null || !wish.equals("none"))) {
            throw CommandFailure.usage(
                    "--project " + wish + ": leave it out, --resume goes on with what the model has");
        }
    }

    /** True if rows of so many columns are projected. */
    private boolean isWanted(int columns) {
        return wish == null ? columns >= WIDE : !wish.equals("none");
    }

    private ProjectionBuilder builder(int columns) {
        if (wish == null || wish.equals("auto")) {
            return ProjectionBuilder.automatic(columns);
        }
        if (!wish.matches("[0-9]{1,9}")) {
            throw CommandFailure.usage("--project " + wish + ": expected a number of coordinates, auto or none");
        }
        return ProjectionBuilder.ofRank(columns, Integer.parseInt(wish));
    }

    /**
     * The rows as they are to be learned.
     *
     * @param rows closed if there is an error
     * @param again for the second reading of a file; null for what can be read only once, where the first rows make the projection
     * @param warmUp how many rows that are at most
     */
    SampleReader projected(SampleReader rows, Again again, int warmUp, Console console) throws IOException {
        int columns = rows.names().size();
        if (!isWanted(columns)) {
            return rows;
        }
        try {
            ProjectionBuilder builder = builder(columns);
            ProjectedReader projected;
            if (again == null) {
                long most = Math.max(builder.exactRows(), HELD / columns);
                projected = ProjectedReader.ofFirst(rows, builder, Math.min(warmUp, most));
            } else {
                try (SampleReader first = again.open()) {
                    ProjectedReader.addAll(first, builder);
                }
                projected = new ProjectedReader(rows, builder.build());
            }
            Projection projection = projected.projection();
            console.tell(
                    "Projection (--project): %,d columns to %,d coordinates, which hold %s of the energy of %,d rows.",
                    columns, projection.rank(), percent(1 - projection.missed()), projection.rows());
            return projected;
        } catch (IOException | RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    /**
     * Options with which a linear operator of the coordinates is learned, as dynamic mode decomposition does: each coordinate in its own unit, so that the ridge weighs on all alike; no
     * state left out; and a domain a thousand times as wide as the rows that made the projection, none of which is farther than √(rows · coordinates).
     *
     * @param config the options that were given
     */
    static Map<String, String> linear(Projection projection, StreamConfig config) {
        double[] energies = projection.energies();
        int prepared = config.preparation().dimension(projection.rank());
        double[] units = new double[prepared * (config.delays().orElse(0) + 1)];
        for (int c = 0; c < units.length; c++) {
            int of = c % prepared;
            units[c] = of < energies.length ? rounded(Math.sqrt(energies[of] / projection.rows())) : 1;
        }
        double radius = rounded(1000 * Math.sqrt((double) projection.rows() * units.length));
        return Map.of(
                StreamOption.KERNEL.name(),
                Kernels.scaled(Kernels.linear(1, radius), units).text(),
                StreamOption.EPSILON.name(),
                "1e-6");
    }

    private static double rounded(double value) {
        return new BigDecimal(value).round(new MathContext(3)).doubleValue();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** Says where rows have left the plane of those that it was made of. */
    static void tellMissed(SampleReader reader, Console console) {
        if (reader instanceof ProjectedReader projected
                && projected.missed() > projected.projection().missed() + LARGE) {
            console.tell(
                    "koop: note: the projection misses %s of the energy of later rows, %s of those that made it: they move"
                            + " where the first did not; learn a file of all rows, or more coordinates with --project",
                    percent(projected.missed()), percent(projected.projection().missed()));
        }
    }
}
