package io.koopstream.rows;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as people write them: 90 s, 15min, 1h, 7d, 1month. Dated streams count in seconds; a month has the seconds of an average one, so a number of whole
 * months stands for months of the calendar ({@link MaxGap#after}).
 */
public final class Durations {

    /** Seconds of an average month of the Gregorian calendar: a twelfth of a year. */
    static final double MONTH = 2_629_746;

    private static final Unit YEARS = new Unit("y", 12 * MONTH);
    private static final Unit WEEKS = new Unit("w", 604_800);
    private static final Unit MONTHS = new Unit("month", MONTH);
    private static final List<Unit> UNITS = List.of(
            new Unit("us", 1e-6),
            new Unit("ms", 1e-3),
            new Unit("s", 1),
            new Unit("min", 60),
            new Unit("h", 3600),
            new Unit("d", 86_400),
            WEEKS,
            MONTHS,
            YEARS);

    private static final Pattern WRITTEN = Pattern.compile("([0-9.]+(?:[eE][-+]?[0-9]+)?)\\s*([a-z]*)");

    /**
     * A unit that suits a time.
     *
     * @param name as it is printed
     * @param seconds how many it has
     */
    public record Unit(String name, double seconds) {}

    private Durations() {}

    /** A number without unit as it is, one with a unit in seconds; NaN when it is neither. */
    public static double parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        try {
            return matcher.matches() ? Double.parseDouble(matcher.group(1)) * seconds(matcher.group(2)) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static double seconds(String name) {
        return UNITS.stream()
                .filter(unit -> unit.name.equals(name))
                .mapToDouble(Unit::seconds)
                .findFirst()
                .orElse(name.isEmpty() ? 1 : Double.NaN);
    }

    /** True if a time in seconds is a number of whole months, which stand for months of the calendar. */
    public static boolean isMonths(double seconds) {
        return seconds >= MONTH && seconds % MONTH == 0;
    }

    /** The largest unit of which a time in seconds has at least one; years from two on, or where they are whole months. */
    public static Unit unit(double seconds) {
        if (isMonths(seconds)) {
            return seconds < YEARS.seconds ? MONTHS : YEARS;
        }
        return UNITS.stream()
                .filter(unit -> Math.abs(seconds) >= unit.seconds * (unit.equals(YEARS) ? 2 : 1))
                .filter(unit -> !unit.equals(WEEKS) && !unit.equals(MONTHS))
                .reduce(UNITS.get(0), (smaller, larger) -> larger);
    }

    /** A time in seconds with a unit that suits it, e.g. {@code 1.5 h}. */
    public static String text(double seconds) {
        if (!Double.isFinite(seconds)) {
            return Double.isNaN(seconds) ? "unknown" : "for ever";
        }
        return text(seconds, unit(seconds));
    }

    /** Text of a time that is counted in such steps: in months and years where steps are months. */
    public static String text(double seconds, double step) {
        boolean months = isMonths(step) && Double.isFinite(seconds);
        return !months ? text(seconds) : text(seconds, seconds < YEARS.seconds ? MONTHS : YEARS);
    }

    private static String text(double seconds, Unit unit) {
        String number = String.format(Locale.ROOT, "%.4g", seconds / unit.seconds);
        String shortest = number.contains(".") && !number.contains("e") ? number.replaceAll("\\.?0+$", "") : number;
        return shortest + " " + unit.name + (unit.equals(MONTHS) && !shortest.equals("1") ? "s" : "");
    }
}
