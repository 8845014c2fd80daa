package io.koopstream.io.samples;

import io.koopstream.rows.Projection;
import io.koopstream.rows.ProjectionBuilder;

/** Rows of many columns in which two waves travel, and their projection to four coordinates. */
public final class TravellingWaves {

    public static final int COLUMNS = 24;

    private TravellingWaves() {}

    public static double[] row(int t) {
        double[] row = new double[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) {
            double x = 2 * Math.PI * c / COLUMNS;
            row[c] = 10 + c + Math.cos(x - 0.3 * t) + 0.5 * Math.cos(2 * x - 0.7 * t);
        }
        return row;
    }

    public static Projection projection(int rows) {
        ProjectionBuilder builder = ProjectionBuilder.ofRank(COLUMNS, 4);
        for (int t = 0; t < rows; t++) {
            builder.add(row(t));
        }
        return builder.build();
    }
}
