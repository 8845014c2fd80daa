package io.koopstream.rows;

import io.koopstream.InvalidConfigException;
import java.time.LocalDate;
import java.util.List;

/**
 * Largest gap between observations that follow each other: no farther than usual, up to a time, or over weekends. With weekends, Friday and Monday
 * follow each other, also around holidays, and the days of a forecast are working days. Immutable.
 *
 * @param time the longest time between two that follow each other, in the units of the data; 0 for the usual one
 * @param weekends whether observations are of working days
 */
public record MaxGap(double time, boolean weekends) {

    private static final double DAY = 86_400;
    private static final double SHORTEST_MONTH = 28 * DAY;
    /** Times farther from 1970, in seconds, are no dates. */
    private static final double MAX_DATE = 1e12;

    /** No farther than usual. */
    public static final MaxGap NONE = new MaxGap(0, false);

    /** Thursday before Easter to Tuesday after it. */
    public static final MaxGap WEEKENDS = new MaxGap(5 * DAY, true);

    private static final String WEEKENDS_WORD = "weekends";

    /** Times nearer to 1970, in seconds, may be those of a clock that starts at zero. */
    private static final double MIN_TIME = 1e8;

    /** Fewer rows do not show that there are none on weekends. */
    public static final int MIN_ROWS = 15;

    private static final int DAYS_A_WEEK = 7;
    private static final int WORKING_DAYS = 5;

    /** Refuses what is no time. */
    public MaxGap {
        if (!(time >= 0) || Double.isInfinite(time) || (weekends && time != 5 * DAY)) {
            throw new IllegalArgumentException("gaps up to " + time);
        }
    }

    /** Reads what {@link #text} writes, or a time with a unit. */
    public static MaxGap parse(String text) {
        if (text.equals(WEEKENDS_WORD)) {
            return WEEKENDS;
        }
        double time = Durations.parse(text);
        if (!(time > 0) || Double.isInfinite(time)) {
            throw new InvalidConfigException(
                    "maxGap",
                    text,
                    "must be a time > 0: a number in the units of the data, or e.g. 15min, 1h, 7d; or 'weekends' for rows of working days");
        }
        return new MaxGap(time, false);
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return weekends ? WEEKENDS_WORD : Double.toString(time);
    }

    /** True if there is any. */
    public boolean isNone() {
        return time == 0;
    }

    /**
     * The time from one observation to a later one. From a day of a month to the same day of a later month, or from the last day to the last, it is a
     * number of {@linkplain Durations#isMonths whole months}, however many days they have.
     */
    public static double between(double from, double to) {
        double passed = to - from;
        if (!(passed >= SHORTEST_MONTH) || passed % DAY != 0 || Math.max(Math.abs(from), Math.abs(to)) >= MAX_DATE) {
            return passed;
        }
        LocalDate first = date(from);
        LocalDate last = date(to);
        int months = 12 * (last.getYear() - first.getYear()) + last.getMonthValue() - first.getMonthValue();
        return addMonths(first, months).equals(last) ? months * Durations.MONTH : passed;
    }

    private static LocalDate date(double time) {
        return LocalDate.ofEpochDay((long) Math.floor(time / DAY));
    }

    /** The last day of a month stays the last. */
    private static LocalDate addMonths(LocalDate day, long months) {
        LocalDate later = day.plusMonths(months);
        return day.getDayOfMonth() == day.lengthOfMonth() ? later.withDayOfMonth(later.lengthOfMonth()) : later;
    }

    /**
     * The time at which a later observation is expected: months later on the calendar where the interval is of months.
     *
     * @param from time of an observation
     * @param interval usual time between two
     * @param steps how many observations later, >= 0
     */
    public double after(double from, double interval, int steps) {
        if (Durations.isMonths(interval) && Math.abs(from) < MAX_DATE) {
            LocalDate day = date(from);
            long months = Math.round(interval / Durations.MONTH) * steps;
            return from + DAY * (addMonths(day, months).toEpochDay() - day.toEpochDay());
        }
        if (!weekends || !isDay(interval)) {
            return from + steps * interval;
        }
        int weeks = steps / WORKING_DAYS;
        double time = from + weeks * DAYS_A_WEEK * interval;
        for (int left = steps % WORKING_DAYS; left > 0; left--) {
            do {
                time += interval;
            } while (isWeekend(time));
        }
        return time;
    }

    /** The gap that observations suggest: weekends where they are dated, a day apart, and never of a Saturday or Sunday. */
    public static MaxGap of(List<Observation> rows, double interval) {
        int dated = 0;
        for (Observation row : rows) {
            if (row.isUnreadable()) {
                continue;
            }
            if (row.isPair() || !(Math.abs(row.time()) >= MIN_TIME) || isWeekend(row.time())) {
                return NONE;
            }
            dated++;
        }
        return dated >= MIN_ROWS && isDay(interval) ? WEEKENDS : NONE;
    }

    /** True if an interval in seconds is about a day. */
    public static boolean isDay(double interval) {
        return Math.abs(interval - DAY) < 0.01 * DAY;
    }

    /** True on Saturdays and Sundays in UTC, like dates without a zone; day 0 was a Thursday. */
    public static boolean isWeekend(double time) {
        int day = Math.floorMod((long) Math.floor(time / DAY) + 3, DAYS_A_WEEK);
        return day >= WORKING_DAYS;
    }
}
