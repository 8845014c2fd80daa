package io.koopstream.server.engine;

import io.koopstream.server.durable.Packer;
import io.koopstream.server.durable.Unpacker;

/** The newest rows of a stream of rows, at most so many. One writer. */
final class RowRing {

    private final int capacity;
    private final int columns;
    private final double[] values;
    private long offered;

    RowRing(int capacity, int columns) {
        this.capacity = capacity;
        this.columns = columns;
        this.values = new double[Math.multiplyExact(capacity, columns)];
    }

    /** Adds a row made of a part of an array. */
    void add(double[] from, int offset) {
        System.arraycopy(from, offset, values, slot(offered) * columns, columns);
        offered++;
    }

    private int slot(long number) {
        return (int) (number % capacity);
    }

    int size() {
        return (int) Math.min(offered, capacity);
    }

    long bytes() {
        return (long) Double.BYTES * values.length;
    }

    /** The rows, oldest first, copied. */
    double[][] rows() {
        double[][] rows = new double[size()][];
        for (int i = 0; i < rows.length; i++) {
            int start = slot(offered - rows.length + i) * columns;
            rows[i] = java.util.Arrays.copyOfRange(values, start, start + columns);
        }
        return rows;
    }

    void pack(Packer out) {
        out.put(offered);
        for (double[] row : rows()) {
            out.put(row, 0, columns);
        }
    }

    void unpack(Unpacker in) {
        long count = in.number();
        if (count < 0) {
            throw in.fault("a number of rows", Long.toString(count));
        }
        offered = Math.max(0, count - capacity);
        while (offered < count) {
            add(in.reals(columns), 0);
        }
    }
}
