package io.koopstream.internal.dictionary;

import io.koopstream.InvalidConfigException;

/** Number of points a dictionary may hold. */
public final class DictionaryCap {

    /** No limit but memory. */
    public static final int NONE = Integer.MAX_VALUE;

    private DictionaryCap() {}

    /** Refuses a cap below one point. */
    public static void requireLegal(int maxDictionary) {
        InvalidConfigException.require(
                maxDictionary >= 1,
                "maxDictionary",
                maxDictionary,
                "must be >= 1 kept sample; leave it out for no limit");
    }

    /**
     * Refuses a cap that this JVM has no room for: a promise of bounded memory that would end in an error after days.
     *
     * @param matrices how many m×m arrays the learner holds at m kept samples
     * @param numbersPerPoint how many numbers of order m it holds for each of them
     */
    public static void requireRoom(int maxDictionary, int matrices, int numbersPerPoint) {
        if (maxDictionary == NONE) {
            return;
        }
        double bytes = bytes(maxDictionary, matrices, numbersPerPoint);
        long heap = Runtime.getRuntime().maxMemory();
        InvalidConfigException.require(
                bytes <= heap,
                "maxDictionary",
                maxDictionary,
                "needs about " + Math.round(bytes / (1 << 20)) + " MiB, this JVM may take " + (heap >> 20)
                        + "; use at most " + most(heap, matrices, numbersPerPoint)
                        + ", or give Java more with -Xmx");
    }

    /** The largest m whose {@link #bytes} fit. */
    private static int most(long heap, int matrices, int numbersPerPoint) {
        double half = numbersPerPoint / 2.0 / matrices;
        return (int) (Math.sqrt(half * half + heap / (8.0 * matrices)) - half);
    }

    /** Bytes of {@code matrices} m×m arrays and of what comes with each of m kept points, all trimmed to size. */
    public static double bytes(double m, int matrices, int numbersPerPoint) {
        return 8 * (matrices * m * m + m * numbersPerPoint);
    }

    /** The cap as a line of the settings' canonical text; nothing when there is none, as before there were caps. */
    public static String text(int maxDictionary) {
        return maxDictionary == NONE ? "" : "\nmaxDictionary " + maxDictionary;
    }
}
