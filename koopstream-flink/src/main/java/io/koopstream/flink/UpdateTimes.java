package io.koopstream.flink;

import java.util.Arrays;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;

/** The times of the last 1024 updates. Written by the task, read by the reporter. */
final class UpdateTimes implements Histogram {

    private static final int SIZE = 1024;

    private final long[] ring = new long[SIZE];
    private volatile long count;

    @Override
    public void update(long value) {
        ring[(int) (count % SIZE)] = value;
        // One writer, so this is no race; the write of the count makes the value visible.
        long next = count + 1;
        count = next;
    }

    @Override
    public long getCount() {
        return count;
    }

    @Override
    public HistogramStatistics getStatistics() {
        int filled = (int) Math.min(count, SIZE);
        return new Sorted(Arrays.copyOf(ring, filled));
    }

    /** A sorted copy. */
    private static final class Sorted extends HistogramStatistics {

        private final long[] values;

        Sorted(long[] values) {
            this.values = values;
            Arrays.sort(values);
        }

        @Override
        public double getQuantile(double quantile) {
            return values.length == 0
                    ? 0
                    : values[(int) Math.min(values.length - 1L, (long) (quantile * values.length))];
        }

        @Override
        public long[] getValues() {
            return values.clone();
        }

        @Override
        public int size() {
            return values.length;
        }

        @Override
        public double getMean() {
            return Arrays.stream(values).average().orElse(0);
        }

        @Override
        public double getStdDev() {
            double mean = getMean();
            return Math.sqrt(Arrays.stream(values)
                    .mapToDouble(value -> (value - mean) * (value - mean))
                    .average()
                    .orElse(0));
        }

        @Override
        public long getMax() {
            return values.length == 0 ? 0 : values[values.length - 1];
        }

        @Override
        public long getMin() {
            return values.length == 0 ? 0 : values[0];
        }
    }
}
