package io.koopstream.answers;

import io.koopstream.rows.Projection;

/**
 * The projection of the rows before they are learned.
 *
 * @param columns of a row
 * @param coordinates that are learned instead
 * @param rows that it was made of
 * @param missed share of their energy about the mean that the coordinates do not have
 */
public record Projected(int columns, int coordinates, long rows, double missed) {

    /** The facts about a projection; null where there is none. */
    public static Projected of(Projection projection) {
        return projection == null
                ? null
                : new Projected(projection.dimension(), projection.rank(), projection.rows(), projection.missed());
    }
}
