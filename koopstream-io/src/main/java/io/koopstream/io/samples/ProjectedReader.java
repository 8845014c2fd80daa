package io.koopstream.io.samples;

import io.koopstream.rows.Projection;
import io.koopstream.rows.ProjectionBuilder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** Rows of another reader as coordinates of their projection, so that whatever learns or asks sees few columns. A row with a missing column has no coordinates. */
public final class ProjectedReader extends WrappedReader {

    private final Projection projection;
    private final List<String> names;
    private final Sample wide = new Sample();
    /** Rows and bad rows that were read before there was a projection, in order. */
    private final Queue<Object> early;

    private double energy;
    private double missed;

    /**
     * Rows of any reader.
     *
     * @throws SampleFormatException if they have other columns than the projection
     */
    public ProjectedReader(SampleReader rows, Projection projection) {
        this(rows, projection, new ArrayDeque<>());
    }

    private ProjectedReader(SampleReader rows, Projection projection, Queue<Object> early) {
        super(rows);
        if (rows.names().size() != projection.dimension()) {
            throw new SampleFormatException(
                    rows.source(),
                    "has rows of " + rows.names().size() + " columns, and the model projects rows of "
                            + projection.dimension());
        }
        this.projection = projection;
        this.names = projection.names();
        this.early = early;
    }

    /**
     * Rows that can be read only once: those that came first make the projection, and are read again from memory.
     *
     * @param count how many make it
     */
    public static ProjectedReader ofFirst(SampleReader rows, ProjectionBuilder builder, long count) throws IOException {
        Queue<Object> early = new ArrayDeque<>();
        boolean more = true;
        while (more && builder.rows() < count && early.size() < 2 * count) {
            Sample sample = new Sample();
            try {
                more = rows.read(sample);
                if (more) {
                    early.add(sample);
                    addComplete(builder, sample);
                }
            } catch (BadRowException e) {
                early.add(e);
            }
        }
        return new ProjectedReader(rows, builder.build(), early);
    }

    /** Adds all complete rows of a reader; those that cannot be read are left to whoever reads it again. */
    public static void addAll(SampleReader rows, ProjectionBuilder builder) throws IOException {
        Sample sample = new Sample();
        boolean more = true;
        while (more) {
            try {
                more = rows.read(sample);
                if (more) {
                    addComplete(builder, sample);
                }
            } catch (BadRowException e) {
                // Whoever learns the rows says so.
            }
        }
    }

    private static void addComplete(ProjectionBuilder builder, Sample sample) {
        for (double value : sample.state()) {
            if (Double.isNaN(value)) {
                return;
            }
        }
        builder.add(sample.state());
    }

    /** The projection. */
    public Projection projection() {
        return projection;
    }

    /** The share of the energy that the projection missed, of the rows that came after those that made it; NaN where there are none. */
    public double missed() {
        return missed / energy;
    }

    @Override
    public boolean read(Sample into) throws IOException {
        Object first = early.poll();
        if (first instanceof BadRowException bad) {
            throw bad;
        }
        if (first == null && !rows.read(wide)) {
            return false;
        }
        Sample row = first == null ? wide : (Sample) first;
        into.copyOf(row, names.size());
        double all = projection.project(row.state(), into.state());
        if (row.next() != null) {
            projection.project(row.next(), into.next());
        }
        if (first == null && !Double.isNaN(all)) {
            energy += all;
            missed += all;
            for (double coordinate : into.state()) {
                missed -= coordinate * coordinate;
            }
        }
        return true;
    }

    @Override
    public List<String> names() {
        return names;
    }
}
