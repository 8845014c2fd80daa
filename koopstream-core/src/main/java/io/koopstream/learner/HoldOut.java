package io.koopstream.learner;

import java.util.Arrays;

/**
 * Pairs (x, x⁺) kept aside from a stream, so that what was learned can be judged on samples it has not seen. Which pairs are kept is a
 * function of their position in the stream and of the settings alone. Immutable; rows are copied out.
 */
public final class HoldOut {

    private final double[][] x;
    private final double[][] xNext;
    private final long offered;

    private HoldOut(double[][] x, double[][] xNext, long offered) {
        this.x = x;
        this.xNext = xNext;
        this.offered = offered;
    }

    /** How many pairs are remembered. */
    public int size() {
        return x.length;
    }

    /** How many pairs were ever held out. */
    public long offered() {
        return offered;
    }

    /** The inputs, one a row, copied. */
    public double[][] inputs() {
        return copied(x);
    }

    /** The outputs, one a row, copied. */
    public double[][] outputs() {
        return copied(xNext);
    }

    private static double[][] copied(double[][] rows) {
        double[][] result = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            result[i] = rows[i].clone();
        }
        return result;
    }

    /** The store behind it. One writer. */
    static final class Store {

        private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

        private final HoldOutConfig config;
        private double[][] x = new double[8][];
        private double[][] xNext = new double[8][];
        private long offered;

        Store(HoldOutConfig config) {
            this.config = config;
        }

        private int size() {
            return (int) Math.min(offered, config.capacity());
        }

        /** Takes copies; all memory is taken before anything changes. */
        void offer(double[] from, double[] to) {
            long slot = slot();
            if (slot >= 0) {
                double[] fromCopy = from.clone();
                double[] toCopy = to.clone();
                if (slot >= x.length) {
                    int bigger = Math.min(config.capacity(), x.length + (x.length >> 1));
                    double[][] biggerX = Arrays.copyOf(x, bigger);
                    xNext = Arrays.copyOf(xNext, bigger);
                    x = biggerX;
                }
                x[(int) slot] = fromCopy;
                xNext[(int) slot] = toCopy;
            }
            offered++;
        }

        /** Where the next pair goes; −1 when it is not remembered. */
        private long slot() {
            if (offered < config.capacity()) {
                return offered;
            }
            if (config.keep() == HoldOutConfig.Keep.NEWEST) {
                return offered % config.capacity();
            }
            // A fresh value for every position instead of a generator with a state: copies and restarts need nothing
            // more than the position.
            long chosen = Long.remainderUnsigned(mix(config.seed() + (offered + 1) * GOLDEN_GAMMA), offered + 1);
            return chosen < config.capacity() ? chosen : -1;
        }

        /** The output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
        private static long mix(long value) {
            long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }

        /** What is remembered, the newest last where that is known. */
        HoldOut value() {
            int n = size();
            int first = config.keep() == HoldOutConfig.Keep.NEWEST && offered > n ? (int) (offered % n) : 0;
            double[][] inputs = new double[n][];
            double[][] outputs = new double[n][];
            for (int i = 0; i < n; i++) {
                // Rows are never written to again, so they can be shared.
                inputs[i] = x[(first + i) % n];
                outputs[i] = xNext[(first + i) % n];
            }
            return new HoldOut(inputs, outputs, offered);
        }

        void clear() {
            x = new double[8][];
            xNext = new double[8][];
            offered = 0;
        }

        Store copy() {
            Store copy = new Store(config);
            copy.x = x.clone();
            copy.xNext = xNext.clone();
            copy.offered = offered;
            return copy;
        }
    }
}
