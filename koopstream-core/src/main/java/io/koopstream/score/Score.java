package io.koopstream.score;

import io.koopstream.InvalidConfigException;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * How unusual an observation was, told before it was learned.
 *
 * @param score from 0 to 1, a tenth for every factor of ten by which an observation as odd as this one is rare: 0.4 is one in 10,000; NaN while that is unknown
 * @param p the share of observations whose residual is as large or larger, uniform from 0 to 1 while nothing changes; NaN while unknown
 * @param known how well the state is known, ‖β‖²/κ from 0 to 1; NaN before anything was learned
 * @param alarm whether an alarm begins here
 * @param residual the observed value minus the expected one, per coordinate of the prepared observation; empty when nothing was
 * @param spread half the width of the band around what was expected, in which 95 % of all observations lie with all their coordinates; NaN while unknown
 */
public record Score(double score, double p, double known, boolean alarm, List<Double> residual, List<Double> spread) {

    /** Where one alarm in so many observations is expected while nothing changes, unless said otherwise. */
    public static final double DEFAULT_ALARM_RATE = 1e-4;

    /** An observation of which nothing could be expected, though its state may be known. */
    static Score unknown(double known) {
        return new Score(Double.NaN, Double.NaN, known, false, List.of(), List.of());
    }

    /** Numbers that nobody changes any more, boxed when somebody reads them. */
    static List<Double> row(double[] numbers) {
        return new Row(numbers);
    }

    private static final class Row extends AbstractList<Double> implements RandomAccess {

        private final double[] numbers;

        private Row(double[] numbers) {
            this.numbers = numbers;
        }

        @Override
        public Double get(int i) {
            return numbers[i];
        }

        @Override
        public int size() {
            return numbers.length;
        }
    }

    /** Refuses a rate that is none. */
    public static double requireRate(double rate) {
        if (!(rate >= 1e-9 && rate <= 0.1)) {
            throw new InvalidConfigException(
                    "alarmRate",
                    rate,
                    "must be from 1e-9 to 0.1: alarms per observation while nothing changes; try 1e-4");
        }
        return rate;
    }

    /** Whether anything was expected. */
    public boolean isJudged() {
        return !residual.isEmpty();
    }
}
