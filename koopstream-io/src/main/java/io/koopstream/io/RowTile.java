package io.koopstream.io;

import java.util.function.IntFunction;

/** Some rows of what lies in memory by columns, one behind the other: files have rows. Eight at a time, so that lines of memory are used whole. */
final class RowTile {

    private static final int ROWS = 8;
    private static final int MAX_NUMBERS = 1 << 16;

    private final IntFunction<double[]> columns;
    private final int rows;
    private final int width;
    private final double[] numbers;
    private int from;
    private int count;

    /**
     * @param columns the arrays behind the columns
     * @param rows how many rows there are in all
     * @param width how many columns
     */
    RowTile(IntFunction<double[]> columns, int rows, int width) {
        this.columns = columns;
        this.rows = rows;
        this.width = width;
        int most = Math.max(1, Math.min(ROWS, MAX_NUMBERS / Math.max(1, width)));
        this.numbers = new double[Math.min(most, rows) * width];
        this.count = 0;
    }

    /** Goes on to the next rows; false when there are no more. */
    boolean next() {
        from += count;
        count = width == 0 ? 0 : Math.min(numbers.length / width, rows - from);
        return count > 0;
    }

    /** The numbers of these rows. */
    double[] numbers() {
        return numbers;
    }

    /** How many numbers these rows have. */
    int size() {
        return count * width;
    }

    /** Takes these rows from the columns. */
    void gather() {
        for (int j = 0; j < width; j++) {
            double[] column = columns.apply(j);
            for (int i = 0; i < count; i++) {
                numbers[i * width + j] = column[from + i];
            }
        }
    }

    /** Puts these rows into the columns. */
    void scatter() {
        for (int j = 0; j < width; j++) {
            double[] column = columns.apply(j);
            for (int i = 0; i < count; i++) {
                column[from + i] = numbers[i * width + j];
            }
        }
    }
}
