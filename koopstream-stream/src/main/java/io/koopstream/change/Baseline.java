package io.koopstream.change;

/**
 * Mean and scatter of past block means, by Welford's recurrence.
 *
 * @param count their number
 * @param mean their mean
 * @param squares sum of their squared deviations
 * @param lagged sum of the products of neighbours' deviations
 * @param last the newest of them
 */
record Baseline(double count, double mean, double squares, double lagged, double last) {

    /** No block yet. */
    static final Baseline EMPTY = new Baseline(0, 0, 0, 0, 0);

    /** One odd block counts as this many standard deviations at most, so that it cannot raise an event alone. */
    private static final double MAX_SCORE = 4;

    /** At a correlation of one, which a few blocks may seem to have, a deviation would be infinite. */
    private static final double MAX_CORRELATION = 0.95;

    /** With one block more. */
    Baseline with(double value) {
        double n = count + 1;
        double delta = value - mean;
        double newMean = mean + delta / n;
        double off = value - newMean;
        return new Baseline(n, newMean, squares + delta * off, lagged + (n > 1 ? off * (last - newMean) : 0), value);
    }

    /** Correlation of neighbours, as far as it widens the scatter of their sums. */
    double correlation() {
        return squares > 0 ? Math.max(0, Math.min(MAX_CORRELATION, lagged / squares)) : 0;
    }

    /**
     * Standard deviation of a block from the mean, which is itself uncertain by s/√n, as it counts for a sum of many.
     *
     * @param least what it counts as at least
     * @param correlation of neighbours; 0 where they are taken for independent
     */
    double deviation(double least, double correlation) {
        return Math.max(Math.sqrt(squares / (count - 1)), least)
                * Math.sqrt((1 + correlation) / (1 - correlation) * (1 + 1 / count));
    }

    /** Distance of a value from the mean in such deviations, cut to [−{@value #MAX_SCORE}, {@value #MAX_SCORE}]. */
    double standardised(double value, double deviation) {
        double difference = value - mean;
        return deviation > 0
                ? Math.max(-MAX_SCORE, Math.min(MAX_SCORE, difference / deviation))
                : Math.signum(difference) * MAX_SCORE;
    }
}
